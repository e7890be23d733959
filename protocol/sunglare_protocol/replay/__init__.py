"""Replays: what every audience of a match was sent, kept so that any program can show it."""
