"""Verbs on the orders of a window as a whole: taken back, or given as in the turn before."""

from sunglare_client.command import Again, Clear, Command
from sunglare_client.verbs.reading import Reader
from sunglare_client.verbs.verb import ANY, Verb


def _clear(reader: Reader) -> Command:
    """Read a piece whose orders are taken back."""
    own = reader.own_id()
    return Clear(own, (), f"{own} has no orders in this window")


def _as(reader: Reader) -> Command:
    """Read `before`."""
    reader.pick("word", {"before": True})
    return Again()


ROWS = (
    Verb(
        "as",
        "a",
        ANY,
        "before",
        "as before",
        "repeat the last turn's orders of this window, as far as they are legal",
        _as,
    ),
    Verb(
        "clear",
        "cl",
        ANY,
        "<piece>",
        "clear S1",
        "take back a piece's orders in this window",
        _clear,
    ),
)
