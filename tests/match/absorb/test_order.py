"""What is learned at once is put in an order made of what the audience sees, never of an id."""

from collections.abc import Iterable
from itertools import permutations
from typing import get_args

import pytest
from msgspec.structs import replace

from builders.truths import A1, DICE, A, B
from sunglare_protocol.geometry import Compass, Square, Vector
from sunglare_protocol.ids import Handle, OwnId, audience_of
from sunglare_protocol.notices import ContactIdentified, ContactSeen
from sunglare_protocol.surface import Build, Cell, Site
from sunglare_protocol.words.ladder import Fix
from sunglare_server.match.absorb.perceived import _ORDER, _visible, perceived
from sunglare_server.match.facts.capital import BlastReported
from sunglare_server.match.facts.ground import TokenNamed, TokenShown
from sunglare_server.match.facts.space import (
    Fact,
    Grant,
    Identified,
    Located,
    Recognised,
    ScanReported,
    ShotReported,
    Sighted,
    Tracked,
)
from sunglare_server.match.ids import piece_id
from sunglare_server.match.intel.ground import HeldToken
from sunglare_server.match.intel.space import Held, Intel
from sunglare_server.match.kinds import Harmed

VIEWER = audience_of(B)
A2, A3 = piece_id(A, OwnId("S2")), piece_id(A, OwnId("S3"))
SITE = Site("Ceres", 1)
FIRST = Held(handle=Handle("aaaaaa"), label="C2", fix=Fix.TRACKED, square=Square(30, 1), turn=1)
TENTH = replace(FIRST, handle=Handle("bbbbbb"), label="C10", square=Square(1, 1))
KNOWN = Intel(audience=VIEWER, held={A2: TENTH, A1: FIRST}, handles=2, labels=10)


def after(facts: Iterable[Fact], known: Intel = KNOWN) -> Intel:
    """Return what B knows after these facts, learned at once."""
    grants = [Grant(VIEWER, "holder", fact) for fact in facts]
    return perceived({VIEWER: known}, grants, DICE)[VIEWER]


def test_every_kind_of_fact_has_its_place() -> None:
    assert perceived({VIEWER: KNOWN}, [], DICE) == {VIEWER: KNOWN}
    assert set(_ORDER) == set(get_args(Fact))
    assert len(_ORDER) == len(set(_ORDER))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Located(piece=A1, square=Square(1, 1)), Located(piece=A2, square=Square(1, 1))),
        (
            ShotReported(ship=OwnId("S1"), weapon="B1", target=A1, damage=1, dice=(1,)),
            ShotReported(ship=OwnId("S1"), weapon="B1", target=A2, damage=1, dice=(1,)),
        ),
        (
            ScanReported(ship=OwnId("S1"), found=(A1,), tracked=(A1,), roll=2),
            ScanReported(ship=OwnId("S1"), found=(A2,), tracked=(), roll=2),
        ),
        (
            BlastReported(
                ship=OwnId("S1"), weapon="B1", site=SITE, dice=(1,), harmed=(Harmed(A1, 2),)
            ),
            BlastReported(ship=OwnId("S1"), weapon="B1", site=SITE, dice=(1,), harmed=()),
        ),
    ],
    ids=lambda fact: type(fact).__name__,
)
def test_the_order_of_facts_is_no_order_of_pieces(one: Fact, other: Fact) -> None:
    assert _visible(one) == _visible(other)


def test_what_is_seen_of_facts_orders_them() -> None:
    near = Located(piece=A1, square=Square(1, 1))
    assert _visible(near) != _visible(replace(near, square=Square(1, 2)))


def test_pieces_that_are_held_come_by_their_labels_whatever_the_events_order() -> None:
    facts = (
        Identified(piece=A2, side=A, type="corvette"),
        Identified(piece=A1, side=A, type="frigate"),
    )
    for ordered in permutations(facts):
        told = after(ordered).told
        labels = [notice.label for notice in told if isinstance(notice, ContactIdentified)]
        assert labels == ["C2", "C10"]


def test_pieces_that_are_new_come_by_their_squares_and_before_those_that_are_held() -> None:
    near = Sighted(piece=A3, square=Square(9, 9), signatures=("mass",))
    far = Sighted(piece=piece_id(A, OwnId("S4")), square=Square(12, 3), signatures=("mass",))
    known = Sighted(piece=A1, square=Square(1, 1), signatures=("mass",))
    first = replace(KNOWN, held={A1: replace(FIRST, label="C1")})
    facts: tuple[Fact, ...] = (near, far, known)
    for ordered in permutations(facts):
        told = after(ordered, first).told
        squares = [notice.square for notice in told if isinstance(notice, ContactSeen)]
        assert squares == [Square(9, 9), Square(12, 3), Square(1, 1)]


def test_kinds_come_so_that_what_others_name_is_there() -> None:
    seen = Sighted(piece=A3, square=Square(9, 9), signatures=("mass",))
    track = Tracked(piece=A3, square=Square(9, 9), vector=Vector(0, 1), facing=Compass.E)
    known = Identified(piece=A3, side=A, type="frigate")
    facts: tuple[Fact, ...] = (known, track, seen)
    for ordered in permutations(facts):
        held = after(ordered).held[A3]
        assert (held.label, held.fix, held.type) == ("C11", Fix.TRACKED, "frigate")


