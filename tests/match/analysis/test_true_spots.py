"""Where pieces may be, as each side can know it, holds where they are in truth."""

from collections import Counter

import pytest

from builders.botmatches import fought
from builders.played import Rig
from builders.squareruns import squares_of
from sunglare_protocol.ids import Side, audience_of
from sunglare_protocol.replay.analysis import Basis, Spot
from sunglare_protocol.words.ladder import Phase
from sunglare_server.match.analysis.analysis import analysed, at_once
from sunglare_server.match.state import MatchState


def is_true(state: MatchState, looker: Side, spot: Spot) -> bool:
    """Return whether a piece that this can be is there; what is held, that very piece."""
    squares = squares_of(state.board, spot.squares)
    foreign = [ship for ship in state.truth.ships.values() if ship.side != looker]
    if spot.side is not None:
        foreign = [ship for ship in foreign if ship.side == spot.side]
    held = {one.label: piece for piece, one in state.intel[audience_of(looker)].held.items()}
    if spot.basis is not Basis.SCAN and (piece := held.get(spot.of)) is not None:
        foreign = [ship for ship in foreign if piece in (ship.id, ship.quarry)]
    return any(ship.square in squares for ship in foreign)


@pytest.mark.parametrize(
    ("name", "bot", "bases"),
    [
        ("shadow-of-ceres", "scout", {Basis.HELD, Basis.LOST, Basis.SCAN}),
        ("picket-line", "hunter", {Basis.HELD}),
        ("blip-parade", "scout", {Basis.HELD, Basis.LOST, Basis.SCAN}),
    ],
)
def test_a_piece_is_where_it_may_be(name: str, bot: str, bases: set[Basis]) -> None:
    seen: Counter[Basis] = Counter()

    def watch(_: object, match: Rig) -> None:
        if match.state.is_over:
            return
        # The scans of a SCAN window have a test of their own.
        spots = at_once(analysed(match.state, 1)).spots if is_quick(match.state) else {}
        for looker, found in spots.items():
            for spot in found:
                assert is_true(match.state, looker, spot), (match.state.standing.window, spot)
                seen[spot.basis] += 1

    fought(name, 3, bot, bot, watch=watch, turns_most=8)
    assert set(seen) >= bases


def is_quick(state: MatchState) -> bool:
    """Return whether no scans are tried in the window."""
    return state.standing.phase is not Phase.SCAN
