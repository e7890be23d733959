"""Checks of orders, as far as the own view goes: one module per kind of order."""
