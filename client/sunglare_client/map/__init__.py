"""The map of space as rows of text, at two scales."""
