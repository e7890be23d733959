"""Choosing by number: what a window asks, what may be answered, and both as figures."""
