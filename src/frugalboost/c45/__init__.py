"""C4.5, release 8: one tree, or many of them boosted or bagged."""
