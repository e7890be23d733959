"""Who stands on the surface maps and who sees whom there, by the rule book.

Part of the second reading of `ground`; it knows nothing of how the server perceives.
"""

from typing import NamedTuple

from sunglare_protocol.geometry import Environs
from sunglare_protocol.ids import Side
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.specials import Special, Specials
from sunglare_rules.blips import ecm, spotting, visual_ranges
from sunglare_rules.blips.dossiers import DossierAim
from sunglare_rules.blips.hiding import Searcher, exposes
from sunglare_rules.ground import builds, daylight, line_of_sight, plane
from sunglare_rules.sensors import sectors
from sunglare_rules.turn.metric import SURFACE
from sunglare_server.match.ids import PieceId
from sunglare_server.match.truth.truth import Truth


class Man(NamedTuple):
    """A ground unit or landed ship, as the rules of sight and spotting ask for it."""

    piece: PieceId
    side: Side
    site: Site
    cell: Cell
    height: int
    specials: Specials
    eyes: visual_ranges.Eyes
    infantry: bool
    remote: bool
    powered: bool
    hidden: bool
    ecm_on: bool = True

    @property
    def standing(self) -> line_of_sight.Viewpoint:
        """Return the man for a line of sight."""
        return line_of_sight.Viewpoint(self.cell, self.height)

    @property
    def bodies(self) -> line_of_sight.Bodies:
        """Return the man as what stands in the way of sight, if he is large and not hidden."""
        large = spotting.FOOTPRINTS.keys() & {*self.specials}
        if self.hidden or not large:
            return ()
        radius = max(spotting.FOOTPRINTS[special] for special in large) // 2
        return (line_of_sight.Body(self.cell, radius, self.height),)

    @property
    def works(self) -> bool:
        """Return whether it can spot."""
        return self.powered or self.infantry or self.remote


def men_of(truth: Truth) -> list[Man]:
    """Return everything in play that stands on a surface map."""
    found: list[Man] = []
    for unit in truth.ground.values():
        if unit.in_play and unit.site is not None:
            kind = unit.type
            height = builds.height_of_kind(kind.kind, kind.specials)
            eyes = builds.eyes_of(kind.kind)
            on_foot = kind.kind in builds.ON_FOOT
            found.append(
                Man(
                    unit.id, unit.side, unit.site, unit.cell, height, kind.specials, eyes,
                    on_foot, unit.is_remote, True, unit.hidden, unit.ecm_on,
                )
            )  # fmt: skip
    for ship in truth.in_play():
        site = None if ship.landing is None else ship.landing.site
        environs = None if site is None else truth.board.environs_at(site)
        if ship.landing is None or site is None or environs is None:
            continue
        cell = ship.landing.cell or environs.middle
        cold = () if ship.powered else (Special.MAS,)
        specials = (*builds.footprint_of(ship.type.size), *ship.specials, *cold)
        height = builds.height_of_ship(ship.type.size)
        found.append(
            Man(
                ship.id, ship.side, site, cell, height, specials, visual_ranges.Eyes.LARGE_CRAFT,
                False, False, ship.powered, False, ship.ecm_on,
            )
        )  # fmt: skip
    return sorted(found)


def maps_of(truth: Truth, side: Side) -> tuple[Site, ...]:
    """Return the maps that `side` sees by what it has standing there."""
    stood = {man.site for man in men_of(truth) if man.side == side}
    return tuple(sorted(stood | flown_over(truth, side)))


def flown_over(truth: Truth, side: Side) -> set[Site]:
    """Return the maps that `side` looks down upon from a fighter right above them."""
    return {
        Site(planet.name, environs.number)
        for ship in truth.in_play()
        if ship.side == side
        and ship.landing is None
        and ship.type.kind is PieceKind.FIGHTER
        and not ship.cloaked
        for planet in truth.board.planets
        if sectors.touches_body(planet, ship.square)
        for environs in planet.environs
        if sectors.sector(planet.at, ship.square) is environs.sector
    }


def environs_of(truth: Truth, site: Site) -> Environs:
    """Return the surface map at a site."""
    environs = truth.board.environs_at(site)
    assert environs is not None
    return environs


def _fields(men: list[Man], site: Site) -> list[ecm.Field]:
    found = []
    for man in men:
        state = ecm.Emitting(man.specials, man.works, man.ecm_on, infantry=man.infantry)
        bubble = ecm.bubble(state)
        if man.site == site and bubble is not None:
            found.append(ecm.Field(man.side, plane.centre(man.cell), bubble))
    return found


