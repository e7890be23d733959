"""The scenarios `smugglers-moon` and `two-harbours`: small, the same for both, ground and cloaks.

SUNGLARE_LONG=1 plays 100 matches of each instead of one.
"""

import os
from collections import Counter

import pytest

from balance.run import match_of
from builders.data import CLASSES, LIBRARY
from sunglare_arena.entrants import games
from sunglare_arena.series import scenario_called
from sunglare_protocol.geometry import box_named
from sunglare_protocol.ids import Side
from sunglare_protocol.words.victory import ObjectiveKind

LONG = bool(os.environ.get("SUNGLARE_LONG"))
MATCHES, SEED = (100, 3) if LONG else (1, 8)
SMALL = ("smugglers-moon", "two-harbours")
A, B = Side("A"), Side("B")

TURNS_MOST = 24
PIECES_MOST = 8
"""As many turns, and pieces of a side that move, leave a match some seconds for each."""

GROUND_RUNG = ("landing", "unloading", "token", "ground shot")
CLOAK_RUNG = ("order listen", "sweep", "found by a sweep", "uncloaked")

pytestmark = pytest.mark.timeout(1_200 if LONG else 60)


@pytest.mark.parametrize("name", SMALL)
def test_a_small_match_has_few_turns_and_few_pieces_and_is_decided_by_ground(name: str) -> None:
    scenario = LIBRARY.scenarios[name]
    assert scenario.data.turns <= TURNS_MOST
    for setup in scenario.data.sides.values():
        driven = [ship for ship in setup.ships if CLASSES[ship.type].thrust]
        assert 1 <= len(driven) <= 2
        assert len(driven) + len(setup.ground) <= PIECES_MOST
        assert {goal.kind for goal in setup.objectives} == {ObjectiveKind.HOLD}


@pytest.mark.parametrize("name", SMALL)
def test_one_ship_of_each_side_starts_cloaked_and_one_brings_troops(name: str) -> None:
    for setup in LIBRARY.scenarios[name].data.sides.values():
        cloaked = [ship for ship in setup.ships if ship.cloaked]
        carriers = {unit.aboard for unit in setup.ground if unit.aboard is not None}
        assert [CLASSES[ship.type].cloak for ship in cloaked] == [True]
        assert len(carriers) == 1


@pytest.mark.parametrize("name", SMALL)
def test_the_sides_of_a_small_match_have_the_same_and_stand_over_against_one_another(
    name: str,
) -> None:
    scenario = LIBRARY.scenarios[name]
    one, other = (scenario.data.sides[side] for side in (A, B))
    assert [(s.type, s.crew, s.cloaked) for s in one.ships] == [
        (s.type, s.crew, s.cloaked) for s in other.ships
    ]
    assert [unit.type for unit in one.ground] == [unit.type for unit in other.ground]
    boxes, facing = ([box_named(box) for box in setup.zone] for setup in (one, other))
    columns = scenario.board.columns
    assert [(columns - 1 - box.column, box.row) for box in boxes] == [
        (box.column, box.row) for box in facing
    ]


@pytest.mark.parametrize("name", SMALL)
def test_the_ground_of_the_east_mirrors_that_of_the_west(name: str) -> None:
    board = LIBRARY.scenarios[name].board
    first, last = board.planets[0], board.planets[-1]
    west, east = first.environs[0], last.environs[-1]
    assert tuple(row[::-1] for row in west.terrain) == east.terrain
    assert (last.at.x, last.size) == (board.area.east - first.at.x, first.size)
    assert last.at.y in (first.at.y, board.area.south - first.at.y)
    assert west.weather == east.weather


@pytest.mark.parametrize("name", SMALL)
def test_a_small_match_may_be_ended_by_each_side_on_ground_on_which_it_does_not_begin_alone(
    name: str,
) -> None:
    sides = LIBRARY.scenarios[name].data.sides
    for side, other in ((A, B), (B, A)):
        ends = [goal.at for goal in sides[side].objectives if goal.ends_after]
        assert len(ends) == 1
        assert ends[0] in [unit.at for unit in sides[other].ground]


@pytest.mark.parametrize("name", SMALL)
def test_a_small_match_goes_through_the_rung_of_the_ground_and_that_of_the_cloak(
    name: str,
) -> None:
    scenario = scenario_called(name)
    drawn = games(scenario.sides, 1, MATCHES, seed=SEED, swap=False)
    matches = [match_of(scenario, "raider", game) for game in drawn]
    total = sum((match.occurred for match in matches), Counter[str]())
    assert not total["fault"]
    assert [word for word in (*GROUND_RUNG, *CLOAK_RUNG) if not total[word]] == []
    assert all(match.turns <= TURNS_MOST for match in matches)
    if LONG:
        early = sum(match.is_early for match in matches)
        assert early >= 0.8 * MATCHES
