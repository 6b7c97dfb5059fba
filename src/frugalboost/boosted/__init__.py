"""Exact boosted trees: classifier, regressor, bagging."""
