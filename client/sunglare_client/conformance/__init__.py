"""Conformance of a server to the protocol: recorded sessions, and a server played through them."""
