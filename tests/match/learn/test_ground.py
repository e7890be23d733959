"""What a side learns and keeps of a surface: tokens under handles that die with the hold."""

import pytest
from msgspec.structs import replace

from builders.ground import AG1, BG1, GROUND_SHOT, SITE, ground_truth, seeing, unit
from builders.learned import flow_of, intel_of, run
from builders.truths import A, B, only
from sunglare_protocol.ids import OMNI, PUBLIC, OwnId
from sunglare_protocol.notices import (
    GroundShotResult,
    ImpactSeen,
    MoveFault,
    OwnEmerged,
    OwnGroundHit,
    OwnHalted,
    OwnIdentified,
    OwnUncovered,
    TokenEnd,
    TokenGone,
    TokenIdentified,
    TokenSeen,
)
from sunglare_protocol.surface import Arm, Cell
from sunglare_protocol.words.ladder import Fate
from sunglare_server.match.events.ground import (
    AttackerRevealed,
    HiddenExposed,
    MapClosed,
    MapOpened,
    PieceIdentified,
    TokenEnded,
    TokenGained,
    UnitMoved,
    UnitUncovered,
)
from sunglare_server.match.turn.flow import Flow
from sunglare_server.match.turn.ground import look

G1 = OwnId("G1")
SHOT = replace(GROUND_SHOT, piece=AG1, target=BG1)


def sighted() -> Flow:
    """Return a flow in which A and B have come to see the map and each other's unit."""
    flow = flow_of(ground_truth(unit(A), unit(B, at=(3, 0))))
    look(flow)
    return flow


def test_a_side_that_sees_a_map_holds_a_handle_for_each_token() -> None:
    known = intel_of(sighted(), A)
    assert known.sites == (SITE,)
    (token,) = known.tokens.values()
    assert (token.site, token.cell, token.label) == (SITE, Cell(3, 0), "C1")
    assert (token.side, token.type) == (None, None)
    seen = only(known.told, TokenSeen)
    assert [notice.handle for notice in seen] == [token.handle]


def test_a_token_moves_with_its_unit_and_says_nothing_else() -> None:
    flow = sighted()
    before = intel_of(flow, A).tokens[BG1]
    flow.run([UnitMoved(piece=BG1, cells=(Cell(4, 0), Cell(5, 0)))])
    after = intel_of(flow, A).tokens[BG1]
    assert after == replace(before, cell=Cell(5, 0))


def test_an_identified_token_is_known_by_side_and_type() -> None:
    flow = sighted()
    flow.run([PieceIdentified(piece=BG1, side=A, is_told=False)])
    token = intel_of(flow, A).tokens[BG1]
    assert (token.side, token.type) == (B, "1st Line")
    named = only(intel_of(flow, A).told, TokenIdentified)
    assert [notice.label for notice in named] == ["C1"]


@pytest.mark.parametrize("is_told", [True, False])
def test_the_owner_hears_that_it_was_identified_only_from_spotters_in_the_open(
    is_told: bool,
) -> None:
    flow = sighted()
    flow.run([PieceIdentified(piece=BG1, side=A, is_told=is_told)])
    assert (OwnIdentified(ship=G1) in intel_of(flow, B).told) is is_told


def test_a_handle_dies_with_the_sight_of_the_map_and_the_next_is_another() -> None:
    flow = sighted()
    flow.run([PieceIdentified(piece=BG1, side=A, is_told=False)])
    first = intel_of(flow, A).tokens[BG1]
    flow.run([TokenEnded(piece=BG1, side=A, how=TokenEnd.UNSEEN), MapClosed(side=A, site=SITE)])
    lost = intel_of(flow, A)
    assert (lost.sites, lost.tokens) == ((), {})
    (marker,) = lost.token_markers
    assert (marker.label, marker.type) == ("C1", "1st Line")
    run(flow, MapOpened(side=A, site=SITE), TokenGained(piece=BG1, side=A, identified=False))
    again = intel_of(flow, A).tokens[BG1]
    assert again.handle != first.handle
    assert (again.label, again.type) == ("C2", None)


def test_what_lifts_off_shows_what_it_was_and_what_is_destroyed_does_not() -> None:
    for how, kind, fate in (
        (TokenEnd.LIFTED, "1st Line", Fate.IN_PLAY),
        (TokenEnd.DESTROYED, None, Fate.DESTROYED),
    ):
        flow = sighted()
        flow.run([TokenEnded(piece=BG1, side=A, how=how)])
        (marker,) = intel_of(flow, A).token_markers
        assert (marker.type, marker.fate) == (kind, fate)
        (gone,) = only(intel_of(flow, A).told, TokenGone)
        assert (gone.how, gone.type) == (how, kind)


def test_a_hidden_unit_is_told_to_its_finder_and_its_owner_alone() -> None:
    truth = seeing(ground_truth(unit(A), unit(B, at=(1, 0), hidden=True)), A)
    flow = flow_of(truth, HiddenExposed(piece=BG1, side=A))
    token = intel_of(flow, A).tokens[BG1]
    assert (token.cell, token.type) == (Cell(1, 0), "1st Line")
    assert OwnUncovered(ship=G1) in intel_of(flow, B).told
    assert not flow.intel[PUBLIC].told


@pytest.mark.parametrize("identified", [False, True])
def test_the_owner_of_a_unit_that_steps_out_of_hiding_is_told_what_it_became(
    identified: bool,
) -> None:
    flow = flow_of(seeing(ground_truth(unit(A), unit(B, at=(1, 0), hidden=True)), A))
    flow.run([UnitUncovered(piece=BG1, identified=identified)])
    assert intel_of(flow, B).told == (OwnEmerged(ship=G1, identified=identified),)
    assert not intel_of(flow, A).told
    assert not flow.intel[PUBLIC].told


def test_a_direct_attack_makes_the_attacker_known() -> None:
    flow = sighted()
    flow.run([SHOT, AttackerRevealed(piece=AG1, side=B)])
    assert intel_of(flow, B).tokens[AG1].type == "1st Line"
    handle = intel_of(flow, A).tokens[BG1].handle
    result = GroundShotResult(ship=G1, weapon="R1", at=handle, damage=1, dice=(4, 3))
    assert result in intel_of(flow, A).told
    hit = OwnGroundHit(ship=G1, weapon=Arm.DIRECT, damage=1, site=SITE, cell=Cell(3, 0))
    assert hit in intel_of(flow, B).told


def test_indirect_fire_shows_where_it_comes_down_and_not_whence() -> None:
    flow = sighted()
    flow.run([replace(SHOT, kind=Arm.INDIRECT, indirect=True, heard=(A,))])
    assert ImpactSeen(site=SITE, cell=Cell(3, 0)) in intel_of(flow, A).told
    assert intel_of(flow, B).tokens[AG1].type is None


def test_a_halt_is_told_to_the_owner_alone() -> None:
    flow = sighted()
    before = intel_of(flow, A)
    flow.run([UnitMoved(piece=BG1, cells=(), fault=MoveFault.TERRAIN)])
    assert [type(notice) for notice in intel_of(flow, B).told][-1] is OwnHalted
    assert intel_of(flow, A) == before


def test_the_public_hears_nothing_of_a_surface_and_omni_everything() -> None:
    flow = sighted()
    flow.run([PieceIdentified(piece=BG1, side=A, is_told=True), SHOT])
    assert not flow.intel[PUBLIC].told
    assert len(flow.intel[OMNI].told) >= 4
