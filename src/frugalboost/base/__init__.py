"""What estimators share: reading tables, targets and parameters, predicting, explaining."""
