"""Fighters as pieces, the ships that launch them, and needle beams that name a system."""

from itertools import count

import pytest
from msgspec.structs import replace

from builders.advice import assert_refused, refused
from builders.ordnance import F1, S1, Battle, keen, placed
from builders.truths import B1, A, B, only
from sunglare_protocol.geometry import Compass, Square, Vector
from sunglare_protocol.ids import OwnId
from sunglare_protocol.notices import OwnLaunched, OwnSystemLost
from sunglare_protocol.orders import Fire, Launch, Power, Scan, Sensors
from sunglare_protocol.refusals import Code
from sunglare_protocol.words.armament import Launchable, SystemAim, WeaponKind
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.scans import Echo, ScanSize, ScanType
from sunglare_rules.advice.check.check import check
from sunglare_server.match.events.space import (
    FighterLaunched,
    ShooterExposed,
    ShotFired,
    SystemLost,
)
from sunglare_server.match.ids import PieceId

AF1 = PieceId("A/F1")
CARRIER = keen("carrier")
FRIGATE = keen("frigate")
FLY = (Launch(ship=S1, what=Launchable.FIGHTER),)


def battle(at: tuple[int, int] = (13, 10), vector: tuple[int, int] = (0, 0)) -> Battle:
    """Return A's carrier at 10,10, facing west, against a frigate of B."""
    carrier = placed(A, 1, CARRIER, (10, 10), vector, Compass.W)
    return Battle(carrier, placed(B, 1, FRIGATE, at))


def test_a_flight_stands_beside_its_ship_with_its_vector_and_facing() -> None:
    fight = battle(vector=(1, 2))
    [launch] = only(fight.plot({A: FLY}), FighterLaunched)
    flight = fight.own(A, F1)
    assert launch.piece == AF1
    assert (flight.square, flight.vector) == (Square(11, 12), Vector(1, 2))
    assert (flight.facing, flight.kind) == (Compass.W, PieceKind.FIGHTER)
    assert (flight.thrust, flight.hull, flight.echo) == (4, 3, Echo.MISSILE)
    assert OwnLaunched(ship=S1, piece=F1) in fight.told(A)
    assert fight.told(B) == ()


def test_a_ship_launches_a_flight_a_turn_until_none_is_aboard() -> None:
    fight = battle()
    assert fight.own(A, S1).flights == 2
    assert fight.refused(A, *FLY, *FLY) is Code.ORDER_TWICE
    for _ in range(2):
        fight.turn({A: FLY})
    assert fight.own(A, OwnId("F2")).id == "F2"
    assert_refused(check(fight.view(A), FLY), Code.ORDER_LAUNCH, "$.orders[0].what")


def test_fighters_are_launched_as_they_are() -> None:
    aimed = replace(FLY[0], at=Square(12, 12))
    assert refused(battle().view(A), aimed) is Code.ORDER_LAUNCH
    assert refused(battle().view(A), Power(ship=S1, on=False), *FLY) is Code.ORDER_POWER


def test_fighters_fly_like_a_ship_and_burn_when_they_thrust() -> None:
    fight = battle()
    fight.turn({A: FLY})
    fight.plot({A: "thrust F1 W W W W"})
    assert fight.own(A, F1).square == Square(6, 10)
    assert fight.truth.ships[AF1].burns
    fight.engage()
    fight.plot()
    assert not fight.truth.ships[AF1].burns


def test_fighters_have_nothing_to_scan_with() -> None:
    fight = battle()
    fight.turn({A: FLY})
    assert fight.refused(A, Sensors(ship=F1, out=True)) is Code.ORDER_SENSORS
    fight.plot()
    fight.course.close_until(Phase.SCAN, A)
    look = Scan(ship=F1, type=ScanType.MASS, size=ScanSize.BOX, at="C3")
    assert fight.refused(A, look) is Code.ORDER_SENSORS


@pytest.mark.parametrize(
    ("at", "dice"), [((12, 10), 3), ((10, 12), 3), ((10, 8), 3), ((10, 10), 3), ((12, 11), 3)]
)
def test_fighters_roll_three_beam_dice_within_6_mu_in_any_direction(
    at: tuple[int, int], dice: int
) -> None:
    fight = battle(at).fighting(looks=(A,), plot={A: FLY})
    events = fight.engage({A: f"fire F1.F1 {fight.at(A, Square(*at))}"})
    [fired] = only(events, ShotFired)
    assert len(fired.dice) == dice + fired.dice.count(6)
    assert (fired.kind, fired.arc) == (WeaponKind.FIGHTER, None)
    # They are a direct weapon, so they give themselves away.
    assert [event.piece for event in only(events, ShooterExposed)] == [AF1]


def test_fighters_reach_no_farther_and_need_a_live_track() -> None:
    for at, eyes, code in (((13, 10), A, Code.ORDER_RANGE), ((11, 10), B, Code.ORDER_STATE)):
        fight = battle(at).fighting(looks=(eyes,), plot={A: FLY})
        shot = Fire(ship=F1, weapon="F1", at=fight.at(A, Square(*at)))
        assert fight.refused(A, shot) is code


# Needle beams.


def pricked(aim: SystemAim | None, **target: object) -> tuple[Battle, list[SystemLost]]:
    """Return a match in which a needle beam has just rolled a 6, and what it destroyed."""
    for number in count():
        fight = Battle(
            placed(A, 1, keen("picket"), (10, 13)),
            placed(B, 1, replace(FRIGATE, **target), (10, 10)),
            seed=number.to_bytes(32, "big"),
        )
        handle = fight.fighting(looks=(A,)).at(A, Square(10, 10))
        events = fight.engage({A: (Fire(ship=S1, weapon="N1", at=handle, system=aim),)})
        if only(events, ShotFired)[0].dice == (6,):
            return fight, only(events, SystemLost)
    raise AssertionError("count never ends")


def test_a_needle_beam_s_six_destroys_the_system_it_names_and_only_the_owner_is_told() -> None:
    fight, lost = pricked(SystemAim.DRIVE)
    assert [(loss.piece, loss.system) for loss in lost] == [(B1, "drive")]
    assert OwnSystemLost(ship=S1, system="drive") in fight.told(B)
    assert not fight.heard(A, OwnSystemLost)
    assert fight.own(B, S1).thrust == 1


@pytest.mark.parametrize("aim", [None, SystemAim.SCREENS, SystemAim.CLOAK, SystemAim.ECM])
def test_naming_nothing_or_what_the_target_lacks_does_nothing(aim: SystemAim | None) -> None:
    fight, lost = pricked(aim)
    assert lost == []
    assert fight.own(B, S1).damage == 1


def test_a_point_defence_can_be_pierced() -> None:
    fight, lost = pricked(SystemAim.POINT_DEFENCE, point_defence=3)
    assert [loss.system for loss in lost] == ["point_defence"]
    assert fight.own(B, S1).point_defence == 0


def test_a_weapon_that_is_named_is_any_of_them() -> None:
    _, lost = pricked(SystemAim.WEAPON)
    assert [loss.system in ("B1", "B2", "P1") for loss in lost] == [True]


def test_only_a_needle_beam_names_a_system() -> None:
    fight = Battle(placed(A, 1, FRIGATE, (10, 13)), placed(B, 1, FRIGATE, (10, 10)))
    handle = fight.fighting(looks=(A,)).at(A, Square(10, 10))
    aimed = Fire(ship=S1, weapon="B1", at=handle, system=SystemAim.DRIVE)
    assert_refused(check(fight.view(A), (aimed,)), Code.ORDER_SYSTEM, "$.orders[0].system")
