"""What the rules let an audience learn in a window, worked out from the truth and the rule book.

A second reading of sensors §6 and turn §6, apart from the server's (`grantedspots` reads blips):
two worlds in which the same is granted must look the same. It knows nothing of how the server
perceives.
"""

from collections.abc import Iterator
from typing import NamedTuple, final

import msgspec

from grantedground import engage_told, plot_told, surface_known
from grantedpeople import agents_known, agents_told
from grantedspots import probes_told, spotted
from sunglare_protocol.armament import DefencePolicy, WeaponKind
from sunglare_protocol.geometry import Area, Place, Square, box_named
from sunglare_protocol.ids import PUBLIC, Audience, Side, audience_of
from sunglare_protocol.ladder import Fate, Fix, Phase
from sunglare_protocol.orders import Defend, Fire, Order, Scan
from sunglare_protocol.scanwords import ScanType, Signature
from sunglare_rules.missiles import burns
from sunglare_rules.nova import SWEEPS, touches
from sunglare_rules.scale import within_mu
from sunglare_rules.scans import (
    Emitter,
    answers,
    contact_signatures,
    declared_strength,
    effective_strength,
    integration,
    scan_area,
    sense_succeeds,
    signals,
    strongest,
    valid,
)
from sunglare_rules.sectors import line_of_sight, planet_of
from sunglare_rules.sunlight import Silhouette, is_shadowed_by, sunfactor_on
from sunglare_rules.weapons import roll_weapon
from sunglare_server.match.dice import Dice, Purpose
from sunglare_server.match.events import Event
from sunglare_server.match.ids import PieceId, piece_id
from sunglare_server.match.scenario import Objective
from sunglare_server.match.truth import Nova, ShipTruth, Truth

Granted = tuple[object, ...]
"""What is granted, in an order of its own; only compared with its like."""

Holds = dict[Side, dict[PieceId, Fix]]
"""Who holds whom on which rung."""


@final
class Window(msgspec.Struct, frozen=True, kw_only=True):
    """A window that has closed: the truth around it, the orders, and what else decides.

    `scanning` lists the sides whose scans it resolved, in that order; `attacks` the shots as
    shooter, weapon and target, `shells` those of ground units, `requests` those for data as
    asker and target; `objectives` are those of the audience that is asked about. `is_last` says
    that SCAN closed with the window; `happened` is what came of it all for agents.
    """

    before: Truth
    after: Truth
    phase: Phase
    scanning: tuple[Side, ...]
    orders: dict[Side, tuple[Order, ...]]
    attacks: tuple[tuple[PieceId, str, PieceId], ...]
    dice: Dice
    shells: tuple[tuple[PieceId, str, PieceId], ...] = ()
    happened: tuple[Event, ...] = ()
    requests: tuple[tuple[PieceId, PieceId], ...] = ()
    is_last: bool = False
    objectives: tuple[Objective, ...] = ()
    values: bool = False


class Look(NamedTuple):
    """One foreign ship under one scan: whether it lies inside, in sight, and its signals."""

    piece: PieceId
    inside: bool
    in_sight: bool
    signal: int | None
    names: tuple[Signature, ...]


def granted(window: Window, audience: Audience) -> Granted:
    """Return everything that the window lets `audience` learn of what is not its own order."""
    found: list[object] = [_own(window.after, audience), window.after.out]
    found.append(surface_known(window.after, audience))
    found.append(agents_known(window.after, audience))
    found.extend(agents_told(window.before, window.happened, audience))
    match window.phase:
        case Phase.PLOT:
            found.extend(_moves(window, audience))
            found.extend(plot_told(window.before, window.after, window.orders, audience))
        case Phase.SCAN:
            for scan in scans_of(window):
                found.extend(_scan_told(window, audience, scan))
            found.extend(_spots_told(window, audience))
        case Phase.ENGAGE:
            found.extend(_shots_told(window, audience))
            found.extend(_ends_told(window, audience))
            found.extend(
                engage_told(window.before, window.after, window.dice, window.shells, audience)
            )
            found.append(initiative_of(window.after, window.before.turn + 1, window.dice))
        case Phase.DETECT:
            found.extend(probes_told(window.before, window.requests, audience))
        case Phase.OVER:
            pass
    return tuple(found)


