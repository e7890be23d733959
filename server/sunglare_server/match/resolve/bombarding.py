"""ENGAGE: beams that designate points, fire from above at points, missiles over the ground.

Source: Alpha Strike, "Air-to-Ground Attacks", "Surface-to-Surface Attacks" and "Adjusting Fire";
capital weapons of our rule book §1 to §3, its page on blips §2.4.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.surface import Cell, Mode, Site
from sunglare_protocol.words.capital import CapitalClass, Carrier, FireMode, RadarZone
from sunglare_rules.capital.blasts import GROUND_BRACKET, blast_damage
from sunglare_rules.capital.capital import (
    CLASS_OF_ARM,
    CLASS_OF_KIND,
    HIGHEST_ROLL,
    CapitalAttack,
    ToHit,
    capital_hits,
    capital_to_hit,
)
from sunglare_rules.capital.flights import flight_turns, flight_turns_elsewhere
from sunglare_rules.capital.scatter import impact, is_direct
from sunglare_rules.capital.tag import POINT_HEIGHT, is_guided, notices_tag
from sunglare_rules.capital.zones import radar_zone
from sunglare_rules.ground.attacks import damage_at
from sunglare_rules.ground.line_of_sight import Viewpoint, sees
from sunglare_rules.ground.plane import apart, cell_of, centre
from sunglare_rules.turn.metric import SURFACE, Spot, span
from sunglare_server.match.dice import Dice, Purpose
from sunglare_server.match.events.capital import MissileSent, PointDesignated, PointStruck
from sunglare_server.match.events.ground import UnitDamaged
from sunglare_server.match.events.space import DamageTaken, Event
from sunglare_server.match.ids import PieceId
from sunglare_server.match.kinds import Harmed, MissileFlight, Noticed
from sunglare_server.match.resolve.ground_scene import (
    Figure,
    Ground,
    line_of_sight,
    map_of,
    noticed_by,
    surface_at,
)
from sunglare_server.match.truth.truth import Truth


class Designation(NamedTuple):
    """An accepted `fire` order of a designator at a cell of its map."""

    piece: PieceId
    cell: Cell


class Call(NamedTuple):
    """An accepted `bombard` order."""

    piece: PieceId
    weapon: str
    at: Site
    cell: Cell


class _Gun(NamedTuple):
    """What fires at a point: whose, of which class, how well aimed, its damage at the point."""

    side: Side
    own: OwnId
    kind: CapitalClass
    carrier: Carrier
    skill: int
    is_mobile: bool
    damage: int


def designations(truth: Truth, given: Iterable[Designation]) -> Iterator[PointDesignated]:
    """Yield the points designated, each with the enemies that notice the beam."""
    for piece, cell in sorted(given):
        unit = truth.ground[piece]
        ground = None if unit.site is None else map_of(truth, unit.site)
        own = None if ground is None else ground.figure(piece)
        if unit.site is not None and ground is not None and own is not None:
            near = (
                enemy
                for enemy in _enemies(ground, unit.side)
                if notices_tag(centre(enemy.cell), centre(unit.cell))
            )
            noticed = tuple(noticed_by(figure, unit.cell) for figure in near)
            point = Viewpoint(cell, POINT_HEIGHT)
            yield PointDesignated(
                piece=piece,
                site=unit.site,
                cell=cell,
                noticed=noticed,
                guides=sees(ground.environs, own.standing, point, ground.bodies),
            )


def strikes(
    truth: Truth, calls: Iterable[Call], points: tuple[PointDesignated, ...], dice: Dice
) -> Iterator[PointStruck]:
    """Yield the fire of ships in the well at points, which comes down at once."""
    for call in sorted(calls):
        gun = _gun(truth, call)
        if gun.carrier is not Carrier.AIRBORNE:
            continue
        planet, environs = surface_at(truth, call.at)
        zone = radar_zone(planet, environs.sector, truth.ships[call.piece].square)
        needed = capital_to_hit(
            CapitalAttack(
                weapon=gun.kind,
                mode=FireMode.AIR_TO_GROUND,
                carrier=gun.carrier,
                skill=gun.skill,
                zone=zone,
                has_tag=_is_guided(truth, gun.side, call, points),
            )
        )
        heard = tuple(
            side for side in truth.others(gun.side) if call.at in truth.surface.maps_of(side)
        )
        key = f"{call.piece}/{call.weapon}"
        yield _struck(truth, call, gun, needed, zone, key, dice, heard, None)


def launches(
    truth: Truth, calls: Iterable[Call], points: tuple[PointDesignated, ...]
) -> Iterator[MissileSent]:
    """Yield the missiles sent from the ground, with the enemies that see them leave."""
    for call in sorted(calls):
        gun = _gun(truth, call)
        place = truth.stands(call.piece)
        if gun.carrier is Carrier.AIRBORNE or place is None:
            continue
        needed = capital_to_hit(
            CapitalAttack(
                weapon=gun.kind,
                mode=FireMode.SURFACE_TO_SURFACE,
                carrier=gun.carrier,
                skill=gun.skill,
                pressure=surface_at(truth, call.at)[1].pressure,
                has_tag=_is_guided(truth, gun.side, call, points),
                is_mobile=gun.is_mobile,
            )
        )
        site, cell = place
        turns = flight_turns(apart(cell, call.cell))
        if site != call.at:
            turns = flight_turns_elsewhere()
        flight = MissileFlight(
            piece=call.piece,
            side=gun.side,
            own=gun.own,
            weapon=call.weapon,
            kind=gun.kind,
            at=call.at,
            cell=call.cell,
            sent=truth.turn,
            lands=truth.turn + turns,
            needed=needed.tn,
            damage=gun.damage,
        )
        yield MissileSent(flight=flight, noticed=_launch_seen(truth, site, call.piece))


def landings(truth: Truth, dice: Dice) -> Iterator[PointStruck]:
    """Yield the missiles that come down in this turn, seen by sides with the point in sight."""
    for flight in truth.missiles:
        if flight.lands != truth.turn:
            continue
        call = Call(flight.piece, flight.weapon, flight.at, flight.cell)
        gun = _Gun(flight.side, flight.own, flight.kind, Carrier.GROUND, 0, False, flight.damage)
        needed = ToHit(True, 0, flight.needed, flight.needed > HIGHEST_ROLL)
        key = f"{flight.piece}/{flight.weapon}/{flight.sent}"
        struck = _struck(truth, call, gun, needed, None, key, dice, (), flight.sent)
        yield msgspec.structs.replace(struck, heard=_in_sight(truth, struck))


def damages(truth: Truth, struck: tuple[PointStruck, ...]) -> Iterator[Event]:
    """Yield the damage of this turn's blasts, one sum for each piece that takes any."""
    totals: dict[PieceId, int] = {}
    for blow in struck:
        for piece, damage in blow.harmed:
            totals[piece] = totals.get(piece, 0) + damage
    for piece, damage in sorted(totals.items()):
        if piece in truth.ground:
            yield UnitDamaged(piece=piece, damage=damage)
        else:
            yield DamageTaken(piece=piece, damage=damage)


