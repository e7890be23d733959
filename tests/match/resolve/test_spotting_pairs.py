"""Spotting looks at no more than it must, and finds what a look at every pair would find."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.blips import able
from builders.truths import A, B, holding, truth_of
from sunglare_protocol.ids import Side
from sunglare_protocol.words.ladder import Fix
from sunglare_rules.blips.in_space import sight
from sunglare_rules.blips.spotting import Method, methods
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve.jamming import fields, is_operational
from sunglare_server.match.resolve.spotting import quarry_of, spotter_of, spottings
from sunglare_server.match.truth.truth import ShipTruth, Truth

SQUARES = ((10, 10), (11, 10), (14, 14), (17, 17), (30, 30))
WORDS = ("", "PRB", "BH", "ECM", "AECM", "STL")


@st.composite
def fleets(draw: st.DrawFn, side: Side) -> list[ShipTruth]:
    """Draw up to six ships of a side in few squares, some without power."""
    return [
        replace(
            able(side, draw(st.sampled_from(SQUARES)), draw(st.sampled_from(WORDS)), number),
            powered=draw(st.booleans()),
        )
        for number in range(1, draw(st.integers(2, 7)))
    ]


def by_pairs(truth: Truth) -> dict[PieceId, list[Method]]:
    """Return how A identifies each piece that it holds, by a look at every pair."""
    around = fields(truth)
    found: dict[PieceId, list[Method]] = {}
    for piece in truth.holds[A]:
        ship = truth.ships[piece]
        ways = [
            way
            for own in truth.ships_of(A)
            if is_operational(truth, own, around)
            for way in methods(
                spotter_of(truth, own, ship, sensors_work=True),
                quarry_of(ship, around),
                sight(truth.board, own.place, ship.place),
            )
        ]
        if ways:
            found[piece] = [way for way in Method if way in ways]
    return found


@given(fleets(A), fleets(B))
def test_a_look_at_every_pair_identifies_the_same(
    ours: list[ShipTruth], theirs: list[ShipTruth]
) -> None:
    truth = truth_of(*ours, *theirs)
    for ship in theirs:
        truth = holding(truth, A, ship.id, Fix.CONTACT)
    assert {event.piece: list(event.methods) for event in spottings(truth)} == by_pairs(truth)
