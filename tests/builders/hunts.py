"""Cloaked ships and those that hunt them, for the tests of cloak hunting."""

from collections.abc import Iterator

from msgspec.structs import replace

from builders.data import CLASSES
from builders.truths import FRIGATE, beam, seed_of, ship, torpedo
from sunglare_protocol.geometry import Compass, Vector
from sunglare_protocol.ids import Side
from sunglare_protocol.words.pieces import Arc
from sunglare_server.match.data.scenario import ShipClass
from sunglare_server.match.dice import Dice
from sunglare_server.match.truth.truth import ShipTruth

RAIDER: ShipClass = replace(FRIGATE, name="raider", cloak=True)
"""A frigate with a cloak, its weapons all around the front."""

PICKET: ShipClass = replace(CLASSES["frigate"], name="picket")
"""A shipped frigate."""

GUNSHIP: ShipClass = replace(
    RAIDER,
    name="gunship",
    hull=200,
    weapons=(beam("B1", 1), beam("B2", 2), beam("B3", 3, Arc.FULL_FRONT), torpedo("P1")),
)
"""A tough ship with a cloak and beams of three classes, all to the front."""


def hider(
    side: Side, number: int, at: tuple[int, int], used: int = 0, kind: ShipClass = RAIDER
) -> ShipTruth:
    """Return a ship that is cloaked for the first time and used so much thrust this turn."""
    hidden = ship(side, number, at, kind)
    return replace(hidden, cloaked=True, cloaks=1, thrust_used=used, thrust_spent=min(used, 3))


def seeker(
    side: Side, number: int, at: tuple[int, int], used: int = 0, spent: int = 0
) -> ShipTruth:
    """Return an uncloaked ship that faces north and used so much thrust this turn."""
    return replace(ship(side, number, at), thrust_used=used, thrust_spent=spent)


def moving(one: ShipTruth, dx: int, dy: int, facing: Compass = Compass.N) -> ShipTruth:
    """Return the ship with another vector and facing."""
    return replace(one, vector=Vector(dx, dy), facing=facing)


def many_dice(count: int) -> Iterator[Dice]:
    """Yield the dice of that many matches."""
    for number in range(count):
        yield Dice(seed=seed_of(number))
