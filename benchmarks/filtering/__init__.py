"""Boosting by filtering: certificate, speed, probabilities, and runs that are killed.

``python -m filtering --help`` in the folder `benchmarks` lists the parts.
"""
