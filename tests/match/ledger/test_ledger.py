"""The disclosure ledger: its rows name what exists, every row is used, nothing passes without."""

from typing import get_args

import msgspec
import pytest

from builders.agents import agents_samples
from builders.capital import capital_samples
from builders.ground import ground_samples
from builders.learned import contact, granted, grants_of, moved, samples, tracked
from builders.ledger import NOTICES, by_hand, in_situations, key_of, off_the_ledger
from builders.matches import Course, crowd, play
from builders.truths import A1, A, B
from sunglare_protocol.ids import PUBLIC, Audience, OwnId, audience_of
from sunglare_protocol.notices import InitiativeDrawn, OwnTracked, TruthGone, TruthHeld
from sunglare_protocol.words.scans import Echo
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.events.space import Event, RadarGaveAway, ShipMoved, SideWentOut
from sunglare_server.match.facts import agents as agents_facts
from sunglare_server.match.facts import capital as capital_facts
from sunglare_server.match.facts import ground as ground_facts
from sunglare_server.match.facts import space as every_fact
from sunglare_server.match.facts.space import (
    Announced,
    Exposed,
    Fact,
    Followed,
    Grant,
    Noticed,
    OwnTold,
    Sighted,
    Tracked,
    TruthTold,
)
from sunglare_server.match.ledger.ledger import (
    ROWS,
    SILENT,
    LedgerError,
    Row,
    checked,
    fields_told,
)

EVENTS = {kind.__name__: kind for kind in get_args(Event)}
FACTS = {kind.__name__: kind for kind in get_args(Fact)}
ROLES = {
    "all",
    "public",
    "omni",
    "owner",
    "holder",
    "killer",
    "scanner",
    "hunter",
    "watcher",
    "others",
    "shooter",
    "target",
    "witness",
    "scorer",
    "viewer",
    "seeker",
    "tracker",
    "asker",
    "bystander",
    "near",
}


def told_by(row: Row) -> type[msgspec.Struct]:
    """Return what has the fields that a row names: the fact, or the notice that it is."""
    kind: type[msgspec.Struct] = FACTS[row.fact]
    return NOTICES[row.fields[0]] if issubclass(kind, Noticed) else kind


def fields_named(row: Row) -> tuple[str, ...]:
    """Return the fields that a row names, without the kind of a notice."""
    return row.fields[1:] if issubclass(FACTS[row.fact], Noticed) else row.fields


SOURCES = ("sensors", "turn", "blips", "cloak", "capital", "search", "truth")
"""The chapters of the rules, and what else a row may refer to."""


def name_of(row: Row) -> str:
    """Return a row as it is called where it is at fault."""
    return f"{row.event}-{row.role}-{row.fact}"


def unknown_in(row: Row) -> list[str]:
    """Return what a row names that does not exist."""
    known = {
        "event": row.event in EVENTS,
        "fact": row.fact in FACTS,
        "role": row.role in ROLES,
        "fields": set(fields_named(row)) <= set(told_by(row).__struct_fields__),
        "condition": bool(row.condition),
        "source": row.source.split()[0] in SOURCES,
    }
    return [part for part, exists in known.items() if not exists]


def test_every_row_names_an_event_a_fact_and_fields_that_exist() -> None:
    unknown = [(name_of(row), unknown_in(row)) for row in ROWS]
    assert not [(row, parts) for row, parts in unknown if parts]


def test_no_row_grants_the_true_id_of_a_piece() -> None:
    # In a notice these are handles and names of the audience it is for.
    facts = [row for row in ROWS if not issubclass(FACTS[row.fact], Noticed)]
    assert facts
    assert not [name_of(row) for row in facts if {"piece", "target"} & set(row.fields)]


def test_no_permission_stands_twice() -> None:
    keys = [key_of(row) for row in ROWS]
    assert len(set(keys)) == len(keys)


def test_every_event_has_a_row_or_is_silent_and_none_is_both() -> None:
    with_rows = {row.event for row in ROWS}
    assert with_rows | set(SILENT) == set(EVENTS)
    assert not with_rows & set(SILENT)
    assert len(set(SILENT)) == len(SILENT)


def test_every_kind_of_fact_is_used_by_some_row() -> None:
    assert {row.fact for row in ROWS} == set(FACTS)
    in_module = {
        name
        for module in (every_fact, ground_facts, capital_facts, agents_facts)
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, msgspec.Struct) and name[0] != "_"
        if value.__module__ == module.__name__
    }
    assert in_module - {"Grant", "Trackers", "FoundAgent", "SpiedUnit"} == set(FACTS)