@pytest.mark.parametrize("fix", [Fix.COASTING, Fix.MEMORY])
def test_a_shot_of_what_is_out_of_sight_is_not_ordered_by_the_label_it_had(fix: Fix) -> None:
    known = replace(KNOWN, held={A1: replace(FIRST, fix=fix)})
    old = Recognised(piece=A1, square=Square(9, 9), side=A, type="frigate")
    new = Recognised(piece=A3, square=Square(12, 9), side=A, type="frigate")
    for ordered in permutations((old, new)):
        squares = [marker.square for marker in after(ordered, known).markers]
        assert squares == [Square(9, 9), Square(12, 9)]
    # The live track of the same ship is known to have fired: its label counts.
    live = replace(KNOWN, held={A1: FIRST})
    for ordered in permutations((old, new)):
        [marker] = after(ordered, live).markers
        assert marker.square == Square(12, 9)


def test_tokens_come_by_their_labels_and_new_ones_by_what_they_show() -> None:
    token = HeldToken(handle=Handle("cccccc"), label="C9", site=SITE, cell=Cell(1, 1), turn=1)
    g1, g2, g3 = (piece_id(A, OwnId(f"G{number}")) for number in (1, 2, 3))
    known = replace(KNOWN, tokens={g1: replace(token, label="C10"), g2: token})
    named = [
        TokenNamed(piece=g1, side=A, type="armour", build=Build.VEHICLE, footprint=0),
        TokenNamed(piece=g2, side=A, type="rifles", build=Build.INFANTRY, footprint=0),
    ]
    for ordered in permutations(named):
        labels = [notice.label for notice in after(ordered, known).told]  # type: ignore[union-attr]
        assert labels == ["C9", "C10"]
    first = replace(KNOWN, tokens={g1: replace(token, label="C1")})
    moves: list[Fact] = [
        TokenShown(piece=g3, site=SITE, cell=Cell(5, 1)),
        TokenNamed(piece=g1, side=A, type="armour", build=Build.VEHICLE, footprint=0),
    ]
    assert [type(notice).__name__ for notice in after(moves[::-1], first).told] == [
        "TokenSeen",
        "TokenIdentified",
    ]
    shown = [
        TokenShown(piece=g3, site=SITE, cell=Cell(5, 1)),
        TokenShown(piece=piece_id(A, OwnId("G4")), site=SITE, cell=Cell(2, 1)),
    ]
    for order in permutations(shown):
        tokens = after(order, known).tokens
        assert tokens[g3].label == "C12"


def test_shots_are_reported_by_the_labels_of_their_targets() -> None:
    shot = ShotReported(ship=OwnId("S1"), weapon="B1", target=A2, damage=1, dice=(1,))
    other = replace(shot, ship=OwnId("S2"), target=A1)
    for ordered in permutations((shot, other)):
        told = after(ordered).told
        assert [notice.at for notice in told] == [FIRST.handle, TENTH.handle]  # type: ignore[union-attr]


def test_a_coasting_track_that_is_identified_keeps_its_place() -> None:
    known = replace(KNOWN, held={A1: FIRST, A2: replace(TENTH, fix=Fix.COASTING)})
    facts = [Identified(piece=piece, side=A, type="frigate") for piece in (A2, A1)]
    for ordered in permutations(facts):
        labels = [notice.label for notice in after(ordered, known).told]  # type: ignore[union-attr]
        assert labels == ["C2", "C10"]


def test_facts_that_look_alike_are_ordered_by_a_die_and_not_by_the_events() -> None:
    pieces = [piece_id(A, OwnId(f"S{number}")) for number in range(1, 7)]
    facts = [Sighted(piece=piece, square=Square(5, 5), signatures=("mass",)) for piece in pieces]
    empty = Intel(audience=VIEWER)
    labels = [
        {piece: held.label for piece, held in after(order, empty).held.items()}
        for order in (tuple(facts), tuple(reversed(facts)))
    ]
    assert labels[0] == labels[1]
    by_roster = {piece: f"C{number}" for number, piece in enumerate(pieces, 1)}
    assert labels[0] != by_roster


def test_the_report_of_a_scan_names_what_was_sighted_with_it() -> None:
    seen = Sighted(piece=A3, square=Square(9, 9), signatures=("mass",))
    report = ScanReported(ship=OwnId("S1"), found=(A3,), tracked=(), roll=None)
    facts: tuple[Fact, ...] = (report, seen)
    for ordered in permutations(facts):
        told = after(ordered).told
        assert told[-1].found == (after(ordered).held[A3].handle,)  # type: ignore[union-attr]


def test_two_that_look_alike_are_ordered_by_a_die_too() -> None:
    pieces = [piece_id(A, OwnId(f"S{number}")) for number in range(1, 7)]
    empty = Intel(audience=VIEWER)
    for pair in permutations(pieces, 2):
        facts = [Sighted(piece=piece, square=Square(5, 5), signatures=("mass",)) for piece in pair]
        one, other = (after((*order,), empty).held for order in (facts, facts[::-1]))
        assert [one[piece].label for piece in pair] == [other[piece].label for piece in pair]
