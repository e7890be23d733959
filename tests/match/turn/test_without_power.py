"""What a ship without power cannot do: everything but turn a step, drift and be hit; turn §5."""

import pytest
from msgspec.structs import replace

from builders.advice import assert_refused
from builders.blips import able, known
from builders.hunts import RAIDER, hider
from builders.ordnance import S1, Battle, battle, sent
from builders.truths import A1, B1, FRIGATE, A, B, only, ship, truth_of
from sunglare_protocol.orders import Cloak, Order, Power
from sunglare_protocol.refusals import Code
from sunglare_protocol.words.dossiers import Outcome
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.check.check import check
from sunglare_server.match.data.scenario import ShipClass
from sunglare_server.match.events.cloak import CloakSwitched, PassiveRolled
from sunglare_server.match.events.space import ShotFired
from sunglare_server.match.resolve.probing import Request, probes

OFF = (Power(ship=S1, on=False),)


def cold(kind: ShipClass = FRIGATE) -> Battle:
    """Return a match in DETECT of turn 1 in which A's ship has switched its power off."""
    fight = Battle(ship(A, 1, (10, 10), kind), hider(B, 1, (10, 14)))
    fight.plot({A: OFF})
    fight.course.close_until(Phase.DETECT)
    return fight


@pytest.mark.parametrize("order", ["listen S1", "sweep S1"])
def test_a_ship_without_power_neither_listens_nor_sweeps(order: str) -> None:
    fight = cold()
    assert fight.refused(A, order) is Code.ORDER_POWER
    assert only(fight.detect(), PassiveRolled) == []


def test_with_power_it_listens_without_being_told() -> None:
    fight = Battle(ship(A, 1, (10, 10)), hider(B, 1, (10, 14)))
    fight.plot()
    assert [event.piece for event in only(fight.detect(), PassiveRolled)] == [A1]


def test_a_ship_without_power_does_not_cloak() -> None:
    fight = cold(RAIDER)
    fight.engage()
    assert fight.refused(A, "cloak S1 on") is Code.ORDER_POWER


def test_power_is_not_switched_off_in_the_turn_in_which_the_ship_cloaks() -> None:
    fight = Battle(ship(A, 1, (10, 10), RAIDER), ship(B, 1, (30, 30)))
    assert_refused(
        check(fight.view(A), (*OFF, Cloak(ship=S1, on=True))), Code.ORDER_CLOAK, "$.orders[0].on"
    )


def test_a_plant_ordered_on_bears_a_cloak_from_the_next_movement() -> None:
    fight = cold(RAIDER)
    fight.engage()
    fight.plot({A: "power S1 on"})
    fight.engage()
    events = fight.plot({A: "cloak S1 on"})
    assert only(events, CloakSwitched) == [CloakSwitched(piece=A1, on=True)]


@pytest.mark.parametrize("word", ["ECM", "AECM", "LECM"])
@pytest.mark.parametrize("powered", [True, False], ids=["warm", "cold"])
def test_a_ship_without_power_jams_nobody(word: str, powered: bool) -> None:
    asker, other = able(A, (10, 10), "PRB"), able(B, (14, 10))
    jammer = replace(able(B, (14, 10), word, number=2), powered=powered)
    truth = known(truth_of(asker, other, jammer), A, B1)
    [event] = probes(truth, (Request(A1, B1),))
    assert (event.outcome is Outcome.FULL) is not powered


@pytest.mark.parametrize(("orders", "stopped"), [(OFF, False), ((), True)], ids=["cold", "warm"])
def test_a_ship_without_power_stops_no_missile(orders: tuple[Order, ...], stopped: bool) -> None:
    fight = battle((12, 10), defence=6)
    fight.fighting(looks=(A,), plot={**sent((12, 10)), B: orders})
    [shot] = only(fight.engage({B: () if orders else "defend S1 all"}), ShotFired)
    assert shot.target == B1
    assert (shot.stopped > 0) is stopped


def test_a_ship_without_power_turns_one_step_and_drifts() -> None:
    fight = cold()
    fight.engage()
    assert fight.refused(A, "turn S1 1") is None
    assert fight.refused(A, "turn S1 2") is Code.ORDER_TURN
