"""A fighter overhead: whom it identifies, and what the owners below are told of it."""

import msgspec
import pytest

from builders.ground import BG1, BG2, SITE, ground_truth, landed, plain_agent, planet, seeing, unit
from builders.learned import flow_of, intel_of
from builders.perceived import told
from builders.sieges import heard
from builders.truths import A, B, C, D, only, ship
from sunglare_client.text.story import notice_lines
from sunglare_protocol.geometry import Board, Compass
from sunglare_protocol.ids import PUBLIC, OwnId, audience_of
from sunglare_protocol.notices import (
    FighterSeen,
    OwnIdentified,
    OwnOverflown,
    OwnUncovered,
    TokenIdentified,
)
from sunglare_protocol.words.pieces import PieceKind
from sunglare_server.match.events.ground import MapOverflown, PieceIdentified
from sunglare_server.match.facts.space import OwnTold
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve import ground as surface
from sunglare_server.match.resolve.overflights import overhead_by_day
from sunglare_server.match.state import MatchState
from sunglare_server.match.truth.truth import ShipTruth, Truth
from sunglare_server.match.turn import capital as capital_windows
from sunglare_server.match.turn import ground as ground_windows
from sunglare_server.match.turn.flow import Flow

_replace = msgspec.structs.replace

G1, G2, S1 = OwnId("G1"), OwnId("G2"), OwnId("S1")
WIDE = planet(*(("." * 26,) * 3))
DARK = planet(*(("." * 26,) * 3), sector=Compass.S)
ABOVE, ABOVE_DARK, BESIDE = (15, 11), (15, 13), (15, 10)


def fighter(at: tuple[int, int] = ABOVE, **fields: object) -> ShipTruth:
    """Return a fighter of A, by default right above the first map."""
    made = ship(A, 3, at)
    return _replace(made, type=_replace(made.type, kind=PieceKind.FIGHTER), **fields)


def below(*ships: ShipTruth, body: object = WIDE) -> Truth:
    """Return two units of B, one of them hidden, and one of C under these ships."""
    return ground_truth(
        unit(B, 1, (25, 2), "elite-guard"),
        unit(B, 2, (20, 0), hidden=True),
        unit(C, 1, (1, 0), "ground-sensor"),
        ships=ships,
        agents=(plain_agent(B),),
        body=WIDE if body is WIDE else DARK,
    )


def test_by_day_each_owner_is_told_of_all_that_is_not_hidden() -> None:
    grounded = landed(ship(D, 1), (12, 0))
    assert list(overhead_by_day(below(fighter(), grounded))) == [
        MapOverflown(side=A, owner=B, site=SITE, pieces=(BG1,)),
        MapOverflown(side=A, owner=C, site=SITE, pieces=(PieceId("C/G1"),)),
        MapOverflown(side=A, owner=D, site=SITE, pieces=(PieceId("D/S1"),)),
    ]


@pytest.mark.parametrize(
    "truth",
    [
        below(fighter(ABOVE_DARK), body=DARK),
        below(fighter(BESIDE)),
        below(fighter(cloaked=True)),
        below(fighter(fate=unit(A).fate.DESTROYED)),
        below(ship(A, 3, ABOVE)),
        below(landed(ship(A, 3))),
        ground_truth(unit(A), ships=(fighter(),), body=WIDE),
    ],
    ids=["night", "not above", "cloaked", "gone", "no fighter", "landed", "nobody below"],
)
def test_nobody_is_told_of_anything_else(truth: Truth) -> None:
    assert list(overhead_by_day(truth)) == []


def test_a_cloaked_fighter_sees_no_map() -> None:
    assert surface.overhead(below(fighter()), A) == (SITE,)
    assert surface.overhead(below(fighter(cloaked=True)), A) == ()


def test_what_the_owner_is_told_does_not_depend_on_what_was_known() -> None:
    truth = below(fighter())
    for known in (seeing(truth, A, BG1), seeing(truth, A, BG1, identified=True)):
        assert list(overhead_by_day(known)) == list(overhead_by_day(truth))


def test_the_owner_alone_is_told_whose_fighter_it_is_and_which_of_its_own_it_saw() -> None:
    event = MapOverflown(side=A, owner=B, site=SITE, pieces=(BG1, BG2))
    notice = OwnOverflown(side=A, site=SITE, ships=(G1, G2))
    assert told(below(fighter()), event) == {"B": [OwnTold(notice=notice)]}


def flown_over(truth: Truth) -> Flow:
    """Return the flow of what follows the ships' movement in PLOT, all maps seen before."""
    flow = flow_of(truth)
    ground_windows.look(flow)
    return looked_down(flow.finished())


def looked_down(state: MatchState) -> Flow:
    flow = Flow(state)
    ground_windows.move(flow)
    capital_windows.overfly(flow)
    return flow


def test_a_turn_under_a_fighter_tells_the_fighter_and_one_list() -> None:
    flow = flown_over(below(fighter()))
    kinds = (FighterSeen, OwnOverflown, OwnIdentified, OwnUncovered)
    [seen, listed] = [notice for notice in intel_of(flow, "B").told if isinstance(notice, kinds)]
    assert isinstance(seen, FighterSeen)
    assert (seen.side, listed) == (A, OwnOverflown(side=A, site=SITE, ships=(G1,)))
    found = [event.piece for event in only(flow.events, PieceIdentified) if event.side == A]
    assert found == ["B/G1", "C/G1"]
    assert len(heard(flow, "A", TokenIdentified)) == 2
    assert not heard(flow, "A", OwnOverflown)
    assert not flow.intel[PUBLIC].told


def test_all_that_the_owner_holds_and_hears_is_the_same_whatever_was_known() -> None:
    flow = flow_of(below(fighter()))
    ground_windows.look(flow)
    blind = flow.finished()
    flow.run([PieceIdentified(piece=BG1, side=A, is_told=False)])
    informed = flow.finished()
    assert blind.truth.surface != informed.truth.surface
    after = [looked_down(state).intel[audience_of(B)] for state in (blind, informed)]
    assert after[0] == after[1]


def test_spotters_on_the_ground_add_nothing_to_the_list_while_a_fighter_is_above() -> None:
    near = unit(A, 1, (24, 2))
    with_spotter = ground_truth(near, *below().ground.values(), ships=(fighter(),), body=WIDE)
    alone = flown_over(with_spotter)
    assert not heard(alone, "B", OwnIdentified)
    assert heard(alone, "B", OwnOverflown) == [OwnOverflown(side=A, site=SITE, ships=(G1,))]
    on_foot = flown_over(ground_truth(near, *below().ground.values(), body=WIDE))
    assert heard(on_foot, "B", OwnIdentified) == [OwnIdentified(ship=G1)]
    assert not heard(on_foot, "B", OwnOverflown)


def test_the_list_is_told_again_every_turn_the_fighter_is_there() -> None:
    flow = flown_over(below(fighter()))
    again = looked_down(flow.finished())
    assert heard(again, "B", OwnOverflown) == [OwnOverflown(side=A, site=SITE, ships=(G1,))]
    assert not only(again.events, PieceIdentified)


def test_the_terminal_tells_it_in_its_own_words() -> None:
    notice = OwnOverflown(side=A, site=SITE, ships=(G1, G2))
    [line] = notice_lines(notice, Board())
    assert "FIGHTER of side A over Ceres 1" in line
    assert "G1, G2 IDENTIFIED" in line
