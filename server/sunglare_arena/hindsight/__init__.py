"""Hindsight on a finished match: why a side did not see something."""
