"""Saving and loading models: `save`, `load`, `digest`, and the checks of a file."""
