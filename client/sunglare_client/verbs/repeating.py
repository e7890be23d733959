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
        "the orders of this window in the last turn, as far as they can stand",
        _as,
    ),
    Verb(
        "clear",
        "cl",
        ANY,
        "<piece>",
        "clear S1",
        "take back what a piece was told in this window",
        _clear,
    ),
)
