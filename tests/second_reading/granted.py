"""What the rules let an audience learn in a window, worked out from the truth and the rule book.

A second reading of sensors §6 and turn §6, apart from the server's (`spots` reads blips):
two worlds in which the same is granted must look the same. It knows nothing of how the server
perceives.
"""

from collections.abc import Iterator

import msgspec

from second_reading.agents import agents_known, agents_told
from second_reading.capital import bursts_of, capital_told, overflown
from second_reading.ground import (
    engage_told,
    occupations_told,
    plot_told,
    shell_of,
    surface_known,
)
from second_reading.hunts import hunt_told, hunts_known
from second_reading.parts import (
    Granted,
    Window,
    fixes,
    is_public_of_two,
    motion,
    own_ships,
    place,
    side_in,
)
from second_reading.probes import inquiries_told
from second_reading.scans import scan_told, scans_of, spots_told
from second_reading.shots import UNSEEN_FIRE, Shot, defended, guns_fired, shelled, shots_of
from second_reading.spots import probes_told
from sunglare_protocol.ids import PUBLIC, Audience, Side, audience_of
from sunglare_protocol.orders import Deploy
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.sensors.sectors import line_of_sight
from sunglare_rules.turn.scale import within_mu
from sunglare_server.match.dice import Dice, Purpose
from sunglare_server.match.ids import PieceId, piece_id
from sunglare_server.match.truth.truth import ShipTruth, Truth


def granted(window: Window, audience: Audience) -> Granted:
    """Return everything that the window lets `audience` learn of what is not its own order.

    It is worked out once: a window is compared with those of many other worlds.
    """
    if audience not in window.granted:
        window.granted[audience] = _granted(window, audience)
    return window.granted[audience]


def _granted(window: Window, audience: Audience) -> Granted:
    found: list[object] = [own_ships(window.after, audience), window.after.out]
    found.append(surface_known(window.after, audience))
    found.append(agents_known(window.after, audience))
    found.extend(agents_told(window.before, window.happened, audience))
    match window.phase:
        case Phase.PLOT:
            found.extend(_moves(window, audience))
            found.extend(plot_told(window.before, window.after, window.orders, audience))
            found.extend(_fighters_told(window, audience))
        case Phase.SCAN:
            for scan in scans_of(window):
                found.extend(scan_told(window, audience, scan))
            found.extend(spots_told(window, audience))
        case Phase.ENGAGE:
            found.extend(_shots_told(window, audience))
            found.extend(_ends_told(window, audience))
            found.extend(
                engage_told(window.before, window.after, window.dice, window.shells, audience)
            )
            found.extend(
                capital_told(
                    window.before, window.orders, window.batteries, defended(window),
                    window.dice, audience,
                )
            )  # fmt: skip
            found.extend(_kills_told(window, audience))
            found.extend(occupations_told(window))
            found.extend(_losses_told(window))
            found.append(initiative_of(window.after, window.before.turn + 1, window.dice))
        case Phase.DETECT:
            found.extend(hunt_told(window, audience))
            found.extend(probes_told(window.before, window.requests, audience))
            found.extend(inquiries_told(window.before, window.inquiries, audience))
        case Phase.OVER:
            pass
    return tuple(found)


def known_now(truth: Truth, audience: Audience) -> Granted:
    """Return what the audience has been told of the present: own ships, holds, what it tracks.

    Of identified pieces it knows the type.
    """
    tracks, snaps = [], [*hunts_known(truth, audience)]
    types = [
        (side, piece, truth.ships[piece].side, truth.ships[piece].type.type_shown)
        for side in side_in(audience)
        for piece, hold in sorted(truth.holds[side].items())
        if hold.identified
    ]
    for piece in sorted(truth.ships):
        ship, held = truth.ships[piece], fixes(truth, audience, piece)
        if Fix.TRACKED in held:
            tracks.append((piece, ship.square, ship.vector, ship.facing, ship.echo))
        elif Fix.CONTACT in held:
            snaps.append((piece, ship.square))
    public = (truth.out, truth.jam_end, truth.occupiers, truth.losses)
    held_now = holds_known(truth, audience)
    ground = surface_known(truth, audience), agents_known(truth, audience)
    return own_ships(truth, audience), public, held_now, tracks, snaps, types, ground


def holds_known(truth: Truth, audience: Audience) -> object:
    """Return the holds that follow from what the audience was told: a side's own ones.

    The public of two sides knows those of both, but not who is identified.
    """
    is_public = is_public_of_two(truth, audience)
    sides = truth.sides if is_public else side_in(audience)
    hunts = {side: truth.hunts_of(side) for side in side_in(audience)}
    held = {
        side: {
            piece: msgspec.structs.replace(hold, identified=False) if is_public else hold
            for piece, hold in truth.holds[side].items()
            if not ((hold.quiet or hold.overhead) and audience == PUBLIC)
        }
        for side in sides
    }
    tokens = [truth.surface.tokens_of(side) for side in side_in(audience)]
    return held, hunts, tokens


