"""Hunting cloaked ships: passive detection, active sweeps, the two trackers."""
