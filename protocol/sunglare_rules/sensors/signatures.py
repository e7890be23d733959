"""Signatures of a piece, and those that a scan of some type and strength notices.

Source: Intercept sensors part 2, scan 1 (signal 0 or more is a contact; the sunfactor in the
hull signature); the values are those of sensors of our rule book §5.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import final

import msgspec

from sunglare_protocol.words.scans import Drive, Echo, ScanType, Signature

SIGNATURE_WORDS = {
    Signature.VISUAL_HULL: "Visual(Hull)",
    Signature.VISUAL_THRUST: "Visual(Thrust)",
    Signature.IR_POWER: "IR(Power)",
    Signature.IR_THRUST: "IR(Thrust)",
    Signature.RADAR_HULL: "Radar(Hull)",
    Signature.NEUTRINO_POWER: "Neutrino(Power)",
    Signature.MASS_HULL: "Mass(Hull)",
}
"""The signatures as the rules write them."""

SENSES: dict[ScanType, tuple[Signature, ...]] = {
    ScanType.VISUAL: (Signature.VISUAL_HULL, Signature.VISUAL_THRUST),
    ScanType.IR: (Signature.IR_POWER, Signature.IR_THRUST),
    ScanType.RADAR: (Signature.RADAR_HULL,),
    ScanType.NEUTRINO: (Signature.NEUTRINO_POWER,),
    ScanType.MASS: (Signature.MASS_HULL,),
}
"""OWN: the signatures that each type of scan can notice."""

CONTACT_SIGNAL = 0
"""A signal of this much or more is a contact."""

HULL_VALUES: dict[Signature, dict[Echo, int]] = {
    Signature.VISUAL_HULL: {
        Echo.MISSILE: -9,
        Echo.SMALL: -6,
        Echo.MEDIUM: -4,
        Echo.LARGE: -2,
    },
    Signature.RADAR_HULL: {
        Echo.MISSILE: -6,
        Echo.SMALL: -4,
        Echo.MEDIUM: -2,
        Echo.LARGE: 0,
    },
    Signature.MASS_HULL: {Echo.SMALL: -7, Echo.MEDIUM: -4, Echo.LARGE: -1},
}
"""OWN: what a hull always gives off, by echo; an echo that is missing gives off none."""

POWER_VALUES: dict[Signature, dict[Echo, int]] = {
    Signature.IR_POWER: {Echo.SMALL: -2, Echo.MEDIUM: 0, Echo.LARGE: 2},
    Signature.NEUTRINO_POWER: {Echo.SMALL: -3, Echo.MEDIUM: -1, Echo.LARGE: 1},
}
"""OWN: what a running power plant gives off, by the echo of the ship."""

MISSILE_BURN_VALUES: dict[Signature, int] = {
    Signature.VISUAL_THRUST: 1,
    Signature.IR_POWER: -2,
    Signature.IR_THRUST: 2,
}
"""OWN: what a burning missile gives off in addition to its hull."""

POPPED_OUT_BONUS = 1
"""OWN: what popped-out sensors add to the visual and radar signatures of the hull."""

PLUME_VALUES = {Drive.IMPULSE: 0, Drive.FUSION: 4}
"""OWN: the visual signature of a drive that spends thrust."""

IR_THRUST_MOST = 4
"""OWN: each thrust point adds one to the heat of the drive, up to this."""


@final
class Emitter(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What decides the signatures of a piece in this turn.

    `burns` counts for the missile echo only, `drive`, `powered` and `thrust_spent` (points,
    not turns) for the others. A fighter burns when it spends thrust, a remote sensor never.
    `hidden`: cloaked, or landed on a planet.
    """

    echo: Echo
    drive: Drive = Drive.IMPULSE
    powered: bool = True
    popped_out: bool = False
    thrust_spent: int = 0
    burns: bool = False
    hidden: bool = False


def signatures(emitter: Emitter, sunfactor: int) -> dict[Signature, int]:
    """Return the signatures that the piece has now, in the enum's order, with their values.

    `sunfactor` is what lights its hull (0 in shadow). A hidden piece has no signature at all.
    """
    return dict(_values(emitter, sunfactor))


def signals(
    scan_type: ScanType, strength: int, emitter: Emitter, sunfactor: int
) -> dict[Signature, int]:
    """Return the signals of the piece for such a scan: strength plus each signature it senses."""
    values = _values(emitter, sunfactor)
    return {
        signature: strength + values[signature]
        for signature in SENSES[scan_type]
        if signature in values
    }


def contact_signatures(signals: Mapping[Signature, int]) -> tuple[Signature, ...]:
    """Return the signatures strong enough for a contact, in the enum's order; none is silence."""
    noticed = [signature for signature, signal in signals.items() if signal >= CONTACT_SIGNAL]
    return tuple(sorted(noticed, key=_ORDER.__getitem__))


def strongest(signals: Mapping[Signature, int]) -> int | None:
    """Return the highest signal, or None if the scan senses nothing of the piece."""
    return max(signals.values(), default=None)


_ORDER = {signature: index for index, signature in enumerate(Signature)}
_EMITTERS_KEPT = 4096
"""How many states of a piece are remembered with their signatures."""


@lru_cache(maxsize=_EMITTERS_KEPT)
def _values(emitter: Emitter, sunfactor: int) -> Mapping[Signature, int]:
    if emitter.hidden:
        return {}
    values = _of_hull(emitter, sunfactor)
    values.update(_of_burn(emitter) if emitter.echo is Echo.MISSILE else _of_plant(emitter))
    return {signature: values[signature] for signature in Signature if signature in values}


def _of_hull(emitter: Emitter, sunfactor: int) -> dict[Signature, int]:
    values = {
        signature: by_echo[emitter.echo]
        for signature, by_echo in HULL_VALUES.items()
        if emitter.echo in by_echo
    }
    values[Signature.VISUAL_HULL] += sunfactor
    if emitter.popped_out:
        values[Signature.VISUAL_HULL] += POPPED_OUT_BONUS
        values[Signature.RADAR_HULL] += POPPED_OUT_BONUS
    return values


def _of_burn(emitter: Emitter) -> dict[Signature, int]:
    return dict(MISSILE_BURN_VALUES) if emitter.burns else {}


def _of_plant(emitter: Emitter) -> dict[Signature, int]:
    values: dict[Signature, int] = {}
    if emitter.powered:
        values.update(
            {signature: by_echo[emitter.echo] for signature, by_echo in POWER_VALUES.items()}
        )
    if emitter.thrust_spent > 0:
        values[Signature.VISUAL_THRUST] = PLUME_VALUES[emitter.drive]
        values[Signature.IR_THRUST] = min(emitter.thrust_spent, IR_THRUST_MOST)
    return values
