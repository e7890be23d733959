"""Effects of shots other than damage: leeches that go on, systems that needle beams destroy.

Source: Full Thrust needle beams; fire of our rule book §6, with the leech pod of our own.
"""

from collections.abc import Callable, Iterator

from sunglare_rules.fire.shots import Extra
from sunglare_rules.fire.special_weapons import NEEDLE_DESTROYS, leech_damage, needle_takes
from sunglare_server.match.dice import Dice, Purpose
from sunglare_server.match.events.space import LeechDrained, ShotFired, SystemLost
from sunglare_server.match.resolve.firing import working_systems
from sunglare_server.match.truth.truth import ShipTruth, Truth

_PICK = 1
"""The index of the die that picks a weapon, after the needle beam's own die."""


def drains(truth: Truth) -> Iterator[LeechDrained]:
    """Yield what leeches from earlier turns do now; to be applied before this turn's shots."""
    for ship in truth.in_play():
        if ship.leeches:
            yield LeechDrained(piece=ship.id, damage=leech_damage(len(ship.leeches)))


def needled(truth: Truth, fired: tuple[ShotFired, ...], dice: Dice) -> Iterator[SystemLost]:
    """Yield the systems that needle beams destroyed; `truth` is with this turn's damage.

    OWN: they go before the threshold checks, which are rolled for what still works then.
    """
    beams = [shot for shot in fired if shot.extra is Extra.SYSTEM]
    for ship in truth.in_play() if beams else ():
        hits = [shot for shot in beams if shot.target == ship.id]
        if hits and ship.damage < ship.type.hull:
            yield from _taken(truth.turn, ship, hits, dice)


def _taken(turn: int, ship: ShipTruth, hits: list[ShotFired], dice: Dice) -> Iterator[SystemLost]:
    # Each loss is one for the beams after it; a drive can be lost twice.
    systems = list(working_systems(ship)) + ["drive"] * (ship.drive_losses == 0)
    armed = [weapon.id for weapon in ship.type.weapons]
    for shot in hits:
        weapons = tuple(weapon for weapon in systems if weapon in armed)
        pick = _picker(turn, shot, dice)
        system = needle_takes(shot.system, tuple(systems), weapons, pick, is_cloaked=ship.cloaked)
        if system is not None:
            systems.remove(system)
            yield SystemLost(
                piece=ship.id, system=system, die=NEEDLE_DESTROYS, needed=NEEDLE_DESTROYS
            )


def _picker(turn: int, shot: ShotFired, dice: Dice) -> Callable[[int], int]:
    key = f"{shot.piece}/{shot.weapon}"
    return lambda sides: dice.roll(sides, turn, Purpose.FIRE, key, _PICK)
