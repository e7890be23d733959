"""What is offered to ground units and agents as an example of a legal order."""

from typing import Any

import pytest
from msgspec.structs import replace

from builders.ground import planet
from builders.groundadvice import CARRIER, FAR, G1, P1, S1, SITE, ground_view
from builders.terminals import AGENT, GUARD, KITE, SURFACE
from sunglare_protocol.geometry import Board
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.orders import Fire
from sunglare_protocol.orders.ground import Move, Station
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import AreaView
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_rules.advice.legal.ground import attacks_of, ground_examples, moves_of

PLAIN = planet(*["." * 12] * 12)
"""A planet whose first map is 12 by 12 cells of open ground."""

MIDDLE = replace(GUARD, cell=Cell(5, 5), move=6)


def view_of(phase: Phase = Phase.PLOT, turn: int = 4, **fields: Any) -> View:
    """Return a view of open ground with one unit, an agent and a landed ship."""
    made = ground_view(
        phase,
        MIDDLE,
        turn=turn,
        board=Board(planets=(PLAIN,)),
        own=(CARRIER, replace(KITE, id=OwnId("S2"))),
        agents=(AGENT,),
        surfaces=(SURFACE,),
    )
    return replace(made, **fields)


AROUND = [(-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (0, -1), (1, -1)]


@pytest.mark.parametrize("hidden", [False, True])
def test_a_unit_is_offered_a_straight_move_in_each_direction(*, hidden: bool) -> None:
    moves = list(moves_of(view_of(), replace(MIDDLE, hidden=hidden)))
    ends = [move.path[0] for move in moves]
    assert ends == [Cell(5 + east, 5 + north) for east, north in AROUND]
    assert all(move.ship == G1 and move.token is hidden and not move.jump for move in moves)
    straight = moves[AROUND.index((1, 0))]
    assert straight.path[:2] == (Cell(6, 5), Cell(7, 5))


def test_a_unit_with_jets_is_offered_jumps_of_one_and_two_cells() -> None:
    moves = list(moves_of(view_of(), replace(MIDDLE, jump=4)))
    jumps = [move for move in moves if move.jump]
    assert [jump.path for jump in jumps] == [
        (Cell(5 + steps * east, 5 + steps * north),) for east, north in AROUND for steps in (1, 2)
    ]
    assert {jump.ship for jump in jumps} == {G1}


@pytest.mark.parametrize("change", [{"site": None, "cell": None}, {"site": Site("Vesta", 1)}])
def test_a_unit_that_is_on_no_map_is_offered_no_move(change: dict[str, Any]) -> None:
    assert list(moves_of(view_of(), replace(MIDDLE, **change))) == []


def test_a_unit_that_cannot_move_is_offered_no_path() -> None:
    assert list(moves_of(view_of(), replace(MIDDLE, move=0))) == []


def test_a_unit_on_the_ground_is_offered_landed_ships_and_one_aboard_to_come_out() -> None:
    found = [example for example in ground_examples(view_of()) if isinstance(example, Move)]
    assert [move.load for move in found if move.load is not None] == [S1]
    assert not any(move.unload for move in found)
    aboard = replace(MIDDLE, site=None, cell=None, aboard=S1)
    out = list(ground_examples(view_of(ground=(aboard,))))
    assert out == [Move(ship=G1, unload=True)]


AREA = AreaView(site=FAR, cells=(2, 0, 5, 4))


@pytest.mark.parametrize(
    ("areas", "places"),
    [
        ((), [(SITE, Cell(6, 6))]),
        ((AREA,), [(FAR, Cell(3, 2)), (SITE, Cell(6, 6))]),
        ((replace(AREA, site=SITE),), [(SITE, Cell(3, 2))]),
    ],
)
def test_in_turn_one_a_unit_is_offered_the_middle_of_each_area(
    areas: tuple[AreaView, ...], places: list[tuple[Site, Cell]]
) -> None:
    seen = view_of(turn=1, areas=areas, agents=())
    found = [example for example in ground_examples(seen) if isinstance(example, Station)]
    assert found == [
        Station(ship=G1, at=site, cell=cell, hidden=hidden)
        for site, cell in places
        for hidden in (False, True)
    ]


def test_in_turn_one_an_agent_is_offered_his_environs_and_the_troops_there() -> None:
    def offered(**fields: Any) -> list[Station]:
        found = ground_examples(view_of(**fields))
        return [order for order in found if isinstance(order, Station) and order.ship == P1]

    alone = Station(ship=P1, at=SITE)
    assert offered(turn=1) == [alone, replace(alone, stacked=G1)]
    assert offered(turn=2) == []
    assert offered(turn=1, phase=Phase.ENGAGE) == []
    assert offered(turn=1, ground=(replace(MIDDLE, site=FAR),)) == [alone]
    for change in ({"fate": Fate.DESTROYED}, {"site": None, "aboard": S1}):
        assert offered(turn=1, agents=(replace(AGENT, **change),)) == []


def test_nothing_is_offered_to_what_is_gone_or_in_another_phase() -> None:
    gone = replace(MIDDLE, fate=Fate.DESTROYED)
    for phase in (Phase.PLOT, Phase.ENGAGE):
        assert list(ground_examples(view_of(phase, ground=(gone,)))) == []
    assert list(ground_examples(view_of(Phase.SCAN))) == []


def test_every_held_token_of_its_map_is_offered_to_every_weapon() -> None:
    shots = [Fire(ship=G1, weapon="R1", at=Handle("tt4tt4"))]
    assert list(attacks_of(view_of(), MIDDLE)) == shots
    assert list(ground_examples(view_of(Phase.ENGAGE))) == shots
    assert list(attacks_of(view_of(), replace(MIDDLE, site=None))) == []
    assert list(attacks_of(view_of(), replace(MIDDLE, site=FAR))) == []
    far = replace(SURFACE, site=FAR)
    assert list(attacks_of(view_of(surfaces=(far,)), MIDDLE)) == []
