"""Sight of each surface map, and what on it is held, identified or exposed.

Source: blips of our rule book §1, §2.4, §3.1 and §3.8; turn §1 for who sees a map. Every
function looks at a state in which nothing moves, so no order of evaluation matters.
"""

from collections.abc import Iterable, Iterator

from sunglare_protocol.ids import Side
from sunglare_protocol.notices.ground import TokenEnd
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.specials import Special
from sunglare_rules.blips.hiding import Searcher, Shown, after_move, exposes
from sunglare_rules.blips.spotting import identifies, overflight_spots
from sunglare_rules.ground.daylight import is_day
from sunglare_rules.ground.line_of_sight import Viewpoint, sees
from sunglare_rules.ground.overhead import sites_below
from sunglare_server.match.events.ground import (
    HiddenExposed,
    MapClosed,
    MapOpened,
    PieceIdentified,
    TokenEnded,
    TokenGained,
    UnitMoved,
    UnitUncovered,
)
from sunglare_server.match.events.space import Event
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve.ground_scene import (
    Figure,
    Ground,
    aim_of,
    line_of_sight,
    map_of,
    quarry_of,
    sight_of,
    spotter_of,
)
from sunglare_server.match.truth.ground import GroundTruth
from sunglare_server.match.truth.truth import ShipTruth, Truth

Shows = dict[PieceId, Shown]
"""What the units that were hidden and have moved are shown as."""


def uncovered(
    before: Truth, truth: Truth, moves: Iterable[Event], wanted: frozenset[PieceId]
) -> Shows:
    """Return what hidden units are shown as that have moved (H2).

    `wanted` are the units whose owner asks for a token. An enemy who sees the first or the last
    cell, after all have moved, sees the unit itself.
    """
    shows: Shows = {}
    for event in moves:
        if not isinstance(event, UnitMoved) or not event.cells:
            continue
        unit = truth.ground[event.piece]
        if not unit.hidden or unit.site is None:
            continue
        ends = (before.ground[event.piece].cell, event.cells[-1])
        seen = _is_seen(truth, unit.site, unit.id, ends)
        shows[unit.id] = after_move(moved=True, enemy_los=seen, wants_token=event.piece in wanted)
    return shows


def uncoverings(shows: Shows) -> Iterator[UnitUncovered]:
    """Yield that these units are hidden no longer, and whether they show what they are."""
    for piece, shown in sorted(shows.items()):
        yield UnitUncovered(piece=piece, identified=shown is Shown.IDENTIFIED)


def endings(truth: Truth) -> Iterator[TokenEnded]:
    """Yield the tokens whose pieces are on their map no longer, whatever has become of them."""
    for side in truth.sides:
        for piece in sorted(truth.surface.tokens_of(side)):
            how = _ending(truth, piece)
            if how is not None:
                yield TokenEnded(piece=piece, side=side, how=how)


def maps(truth: Truth) -> Iterator[Event]:
    """Yield the maps that sides begin to see, and those they lose with the tokens on them."""
    stood = _stood(truth)
    for side in truth.sides:
        now = stood.get(side, ())
        seen = truth.surface.maps_of(side)
        for site in seen:
            if site not in now:
                for piece in sorted(truth.surface.tokens_of(side)):
                    place = truth.stands(piece)
                    if place is not None and place[0] == site:
                        yield TokenEnded(piece=piece, side=side, how=TokenEnd.UNSEEN)
                yield MapClosed(side=side, site=site)
        for site in now:
            if site not in seen:
                yield MapOpened(side=side, site=site)


def gains(truth: Truth, shows: Shows) -> Iterator[TokenGained]:
    """Yield every foreign piece that comes into a side's hold: all that stand in the open.

    A unit that has left its hiding in sight comes identified.
    """
    shown = _in_the_open(truth)
    for side in truth.sides:
        held = truth.surface.tokens_of(side)
        for site in truth.surface.maps_of(side):
            for piece in shown.get(site, ()):
                if truth.side_of(piece) != side and piece not in held:
                    known = shows.get(piece) is Shown.IDENTIFIED
                    yield TokenGained(piece=piece, side=side, identified=known)


def spottings(truth: Truth) -> Iterator[Event]:
    """Yield what is identified by spotting, and which hidden units are exposed, all at once."""
    seen = dict.fromkeys([site for sites in truth.surface.seen.values() for site in sites])
    above = flown_over(truth) if seen else {}
    for site in sorted(seen):
        ground = map_of(truth, site)
        if ground is None:
            continue
        for side in truth.sides:
            if site in truth.surface.maps_of(side):
                is_watched = site in above.get(side, ()) and is_day(ground.environs.sector)
                yield from _spotted(truth, ground, side, is_watched=is_watched)


def witnesses(truth: Truth, piece: PieceId) -> tuple[Side, ...]:
    """Return the enemy sides that see the map of a piece and have a unit in sight of it."""
    place = truth.stands(piece)
    ground = None if place is None else map_of(truth, place[0])
    if ground is None or place is None:
        return ()
    target = ground.figure(piece)
    if target is None:
        return ()
    return tuple(
        side
        for side in truth.sides
        if side != target.side
        and place[0] in truth.surface.maps_of(side)
        and any(
            figure.side == side and line_of_sight(ground, figure, target)
            for figure in ground.figures
        )
    )


