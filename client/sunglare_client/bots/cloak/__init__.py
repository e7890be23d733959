"""Cloaked ships: how they move unheard, and how others wait for them."""
