"""Bugs that the simulation of several workers must find."""
