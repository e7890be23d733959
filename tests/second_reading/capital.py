"""What the rules let an audience learn of capital fire in a window, worked out a second time.

A reading of capital §1 to §3 and turn §6 apart from the server's, from the truth, the orders and
the rule functions alone.
"""

from collections.abc import Iterator
from typing import NamedTuple

from second_reading.cannons import Aimed, arm_of, dealt, is_direct, map_at, overhead
from second_reading.ground import shown_by_fire
from second_reading.parts import owner_of, place, side_in
from second_reading.sight import Man, men_of, reaches, sees_past, sees_point
from sunglare_protocol.ids import PUBLIC, Audience, Side, audience_of
from sunglare_protocol.orders import Bombard, Fire, Order
from sunglare_protocol.surface import Cell, Mode, Site
from sunglare_protocol.words.capital import CapitalClass, Carrier, FireMode
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.blips.bearings import surface_bearing
from sunglare_rules.capital import blasts, capital, flights, scatter, tag, zones
from sunglare_rules.ground.overhead import sites_below
from sunglare_rules.ground.plane import apart, cell_of, centre
from sunglare_rules.sensors.sectors import line_of_sight
from sunglare_rules.turn.metric import SURFACE, Spot, span
from sunglare_server.match.dice import Dice, Purpose
from sunglare_server.match.ids import PieceId, piece_id
from sunglare_server.match.truth.truth import ShipTruth, Truth

Given = dict[Side, tuple[Order, ...]]
"""The orders of a window, by side."""


class Burst(NamedTuple):
    """What came down: whose, of which piece and weapon, where, on whom, and who sees it."""

    side: Side
    piece: PieceId
    weapon: str
    site: Site
    dice: tuple[int, ...]
    point: Spot | None
    harmed: tuple[tuple[PieceId, int], ...]
    heard: tuple[Side, ...]


def overflown(truth: Truth, side: Side, maps: tuple[Site, ...]) -> Iterator[ShipTruth]:
    """Yield the foreign fighters above maps that a side sees."""
    for ship in truth.in_play():
        flies = ship.type.kind is PieceKind.FIGHTER and ship.landing is None and not ship.cloaked
        if ship.side != side and flies and {*sites_below(truth.board, ship.square)} & {*maps}:
            yield ship


def bursts_of(truth: Truth, given: Given, dice: Dice) -> list[Burst]:
    """Return all that comes down in a window: fire of ships in the well, and missiles."""
    found = []
    for side, order in _bombards(given):
        piece = piece_id(side, order.ship)
        ship = truth.ships.get(piece)
        if ship is None or ship.landing is not None:
            continue
        planet, environs = map_at(truth, order.at)
        zone = zones.radar_zone(planet, environs.sector, ship.square)
        kind, skill, full = arm_of(truth, piece, order.weapon)
        assert kind is not None
        needed = capital.capital_to_hit(
            capital.CapitalAttack(
                weapon=kind,
                mode=FireMode.AIR_TO_GROUND,
                carrier=Carrier.AIRBORNE,
                skill=skill,
                zone=zone,
                has_tag=_is_guided(truth, given, side, order),
            )
        )
        key = f"{piece}/{order.weapon}"
        direct = scatter.is_direct(FireMode.AIR_TO_GROUND, zone)
        rolled, point = _down(truth, dice, key, order.at, order.cell, needed, direct)
        harmed = _harmed(truth, order.at, kind, full, point)
        heard = tuple(s for s in truth.others(side) if order.at in truth.surface.maps_of(s))
        seen = () if point is None else heard
        found.append(Burst(side, piece, order.weapon, order.at, rolled, point, harmed, seen))
    return [*found, *_landed(truth, dice)]


