"""Faults of data files whose values are of their kinds, one module per file."""