def initiative_of(truth: Truth, turn: int, dice: Dice) -> tuple[Side, ...]:
    """Return the order of the sides in `turn`, if the ships in play are those of `truth`."""
    totals = {
        side: sum(dice.two_d6(turn, Purpose.INITIATIVE, side))
        + max((ship.crew.commander for ship in truth.ships_of(side) if ship.in_play), default=0)
        for side in truth.sides
    }
    letters = sorted(truth.sides, reverse=turn % 2 == 0)
    return tuple(sorted(letters, key=lambda side: -totals[side]))


def _moves(window: Window, audience: Audience) -> Iterator[object]:
    """Yield row 9: where live tracks went; own tracks' ends by landing; cloaks."""
    yield from _uncloaked(window, audience)
    for piece in sorted(window.before.ships):
        ship = window.after.ships[piece]
        if ship.cloaked:
            if fixes(window.before, audience, piece):
                yield piece, "cloaked"
        elif Fix.TRACKED in fixes(window.before, audience, piece):
            yield piece, _outcome(ship)
        if audience_of(ship.side) == audience and ship.landing is not None:
            yield piece, window.before.holders(piece, Fix.TRACKED)


def _uncloaked(window: Window, audience: Audience) -> Iterator[object]:
    """Yield the ships that showed themselves near a ship of the audience, by our rule book §4."""
    after, deployed = window.after, _deployed(window)
    for piece in sorted(window.before.ships):
        ship = after.ships[piece]
        was = deployed.get(piece)
        was_cloaked = window.before.ships[piece].cloaked if was is None else was
        if ship.side in side_in(audience) or not was_cloaked or ship.cloaked or not ship.in_play:
            continue
        watchers = (
            watcher for watcher in after.in_play() if audience_of(watcher.side) == audience
        )
        if any(_is_near(after, watcher, ship) for watcher in watchers):
            yield "uncloaking", piece, ship.square


def _deployed(window: Window) -> dict[PieceId, bool | None]:
    return {
        piece_id(side, order.ship): order.cloaked
        for side, orders in window.orders.items()
        for order in orders
        if isinstance(order, Deploy)
    }


def _is_near(truth: Truth, watcher: ShipTruth, ship: ShipTruth) -> bool:
    if watcher.cloaked or not watcher.powered or watcher.type.kind is PieceKind.DECOY:
        return False
    near = within_mu(watcher.square.distance_squared(ship.square), 36)
    return near and line_of_sight(truth.board, place(watcher), place(ship))


def _outcome(ship: ShipTruth) -> object:
    if not ship.in_play:
        return ship.fate
    if ship.landing is not None:
        return ship.landing.body, ship.landing.sector
    return motion(ship)


def _shots_told(window: Window, audience: Audience) -> Iterator[object]:
    """Yield what shots tell: squares, witnesses, own results, hits taken, the destroyed."""
    truth, done = window.before, shots_of(window)
    yield "novas", len(guns_fired(window))
    for piece in sorted({shot.shooter for shot in done if shot.kind not in UNSEEN_FIRE}):
        yield from _shooter_told(window, audience, truth.ships[piece], done)
    for shot in done:
        ours = audience_of(truth.ships[shot.shooter].side) == audience
        held = any(_holds_well(truth, side, shot.target) for side in side_in(audience))
        if ours and (held or shot.kind is not WeaponKind.NOVA):
            yield shot[:-1]
        if audience_of(truth.ships[shot.target].side) == audience:
            yield "hit", shot.target, shot.kind, shot.damage, shot.stopped, shot.spent
    for piece, ship in sorted(window.after.ships.items()):
        if truth.ships[piece].in_play and ship.fate is Fate.DESTROYED:
            did = _did(window, audience, piece, done)
            if did or fixes(truth, audience, piece) & {Fix.CONTACT, Fix.TRACKED}:
                yield "destroyed", piece, ship.type.points if did else None


def _losses_told(window: Window) -> Iterator[object]:
    """Yield the names of the lost pieces that all learn of, as their loss ends the match."""
    after = window.after
    lost = [ship.name for ship in after.ships.values() if ship.fate is Fate.DESTROYED]
    lost += [agent.name for agent in after.agents.values() if agent.fate is Fate.DESTROYED]
    goals = (goal for goal in window.decisive if goal.kind is ObjectiveKind.SURVIVE)
    yield sorted(goal.piece for goal in goals if goal.piece in lost), window.before.losses


def _did(window: Window, audience: Audience, piece: PieceId, done: list[Shot]) -> bool:
    """Return whether the audience is told that its attack destroyed the piece.

    The public feed of two sides is told so of a cloaked ship, which nobody holds otherwise.
    """
    truth = window.before
    is_public = truth.ships[piece].cloaked and is_public_of_two(truth, audience)
    sides = truth.sides if is_public else side_in(audience)
    return any(_did_by(window, side, piece, done) for side in sides)


