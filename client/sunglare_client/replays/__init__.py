"""Finished matches for those who look at them: found, read and shown in the terminal."""
