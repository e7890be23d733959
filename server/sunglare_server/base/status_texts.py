"""Texts to seats about the server itself, outside their sequence, next to codes of refusals."""

FAULT_TEXT = "server/fault"
"""All that the seats learn of a fault of ours."""

AGAIN_TEXT = "server/again"
"""What the seats hear when orders are taken again, after `server/journal`."""
