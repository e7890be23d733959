"""What capital weapons are and do by the rule book: their class, their missiles, their damage.

Part of the second reading of `capital`; it knows nothing of how the server perceives.
"""

from typing import NamedTuple

from second_reading.parts import counted, owner_of, place
from sunglare_protocol.geometry import Environs, Place, Planet
from sunglare_protocol.ids import Side
from sunglare_protocol.surface import Pressure, Site
from sunglare_protocol.words.capital import CapitalClass, Carrier, FireMode
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.capital import capital, pointdefence, zones
from sunglare_rules.ground.attacks import bracket_of, damage_at
from sunglare_rules.sensors.sectors import line_of_sight
from sunglare_rules.turn.metric import SPACE, Span, span
from sunglare_server.match.dice import Dice, Purpose
from sunglare_server.match.ids import PieceId
from sunglare_server.match.truth.truth import Truth

Aimed = tuple[PieceId, str, PieceId]
"""A shot as shooter, weapon and target."""

_NOTHING = (0, 0, 0, 0)


class Missile(NamedTuple):
    """A capital missile for point defence: the key of its dice, its side, its damage."""

    key: str
    side: Side
    damage: int


def arm_of(truth: Truth, piece: PieceId, weapon: str) -> tuple[CapitalClass | None, int, int]:
    """Return the class of a weapon, None for one that is no capital one, and its gunner's skill.

    Last comes the damage at a point of the ground.
    """
    if piece in truth.ground:
        unit = truth.ground[piece].type
        arm = next(fitted for fitted in unit.weapons if fitted.id == weapon)
        return capital.CLASS_OF_ARM.get(arm.kind), unit.gunnery, arm.s
    ship = truth.ships[piece]
    gun = next(fitted for fitted in ship.type.weapons if fitted.id == weapon)
    return capital.CLASS_OF_KIND.get(gun.kind), ship.crew.gunnery, (gun.damage or _NOTHING)[0]


def is_capital(truth: Truth, shot: Aimed) -> bool:
    """Return whether a shot is made with a capital weapon."""
    return arm_of(truth, shot[0], shot[1])[0] is not None


def full_damage(truth: Truth, shot: Aimed) -> int:
    """Return what a shot at a piece in space does if it hits and nobody meets it."""
    target = truth.ships[shot[2]]
    if shot[0] in truth.ground:
        unit = truth.ground[shot[0]]
        damages = next(weapon.damages for weapon in unit.type.weapons if weapon.id == shot[1])
        away = span(SPACE, overhead(truth, shot[0]).square, target.square)
    else:
        ship = truth.ships[shot[0]]
        gun = next(weapon for weapon in ship.type.weapons if weapon.id == shot[1])
        damages = gun.damage or _NOTHING
        away = Span(SPACE, counted(truth, ship, target))
    bracket = bracket_of(away)
    return 0 if bracket is None else damage_at(damages, bracket)


def missiles_at(truth: Truth, target: PieceId, shots: tuple[Aimed, ...]) -> list[Missile]:
    """Return the capital missiles at one ship, as their sides have declared them."""
    return [
        Missile(f"{shot[0]}/{shot[1]}", owner_of(truth, shot[0]), full_damage(truth, shot))
        for shot in shots
        if shot[2] == target and arm_of(truth, shot[0], shot[1])[0] in capital.MISSILES
    ]


def dealt(truth: Truth, dice: Dice, shot: Aimed, points: int) -> tuple[tuple[int, ...], int, int]:
    """Return the dice of a shot in space, its damage, and 1 if point defence stopped it."""
    kind, skill, _ = arm_of(truth, shot[0], shot[1])
    assert kind is not None
    target, on_ground = truth.ships[shot[2]], shot[0] in truth.ground
    start = overhead(truth, shot[0]) if on_ground else place(truth.ships[shot[0]])
    away = span(SPACE, start.square, target.square)
    if not on_ground:
        away = Span(SPACE, counted(truth, truth.ships[shot[0]], target))
    full = full_damage(truth, shot)
    is_fighter = target.type.kind is PieceKind.FIGHTER and target.landing is None
    air = zones.air_above(truth.board, target.square) if is_fighter else None
    needed = capital.capital_to_hit(
        capital.CapitalAttack(
            weapon=kind,
            mode=FireMode.AIR,
            carrier=Carrier.GROUND if on_ground else Carrier.AIRBORNE,
            skill=skill,
            bracket=bracket_of(away),
            target_specials=capital.specials_of_size(target.type.size),
            in_atmosphere=air is not None,
            pressure=air or Pressure.STANDARD,
            point_defence=points,
        )
    )
    is_blind = not line_of_sight(truth.board, start, place(target))
    pair = 0
    while True:
        rolled = dice.two_d6(truth.turn, Purpose.FIRE, f"{shot[0]}/{shot[1]}", pair)
        hits = capital.capital_hits(needed, sum(rolled))
        if not (is_blind and hits):
            break
        pair += 1
    is_missile = kind in capital.MISSILES
    met = pointdefence.pnt_missile(full, points if is_missile else 0)
    return rolled, met.damage if hits else 0, int(met.is_eliminated)


def is_direct(truth: Truth, shot: Aimed) -> bool:
    """Return whether a shot is made with a gun and not with missiles."""
    return arm_of(truth, shot[0], shot[1])[0] not in capital.MISSILES


def map_at(truth: Truth, site: Site) -> tuple[Planet, Environs]:
    """Return a surface map and the planet that it is on."""
    environs = truth.board.environs_at(site)
    assert environs is not None
    return next(planet for planet in truth.board.planets if planet.name == site.body), environs


def overhead(truth: Truth, piece: PieceId) -> Place:
    """Return the place in space right above a ground unit."""
    site = truth.ground[piece].site
    assert site is not None
    planet, environs = map_at(truth, site)
    return zones.overhead(planet, environs.sector)
