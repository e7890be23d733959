"""Odds of an order, and what others would learn of it, from the view alone."""
