"""Makes this folder importable, so that every test can say ``from strategies import ...``."""
