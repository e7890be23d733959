"""The matches of a run, drawn from its seed: who plays what, on which clock."""

from collections.abc import Mapping
from random import Random
from typing import Final, NamedTuple, final

from simulation.diary import Origin
from sunglare_protocol.ids import OMNI, PUBLIC, Audience
from sunglare_server.match.clock.presets import ALLOWANCE_MOST

TURNS: Final = (1, 2, 3, 3, 4)
"""In which turn a player may resign."""

FOUR: Final = "four-corners"
TWO: Final = "shadow-of-ceres"


@final
class Plan(NamedTuple):
    """A match that is to be played: in turn `resigns` all but the last of its players give up.

    `origin` is from where it is played on, if it is.
    """

    scenario: str
    options: Mapping[str, object]
    names: tuple[str, ...]
    resigns: int
    feeds: tuple[tuple[str, Audience], ...] = ()
    origin: Origin | None = None

    @property
    def clock(self) -> str:
        """Return the name of its clock."""
        return str(self.options["clock"])


def plans(rng: Random, *, is_simulated: bool) -> tuple[Plan, ...]:
    """Return the matches of a run; where time is not simulated one of two seats alone.

    Rated windows last their time, which is long where nobody simulates it.
    """
    clock = rng.choice(("test", "test", "blitz") if is_simulated else ("test",))
    delay = {"omni_delay_turns": rng.choice((1, 1, 2)), "omni_delay_s": rng.choice((0, 0, 7))}
    if clock != "test":
        delay = {}
    beats = rng.choice((1, 3, ALLOWANCE_MOST))
    slots = rng.choice(("sequential", "sealed"))
    wish = {"clock": clock, "scan_slots": slots, "allowance_beats": beats, **delay}
    # With rated clocks nobody sees the truth before the end.
    feeds = (("pat", PUBLIC), ("eve", OMNI)) if clock == "test" else (("pat", PUBLIC),)
    if clock == "test":
        wish["truth_feed"] = "yes"
    first = Plan(TWO, wish, ("ann", "ben"), rng.choice(TURNS), feeds)
    if not is_simulated:
        return (first._replace(feeds=()),)
    four = {"clock": "blitz" if clock == "test" else "test", "scan_slots": "sealed"}
    days = {"clock": "correspondence", "scan_slots": "sealed"}
    return (
        first,
        Plan(FOUR, four, ("cid", "dan", "fay", "gus"), rng.choice((1, 1, 2))),
        Plan(TWO, days, ("ina", "jon"), rng.choice((1, 2, 4))),
    )
