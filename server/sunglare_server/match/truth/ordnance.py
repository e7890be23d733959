"""The pieces that are launched: a volley of missiles and a flight of fighters, as classes.

Source: Full Thrust salvo missiles and fighters; fire of our rule book §6.
"""

from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.pieces import BaseSize, PieceKind
from sunglare_protocol.words.scans import Drive
from sunglare_rules.fire.missiles import HULL
from sunglare_server.match.data.scenario import Ratings, ShipClass, Weapon

VOLLEY = ShipClass(
    name="missiles",
    kind=PieceKind.MISSILE,
    size=BaseSize.SMALL,
    hull=HULL,
    thrust=0,
    points=0,
    drive=Drive.IMPULSE,
    sensors=Ratings(),
    screens=0,
    weapons=(Weapon(id="M1", kind=WeaponKind.SALVO, rank=1),),
    turrets=(),
)
"""A volley of salvo missiles; how many there are stands with the piece."""

FIGHTER = ShipClass(
    name="fighter",
    kind=PieceKind.FIGHTER,
    size=BaseSize.SMALL,
    hull=3,
    thrust=4,
    points=1,
    drive=Drive.IMPULSE,
    sensors=Ratings(),
    screens=0,
    weapons=(Weapon(id="F1", kind=WeaponKind.FIGHTER, rank=1),),
    turrets=(),
)
"""A flight of fighters that a ship launches. OWN: it is worth one point."""