def blasters(truth: Truth, struck: tuple[PointStruck, ...], piece: PieceId) -> dict[Side, bool]:
    """Return the sides whose blasts harmed a piece, and whether each holds it as a token."""
    return {
        blow.side: piece in truth.surface.tokens_of(blow.side)
        for blow in struck
        if piece in [harmed.piece for harmed in blow.harmed]
    }


def _gun(truth: Truth, call: Call) -> _Gun:
    unit = truth.ground.get(call.piece)
    if unit is not None:
        arm = next(fitted for fitted in unit.type.weapons if fitted.id == call.weapon)
        return _Gun(
            side=unit.side,
            own=unit.own,
            kind=CLASS_OF_ARM[arm.kind],
            carrier=Carrier.GROUND,
            skill=unit.type.gunnery,
            is_mobile=unit.type.mode is not Mode.NONE,
            damage=damage_at(arm.damages, GROUND_BRACKET),
        )
    ship = truth.ships[call.piece]
    weapon = next(fitted for fitted in ship.type.weapons if fitted.id == call.weapon)
    return _Gun(
        side=ship.side,
        own=ship.own,
        kind=CLASS_OF_KIND[weapon.kind],
        carrier=Carrier.AIRBORNE if ship.landing is None else Carrier.LANDED,
        skill=ship.crew.gunnery,
        is_mobile=ship.type.thrust > 0,
        damage=damage_at(weapon.damage or (0, 0, 0, 0), GROUND_BRACKET),
    )