def _landed(truth: Truth, dice: Dice) -> Iterator[Burst]:
    for missile in truth.missiles:
        if missile.lands != truth.turn:
            continue
        needed = capital.ToHit(True, 0, missile.needed, missile.needed > 12)
        key = f"{missile.piece}/{missile.weapon}/{missile.sent}"
        rolled, point = _down(truth, dice, key, missile.at, missile.cell, needed, False)
        harmed = _harmed(truth, missile.at, missile.kind, missile.damage, point)
        men = [man for man in men_of(truth) if man.site == missile.at]
        struck = {piece for piece, _ in harmed}
        heard = {
            man.side
            for man in men
            if point is not None
            and (man.piece in struck or sees_point(truth, men, man, cell_of(point)))
        }
        yield Burst(
            missile.side, missile.piece, missile.weapon, missile.at, rolled, point, harmed,
            tuple(sorted(heard - {missile.side})),
        )  # fmt: skip


def capital_told(
    truth: Truth, given: Given, batteries: tuple[Aimed, ...], spent: dict[str, int], dice: Dice,
    audience: Audience,
) -> Iterator[object]:  # fmt: skip
    """Yield what batteries, beams, launches and impacts tell an audience in ENGAGE."""
    for shot in sorted(batteries):
        yield from _battery_told(truth, dice, shot, spent, audience)
    for piece in sorted({shot[0] for shot in batteries if is_direct(truth, shot)}):
        yield from _exposed(truth, piece, batteries, audience)
    men = men_of(truth)
    for side in side_in(audience):
        for owner, order in _tags(given):
            emitter = _man(men, piece_id(owner, order.ship))
            yield from _noticed(men, side, owner, emitter, beam=True, truth=truth)
        for owner, sent in _bombards(given):
            emitter = _man(men, piece_id(owner, sent.ship))
            yield from _noticed(men, side, owner, emitter, beam=False, truth=truth)
        for burst in bursts_of(truth, given, dice):
            yield from _burst_told(truth, side, burst)


def _battery_told(
    truth: Truth, dice: Dice, shot: Aimed, spent: dict[str, int], audience: Audience
) -> Iterator[object]:
    points = spent.get(f"{shot[0]}/{shot[1]}", 0)
    rolled, damage, stopped = dealt(truth, dice, shot, points)
    if audience_of(owner_of(truth, shot[0])) == audience:
        yield "battery", shot, rolled, damage, stopped
    if audience_of(truth.ships[shot[2]].side) == audience:
        yield "shelled", shot[2], arm_of(truth, shot[0], shot[1])[0], damage, stopped, points


def _exposed(
    truth: Truth, piece: PieceId, batteries: tuple[Aimed, ...], audience: Audience
) -> Iterator[object]:
    unit, over = truth.ground[piece], overhead(truth, piece)
    yield "battery at", over.square
    if audience in (PUBLIC, audience_of(unit.side)):
        return
    aimed = any(
        shot[0] == piece and audience_of(truth.ships[shot[2]].side) == audience
        for shot in batteries
    )
    seen = any(
        line_of_sight(truth.board, place(ship), over)
        for ship in truth.in_play()
        if audience_of(ship.side) == audience and not ship.cloaked
    )
    yield (unit.side, unit.type.type) if aimed or seen else None
    for side in side_in(audience):
        yield from shown_by_fire(truth, men_of(truth), side, piece, is_target=aimed)


def _noticed(
    men: list[Man], side: Side, owner: Side, emitter: Man | None, *, beam: bool, truth: Truth
) -> Iterator[object]:
    if emitter is None or side == owner:
        return
    for man in men:
        if man.side != side or man.site != emitter.site or man.remote or not man.works:
            continue
        here, there = centre(man.cell), centre(emitter.cell)
        near = tag.notices_tag(here, there)
        if near if beam else sees_past(truth, men, man, emitter.standing):
            yield "emission", man.piece, surface_bearing(here, there)


