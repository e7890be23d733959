"""Arcs between bases: which weapons bear on what, and at what range that counts."""