def known_now(truth: Truth, audience: Audience) -> Granted:
    """Return what the audience has been told of the present: own ships, holds, what it tracks.

    Of identified pieces it knows the type.
    """
    tracks, snaps = [], []
    types = [
        (side, piece, truth.ships[piece].side, truth.ships[piece].type.type_shown)
        for side in _side(audience)
        for piece, hold in sorted(truth.holds[side].items())
        if hold.identified
    ]
    for piece in sorted(truth.ships):
        ship, fixes = truth.ships[piece], _fixes(truth, audience, piece)
        if Fix.TRACKED in fixes:
            tracks.append((piece, ship.square, ship.vector, ship.facing, ship.echo))
        elif Fix.CONTACT in fixes:
            snaps.append((piece, ship.square))
    own = _own(truth, audience)
    ground = surface_known(truth, audience), agents_known(truth, audience)
    return own, truth.out, holds_known(truth, audience), tracks, snaps, types, ground


def holds_known(truth: Truth, audience: Audience) -> object:
    """Return the holds that follow from what the audience was told: a side's own ones.

    The public of two sides knows those of both, but not who is identified.
    """
    tokens = [truth.surface.tokens_of(side) for side in _side(audience)]
    if not _is_public_of_two(truth, audience):
        return {side: truth.holds[side] for side in _side(audience)}, tokens
    holds = {
        side: {
            piece: msgspec.structs.replace(hold, identified=False)
            for piece, hold in truth.holds[side].items()
        }
        for side in truth.sides
    }
    return holds, tokens


def initiative_of(truth: Truth, turn: int, dice: Dice) -> tuple[Side, ...]:
    """Return the order of the sides in `turn`, if the ships in play are those of `truth`."""
    totals = {
        side: sum(dice.two_d6(turn, Purpose.INITIATIVE, side))
        + max((each.crew.commander for each in truth.ships_of(side) if each.in_play), default=0)
        for side in truth.sides
    }
    letters = sorted(truth.sides, reverse=turn % 2 == 0)
    return tuple(sorted(letters, key=lambda side: -totals[side]))


class ScanMade(NamedTuple):
    """A scan with the holds as they stand when it is made, and what it looks at."""

    scanner: ShipTruth
    order: Scan
    area: Area
    effective: int
    told: Granted
    looks: tuple[Look, ...]
    holds: Holds


def scans_of(window: Window) -> Iterator[ScanMade]:
    """Yield the scans of a window in their order, the holds carried on from one to the next."""
    truth = window.before
    holds = {side: {p: h.fix for p, h in held.items()} for side, held in truth.holds.items()}
    for side in window.scanning:
        for order in window.orders.get(side, ()):
            if isinstance(order, Scan):
                made = _scan_made(truth, side, order, holds)
                yield made
                holds = _holds_after(window, made)


def _scan_made(truth: Truth, side: Side, order: Scan, holds: Holds) -> ScanMade:
    scanner = truth.ships[piece_id(side, order.ship)]
    centre = box_named(order.at).centre if isinstance(order.at, str) else order.at
    area = scan_area(truth.board, order.size, centre)
    streak = integration(scanner.habit, truth.turn, scanner.square, order.type, order.size, centre)
    rating: int = getattr(scanner.type.sensors, order.type.value)
    declared = declared_strength(rating, order.size, streak)
    given = answers(truth.board, _place(scanner), area)
    effective = effective_strength(declared, order.type, given.glare, truth.board.sunfactor)
    others = (ship for ship in truth.ships.values() if ship.in_play and ship.side != side)
    looks = tuple(_look(truth, scanner, order, area, effective, ship, holds) for ship in others)
    told = (side, order.type, order.size, order.at, declared, given, effective)
    return ScanMade(scanner, order, area, effective, told, looks, holds)


