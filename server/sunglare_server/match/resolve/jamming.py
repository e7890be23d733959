"""Ships that work, and the ECM fields in space at one moment.

Source: Alpha Strike, "Stealth Technology and Blip Counters"; blips of our rule book §3.3, §3.6.
"""

from sunglare_rules.blips.ecm import Emitting, Field, bubble, drone_is_mute, has_jammer
from sunglare_rules.blips.spotting import operational
from sunglare_rules.turn.metric import SPACE
from sunglare_server.match.truth.truth import ShipTruth, Truth

Fields = tuple[Field, ...]
"""The working fields of all sides."""


def fields(truth: Truth) -> Fields:
    """Return the working ECM fields of all sides.

    OWN: whether a drone that jams is itself jammed is judged by the fields of all, its like
    included; those that are fall silent at once, so that no order among them matters.
    """
    made = [(ship, field) for ship in truth.in_play() for field in field_of(ship)]
    every = tuple([field for _, field in made])
    return tuple([field for ship, field in made if is_operational(truth, ship, every)])


def is_operational(truth: Truth, ship: ShipTruth, around: Fields) -> bool:
    """Return whether a ship works in the fields `around`: it may spot, jam and ask for data."""
    return operational(
        alive=ship.in_play,
        powered=ship.powered,
        needs_power=not ship.is_remote,
        cloaked=ship.cloaked,
        mute=ship.is_drone and _is_mute(truth, ship, around),
    )


def field_of(ship: ShipTruth) -> Fields:
    """Return the field that a ship makes unless others jam it, alone, or nothing."""
    # No state of a ship gives it a jammer that its class has not.
    if not has_jammer(ship.type.specials):
        return ()
    emitting = Emitting(
        ship.specials,
        operational=ship.powered or ship.is_remote,
        switched_on=ship.ecm_on,
        cloaked=ship.cloaked,
    )
    made = bubble(emitting)
    return () if made is None else (Field(ship.side, ship.square, made),)


def _is_mute(truth: Truth, drone: ShipTruth, around: Fields) -> bool:
    launcher = None if drone.launcher is None else truth.ships[drone.launcher]
    # OWN: a drone whose launcher is gone goes on by itself.
    control = launcher.square if launcher is not None and launcher.in_play else None
    return drone_is_mute(SPACE, around, drone.side, drone.square, control)
