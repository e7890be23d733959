"""What `advice.after` foresees of the own side is what the next view shows, in real matches.

SUNGLARE_LONG=1 plays whole matches, more of each scenario.
"""

import os
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import msgspec
import pytest

from builders.botmatches import seated
from builders.matches import view_of
from builders.played import rig
from builders.scenarios import scenarios
from sunglare_client.advice import Advice
from sunglare_client.bot import decide
from sunglare_protocol.ids import PUBLIC, OwnId, Side, audience_of
from sunglare_protocol.messages.answers import ScanPreview
from sunglare_protocol.orders import Deploy, Order, Rotate, Scan, Sensors, Thrust, Turn
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.pieces import Arc
from sunglare_rules.advice.odds.after import after

PLAYED = {
    "shadow-of-ceres": ("random", "lurker"),
    "picket-line": ("random", "hunter"),
    "orlog": ("random", "random"),
    "proving-ground": ("scout", "random"),
    "blip-parade": ("random", "scout"),
    "redondo": ("admiral", "random", "random", "random"),
}
"""The bots of a match of each scenario, who together give every kind of order of a PLOT."""

LONG = bool(os.environ.get("SUNGLARE_LONG"))

pytestmark = pytest.mark.timeout(3_600 if LONG else 120)

SEEDS = range(4, 6) if LONG else range(4, 5)
"""The seeds of the matches that are played of each scenario."""

TURNS = 99 if LONG else 6
"""A match is left after so many turns."""

OF_ENEMIES = ("exposed", "hunted", "detected")
"""The fields of own ships that say what enemies know or do."""

OF_WHO_SEES = ("hidden",)
"""The field of own ground units that depends on who sees them move."""

OF_A_START = ("specials", "ecm")
"""The fields that are not known before a plant runs again."""


class Step(NamedTuple):
    """A view, the orders given in it, and the view of the next window."""

    view: View
    orders: tuple[Order, ...]
    then: View


def steps(name: str, seed: int) -> Iterator[Step]:
    """Play a match, and yield what each side saw, gave and then saw, window by window."""
    match = rig(scenarios()[name], seed, PUBLIC)
    players = {
        side: seated(match, name, side, bot, 7 * seed + number)
        for number, (side, bot) in enumerate(zip(match.sides, PLAYED[name], strict=True))
    }
    while not match.state.is_over and match.state.standing.turn <= TURNS:
        given: dict[Side, tuple[View, tuple[Order, ...]]] = {}
        for side, player in players.items():
            for notice in match.state.intel[audience_of(side)].told:
                player.on_notice(notice)
            if match.state.standing.takes_orders_of(side):
                view = view_of(match.state, audience_of(side))
                given[side] = view, decide(player, view, strict=True)
        for side, (_, orders) in given.items():
            match.give(side, orders)
        match.close()
        for side, (view, orders) in given.items():
            yield Step(view, orders, view_of(match.state, audience_of(side)))


def differing(
    foreseen: msgspec.Struct, shown: msgspec.Struct, left_out: tuple[str, ...]
) -> list[str]:
    """Return the fields in which what was foreseen is not what is shown."""
    return [
        f"{name}: {getattr(foreseen, name)} for {getattr(shown, name)}"
        for name in foreseen.__struct_fields__
        if name not in left_out and getattr(foreseen, name) != getattr(shown, name)
    ]


def ships_differ(step: Step, foreseen: View) -> Iterator[tuple[str, list[str]]]:
    """Yield each own ship by its id with what was foreseen wrongly of it."""
    then = {ship.id: ship for ship in step.then.own}
    before = {ship.id: ship for ship in step.view.own}
    for ship in foreseen.own:
        if ship.id not in then:
            # Of volleys and remote sensors nothing is left when they are gone.
            yield ship.id, [] if ship.fate is not Fate.IN_PLAY else ["gone"]
            continue
        started = ship.powered and not before[ship.id].powered
        left_out = (*OF_ENEMIES, *(OF_A_START if started else ()))
        yield ship.id, differing(ship, then[ship.id], left_out)


@pytest.mark.parametrize("name", PLAYED)
def test_the_next_view_shows_own_pieces_as_they_were_foreseen(name: str) -> None:
    kinds: Counter[type[Order]] = Counter()
    for step in (step for seed in SEEDS for step in steps(name, seed)):
        if step.view.stage.phase not in (Phase.PLOT, Phase.SCAN):
            continue
        foreseen, window = after(step.view, step.orders), step.view.stage.window
        for ship, wrong in ships_differ(step, foreseen):
            assert not wrong, (window, ship, [o for o in step.orders if o.ship == ship])
        then = {unit.id: unit for unit in step.then.ground}
        for unit in foreseen.ground:
            if then[unit.id].fate is Fate.IN_PLAY:
                assert not differing(unit, then[unit.id], OF_WHO_SEES), (window, unit.id)
        assert foreseen.contacts == step.view.contacts
        kinds.update(type(order) for order in step.orders)
    assert {Scan, Turn, Thrust, Sensors, Deploy} <= {*kinds}


def test_from_there_scans_can_be_previewed_before_the_move_is_made() -> None:
    previewed = 0
    for step in steps("shadow-of-ceres", SEEDS[0]):
        if step.view.stage.phase is Phase.PLOT:
            ahead = Advice(Advice(step.view).after(step.orders))
            there = Advice(step.then)
            for ship, then in zip(ahead.ships(), there.ships(), strict=True):
                (scan, *_) = (*ahead.scans(ship), None)
                if scan is not None:
                    assert ahead.preview(scan) == preview_of(there, then, scan)
                    previewed += 1
    assert previewed


def preview_of(there: Advice, ship: OwnView, scan: Scan) -> ScanPreview | None:
    """Return the preview of a scan as if the ship's own slot were open."""
    stage = msgspec.structs.replace(there.view.stage, slot=None)
    assert ship.id == scan.ship
    return Advice(msgspec.structs.replace(there.view, stage=stage)).preview(scan)


def test_where_a_plan_ends_is_where_the_ship_then_is() -> None:
    compared = 0
    for step in steps("shadow-of-ceres", SEEDS[0]):
        if step.view.stage.phase is Phase.PLOT:
            advice, then = Advice(step.view), {ship.id: ship for ship in step.then.own}
            for ship in advice.ships():
                moved, flight = then[ship.id], advice.flight(ship, step.orders)
                if moved.fate is Fate.IN_PLAY:
                    assert flight == (moved.square, moved.vector, moved.facing)
                    compared += 1
    assert compared


def test_of_orders_that_cannot_stand_the_legal_part_counts() -> None:
    first = next(steps("shadow-of-ceres", SEEDS[0])).view
    advice = Advice(first)
    ship = advice.ships()[0]
    foreign = Turn(ship=OwnId("S99"), steps=1)
    again = Rotate(ship=ship.id, turret="nowhere", to=Arc.FRONT)
    assert advice.after([foreign, again]) == advice.after([])
