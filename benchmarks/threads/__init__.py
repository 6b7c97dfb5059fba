"""frugalboost and LightGBM with one thread, two, four and so on: whole fits, in turns.

    cd benchmarks && python -m threads [--quick] [--only NAME ...] [--threads N ...]

A new comparison is one entry in `tasks`. Measuring needs no matplotlib and no pandas; the picture,
which `--docs` draws, may be made from a file that was measured on another machine (`--from`).
"""
