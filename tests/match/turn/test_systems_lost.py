"""Threshold checks of the systems that are neither weapon, drive, sensors nor screens; turn §6."""

from collections.abc import Iterator
from functools import cache

import pytest
from msgspec.structs import replace

from builders.ordnance import S1, Battle, keen, placed
from builders.spotting import specials
from builders.truths import B1, FRIGATE, A, B, beam, only
from sunglare_protocol.geometry import Compass, Square
from sunglare_protocol.orders import Fire
from sunglare_protocol.refusals import Code
from sunglare_protocol.views import OwnView
from sunglare_rules.blips.in_space import has_probe
from sunglare_server.match.data.scenario import ShipClass
from sunglare_server.match.events.space import SystemLost

TARGET: ShipClass = replace(
    FRIGATE,
    name="target",
    hull=16,
    cloak=True,
    point_defence=2,
    specials=specials("ECM PRB"),
    weapons=(),
)
GUNS: ShipClass = replace(
    keen("cruiser"), name="guns", weapons=tuple(beam(f"B{n}", 3) for n in range(1, 5))
)
MORE = ("cloak", "ecm", "probe", "point_defence")


@cache
def shot_up() -> tuple[tuple[Battle, tuple[str, ...]], ...]:
    """Return matches in which B's ship has lived through a threshold check, and what it lost.

    No test may change one.
    """
    return tuple(_shot_up())


def _shot_up() -> Iterator[tuple[Battle, tuple[str, ...]]]:
    for seed in range(24):
        fight = Battle(
            placed(A, 1, GUNS, (10, 20), facing=Compass.N),
            placed(B, 1, TARGET, (10, 18)),
            seed=bytes([seed]) * 32,
        )
        at = fight.fighting(looks=(A,)).at(A, Square(10, 18))
        events = fight.engage({A: tuple(Fire(ship=S1, weapon=w.id, at=at) for w in GUNS.weapons)})
        if fight.truth.ships[B1].in_play:
            yield fight, tuple(loss.system for loss in only(events, SystemLost))


def works(own: OwnView, system: str) -> bool:
    """Return whether its owner sees a system of B's ship at work."""
    match system:
        case "cloak":
            return own.cloak_works
        case "ecm":
            return own.ecm is not None
        case "probe":
            return has_probe(own.specials)
        case _:
            return own.point_defence > 0


@pytest.mark.parametrize("system", MORE)
def test_a_threshold_check_takes_this_system_and_it_no_longer_works(system: str) -> None:
    lost = [system in gone for _, gone in shot_up()]
    assert 0 < sum(lost) < len(lost)
    for fight, gone in shot_up():
        assert works(fight.own(B, S1), system) is (system not in gone)


def test_a_ship_whose_cloak_was_shot_away_cannot_be_told_to_cloak() -> None:
    fight = next(fight for fight, gone in shot_up() if "cloak" in gone)
    assert fight.refused(B, "cloak S1 on") is Code.ORDER_CLOAK
