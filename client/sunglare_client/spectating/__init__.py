"""Watching matches without a seat."""
