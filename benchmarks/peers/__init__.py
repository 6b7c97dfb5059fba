"""frugalboost beside other boosting libraries: same data, bins, depth, rounds and threads.

    cd benchmarks && python -m peers [--quick] [--only NAME ...] [--contenders NAME ...]

A new library is one class in `contenders`, a new comparison one entry in `tasks`.
"""
