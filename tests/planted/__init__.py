"""Faults that the tests plant in the server; each must be found, else its test proves nothing.

A module for each. Its `plant` takes the patch that takes the fault out again; only that of
`late_release`, which is planted in a process of its own, does without.
"""
