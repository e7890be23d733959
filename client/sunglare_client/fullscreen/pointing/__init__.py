"""Pointing in the full screen: what a place offers, and the orders that come of it."""
