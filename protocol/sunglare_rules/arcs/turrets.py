"""Turret indicators: where turrets may point, and through which arcs a ship fires.

Source: X-Wing 2.0, 'Arc'; arcs of our rule book §1 and §2.
"""

from collections.abc import Iterable

from sunglare_protocol.errors import SunglareError
from sunglare_protocol.words.pieces import Arc, TurretKind
from sunglare_rules.arcs.arcs import STANDARD_ARCS

_TURRET_POSITIONS: dict[TurretKind, tuple[tuple[Arc, ...], ...]] = {
    TurretKind.SINGLE: tuple((arc,) for arc in STANDARD_ARCS),
    TurretKind.DOUBLE: ((Arc.FRONT, Arc.REAR), (Arc.LEFT, Arc.RIGHT)),
}


class RotationError(SunglareError, ValueError):
    """A rotation that is none: `to` is no standard arc, or the turret points there already."""

    def __init__(self, now: tuple[Arc, ...], to: Arc) -> None:
        """Keep where the turret points and where it should."""
        super().__init__(now, to)
        self.now = now
        self.to = to

    def __str__(self) -> str:
        """Say what would be right."""
        allowed = " or ".join(arc.value for arc in STANDARD_ARCS if arc not in self.now)
        return f"a turret cannot rotate to {self.to.value}; it may point to {allowed}"


def turret_positions(kind: TurretKind) -> tuple[tuple[Arc, ...], ...]:
    """Return every position of a turret of `kind`, each as the arcs it then points to."""
    return _TURRET_POSITIONS[kind]


def turret_start(kind: TurretKind) -> tuple[Arc, ...]:
    """Return where a turret points at first if the scenario is silent: front, or front and rear.

    OWN: the source names no first position.
    """
    return _TURRET_POSITIONS[kind][0]


def rotated(kind: TurretKind, now: tuple[Arc, ...], to: Arc) -> tuple[Arc, ...]:
    """Return the position of a turret that points to `now` once it is rotated to the arc `to`.

    Either arc of a double turret's other pair names that pair. Raise `RotationError` if `to` is
    an arc it points to already, or no standard arc.
    """
    if to in now:
        raise RotationError(now, to)
    for position in _TURRET_POSITIONS[kind]:
        if to in position:
            return position
    raise RotationError(now, to)


def firing_arcs(fixed: Iterable[Arc], turrets: Iterable[tuple[Arc, ...]]) -> tuple[Arc, ...]:
    """Return every arc through which some weapon fires, in `Arc` order.

    `fixed` are the arcs of weapons in no turret, `turrets` where those point that hold a weapon.
    OWN: the source shades these arcs on the ship's card and lets upgrades name more; here a
    weapon names its arc itself.
    """
    firing = frozenset((*fixed, *(arc for turret in turrets for arc in turret)))
    return tuple(arc for arc in Arc if arc in firing)
