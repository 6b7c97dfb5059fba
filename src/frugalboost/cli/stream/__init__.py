"""`frugalboost stream`: train on files larger than memory."""
