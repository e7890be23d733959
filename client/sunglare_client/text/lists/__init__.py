"""Views as lists of pieces: a module for space, the ground and agents."""
