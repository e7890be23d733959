"""The scenario `redondo`: everything at once, and the admiral that leads a fleet in it."""

import os
from collections import Counter

import pytest

from builders.data import CLASSES, LIBRARY
from sunglare_arena.kinds import NEEDS, offered
from sunglare_arena.series import Series, run, scenario_called
from sunglare_protocol.geometry import PlanetSize
from sunglare_protocol.ids import Side
from sunglare_protocol.words.pieces import BaseSize
from sunglare_protocol.words.specials import Special
from sunglare_protocol.words.victory import ObjectiveKind

LONG = bool(os.environ.get("SUNGLARE_LONG"))
REDONDO = LIBRARY.scenarios["redondo"]
SETUPS = REDONDO.data.sides
ROUND = {Side("A"): Side("B"), Side("B"): Side("C"), Side("C"): Side("D"), Side("D"): Side("A")}
"""Whose flagship a side looks for."""


def pieces(side: Side) -> int:
    setup = SETUPS[side]
    return len(setup.ships) + len(setup.ground) + len(setup.agents)


def test_redondo_has_four_sides_with_eighty_eight_pieces_around_a_large_planet() -> None:
    assert REDONDO.sides == tuple(ROUND)
    assert [pieces(side) for side in REDONDO.sides] == [22] * 4
    assert [planet.size for planet in REDONDO.data.planets] == [PlanetSize.LARGE]
    assert len(REDONDO.data.asteroids) == 4


def test_the_sides_of_redondo_have_the_same_classes_troops_and_agents() -> None:
    def means(side: Side) -> tuple[object, ...]:
        setup = SETUPS[side]
        ships = [(ship.type, ship.crew, ship.cloaked) for ship in setup.ships]
        agents = [(agent.combat, agent.intelligence, agent.leadership) for agent in setup.agents]
        return ships, [(entry.type, entry.hidden) for entry in setup.ground], agents

    assert len({repr(means(side)) for side in REDONDO.sides}) == 1


@pytest.mark.parametrize("side", REDONDO.sides)
def test_each_side_of_redondo_hunts_the_flagship_of_the_next(side: Side) -> None:
    own, other = SETUPS[side], SETUPS[ROUND[side]]
    goals = [(objective.kind, objective.piece) for objective in own.objectives]
    ends = [(objective.piece, objective.ends_after) for objective in own.objectives]
    assert (ObjectiveKind.SURVIVE, own.ships[0].name) in goals
    assert (own.ships[0].name, 10) in ends
    assert (ObjectiveKind.IDENTIFY, other.ships[0].name) in goals
    assert max(CLASSES[ship.type].points for ship in own.ships) >= 8


def test_redondo_has_a_use_for_every_kind_of_order() -> None:
    everything = set(NEEDS) | set(offered(scenario_called("four-corners")))
    assert set(offered(REDONDO)) == everything


def test_redondo_has_cloaks_jammers_probes_drones_and_capital_weapons_in_every_fleet() -> None:
    for setup in SETUPS.values():
        fleet = [CLASSES[ship.type] for ship in setup.ships]
        specials = {special for kind in fleet for special in kind.specials}
        assert {Special.ECM, Special.AECM, Special.PRB, Special.LPRB} <= specials
        assert any(kind.cloak for kind in fleet)
        assert any(kind.dispensers for kind in fleet)
        assert any(weapon.damage for kind in fleet for weapon in kind.weapons)


def test_who_lands_the_troops_of_redondo_has_the_best_eyes_and_heavy_ships_feel_mass() -> None:
    for setup in SETUPS.values():
        fleet = [CLASSES[ship.type] for ship in setup.ships]
        [tender] = [kind for kind in fleet if kind.dispensers]
        assert max(kind.sensors.visual for kind in fleet if kind is not tender) == 1
        assert tender.sensors.visual == tender.sensors.ir == 3
        heavy = [kind.sensors for kind in fleet if kind.size is BaseSize.LARGE]
        assert len(heavy) == 4
        assert all(rating.mass >= 2 and not rating.visual + rating.ir for rating in heavy)


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_four_admirals_use_most_kinds_of_orders_and_give_no_illegal_one() -> None:
    found = run(Series(scenario=REDONDO, bots=("admiral",), matches=1, turns=6, seed=3), 1)
    used: Counter[str] = found.scores[0].used
    assert found.faults == ()
    assert {"cloak", "hold", "listen", "sweep", "probe", "launch"} <= set(used)


if LONG:

    def test_an_admiral_is_ahead_of_three_random_fleets_after_nine_turns() -> None:
        bots = ("admiral", "random", "random", "random")
        found = run(Series(scenario=REDONDO, bots=bots, matches=1, turns=9, seed=1), 1)
        assert found.faults == ()
        assert found.scores[0].wins == 1