def _struck(
    truth: Truth,
    call: Call,
    gun: _Gun,
    needed: ToHit,
    zone: RadarZone | None,
    key: str,
    dice: Dice,
    heard: tuple[Side, ...],
    sent: int | None,
) -> PointStruck:
    rolled = dice.two_d6(truth.turn, Purpose.FIRE, key)
    scatter: tuple[int, ...] = ()
    if not capital_hits(needed, sum(rolled)):
        roll = dice.stream(truth.turn, Purpose.SCATTER, key)
        is_near = is_direct(FireMode.AIR_TO_GROUND, zone)
        scatter = (roll(0), roll(1)) if is_near else (roll(0),)
    _, environs = surface_at(truth, call.at)
    end = impact(centre(call.cell), environs, needed, sum(rolled), *(scatter or (1,)))
    return PointStruck(
        piece=call.piece,
        side=gun.side,
        own=gun.own,
        weapon=call.weapon,
        kind=gun.kind,
        site=call.at,
        cell=call.cell,
        dice=rolled,
        needed=needed.tn,
        impact=end,
        scatter=scatter,
        harmed=_harmed(truth, call.at, gun, end),
        heard=() if end is None else heard,
        sent=sent,
    )


def _harmed(truth: Truth, site: Site, gun: _Gun, end: Spot | None) -> tuple[Harmed, ...]:
    ground = map_of(truth, site)
    if ground is None or end is None:
        return ()
    # OWN: agents have no place on a surface map, so no blast reaches them; those aboard a
    # ship that it destroys are lost with it.
    hit = (
        (figure.piece, blast_damage(gun.kind, gun.damage, span(SURFACE, end, centre(figure.cell))))
        for figure in ground.figures
    )
    return tuple(Harmed(piece, damage) for piece, damage in hit if damage)


def _in_sight(truth: Truth, struck: PointStruck) -> tuple[Side, ...]:
    ground = map_of(truth, struck.site)
    if ground is None or struck.impact is None:
        return ()
    point = Viewpoint(cell_of(struck.impact), POINT_HEIGHT)
    harmed = {victim.piece for victim in struck.harmed}
    seen = [
        figure.side
        for figure in ground.figures
        if figure.side != struck.side
        and (
            figure.piece in harmed or sees(ground.environs, figure.standing, point, ground.bodies)
        )
    ]
    return truth.in_order(seen)


def _is_guided(truth: Truth, side: Side, call: Call, points: tuple[PointDesignated, ...]) -> bool:
    spots = [
        centre(event.cell)
        for event in points
        if event.guides and event.site == call.at and truth.ground[event.piece].side == side
    ]
    return is_guided(centre(call.cell), spots)


def _launch_seen(truth: Truth, site: Site, piece: PieceId) -> tuple[Noticed, ...]:
    ground = map_of(truth, site)
    if ground is None:
        return ()
    own = next(figure for figure in ground.figures if figure.piece == piece)
    return tuple(
        noticed_by(enemy, own.cell)
        for enemy in _enemies(ground, own.side)
        if line_of_sight(ground, enemy, own)
    )


def _enemies(ground: Ground, side: Side) -> Iterator[Figure]:
    """Yield the working pieces of other sides. OWN: a remote sensor only spots."""
    for figure in ground.figures:
        if figure.side != side and figure.works and not figure.remote:
            yield figure