def test_the_samples_of_the_rig_hold_every_event() -> None:
    every = (*samples(A1, B), *ground_samples(), *capital_samples(), *agents_samples())
    assert {type(event).__name__ for event in every} == set(EVENTS)


def test_every_row_is_used_and_no_grant_is_without_one() -> None:
    assert not off_the_ledger(ROWS, by_hand())


@pytest.mark.parametrize(("sides", "ships", "seed"), [(2, 3, 1), (2, 3, 2), (3, 2, 3), (4, 2, 4)])
def test_all_grants_of_random_matches_have_a_row(sides: int, ships: int, seed: int) -> None:
    options = MatchOptions(clock="test", contact_values="yes" if seed % 2 else "no")
    course = play(Course(crowd(sides, ships), options), seed, 60)
    grants = list(grants_of(course))
    assert grants
    assert all(checked(event, grant) is grant for event, grant in grants)


def test_silent_events_grant_nothing_and_all_others_something() -> None:
    granting = {type(event).__name__ for truth, event in in_situations() if granted(truth, event)}
    assert granting == set(EVENTS) - set(SILENT)


MOVE = moved(A1)
FOLLOWED = Followed(piece=A1, square=MOVE.square, vector=MOVE.vector, facing=MOVE.facing)
TRACK = Tracked(
    piece=A1, square=MOVE.square, vector=MOVE.vector, facing=MOVE.facing, size=Echo.MEDIUM
)
SIGHTED = Sighted(piece=A1, square=MOVE.square, signatures=("visual_hull",))


HELD = TruthHeld(side=B, owner=A, piece=OwnId("S1"), fix="contact", square=MOVE.square)
TRACKED = OwnTold(notice=OwnTracked(ship=OwnId("S1"), side=B))


@pytest.mark.parametrize(
    ("event", "audience", "role", "fact"),
    [
        (MOVE, B, "others", FOLLOWED),
        (MOVE, B, "holder", SIGHTED),
        (MOVE, B, "holder", TRACK),
        (MOVE, "omni", "omni", TruthTold(notice=TruthGone(side=A, piece=OwnId("S1"), cause=""))),
        (contact(A1, B), PUBLIC, "public", msgspec.structs.replace(SIGHTED, signal=3)),
        (contact(A1, B), B, "others", SIGHTED),
        (tracked(A1, B), B, "scanner", msgspec.structs.replace(TRACK, size=None)),
        (SideWentOut(side=A), B, "others", Announced(notice=InitiativeDrawn(order=()))),
        (
            RadarGaveAway(piece=A1),
            B,
            "others",
            OwnTold(notice=OwnTracked(ship=OwnId("S1"), side=B)),
        ),
        (MOVE, A, "owner", Exposed(ship=OwnId("S1"), side=B, fix=None)),
        (RadarGaveAway(piece=A1), B, "all", Announced(notice=InitiativeDrawn(order=()))),
        (contact(A1, B), "omni", "omni", TruthTold(notice=msgspec.structs.replace(HELD, roll=7))),
    ],
    ids=[
        "another role",
        "another kind of fact",
        "a field more",
        "the truth of a move",
        "a signal for the public",
        "a contact for third sides",
        "a field less",
        "another role for all",
        "a track by radar for third sides",
        "a move for its owner",
        "another kind of notice",
        "a field more in a notice",
    ],
)
def test_a_grant_without_a_row_is_a_fault(
    event: Event, audience: str, role: str, fact: Fact
) -> None:
    with pytest.raises(LedgerError):
        checked(event, Grant(Audience(audience), role, fact))


def test_the_fault_names_what_no_row_allows() -> None:
    grant = Grant(audience_of(B), "holder", SIGHTED)
    with pytest.raises(LedgerError, match=r"'ShipMoved', 'holder', 'Sighted'.*'signatures'"):
        checked(MOVE, grant)


def test_a_grant_with_a_row_passes_unchanged() -> None:
    grant = Grant(audience_of(B), "holder", FOLLOWED)
    assert checked(MOVE, grant) is grant


def test_a_notice_that_leaves_out_what_its_row_names_passes() -> None:
    grant = Grant(Audience("omni"), "omni", TruthTold(notice=HELD))
    assert checked(tracked(A1, B), grant) is grant


def test_the_fields_told_are_those_that_are_set() -> None:
    assert fields_told(SIGHTED) == ("square", "signatures")
    assert fields_told(msgspec.structs.replace(SIGHTED, signal=-2)) == (
        "square",
        "signatures",
        "signal",
    )
    assert isinstance(MOVE, ShipMoved)
