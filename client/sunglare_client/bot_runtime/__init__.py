"""The runtime of bots: how their methods are called, and their notes."""
