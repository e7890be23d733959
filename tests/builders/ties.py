"""Keys that break ties between pieces, for the tests of what is nearest."""


def by_name(piece: str) -> bytes:
    """Return a tie key that orders pieces by their names."""
    return piece.encode()


def against_name(piece: str) -> bytes:
    """Return a tie key that orders pieces of names as long the other way round."""
    return bytes(255 - byte for byte in piece.encode())