def _look(
    truth: Truth,
    scanner: ShipTruth,
    order: Scan,
    area: Area,
    effective: int,
    ship: ShipTruth,
    holds: Holds,
) -> Look:
    inside = area.__contains__(ship.square)
    in_sight = inside and valid(truth.board, _place(scanner), _place(ship))
    if not in_sight:
        return Look(ship.id, inside, False, None, ())
    return Look(ship.id, True, True, *signal_of(truth, order.type, effective, ship, holds))


def signal_of(
    truth: Truth, scan_type: ScanType, effective: int, ship: ShipTruth, holds: Holds
) -> tuple[int | None, tuple[Signature, ...]]:
    """Return the best signal of `ship` for such a scan, and the signatures that give it away."""
    emitter = Emitter(
        echo=ship.echo,
        drive=ship.type.drive,
        powered=ship.powered,
        popped_out=ship.popped_out,
        thrust_spent=ship.thrust_spent,
        burns=_burns(ship),
        hidden=planet_of(truth.board, _place(ship)) is not None,
    )
    shadowed = any(_is_shadowed(ship, other, holds) for other in truth.in_play())
    lit = sunfactor_on(truth.board, ship.square, shadowed)
    found = signals(scan_type, effective, emitter, lit)
    return strongest(found), contact_signatures(found)


def _burns(ship: ShipTruth) -> bool:
    if ship.volley is None:
        return ship.thrust_spent > 0
    return burns(ship.volley.movements, cold=ship.volley.cold)


def _is_shadowed(ship: ShipTruth, other: ShipTruth, holds: Holds) -> bool:
    if ship.landing is not None or other.landing is not None or ship.id == other.id:
        return False
    if other.side != ship.side and holds[ship.side].get(other.id) is not Fix.TRACKED:
        return False
    return is_shadowed_by(_silhouette(ship), _silhouette(other))


def tracked_anew(window: Window, made: ScanMade) -> tuple[int | None, tuple[PieceId, ...]]:
    """Return the Sense roll of a scan, if one is made, and the pieces that it tracks anew."""
    held = made.holds[made.scanner.side]
    rungs = (None, Fix.CONTACT)
    fresh = [each for each in made.looks if each.names and held.get(each.piece) in rungs]
    if made.order.type is ScanType.RADAR:
        return None, tuple(each.piece for each in fresh)
    if not fresh or not made.order.sense:
        return None, ()
    roll = sum(window.dice.two_d6(window.before.turn, Purpose.SENSE, made.scanner.id))
    skill = made.scanner.crew.operator
    return roll, tuple(
        each.piece for each in fresh if sense_succeeds(roll, skill, each.signal or 0)
    )


def _holds_after(window: Window, made: ScanMade) -> Holds:
    holds = {side: dict(held) for side, held in made.holds.items()}
    ours = holds[made.scanner.side]
    for each in made.looks:
        if each.names:
            ours[each.piece] = _renewed(ours.get(each.piece))
    ours.update(dict.fromkeys(tracked_anew(window, made)[1], Fix.TRACKED))
    if made.order.type is ScanType.RADAR:
        for side in window.before.others(made.scanner.side):
            holds[side][made.scanner.id] = _renewed(holds[side].get(made.scanner.id))
    return holds


def _renewed(fix: Fix | None) -> Fix:
    return Fix.CONTACT if fix in (None, Fix.CONTACT) else Fix.TRACKED


def spots_of(window: Window) -> tuple[tuple[Side, PieceId], ...]:
    """Return who identifies what when SCAN closes with this window."""
    if window.phase is not Phase.SCAN or not window.is_last:
        return ()
    held = {
        side: {p: h.fix for p, h in each.items()} for side, each in window.before.holds.items()
    }
    fresh = {
        side: {piece for piece, hold in each.items() if hold.contacted}
        for side, each in window.before.holds.items()
    }
    for made in scans_of(window):
        held = _holds_after(window, made)
        for side, piece in _contacted(window.before, made):
            fresh[side].add(piece)
    for side, pieces in held.items():
        for piece, fix in pieces.items():
            if fix is Fix.TRACKED and piece not in fresh[side]:
                pieces[piece] = Fix.COASTING
    return tuple(spotted(window.before, held))


