"""Firing arcs follow from the weapons, relations decide in play, and the arc used is told."""

import os
from collections import Counter
from random import Random

import pytest

from builders.botmatches import fought
from builders.matches import view_of
from builders.played import Rig, rig
from builders.scenarios import scenarios
from match.turn.test_arcs import PICKY
from sunglare_protocol.ids import PUBLIC, OwnId, Side, audience_of
from sunglare_protocol.notices import ShotResult
from sunglare_protocol.orders import Fire
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.pieces import Arc, Relation
from sunglare_rules.advice.check.fire import aim
from sunglare_rules.advice.seen.bearing import Bearing
from sunglare_server.match.events.space import ShotFired

LONG = bool(os.environ.get("SUNGLARE_LONG"))
RELATIONS = (Relation.IN_FRONT, Relation.BEHIND, Relation.FLANKING)


def test_the_shipped_scenarios_use_every_relation() -> None:
    needed: dict[str, set[Relation]] = {}
    for name, scenario in scenarios().items():
        if name in ("blip-parade", "redondo", "proving-ground"):
            kinds = scenario.classes.values()
            found = {weapon.needs for kind in kinds for weapon in kind.weapons if weapon.needs}
            needed[name] = found
    assert all(len(found) >= 2 for found in needed.values())
    assert {relation for found in needed.values() for relation in found} == {*RELATIONS}
    assert len({name for name, _ in PICKY}) >= 3


def test_the_arc_of_a_shot_is_told_as_the_shooter_reckoned_it() -> None:
    told: Counter[Arc | None] = Counter()
    for seed in range(2):
        match, rng = rig(scenarios()["broadside"], seed, PUBLIC), Random(seed)
        for _ in range(40):
            if match.state.is_over:
                break
            phase, views, orders = match.state.standing.phase, _views(match), match.ordered(rng)
            for side, given in orders.items():
                match.give(side, given)
            match.close()
            if phase is Phase.ENGAGE:
                for side, given in orders.items():
                    wanted = _reckoned(views[side], given)
                    found = _reported(match, side)
                    shared = wanted.keys() & found.keys()
                    assert {key: found[key] for key in shared} == {
                        key: wanted[key] for key in shared
                    }
                    told.update(found[key] for key in shared)
    assert {*told} >= {Arc.FRONT, Arc.FULL_REAR}


Shots = dict[tuple[OwnId, str], Arc | None]


def _views(match: Rig) -> dict[Side, View]:
    return {side: view_of(match.state, audience_of(side)) for side in match.sides}


def _reckoned(seen: View, orders: tuple[object, ...]) -> Shots:
    """Return the arc of every shot as the view had it when the order was given."""
    found: Shots = {}
    ships = {ship.id: ship for ship in seen.own}
    for order in orders:
        if isinstance(order, Fire) and order.at is not None and order.ship in ships:
            bearing = aim(seen, ships[order.ship], order)
            assert isinstance(bearing, Bearing)
            found[order.ship, order.weapon] = bearing.arc
    return found


def _reported(match: Rig, side: Side) -> Shots:
    told = match.state.intel[audience_of(side)].told
    return {
        (notice.ship, notice.weapon): notice.arc
        for notice in told
        if isinstance(notice, ShotResult)
    }


@pytest.mark.parametrize("name", ["proving-ground", "blip-parade"])
def test_bots_fire_the_weapons_that_need_a_relation(name: str) -> None:
    fired: Counter[tuple[str, str]] = Counter()

    def watch(_window: object, match: Rig) -> None:
        assert match.last is not None
        for event in match.last.events:
            if isinstance(event, ShotFired):
                kind = match.state.truth.ships[event.piece].type.name
                fired[kind, event.weapon] += 1

    for seed in range(4 if LONG else 1):
        fought(name, seed, "scout", "scout", watch=watch, turns_most=14 if LONG else 11)
    assert sum(fired[picky] for picky in PICKY) > 0
