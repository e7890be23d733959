"""Each row of the ledger tells those who are due to hear, by a second reading, and nobody else.

Every match of `played` is held against that reading step by step; here it is whole, it is used,
and it finds who is told too much or too little.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from random import Random
from types import ModuleType
from typing import NamedTuple

import pytest

from builders.learned import granted
from builders.ledger import in_situations
from builders.played import rig
from builders.scenarios import scenarios
from second_reading.due import READ, READINGS, misgranted
from second_reading.dueparts import told_by
from sunglare_protocol.ids import PUBLIC, Side, audience_of
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.events.space import Event, ShipLanded
from sunglare_server.match.facts.space import Grant
from sunglare_server.match.learn import cloak as hunting
from sunglare_server.match.learn import fire as firing
from sunglare_server.match.learn import ground as surface
from sunglare_server.match.learn import movement as moving
from sunglare_server.match.learn import searches as searching
from sunglare_server.match.learn import sensors as scanning
from sunglare_server.match.ledger.ledger import SILENT
from sunglare_server.match.truth.truth import Truth

MATCHES = (
    *(("gunnery", 0), ("parade", 5), ("garrison", 2), ("siege", 6)),
    *(("stalk-2", 3), ("stalk-2", 5), ("hunt", 5)),
)
"""The matches that are played here, by scenario and seed: few, in which much is told."""

LEAST_READ = 145
"""So many readings, at least, are held against grants of these matches."""

Change = Callable[[Iterable[Grant], tuple[Side, ...]], Iterator[Grant]]
"""Changes whom something is told to."""

OPTIONS = MatchOptions(clock="test")


class Step(NamedTuple):
    """What happened in a step, and the truth before it."""

    truth: Truth
    events: tuple[Event, ...]
    options: MatchOptions


@lru_cache(maxsize=1)
def steps() -> tuple[Step, ...]:
    """Return every step of the matches, and landings: they hardly ever have a witness there."""
    landings = [
        Step(truth, (event,), OPTIONS)
        for truth, event in in_situations()
        if isinstance(event, ShipLanded)
    ]
    return (*landings, *(step for name, seed in MATCHES for step in _played(name, seed)))


def _played(name: str, seed: int) -> Iterator[Step]:
    values = "yes" if name in ("siege", "hunt") else "no"
    match, rng = rig(scenarios()[name], seed, PUBLIC, contact_values=values), Random(seed)
    while not match.state.is_over:
        truth = match.state.truth
        match.play(rng, 1)
        yield Step(truth, match.last.events, match.state.options)


def faults() -> list[str]:
    """Return what is granted wrongly in all these steps."""
    return [fault for step in steps() for fault in misgranted(*step)]


def test_every_event_is_read_or_silent_and_none_is_both() -> None:
    kinds = {type(event).__name__ for _, event in in_situations()}
    assert set(READINGS) | set(SILENT) == kinds
    assert not set(READINGS) & set(SILENT)


def test_what_can_be_told_is_read_and_what_is_read_can_be_told() -> None:
    told = {
        (type(event).__name__, told_by(grant.fact))
        for truth, event in in_situations()
        for options in (OPTIONS, MatchOptions(contact_values="yes"))
        for grant in granted(truth, event, options)
    }
    assert {(event, what) for event, rows in READINGS.items() for what in rows} == told


def test_in_random_matches_all_who_are_due_are_told_and_nobody_else() -> None:
    assert faults() == []


def test_most_readings_are_held_against_grants_of_these_matches() -> None:
    READ.clear()
    faults()
    assert len(READ) >= LEAST_READ


def _more(what: str) -> Change:
    """Return what tells the same to every side that was not told it, in the same role."""

    def change(grants: Iterable[Grant], sides: tuple[Side, ...]) -> Iterator[Grant]:
        given = tuple(grants)
        yield from given
        told = [grant for grant in given if told_by(grant.fact) == what]
        deaf = [
            audience
            for audience in map(audience_of, sides)
            if audience not in [t.audience for t in told]
        ]
        yield from (Grant(audience, told[0].role, told[0].fact) for audience in deaf if told)

    return change


def _less(what: str) -> Change:
    """Return what keeps it from everybody."""

    def change(grants: Iterable[Grant], _sides: tuple[Side, ...]) -> Iterator[Grant]:
        return (grant for grant in grants if told_by(grant.fact) != what)

    return change


PLANTS = [
    (firing, "of_exposure", _more("Recognised+type")),
    (firing, "of_destruction", _more("SeenDestroyed")),
    (firing, "of_system", _less("OwnSystemLost")),
    (firing, "of_shot", _more("OwnHit")),
    (scanning, "of_contact", _more("Sighted")),
    (scanning, "of_contact", _less("Exposed")),
    (scanning, "of_loss", _more("Lost")),
    (scanning, "of_finish", _more("ScanReported")),
    (hunting, "of_step", _more("Counted")),
    (hunting, "of_step", _less("OwnCounted")),
    (moving, "of_launch", _more("OwnLaunched")),
    (moving, "of_landing", _less("SeenLanding")),
    (surface, "of_ground", _more("OwnGroundHit")),
    (surface, "of_ground", _more("TokenTaken")),
    (searching, "of_search", _more("AgentsFound")),
    (searching, "of_search", _less("OwnSearched")),
]
"""A part of what is learned, and how a wrong role would change it; each grant has its row."""


@pytest.mark.parametrize(("module", "name", "change"), PLANTS)
def test_a_wrong_role_is_found(
    module: ModuleType, name: str, change: Change, monkeypatch: pytest.MonkeyPatch
) -> None:
    learned = getattr(module, name)

    def wrongly(
        event: Event, before: Truth, *more: object, **options: object
    ) -> tuple[Grant, ...]:
        grants = tuple(learned(event, before, *more, **options))
        return tuple(change(grants, before.sides))

    recorded = steps()
    monkeypatch.setattr(module, name, wrongly)
    assert next((fault for step in recorded for fault in misgranted(*step)), None)