def _is_seen(truth: Truth, site: Site, piece: PieceId, cells: tuple[Cell, ...]) -> bool:
    ground = map_of(truth, site)
    if ground is None:
        return False
    unit = next(figure for figure in ground.figures if figure.piece == piece)
    return any(
        sees(ground.environs, enemy.standing, Viewpoint(cell, unit.height), ground.bodies)
        for enemy in ground.figures
        if enemy.side != unit.side
        for cell in cells
    )


def _ending(truth: Truth, piece: PieceId) -> TokenEnd | None:
    if piece in truth.ground:
        unit = truth.ground[piece]
        if unit.fate is Fate.DESTROYED:
            return TokenEnd.DESTROYED
        return None if unit.in_play and unit.site is not None else TokenEnd.LEFT
    ship = truth.ships[piece]
    if ship.fate is Fate.DESTROYED:
        return TokenEnd.DESTROYED
    if ship.landing is None:
        return TokenEnd.LIFTED
    return None if ship.in_play else TokenEnd.LEFT


def _stood(truth: Truth) -> dict[Side, tuple[Site, ...]]:
    """Return the sites on which each side has an operating unit, remote sensor or landed ship.

    Those above which it has a fighter are among them.
    """
    found = flown_over(truth)
    for (side, site), has_drones_only in _manned(truth).items():
        # Only a drone can be mute.
        if not has_drones_only or _operates(truth, side, site):
            found.setdefault(side, []).append(site)
    return {side: tuple(sorted(dict.fromkeys(sites))) for side, sites in found.items()}


def _manned(truth: Truth) -> dict[tuple[Side, Site], bool]:
    """Return on which sites each side has anything, and whether all of it there are drones."""
    found: dict[tuple[Side, Site], bool] = {}
    for piece, site in _standing(truth):
        key = piece.side, site
        found[key] = found.get(key, True) and Special.DRO in piece.type.specials
    return found


def _in_the_open(truth: Truth) -> dict[Site, list[PieceId]]:
    """Return everything that is not hidden on surface maps, units before ships."""
    found: dict[Site, list[PieceId]] = {}
    for piece, site in _standing(truth):
        if isinstance(piece, ShipTruth) or not piece.hidden:
            found.setdefault(site, []).append(piece.id)
    return found


def _standing(truth: Truth) -> Iterator[tuple[GroundTruth | ShipTruth, Site]]:
    for unit in truth.ground.values():
        if unit.in_play and unit.site is not None:
            yield unit, unit.site
    for ship in truth.ships.values():
        if ship.landing is not None and ship.landing.site is not None and ship.in_play:
            yield ship, ship.landing.site


def overhead(truth: Truth, side: Side) -> tuple[Site, ...]:
    """Return the maps above which `side` has a fighter; a cloaked one sees nothing."""
    return tuple(flown_over(truth).get(side, ()))


def flown_over(truth: Truth) -> dict[Side, list[Site]]:
    """Return the maps above which each side that has a fighter has one."""
    found: dict[Side, list[Site]] = {}
    for ship in truth.ships.values():
        is_flying = ship.type.kind is PieceKind.FIGHTER and ship.landing is None
        if is_flying and ship.in_play and not ship.cloaked:
            found.setdefault(ship.side, []).extend(sites_below(truth.board, ship.square))
    return found


def _operates(truth: Truth, side: Side, site: Site) -> bool:
    ground = map_of(truth, site)
    return ground is not None and any(
        figure.side == side and not figure.mute for figure in ground.figures
    )


def _spotted(truth: Truth, ground: Ground, side: Side, *, is_watched: bool) -> Iterator[Event]:
    own = [figure for figure in ground.figures if figure.side == side]
    held = truth.surface.tokens_of(side)
    for target in ground.figures:
        if target.side == side:
            continue
        hold = held.get(target.piece)
        if hold is not None and hold.identified:
            continue
        if target.hidden:
            if any(would_expose(ground, figure, target) for figure in own):
                yield HiddenExposed(piece=target.piece, side=side)
            continue
        spotters = [figure for figure in own if _identifies(ground, figure, target)]
        overflown = overflight_spots(daylight=is_watched, hidden=target.hidden)
        if spotters or overflown:
            # A fighter above is reported in its own words, with all that it sees.
            told = not overflown and any(not spotter.hidden for spotter in spotters)
            yield PieceIdentified(piece=target.piece, side=side, is_told=told)


def _identifies(ground: Ground, spotter: Figure, target: Figure) -> bool:
    sight = sight_of(ground, spotter, target)
    return identifies(spotter_of(ground, spotter, target), quarry_of(ground, target), sight)


def would_expose(ground: Ground, enemy: Figure, target: Figure) -> bool:
    """Return whether an enemy finds a hidden figure where both stand now."""
    searcher = Searcher(enemy.specials, enemy.remote, enemy.works)
    return exposes(searcher, target.specials, aim_of(ground, enemy, target))
