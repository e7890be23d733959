"""Which feed is open to whom before the end: a table over feeds, relations and kinds of clock."""

from typing import Final

from sunglare_protocol.ids import CASTER, OMNI, PUBLIC, Audience

FEEDS: Final = (PUBLIC, OMNI, CASTER, Audience("A"), Audience("B"))

RELATIONS: Final = ("stranger", "late", "caster", "coach", "bound", "A", "B", "organiser", "bot")
"""An account without anything; those that are granted `omni`, `caster`, and the view of A; one
that was granted the view of A once; the two seats; who opened the match, without a
seat; and the account of a house bot that plays elsewhere."""

TIMES: Final = ("before", "running", "paused", "over")

CLOCKS: Final[dict[str, dict[str, str | int]]] = {
    "unrated": {"clock": "test", "truth_feed": "yes", "omni_delay_turns": 1, "omni_delay_s": 0},
    "rated": {"clock": "standard", "caster": "yes"},
}
"""A match of each kind of clock, by its options."""

OPEN: Final[dict[str, dict[Audience, tuple[str, ...]]]] = {
    "unrated": {
        PUBLIC: RELATIONS,
        OMNI: ("late", "organiser"),
        CASTER: ("caster",),
        Audience("A"): ("coach",),
        Audience("B"): (),
    },
    "rated": {
        PUBLIC: RELATIONS,
        OMNI: (),
        CASTER: ("caster",),
        Audience("A"): (),
        Audience("B"): (),
    },
}
"""Whom each feed is open to at any time before the end; after it everything is open to all."""


def is_open(clock: str, time: str, feed: Audience, relation: str) -> bool:
    """Return whether a feed is open."""
    return time == "over" or relation in OPEN[clock][feed]
