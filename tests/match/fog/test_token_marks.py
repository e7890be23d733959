"""The mark of a token: bound to one unit for as long as it is held, and opaque to its viewer."""

import string
from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from builders.ground import ground_truth, unit
from builders.learned import flow_of, intel_of
from builders.played import rig
from builders.scenarios import scenarios
from builders.truths import A, B, C
from sunglare_protocol.ids import PUBLIC, Handle, Side, audience_of
from sunglare_protocol.views import TokenView
from sunglare_server.match.fog import view as fog
from sunglare_server.match.ids import PieceId
from sunglare_server.match.state import MatchState
from sunglare_server.match.truth.truth import Truth
from sunglare_server.match.turn.ground import look

Marks = dict[PieceId, Handle]

LETTERS = set(string.ascii_lowercase + "234567")
MATCHES = 2


def marks(state: MatchState, side: Side) -> Marks:
    """Return under which handle a side holds each token."""
    return {piece: token.handle for piece, token in state.intel[audience_of(side)].tokens.items()}


def played(name: str, seed: int) -> Iterator[MatchState]:
    """Yield the states of a random match, window after window."""
    match, rng = rig(scenarios()[name], seed, PUBLIC), Random(seed)
    while not match.state.is_over:
        match.play(rng, 1)
        yield match.state


@pytest.mark.parametrize("name", ["garrison", "orlog"])
def test_a_mark_belongs_to_one_unit_from_the_first_sight_to_the_last(name: str) -> None:
    held_on = ended = 0
    for seed in range(MATCHES):
        owner: dict[tuple[Side, Handle], PieceId] = {}
        before: dict[Side, Marks] = {}
        for state in played(name, seed):
            for side in state.standing.sides:
                now, old = marks(state, side), before.get(side, {})
                assert len(set(now.values())) == len(now)
                for piece, handle in now.items():
                    assert owner.setdefault((side, handle), piece) == piece
                # What was held before the window and after it may have been lost in between.
                held_on += sum(old.get(piece) == handle for piece, handle in now.items())
                ended += sum(piece not in now for piece in old)
                before[side] = now
    assert held_on > 0
    assert ended > 0


def test_a_mark_never_comes_back_when_its_hold_has_ended() -> None:
    used: dict[Side, set[Handle]] = {A: set(), B: set()}
    dead: dict[Side, set[Handle]] = {A: set(), B: set()}
    for state in played("garrison", 1):
        for side in used:
            now = set(marks(state, side).values())
            assert not now & dead[side]
            dead[side] |= used[side] - now
            used[side] |= now
            view = fog.view(state.intel[audience_of(side)], state.standing, state.board)
            shown = [token for surface in view.surfaces for token in surface.tokens]
            assert {token.handle for token in shown if token.handle} == now
    assert all(dead.values())


def seen_by_a(truth: Truth) -> tuple[TokenView, ...]:
    """Return the tokens that A sees on the first map."""
    flow = flow_of(truth)
    look(flow)
    view = fog.view(intel_of(flow, "A"), flow.state.standing, flow.state.board)
    return view.surfaces[0].tokens


def test_a_mark_is_six_letters_that_name_neither_the_unit_nor_its_place_in_the_roster() -> None:
    units = [unit(B, number, (number, 0)) for number in range(1, 6)]
    tokens = seen_by_a(ground_truth(unit(A), *units))
    assert len(tokens) == 5
    for token in tokens:
        assert token.handle is not None
        assert len(token.handle) == 6
        assert set(token.handle) <= LETTERS
        assert (token.side, token.type, token.dossier) == (None, None, None)


def test_the_marks_are_the_same_whichever_units_are_behind_them() -> None:
    first, last = unit(B, 1, (3, 0), "titan"), unit(B, 2, (5, 0), "ground-sensor")
    swapped = (
        msgspec.structs.replace(first, cell=last.cell),
        msgspec.structs.replace(last, cell=first.cell),
    )
    plain = seen_by_a(ground_truth(unit(A), first, last))
    assert plain == seen_by_a(ground_truth(unit(A), *swapped))
    others = (unit(C, 7, (3, 0), "shade"), unit(B, 4, (5, 0), "crawler"))
    assert plain == seen_by_a(ground_truth(unit(A), *others))


def test_each_viewer_has_a_mark_of_its_own_for_a_unit() -> None:
    flow = flow_of(ground_truth(unit(A), unit(B, at=(4, 0)), unit(C, at=(8, 0))))
    look(flow)
    piece = PieceId("C/G1")
    assert intel_of(flow, "A").tokens[piece].handle != intel_of(flow, "B").tokens[piece].handle


def test_binding_is_the_server_s_and_no_view_names_the_unit() -> None:
    flow = flow_of(ground_truth(unit(A), unit(B, at=(4, 0))))
    look(flow)
    view = fog.view(intel_of(flow, "A"), flow.state.standing, flow.state.board)
    sent = msgspec.json.encode(view).decode()
    assert "B/G1" not in sent
    assert "CanaryB1" not in sent
