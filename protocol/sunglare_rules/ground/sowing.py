"""Remote sensors on a surface map: where they may be sown, and when they end.

Source: Alpha Strike, "Remote Sensor Spotting"; blips of our rule book §2.3.
"""

from sunglare_protocol.geometry import Environs
from sunglare_protocol.surface import Cell, Mode
from sunglare_rules.ground.terrain import may_stand, terrain_at


def may_sow(environs: Environs, cell: Cell) -> bool:
    """Return whether a sensor can lie there: as anything that never moves, not in water (OWN)."""
    return may_stand(Mode.NONE, terrain_at(environs, cell))


def ends_sensor(*, contact: bool, remote: bool, hidden: bool) -> bool:
    """Return whether an enemy ends a remote sensor at the end of the turn: its base touches it.

    OWN: sensors do not end each other, and a hidden unit does nothing.
    """
    return contact and not remote and not hidden