def _did_by(window: Window, side: Side, piece: PieceId, done: list[Shot]) -> bool:
    truth = window.before
    is_held = _holds_well(truth, side, piece)
    aimed = any(
        shot.target == piece
        and shot.damage
        and truth.ships[shot.shooter].side == side
        and (is_held or shot.kind is not WeaponKind.NOVA)
        for shot in done
    )
    leeches = any(leech.side == side for leech in truth.ships[piece].leeches)
    from_below = any(
        shot[2] == piece and truth.ground[shot[0]].side == side and shelled(window, shot)
        for shot in window.batteries
    )
    return aimed or from_below or (leeches and is_held) or _blasted(window, side, piece)


def _blasted(window: Window, side: Side, piece: PieceId) -> bool:
    """Return whether the side's own blast hurt a piece that it holds as a token."""
    return piece in window.before.surface.tokens_of(side) and any(
        piece in [harmed for harmed, _ in burst.harmed]
        for burst in bursts_of(window.before, window.orders, window.dice)
        if burst.side == side
    )


def _kills_told(window: Window, audience: Audience) -> Iterator[object]:
    """Yield the points for ground units that the audience has destroyed and held."""
    before, after = window.before, window.after
    for piece, unit in sorted(after.ground.items()):
        if before.ground[piece].in_play and unit.fate is Fate.DESTROYED:
            shot = any(
                shell[2] == piece
                and audience_of(before.ground[shell[0]].side) == audience
                and shell_of(before, window.dice, shell)[1]
                for shell in window.shells
            )
            if shot or any(_blasted(window, side, piece) for side in side_in(audience)):
                yield "scored", piece, unit.type.points


def _fighters_told(window: Window, audience: Audience) -> Iterator[object]:
    """Yield the fighters that fly over maps the audience sees, and points for knowing them."""
    for side in side_in(audience):
        maps = window.after.surface.maps_of(side)
        for ship in overflown(window.after, side, maps):
            hold = window.before.holds[side].get(ship.id)
            had_coasted = hold is not None and hold.fix is Fix.COASTING
            wanted = ship.name in window.wanted and ship.id not in window.before.identified[side]
            moved = motion(ship) if had_coasted else None
            yield ship.id, ship.square, ship.side, ship.type.type_shown, moved, wanted


def _holds_well(truth: Truth, side: Side, piece: PieceId) -> bool:
    hold = truth.holds[side].get(piece)
    is_held = hold is not None and hold.fix in (Fix.CONTACT, Fix.TRACKED)
    return is_held or truth.hunt_fix(side, truth.ships[piece]) is not None


def _shooter_told(
    window: Window, audience: Audience, shooter: ShipTruth, done: list[Shot]
) -> Iterator[object]:
    truth = window.before
    yield "shot", shooter.square
    targets = {shot.target for shot in done if shot.shooter == shooter.id}
    yield from _cloaked_shooter_told(window, audience, shooter, targets)
    if audience in (PUBLIC, audience_of(shooter.side)):
        return
    aimed = any(audience_of(truth.ships[target].side) == audience for target in targets)
    held = fixes(truth, audience, shooter.id) & {Fix.CONTACT, Fix.TRACKED}
    found = any(truth.hunt_fix(side, shooter) is not None for side in side_in(audience))
    who = shooter.id if held or found or (aimed and shooter.cloaked) else None
    seen = any(
        line_of_sight(truth.board, place(ship), place(shooter))
        for ship in truth.in_play()
        if audience_of(ship.side) == audience and not ship.cloaked
    )
    if not aimed and not seen:
        yield who, shooter.square
        return
    fresh = all(shooter.id not in truth.identified[side] for side in side_in(audience))
    wanted = fresh and shooter.name in window.wanted
    yield who, shooter.square, shooter.side, shooter.type.type_shown, wanted


def _cloaked_shooter_told(
    window: Window, audience: Audience, shooter: ShipTruth, targets: set[PieceId]
) -> Iterator[object]:
    """Yield that the sides shot at from a cloak have found the ship, and what they then see."""
    truth = window.before
    if not shooter.cloaked:
        return
    aimed = {truth.ships[target].side for target in targets}
    for side in sorted(aimed):
        if truth.hunt_fix(side, shooter) is not None:
            continue
        if audience == audience_of(side) or is_public_of_two(truth, audience):
            yield "found", shooter.quarry, shooter.square, shooter.vector
        if audience == audience_of(shooter.side):
            yield "own found", shooter.own


def _ends_told(window: Window, audience: Audience) -> Iterator[object]:
    """Yield row 10: tracks that were missed twice, for holder and owner."""
    truth = window.before
    both = is_public_of_two(truth, audience)
    for side in truth.sides:
        for piece, hold in sorted(truth.holds[side].items()):
            owner = audience_of(truth.ships[piece].side) == audience
            concerned = both or audience_of(side) == audience or owner
            if concerned and hold.misses >= 2 and hold.fix is Fix.COASTING:
                yield "lost", side, piece
