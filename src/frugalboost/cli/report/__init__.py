"""A model and what it says about some rows, as one page for a browser."""
