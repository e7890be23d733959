"""The desk: what answers callers about accounts, rooms and matches, and the port to it."""
