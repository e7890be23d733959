"""Where things are and how they move, in words."""

from sunglare_protocol.geometry import Square, Vector, box_of
from sunglare_rules.turn.movement import Flight


def square_text(square: Square) -> str:
    """Return a square as it is typed, as in `7,27`."""
    return f"{square.x},{square.y}"


def place_text(square: Square) -> str:
    """Return a square with the box it lies in, as in `7,27 B6`."""
    bare = square_text(square)
    return f"{bare} {box_of(square).name}" if min(square) >= 0 else bare


def vector_text(vector: Vector) -> str:
    """Return a vector, as in `v(+1,-4)`."""
    return f"v({','.join(f'{part:+d}' if part else '0' for part in vector)})"


def flight_text(flight: Flight) -> str:
    """Return where a flight stands, with vector and facing."""
    vector = vector_text(flight.vector)
    return f"{place_text(flight.square)} {vector} facing {flight.facing.value}"


def bearing_text(bearing: int | None) -> str:
    """Return a bearing that was rounded down to 30 degrees."""
    return "its own square" if bearing is None else f"bearing {bearing:03} to {bearing + 30:03}"


def place_words(planet: str, environs: int | None) -> str:
    """Return a place that agents can be near: an environs, or the orbit of a planet."""
    return f"the orbit of {planet}" if environs is None else f"{planet} {environs}"