def _burst_told(truth: Truth, side: Side, burst: Burst) -> Iterator[object]:
    held = truth.surface.tokens_of(side)
    if burst.side == side:
        mine = tuple(harmed for harmed in burst.harmed if harmed[0] in held)
        yield "burst", burst.piece, burst.weapon, burst.site, burst.dice, burst.point, mine
    if side in burst.heard:
        yield "blast", burst.site, burst.point
    for piece, damage in burst.harmed:
        if owner_of(truth, piece) == side:
            yield "blasted", piece, damage, burst.site, burst.point


def _down(
    truth: Truth, dice: Dice, key: str, site: Site, cell: Cell, needed: capital.ToHit, direct: bool
) -> tuple[tuple[int, ...], Spot | None]:
    rolled = dice.two_d6(truth.turn, Purpose.FIRE, key)
    if capital.capital_hits(needed, sum(rolled)):
        return rolled, centre(cell)
    way = dice.d6(truth.turn, Purpose.SCATTER, key, 0)
    if direct:
        far = scatter.direct_distance(dice.d6(truth.turn, Purpose.SCATTER, key, 1))
    else:
        far = scatter.indirect_distance(needed.tn, sum(rolled))
    point = scatter.scattered(centre(cell), way, far)
    return rolled, point if cell_of(point) in map_at(truth, site)[1] else None


def _harmed(
    truth: Truth, site: Site, kind: CapitalClass, full: int, point: Spot | None
) -> tuple[tuple[PieceId, int], ...]:
    if point is None:
        return ()
    hits = (
        (man.piece, blasts.blast_damage(kind, full, span(SURFACE, point, centre(man.cell))))
        for man in men_of(truth)
        if man.site == site
    )
    return tuple(sorted(harmed for harmed in hits if harmed[1]))


def _is_guided(truth: Truth, given: Given, side: Side, order: Bombard) -> bool:
    spots = [
        centre(shot.point)
        for owner, shot in _tags(given)
        if owner == side
        and shot.point is not None
        and truth.ground[piece_id(owner, shot.ship)].site == order.at
        and reaches(truth, piece_id(owner, shot.ship), shot.point)
    ]
    return tag.is_guided(centre(order.cell), spots)


def sent_of(truth: Truth, given: Given) -> list[tuple[PieceId, str, Site, Cell, int, int]]:
    """Return the missiles sent over the ground: what they need, and when they land."""
    found = []
    for side, order in _bombards(given):
        piece = piece_id(side, order.ship)
        stood = truth.stands(piece)
        if stood is None:
            continue
        kind, skill, _ = arm_of(truth, piece, order.weapon)
        assert kind is not None
        unit = truth.ground.get(piece)
        moves = truth.ships[piece].type.thrust > 0 if unit is None else unit.type.mode
        needed = capital.capital_to_hit(
            capital.CapitalAttack(
                weapon=kind,
                mode=FireMode.SURFACE_TO_SURFACE,
                carrier=Carrier.LANDED if unit is None else Carrier.GROUND,
                skill=skill,
                pressure=map_at(truth, order.at)[1].pressure,
                has_tag=_is_guided(truth, given, side, order),
                is_mobile=bool(moves) and moves is not Mode.NONE,
            )
        )
        near = stood[0] == order.at
        turns = flights.flight_turns(apart(stood[1], order.cell)) if near else 2
        lands = truth.turn + turns
        found.append((piece, order.weapon, order.at, order.cell, needed.tn, lands))
    return found


def _bombards(given: Given) -> list[tuple[Side, Bombard]]:
    return [
        (side, order) for side, all_ in given.items() for order in all_ if type(order) is Bombard
    ]


def _tags(given: Given) -> list[tuple[Side, Fire]]:
    return [
        (side, order)
        for side, all_ in given.items()
        for order in all_
        if isinstance(order, Fire) and order.point is not None
    ]


def _man(men: list[Man], piece: PieceId) -> Man | None:
    return next((man for man in men if man.piece == piece), None)