def bodies_on(men: list[Man], site: Site) -> line_of_sight.Bodies:
    """Return the large men on a map, who stand in the way of sight."""
    return tuple(body for man in men if man.site == site for body in man.bodies)


def spots(truth: Truth, men: list[Man], spotter: Man, target: Man) -> bool:
    """Return whether one piece identifies another."""
    environs = environs_of(truth, target.site)
    weather = environs.weather
    light = daylight.light_in(environs.sector)
    here, there = plane.centre(spotter.cell), plane.centre(target.cell)
    seen = spotting.Sight(
        plane.apart(spotter.cell, target.cell),
        line_of_sight.sees(
            environs, spotter.standing, target.standing, bodies_on(men, target.site)
        ),
        plane.touch(spotter.cell, target.cell, spotter.specials, target.specials),
    )
    looking = spotting.Spotter(
        specials=spotter.specials,
        sight_inches=visual_ranges.visual_range(
            spotter.eyes,
            light,
            weather,
            target_lit=_is_lit(environs, target.cell),
            searchlight=Special.SRCH in spotter.specials,
        ),
        infantry=spotter.infantry,
        remote=spotter.remote,
        operational=spotter.works,
    )
    cover = ecm.cover(SURFACE, _fields(men, target.site), target.side, there)
    assert here is not None
    return spotting.identifies(looking, spotting.Subject(target.specials, cover), seen)


def _is_lit(environs: Environs, cell: Cell) -> bool:
    """Return whether a lamp of the map lights a cell."""
    return any(
        cell.column in range(west, east + 1) and cell.row in range(south, north + 1)
        for west, south, east, north in environs.lit
    )


def is_overflown(truth: Truth, side: Side, target: Man) -> bool:
    """Return whether a fighter of `side` above the map shows it the piece."""
    lit = daylight.is_day(environs_of(truth, target.site).sector)
    return lit and not target.hidden and target.site in flown_over(truth, side)


def is_spotted(truth: Truth, men: list[Man], side: Side, target: Man) -> bool:
    """Return whether `side` identifies the piece, from above or from the ground."""
    return is_overflown(truth, side, target) or any(
        spots(truth, men, man, target)
        for man in men
        if man.side == side and man.site == target.site
    )


def is_exposed(truth: Truth, men: list[Man], side: Side, target: Man) -> bool:
    """Return whether anything of `side` exposes the hidden piece."""
    return any(
        _exposes(truth, men, man, target)
        for man in men
        if man.side == side and man.site == target.site
    )


def _exposes(truth: Truth, men: list[Man], man: Man, target: Man) -> bool:
    aim = aim_between(truth, men, man, target)
    return exposes(Searcher(man.specials, man.remote, man.works), target.specials, aim)


def aim_between(truth: Truth, men: list[Man], man: Man, target: Man) -> DossierAim:
    """Return how a target lies to a data scan."""
    environs = environs_of(truth, target.site)
    ends = plane.centre(man.cell), plane.centre(target.cell)
    return DossierAim(
        plane.apart(man.cell, target.cell),
        line_of_sight.sees(environs, man.standing, target.standing, bodies_on(men, target.site)),
        line_of_sight.solid_between(environs, man.standing, target.standing),
        ecm.line_jammed(SURFACE, _fields(men, target.site), man.side, *ends),
    )


def side_sees(truth: Truth, men: list[Man], side: Side, piece: PieceId) -> bool:
    """Return whether anything of `side` on the map of a piece sees it."""
    target = next((man for man in men if man.piece == piece), None)
    return target is not None and any(
        sees_past(truth, men, man, target.standing)
        for man in men
        if man.side == side and man.site == target.site
    )


def sees_past(truth: Truth, men: list[Man], man: Man, aim: line_of_sight.Viewpoint) -> bool:
    """Return whether a man sees something on his map past all who stand there."""
    bodies = bodies_on(men, man.site)
    return line_of_sight.sees(environs_of(truth, man.site), man.standing, aim, bodies)


def sees_point(truth: Truth, men: list[Man], man: Man, point: Cell) -> bool:
    """Return whether a man sees a point of the ground."""
    return sees_past(truth, men, man, line_of_sight.Viewpoint(point, 0))


def reaches(truth: Truth, piece: PieceId, point: Cell) -> bool:
    """Return whether nothing stands between a designator and its point."""
    men = men_of(truth)
    return any(sees_point(truth, men, man, point) for man in men if man.piece == piece)
