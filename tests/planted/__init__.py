"""Faults that the tests plant in the server; each must be found, else its test proves nothing."""
