"""Ablation: a side that does without an ability never uses it, and plans with what is left."""

from collections.abc import Iterator
from functools import partial
from typing import final

import pytest
from msgspec.structs import replace

from ablation.run import Ablation, offers_of
from balance.run import BEST, LOOKED_AT
from builders.bots import contact, corvette, seen
from sunglare_arena.entrants import bot_called, games
from sunglare_arena.minds import minded
from sunglare_arena.playing import Outcome, played
from sunglare_arena.series import limited, scenario_called
from sunglare_client.abilities import Ability, taken_by
from sunglare_client.bots.limits import Limited, view_without
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import Side
from sunglare_protocol.orders import Order
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_protocol.words.pieces import Arc
from sunglare_server.match.events import cloak, space
from sunglare_server.match.state import Stepped

BOTS = BEST | LOOKED_AT

PLACES: dict[Ability, tuple[str, int]] = {
    Ability.LISTENING: ("smugglers-moon", 3),
    Ability.CLOAKS: ("smugglers-moon", 3),
    Ability.VISUAL: ("shadow-of-ceres", 4),
    Ability.IR: ("shadow-of-ceres", 4),
    Ability.RADAR: ("shadow-of-ceres", 8),
    Ability.NEUTRINO: ("shadow-of-ceres", 8),
    Ability.SENSE: ("shadow-of-ceres", 4),
    Ability.DATA: ("blip-parade", 12),
    Ability.SWEEPS: ("two-harbours", 12),
    Ability.CLOAKED_FIRE: ("picket-line", 18),
    Ability.SEARCHES: ("orlog", 8),
    Ability.MISSIONS: ("orlog", 8),
    Ability.REMOTES: ("blip-parade", 4),
    Ability.BOMBARDMENT: ("orlog", 8),
    Ability.TAG: ("orlog", 12),
    Ability.JAMMERS: ("blip-parade", 12),
    Ability.TURRETS: ("shadow-of-ceres", 8),
    Ability.NOVA: ("redondo", 3),
    Ability.COLD_LAUNCHES: ("proving-ground", 4),
    Ability.BULLSEYE: ("shadow-of-ceres", 12),
    Ability.MISSILES: ("redondo", 9),
    Ability.LANDING: ("orlog", 8),
    Ability.POWER_OFF: ("four-corners", 30),
}
"""Where the bots of a scenario use each ability, and in how many turns.

They use no mass scans in so few, and point defence works without an order.
"""


@final
class Uses:
    """What was used in a match, by the orders that were accepted and by what happened."""

    def __init__(self) -> None:
        self.found: dict[Ability, None] = {}

    def ordered(self, orders: tuple[Order, ...]) -> None:
        """Take in the orders of a side."""
        for order in orders:
            self.found.update(dict.fromkeys(taken_by(order)))

    def happened(self, stepped: Stepped) -> None:
        """Take in a step."""
        self.found.update(dict.fromkeys(_without_an_order(stepped)))


def _without_an_order(stepped: Stepped) -> Iterator[Ability]:
    truth = stepped.state.truth
    ships = [ship for ship in truth.in_play() if stepped.state.standing.turn > 1]
    for event in stepped.events:
        if isinstance(event, cloak.PassiveRolled):
            yield Ability.LISTENING
        if isinstance(event, space.ShotFired) and truth.ships[event.piece].cloaked:
            yield Ability.CLOAKED_FIRE
        if isinstance(event, space.NovaFired):
            yield Ability.NOVA
        if isinstance(event, space.ShotFired) and event.arc is Arc.BULLSEYE:
            yield Ability.BULLSEYE
    if any(ship.cloaked for ship in ships):
        yield Ability.CLOAKS
    if any(ship.ecm for ship in ships):
        yield Ability.JAMMERS


def match_of(name: str, turns: int, without: tuple[Ability, ...]) -> tuple[Outcome, Uses]:
    scenario, uses = limited(scenario_called(name), turns), Uses()
    (game,) = games(scenario.sides, 1, 1, seed=4, swap=False)
    kind = partial(Limited, bot_called(BOTS[name]), without)
    return played(scenario, game, (partial(minded, kind),), onlooker=uses), uses


@pytest.mark.parametrize(
    ("ability", "name", "turns"),
    [pytest.param(one, *place, id=one.value) for one, place in PLACES.items()],
)
def test_a_side_that_does_without_an_ability_never_uses_it(
    ability: Ability, name: str, turns: int
) -> None:
    _, used = match_of(name, turns, ())
    less, unused = match_of(name, turns, (ability,))
    assert ability in used.found
    assert ability not in unused.found
    assert not less.faults


def offers(name: str) -> dict[Side, tuple[Ability, ...]]:
    return offers_of(scenario_called(name), BOTS[name])


@pytest.mark.parametrize(("ability", "place"), PLACES.items())
def test_what_is_used_in_a_scenario_is_offered_in_it(
    ability: Ability, place: tuple[str, int]
) -> None:
    assert any(ability in had for had in offers(place[0]).values())


def test_only_those_who_hunt_cloaked_ships_are_offered_to_listen_and_to_sweep() -> None:
    hunters, raiders = offers("picket-line").values()
    for ability in (
        Ability.LISTENING,
        Ability.SWEEPS,
        Ability.DETECTED_FIRE,
        Ability.SOLUTIONS,
    ):
        assert ability in hunters
        assert ability not in raiders
    for ability in (Ability.CLOAKS, Ability.CLOAKED_FIRE):
        assert ability in raiders
        assert ability not in hunters
    assert not {Ability.SEARCHES, Ability.TAG, Ability.BOMBARDMENT} & {*hunters, *raiders}


@pytest.mark.parametrize(
    ("without", "fix", "shown"),
    [
        (Ability.SOLUTIONS, Fix.SOLUTION, Fix.DETECTED),
        (Ability.SOLUTIONS, Fix.DETECTED, Fix.DETECTED),
        (Ability.DETECTED_FIRE, Fix.DETECTED, Fix.MEMORY),
        (Ability.DETECTED_FIRE, Fix.SOLUTION, Fix.SOLUTION),
        (Ability.SWEEPS, Fix.SOLUTION, Fix.SOLUTION),
    ],
)
def test_who_does_without_solutions_or_fire_at_what_is_detected_is_shown_no_such_target(
    without: Ability, fix: Fix, shown: Fix
) -> None:
    view = seen(Phase.ENGAGE, (corvette(Square(5, 5)),), (contact(Square(6, 6), fix),))
    assert [one.fix for one in view_without(view, (without,)).contacts] == [shown]


@pytest.mark.parametrize("cloaked", [True, False])
def test_who_does_without_fire_out_of_a_cloak_has_no_weapons_under_one(cloaked: bool) -> None:
    ship = replace(corvette(Square(5, 5)), cloak=True, cloaked=cloaked)
    (shown,) = view_without(seen(Phase.ENGAGE, (ship,)), (Ability.CLOAKED_FIRE,)).own
    assert bool(shown.weapons) is not cloaked


def test_an_ablation_has_a_row_for_each_ability_that_is_asked_for_and_offered() -> None:
    short = limited(scenario_called("smugglers-moon"), 2)
    ablation = Ablation(short, BEST["smugglers-moon"], pairs=1, jobs=1, seed=1)
    cloaks, switch = ablation.rows((Ability.CLOAKS, Ability.MISSIONS, Ability.POWER_OFF))
    assert (cloaks.ability, switch.ability) == ("cloaks", "power-off")
    assert cloaks.sides == ("A", "B")
    assert cloaks.first.pairs == 2
    assert switch.verdict == "idle: changes nothing"
    assert switch.first.changed == 0
