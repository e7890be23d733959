"""Two readings of the surface rules agree where large units stand in the way everywhere."""

import os
from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from builders.ground import ground_classes
from builders.groundprobes import probes_of
from builders.played import rig
from builders.scenarios import scenarios
from second_reading.capital import bursts_of, sent_of
from second_reading.ground import held_after_plot, shell_of
from second_reading.probes import answer_on_ground
from sunglare_protocol.ids import PUBLIC, Side
from sunglare_protocol.orders import Order
from sunglare_protocol.words.ladder import Phase
from sunglare_server.match.data.scenario import Scenario, SideSetup
from sunglare_server.match.events.capital import MissileSent, PointStruck
from sunglare_server.match.events.ground import GroundShotFired
from sunglare_server.match.events.space import Event
from sunglare_server.match.state import MatchState
from sunglare_server.match.truth.truth import Truth
from two_worlds.parts import inquiries, shells

LONG = bool(os.environ.get("SUNGLARE_LONG"))
MATCHES = 8 if LONG else 3
LARGE = {"battle-tank": "crawler", "field-mortar": "crawler", "defence-laser": "defence-cannon"}
"""What becomes of the units of a scenario."""

Turn = tuple[MatchState, Truth, dict[Side, tuple[Order, ...]], tuple[Event, ...]]


def crowded(name: str) -> Scenario:
    """Return the scenario with a large unit in the place of many a small one."""
    scenario = scenarios()[name]
    sides = {side: _enlarged(setup) for side, setup in scenario.data.sides.items()}
    used = sorted({unit.type for side in sides.values() for unit in side.ground})
    return msgspec.structs.replace(
        scenario,
        data=msgspec.structs.replace(scenario.data, sides=sides),
        ground={kind: ground_classes()[kind] for kind in used},
    )


def _enlarged(setup: SideSetup) -> SideSetup:
    units = (
        msgspec.structs.replace(entry, type=LARGE.get(entry.type, entry.type))
        for entry in setup.ground
    )
    return msgspec.structs.replace(setup, ground=tuple(units))


def windows(name: str) -> Iterator[Turn]:
    """Play matches at random; yield each window's beginning, end, orders and events."""
    for seed in range(MATCHES):
        match = rig(crowded(name), seed, PUBLIC)
        for before, orders, events in match.windows(Random(seed)):
            yield before, match.state.truth, orders, events


@pytest.mark.parametrize("name", ["garrison", "siege"])
def test_both_readings_agree_on_who_is_hidden_by_large_units(name: str) -> None:
    shots = probes = 0
    for before, after, orders, events in windows(name):
        truth = before.truth
        if before.standing.phase is Phase.PLOT:
            for side in after.sides:
                held = after.surface.tokens_of(side)
                known = {piece: hold.identified for piece, hold in held.items()}
                assert known == held_after_plot(truth, after, orders, side)
        fired = {
            (event.piece, event.weapon, event.target): (event.dice, event.damage)
            for event in events
            if isinstance(event, GroundShotFired)
        }
        assert fired == {
            shell: shell_of(truth, before.dice, shell) for shell in shells(before, orders)
        }
        probed = probes_of(events)
        assert probed == {
            inquiry: answer_on_ground(truth, inquiry) for inquiry in inquiries(before, orders)
        }
        shots, probes = shots + len(fired), probes + len(probed)
    assert shots > 0
    assert probes > 0


def test_both_readings_agree_on_beams_and_impacts_past_large_units() -> None:
    sent = seen = 0
    for before, _, orders, events in windows("siege"):
        if before.standing.phase is not Phase.ENGAGE:
            continue
        truth = before.truth
        flights = [event.flight for event in events if isinstance(event, MissileSent)]
        assert sorted(
            (flight.piece, flight.weapon, flight.at, flight.cell, flight.needed, flight.lands)
            for flight in flights
        ) == sorted(sent_of(truth, orders))
        struck = [event for event in events if isinstance(event, PointStruck)]
        bursts = bursts_of(truth, orders, before.dice)
        heard = sorted(
            (impact.piece, impact.weapon, impact.dice, impact.heard) for impact in struck
        )
        assert heard == sorted((b.piece, b.weapon, b.dice, b.heard) for b in bursts)
        sent, seen = sent + len(flights), seen + sum(bool(impact.heard) for impact in struck)
    assert sent > 0
    assert seen > 0