def _contacted(truth: Truth, made: ScanMade) -> Iterator[tuple[Side, PieceId]]:
    for look in made.looks:
        if look.names:
            yield made.scanner.side, look.piece
    if made.order.type is ScanType.RADAR:
        for side in truth.others(made.scanner.side):
            yield side, made.scanner.id


def _spots_told(window: Window, audience: Audience) -> Iterator[object]:
    """Yield the types that the audience learns of by spotting, and points that follow."""
    truth = window.before
    names = [each.piece for each in window.objectives if each.kind == "identify"]
    for side, piece in spots_of(window):
        if audience_of(side) == audience:
            ship = truth.ships[piece]
            wanted = piece not in truth.identified[side] and ship.name in names
            yield piece, ship.side, ship.type.type_shown, wanted


def _scan_told(window: Window, audience: Audience, made: ScanMade) -> Iterator[object]:
    """Yield rows 1 to 8 of the table of sensors §6 for one scan."""
    scanner, truth = made.scanner, window.before
    roll, tracked = tracked_anew(window, made)
    yield made.told
    looks_on = audience == audience_of(scanner.side)
    if looks_on:
        yield scanner.own, roll
    for look in sorted(made.looks):
        ship = truth.ships[look.piece]
        if audience_of(ship.side) == audience and look.in_sight:
            yield "in scan", ship.own, look.signal, look.names, look.piece in tracked
        if look.names and (looks_on or _is_public_of_two(truth, audience)):
            yield from _contact_told(window, made, look, looks_on and window.values)
            if look.piece in tracked:
                yield _motion(ship), ship.echo
    if made.order.type is ScanType.RADAR:
        yield from _radar_told(window, audience, made)


def _radar_told(window: Window, audience: Audience, made: ScanMade) -> Iterator[object]:
    """Yield row 8: the square for all, and where it had coasted the motion."""
    scanner, truth = made.scanner, window.before
    yield "radar", scanner.square
    for side in truth.others(scanner.side):
        if audience == audience_of(side) or _is_public_of_two(truth, audience):
            had_coasted = made.holds[side].get(scanner.id) is Fix.COASTING
            yield scanner.id, _motion(scanner) if had_coasted else None


def _contact_told(window: Window, made: ScanMade, look: Look, values: bool) -> Iterator[object]:
    ship = window.before.ships[look.piece]
    yield "contact", ship.id, ship.square, look.names, look.signal if values else None
    if made.holds[made.scanner.side].get(ship.id) is Fix.COASTING:
        yield _motion(ship)


def _moves(window: Window, audience: Audience) -> Iterator[object]:
    """Yield row 9: where live tracks went; and own tracks' ends by landing."""
    for piece in sorted(window.before.ships):
        ship = window.after.ships[piece]
        if Fix.TRACKED in _fixes(window.before, audience, piece):
            yield piece, _outcome(ship)
        if audience_of(ship.side) == audience and ship.landing is not None:
            yield piece, window.before.holders(piece, Fix.TRACKED)


def _outcome(ship: ShipTruth) -> object:
    if not ship.in_play:
        return ship.fate
    if ship.landing is not None:
        return ship.landing.body, ship.landing.sector
    return _motion(ship)


def _shots_told(window: Window, audience: Audience) -> Iterator[object]:
    """Yield what shots tell: squares, witnesses, own results, hits taken, the destroyed."""
    truth, done = window.before, shots_of(window)
    yield "novas", len(_guns(window))
    for piece in sorted({each.shooter for each in done if each.kind not in UNSEEN_FIRE}):
        yield from _shooter_told(window, audience, truth.ships[piece])
    for shot in done:
        held = _fixes(truth, audience, shot.target) & {Fix.CONTACT, Fix.TRACKED}
        ours = audience_of(truth.ships[shot.shooter].side) == audience
        if ours and (held or shot.kind is not WeaponKind.NOVA):
            yield shot
        if audience_of(truth.ships[shot.target].side) == audience:
            yield "hit", shot.target, shot.kind, shot.damage, shot.stopped
    for piece, ship in sorted(window.after.ships.items()):
        if truth.ships[piece].in_play and ship.fate is Fate.DESTROYED:
            held = _fixes(truth, audience, piece) & {Fix.CONTACT, Fix.TRACKED}
            did = _did(window, audience, piece, done, bool(held))
            if did or held:
                yield "destroyed", piece, ship.type.points if did else None


