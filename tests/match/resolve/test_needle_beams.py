"""Needle beams: which systems they destroy, each once and in which order."""

import pytest

from builders.specialweapons import opened
from builders.truths import A1, B1, with_ship
from sunglare_protocol.words.armament import SystemAim, WeaponKind
from sunglare_rules.fire.shots import Extra
from sunglare_server.match.dice import Dice
from sunglare_server.match.events.space import ShotFired
from sunglare_server.match.resolve.special_weapons import needled
from sunglare_server.match.truth.truth import Truth

DICE = Dice(seed=bytes(32))


# Needle beams.


def pierced(truth: Truth, *aims: SystemAim | None, **changes: object) -> list[str]:
    """Return what B's ship loses to needle beams that rolled a 6, aimed like this."""
    some = tuple(
        ShotFired(
            piece=A1,
            weapon=f"N{number}",
            kind=WeaponKind.NEEDLE,
            target=B1,
            arc=None,
            dice=(6,),
            damage=1,
            extra=Extra.SYSTEM,
            system=aim,
        )
        for number, aim in enumerate(aims, 1)
    )
    lost = list(needled(with_ship(truth, B1, **changes), some, DICE))
    assert all((loss.piece, loss.die, loss.needed) == (B1, 6, 6) for loss in lost)
    return [loss.system for loss in lost]


@pytest.mark.parametrize(
    ("aims", "lost"),
    [
        ([SystemAim.SCREENS], ["screens"]),
        ([SystemAim.SCREENS, SystemAim.SCREENS], ["screens"]),
        ([SystemAim.DRIVE], ["drive"]),
        ([SystemAim.DRIVE] * 3, ["drive", "drive"]),
        ([SystemAim.SENSORS], []),
        ([SystemAim.CLOAK], []),
        ([None], []),
    ],
    ids=["screens", "screens twice", "drive", "drive thrice", "folded sensors", "none", "no aim"],
)
def test_each_needle_beam_takes_its_system_once(
    aims: list[SystemAim | None], lost: list[str]
) -> None:
    assert pierced(opened(0).truth, *aims) == lost


def test_popped_out_sensors_can_be_pierced() -> None:
    assert pierced(opened(0).truth, SystemAim.SENSORS, popped_out=True) == ["sensors"]


def test_a_drive_lost_once_has_one_loss_left() -> None:
    assert pierced(opened(0).truth, *[SystemAim.DRIVE] * 2, drive_losses=1) == ["drive"]


def test_weapons_are_taken_in_any_order_until_none_works() -> None:
    assert sorted(pierced(opened(0).truth, *[SystemAim.WEAPON] * 3)) == ["B1", "M1"]
    assert pierced(opened(0).truth, SystemAim.WEAPON, spent=("M1",)) == ["B1"]


def test_a_destroyed_ship_has_nothing_to_lose() -> None:
    assert pierced(opened(0).truth, SystemAim.DRIVE, damage=40) == []


def test_no_system_of_a_cloaked_ship_is_taken() -> None:
    assert pierced(opened(0).truth, SystemAim.DRIVE, cloaked=True) == []
