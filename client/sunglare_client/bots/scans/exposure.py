"""Exposure: the chance that an enemy finds an own ship with the scans that it makes.

A ship is found where the enemy's sensors reach it at all: not behind a planet, in shadow mostly by
its heat, its reactor or its plume, and by eye or heat hardly at all by one that has to look into
the sun for it. For that it is enough to stand in the looker's column of boxes and in no row of
boxes south of it, as all scans of boxes that cover the ship touch the looker's glare then.
"""

from functools import lru_cache
from typing import final

from sunglare_client.bots.sightings.foes import Foe
from sunglare_protocol.geometry import BOX_EDGE, Board, Place, Square
from sunglare_protocol.ids import Side
from sunglare_protocol.notices import Notice, ScanAnswered
from sunglare_protocol.views import OwnView
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.sensors.scans import declared_strength, effective_strength
from sunglare_rules.sensors.sectors import line_of_sight
from sunglare_rules.sensors.signatures import CONTACT_SIGNAL, Emitter, signals, strongest
from sunglare_rules.sensors.sunlight import in_shadow
from sunglare_rules.turn.movement import Flight

TRIED: dict[ScanType, float] = {
    ScanType.VISUAL: 0.95,
    ScanType.IR: 0.25,
    ScanType.RADAR: 0.05,
    ScanType.NEUTRINO: 0.35,
    ScanType.MASS: 0.05,
}
"""How likely an enemy is thought to try each type, where it would find something, at first."""

LEARNED = 0.8
"""What each scan of a type that is heard leaves of the hope that the type is not tried."""

WAYS_LOOKED_AT = 3
"""Of so many of a foe's flights, the likeliest ones, it is asked what it sees at their end."""


@final
class Habits:
    """How likely the enemies of a side are to try each type of scan, by those that were heard."""

    def __init__(self, side: Side) -> None:
        self._side = side
        self._tried = dict(TRIED)

    def heard(self, notice: Notice) -> None:
        """Take in a notice: each scan of another side makes its type more likely."""
        if isinstance(notice, ScanAnswered) and notice.side != self._side:
            self._tried[notice.type] = 1 - (1 - self._tried[notice.type]) * LEARNED

    def chance(self, types: tuple[ScanType, ...]) -> float:
        """Return how likely at least one of these types is tried."""
        missed = 1.0
        for scan_type in types:
            missed *= 1 - self._tried[scan_type]
        return 1 - missed


def found_chance(
    board: Board, ship: OwnView, end: Flight, spent: int, foes: tuple[Foe, ...], habits: Habits
) -> float:
    """Return how likely a ship that ends its move so, with so much thrust, is found by any foe."""
    emitter = Emitter(
        echo=ship.echo, drive=ship.drive, powered=True, popped_out=True, thrust_spent=spent
    )
    missed = 1.0
    for foe in foes:
        seen = known = 0.0
        for way in foe.ways[:WAYS_LOOKED_AT]:
            types = finders(board, foe, way.flight.square, end.square, emitter)
            seen += way.chance * habits.chance(types)
            known += way.chance
        missed *= 1 - seen / known if known else 1.0
    return 1 - missed


def finders(
    board: Board, foe: Foe, here: Square, there: Square, emitter: Emitter
) -> tuple[ScanType, ...]:
    """Return the types with which a foe `here` finds a piece that stands `there`, box by box."""
    if not line_of_sight(board, Place(here), Place(there)):
        return ()
    light = 0 if in_shadow(board, there) else board.sunfactor
    rating = foe.like.sensors.get(ScanType.VISUAL, 0)
    return _finders(rating, _is_dazzled(board, here, there), light, board.sunfactor, emitter)


@lru_cache(maxsize=4096)
def _finders(
    rating: int, glare: bool, light: int, sunfactor: int, emitter: Emitter
) -> tuple[ScanType, ...]:
    declared = declared_strength(rating, ScanSize.BOX, 0)
    found = []
    for scan_type in ScanType:
        strength = effective_strength(declared, scan_type, glare, sunfactor)
        signal = strongest(signals(scan_type, strength, emitter, light))
        if signal is not None and signal >= CONTACT_SIGNAL:
            found.append(scan_type)
    return tuple(found)


def _is_dazzled(board: Board, here: Square, there: Square) -> bool:
    """Return whether no scan of boxes from here covers a square without touching the glare."""
    if in_shadow(board, here) or here.x // BOX_EDGE != there.x // BOX_EDGE:
        return False
    return there.y - there.y % BOX_EDGE < here.y