UNSEEN_FIRE = (WeaponKind.SALVO, WeaponKind.NOVA)
"""What gives nobody away."""


class Shot(NamedTuple):
    """One shot: whose, at whom, and what it did; `stopped` counts missiles that were met."""

    shooter: PieceId
    weapon: str
    target: PieceId
    kind: WeaponKind
    dice: tuple[int, ...]
    damage: int
    stopped: int = 0


def shots_of(window: Window) -> list[Shot]:
    """Return every shot of a window: by guns, by volleys after point defence, by nova guns."""
    if window.phase is not Phase.ENGAGE:
        return []
    ships = window.before.ships
    guns = [each for each in window.attacks if ships[each[0]].volley is None]
    found = [_gun_shot(window, each) for each in guns]
    every = [*found, *_volley_shots(window), *_nova_shots(window)]
    return sorted(every, key=lambda shot: shot[:3])


def _did(
    window: Window, audience: Audience, piece: PieceId, done: list[Shot], is_held: bool
) -> bool:
    """Return whether the audience is told that its attack destroyed the piece."""
    truth = window.before
    aimed = any(
        shot.target == piece
        and shot.damage
        and audience_of(truth.ships[shot.shooter].side) == audience
        and (is_held or shot.kind is not WeaponKind.NOVA)
        for shot in done
    )
    leeches = any(audience_of(each.side) == audience for each in truth.ships[piece].leeches)
    return aimed or (leeches and is_held)


def _gun_shot(window: Window, attack: tuple[PieceId, str, PieceId]) -> Shot:
    shooter, target = window.before.ships[attack[0]], window.before.ships[attack[2]]
    weapon = next(each for each in shooter.type.weapons if each.id == attack[1])
    distance = shooter.square.distance_squared(target.square)
    roll = window.dice.stream(window.before.turn, Purpose.FIRE, f"{shooter.id}/{weapon.id}")
    done = roll_weapon(weapon.kind, weapon.rank, distance, target.screens, roll)
    return Shot(*attack, weapon.kind, done.dice, done.damage)


def _volley_shots(window: Window) -> Iterator[Shot]:
    truth, named = window.before, {by: target for by, _, target in window.attacks}
    met: dict[PieceId, list[ShipTruth]] = {}
    for ship in truth.in_play():
        if ship.volley is not None:
            target = named.get(ship.id) or _nearest_track(window, ship)
            if target is not None:
                met.setdefault(target, []).append(ship)
    for target, volleys in met.items():
        yield from _strikes(window, truth.ships[target], volleys)


def _nearest_track(window: Window, volley: ShipTruth) -> PieceId | None:
    truth = window.before
    found = [
        (
            volley.square.distance_squared(ship.square),
            window.dice.tie(truth.turn, volley.id, piece),
            piece,
        )
        for piece, hold in truth.holds[volley.side].items()
        for ship in (truth.ships[piece],)
        if hold.fix is Fix.TRACKED
        and within_mu(volley.square.distance_squared(ship.square), 6)
        and line_of_sight(truth.board, _place(volley), _place(ship))
    ]
    return min(found)[-1] if found else None


def _strikes(window: Window, target: ShipTruth, volleys: list[ShipTruth]) -> Iterator[Shot]:
    turn, points = window.before.turn, _defence(window, target)
    order = sorted(
        volleys, key=lambda each: (-_missiles(each), window.dice.tie(turn, target.id, each.id))
    )
    for volley in order:
        stopped = min(points, _missiles(volley))
        points -= stopped
        weapon = volley.type.weapons[0].id
        roll = window.dice.stream(turn, Purpose.FIRE, f"{volley.id}/{weapon}")
        dice = tuple(roll(index) for index in range(_missiles(volley) - stopped))
        yield Shot(volley.id, weapon, target.id, WeaponKind.SALVO, dice, sum(dice), stopped)


def _missiles(ship: ShipTruth) -> int:
    return 0 if ship.volley is None else ship.volley.missiles


