"""The hunter: legal, of many kinds of order, and a good deal better."""

import os
from collections import Counter

import msgspec
import pytest

from builders.botmatches import fought
from builders.matches import view_of
from builders.played import rig
from builders.scenarios import scenarios
from sunglare_client.bot import decide
from sunglare_client.bots import BOTS
from sunglare_client.bots.hunter import SWEEP_EVERY
from sunglare_protocol.ids import Audience
from sunglare_protocol.orders import Sweep, Thrust, Turn
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase

LONG = bool(os.environ.get("SUNGLARE_LONG"))
MATCHES = 6 if LONG else 3


@pytest.mark.timeout(240)
@pytest.mark.parametrize("seat", ["A", "B"])
def test_the_hunter_clearly_beats_the_random_bot_from_either_seat(seat: str) -> None:
    bots = ("hunter", "random") if seat == "A" else ("random", "hunter")
    ours = theirs = wins = 0
    for seed in range(MATCHES):
        match, _ = fought("stalk-2", seed, *bots)
        points = {str(side): score for side, score in match.state.truth.points.items()}
        own = points.pop(seat)
        ours, theirs = ours + own, theirs + sum(points.values())
        wins += own > max(points.values())
    assert wins > MATCHES // 2
    assert ours > 1.5 * theirs


@pytest.mark.timeout(240)
def test_two_hunters_use_every_kind_of_order_that_the_hunt_knows() -> None:
    given: Counter[str] = Counter()
    for name in ("picket-line", "stalk-2"):
        for seed in range(3 if LONG else 1):
            for (_, kind), count in fought(name, seed, "hunter", "hunter")[1].items():
                given[kind] += count
    wanted = {"Cloak", "Thrust", "Turn", "Deploy", "Scan", "Listen", "Sweep", "Fire", "Hold"}
    assert wanted <= set(given)


def pickets_at(turn: int) -> View:
    """Return what the pickets see in a PLOT when nobody has given an order until then."""
    match = rig(scenarios()["picket-line"], 1, Audience("A"))
    while match.state.standing.turn < turn:
        match.close()
    return view_of(match.state, Audience("A"))


@pytest.mark.parametrize(("turn", "goes"), [(3, False), (7, True)])
def test_pickets_wait_for_a_while_and_then_go_and_look(turn: int, goes: bool) -> None:
    orders = decide(BOTS["hunter"](2), pickets_at(turn), strict=True)
    assert any(isinstance(order, Thrust | Turn) for order in orders) is goes


def test_who_has_no_sensors_for_scans_is_not_the_one_to_sweep() -> None:
    view = pickets_at(SWEEP_EVERY)
    stage = msgspec.structs.replace(view.stage, phase=Phase.DETECT)
    (eyes,) = (ship.sensors for ship in view.own if ship.sensors)
    armed = [ship for ship in view.own if ship.weapons]
    assert len(armed) > 2
    for able in armed:
        own = tuple(
            msgspec.structs.replace(ship, sensors=eyes if ship.id == able.id else {})
            for ship in view.own
        )
        shown = msgspec.structs.replace(view, stage=stage, own=own)
        orders = decide(BOTS["hunter"](3), shown, strict=True)
        assert [order.ship for order in orders if isinstance(order, Sweep)] == [able.id]