def _defence(window: Window, ship: ShipTruth) -> int:
    told = [
        order.policy
        for order in window.orders.get(ship.side, ())
        if isinstance(order, Defend) and order.ship == ship.own
    ]
    works = ship.powered and "point_defence" not in ship.lost and ship.landing is None
    return ship.type.point_defence if works and DefencePolicy.HOLD not in told else 0


def _guns(window: Window) -> list[Nova]:
    """Return the nova guns that are fired in the window."""
    return [
        Nova(
            piece=ship.id,
            weapon=order.weapon,
            turn=window.before.turn,
            square=ship.square,
            facing=ship.facing,
        )
        for side, orders in window.orders.items()
        for order in orders
        if isinstance(order, Fire) and order.at is None
        for ship in (window.before.ships[piece_id(side, order.ship)],)
    ]


def _nova_shots(window: Window) -> Iterator[Shot]:
    truth = window.before
    for nova in (*truth.novas, *_guns(window)):
        sweep = truth.turn - nova.turn
        for ship in truth.in_play():
            if ship.landing is None and touches(nova.square, nova.facing, sweep, ship.square):
                key = f"{nova.piece}/{nova.weapon}/{nova.turn}/{ship.id}"
                roll = window.dice.stream(truth.turn, Purpose.FIRE, key)
                dice = tuple(roll(index) for index in range(SWEEPS[sweep].dice))
                yield Shot(nova.piece, nova.weapon, ship.id, WeaponKind.NOVA, dice, sum(dice))


def _shooter_told(window: Window, audience: Audience, shooter: ShipTruth) -> Iterator[object]:
    truth = window.before
    yield "shot", shooter.square
    if audience in (PUBLIC, audience_of(shooter.side)):
        return
    held = _fixes(truth, audience, shooter.id) & {Fix.CONTACT, Fix.TRACKED}
    who = shooter.id if held else None
    aimed = any(
        piece == shooter.id and audience_of(truth.ships[target].side) == audience
        for piece, _, target in window.attacks
    )
    seen = any(
        line_of_sight(truth.board, _place(ship), _place(shooter))
        for ship in truth.in_play()
        if audience_of(ship.side) == audience
    )
    if not aimed and not seen:
        yield who, shooter.square
        return
    names = [each.piece for each in window.objectives if each.kind == "identify"]
    fresh = all(shooter.id not in truth.identified[side] for side in _side(audience))
    wanted = fresh and shooter.name in names
    yield who, shooter.square, shooter.side, shooter.type.type_shown, wanted


def _ends_told(window: Window, audience: Audience) -> Iterator[object]:
    """Yield row 10: tracks that were missed twice, for holder and owner."""
    truth = window.before
    both = _is_public_of_two(truth, audience)
    for side in truth.sides:
        for piece, hold in sorted(truth.holds[side].items()):
            owner = audience_of(truth.ships[piece].side) == audience
            concerned = both or audience_of(side) == audience or owner
            if concerned and hold.misses >= 2 and hold.fix is Fix.COASTING:
                yield "lost", side, piece


def _own(truth: Truth, audience: Audience) -> Granted:
    return tuple(ship for ship in truth.ships.values() if audience_of(ship.side) == audience)


def _fixes(truth: Truth, audience: Audience, piece: PieceId) -> set[Fix]:
    """Return the rungs on which the audience, or in a duel either side, holds the piece."""
    sides = truth.sides if _is_public_of_two(truth, audience) else _side(audience)
    return {truth.holds[side][piece].fix for side in sides if piece in truth.holds[side]}


def _side(audience: Audience) -> tuple[Side, ...]:
    return () if audience == PUBLIC else (Side(audience),)


def _is_public_of_two(truth: Truth, audience: Audience) -> bool:
    return audience == PUBLIC and len(truth.sides) == 2


def _motion(ship: ShipTruth) -> tuple[object, ...]:
    return ship.id, ship.square, ship.vector, ship.facing


def _place(ship: ShipTruth) -> Place:
    return Place(Square(*ship.square), ship.landing)


def _silhouette(ship: ShipTruth) -> Silhouette:
    return Silhouette(ship.square, ship.vector, ship.facing, ship.echo)
