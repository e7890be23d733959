"""The pieces of one surface map as the rules of sight and spotting take them.

Source: blips of our rule book §2.1, §2.2, §3.3 and §3.6; capital §3 for daylight and sizes.
"""

from typing import NamedTuple, final

import msgspec

from sunglare_protocol.geometry import Environs, Planet
from sunglare_protocol.ids import Side
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.words.specials import Special, Specials
from sunglare_rules.blips.bearings import surface_bearing
from sunglare_rules.blips.dossiers import DossierAim
from sunglare_rules.blips.ecm import (
    Emitting,
    Field,
    bubble,
    cover,
    drone_is_mute,
    has_jammer,
    line_jammed,
)
from sunglare_rules.blips.spotting import Sight, Spotter, Subject, in_base_contact
from sunglare_rules.blips.visual_ranges import Eyes, visual_range
from sunglare_rules.ground.builds import eyes_of, footprint_of, height_of_kind, height_of_ship
from sunglare_rules.ground.daylight import light_in
from sunglare_rules.ground.line_of_sight import Bodies, Viewpoint, body_of, sees
from sunglare_rules.ground.plane import apart, centre
from sunglare_rules.ground.probing import aim_on_map
from sunglare_rules.turn.metric import SURFACE
from sunglare_server.match.ids import PieceId
from sunglare_server.match.kinds import Noticed
from sunglare_server.match.truth.ground import GroundTruth
from sunglare_server.match.truth.truth import ShipTruth, Truth


@final
class Figure(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A ground unit or landed ship on a map, reduced to what sight and spotting ask for."""

    piece: PieceId
    side: Side
    cell: Cell
    height: int
    specials: Specials
    eyes: Eyes
    infantry: bool = False
    remote: bool = False
    powered: bool = True
    hidden: bool = False
    ecm_on: bool = True
    mute: bool = False

    @property
    def standing(self) -> Viewpoint:
        """Return the figure for lines of sight."""
        return Viewpoint(self.cell, self.height)

    @property
    def works(self) -> bool:
        """Return whether it can spot and scan; infantry and remotes need no power."""
        return (self.powered or self.infantry or self.remote) and not self.mute


class Ground(NamedTuple):
    """A surface map with its figures, the ECM fields over it, and who blocks sight."""

    environs: Environs
    figures: tuple[Figure, ...]
    fields: tuple[Field, ...]
    bodies: Bodies

    def figure(self, piece: PieceId) -> Figure | None:
        """Return the figure of a piece, or None if it does not stand here."""
        return next((figure for figure in self.figures if figure.piece == piece), None)


def map_of(truth: Truth, site: Site) -> Ground | None:
    """Return the map of a site with everything in play on it; None if there is no such site."""
    environs = truth.board.environs_at(site)
    if environs is None:
        return None
    figures = _figures(truth, site)
    every = _fields(figures)
    # As in space: all that are jammed fall silent at once, so that no order among them matters.
    heard = tuple([_muted(figure, every) for figure in figures]) if every else figures
    fields = _fields(heard) if every else ()
    # OWN: a hidden unit blocks nothing, so that nothing unseen betrays it.
    open_ = (figure for figure in heard if not figure.hidden)
    bodies = tuple(body for figure in open_ for body in body_of(figure.standing, figure.specials))
    return Ground(environs, heard, fields, bodies)


def surface_at(truth: Truth, site: Site | None) -> tuple[Planet, Environs]:
    """Return the planet of a site and the environs; raise `ValueError` if there is none."""
    surface = truth.board.surface_at(site)
    if surface is None:
        raise ValueError(f"there is no surface {site}")
    return surface


def line_of_sight(ground: Ground, a: Figure, b: Figure) -> bool:
    """Return whether two figures see each other."""
    return sees(ground.environs, a.standing, b.standing, ground.bodies)


def spotter_of(ground: Ground, figure: Figure, target: Figure) -> Spotter:
    """Return a figure as one that looks at another: how far it sees in this light and weather.

    A searchlight needs no more power than the eyes at its side, and never lights its bearer.
    """
    environs = ground.environs
    return Spotter(
        specials=figure.specials,
        sight_inches=visual_range(
            figure.eyes,
            light_in(environs.sector),
            environs.weather,
            target_lit=environs.is_lit(target.cell),
            searchlight=Special.SRCH in figure.specials,
        ),
        infantry=figure.infantry,
        remote=figure.remote,
        operational=figure.works,
    )


def quarry_of(ground: Ground, figure: Figure) -> Subject:
    """Return a figure as one that is looked at: with the cover of its own side's fields."""
    return Subject(
        specials=figure.specials,
        cover=cover(SURFACE, ground.fields, figure.side, centre(figure.cell)),
        hidden=figure.hidden,
    )


def sight_of(ground: Ground, a: Figure, b: Figure) -> Sight:
    """Return how two figures lie to one another."""
    distance = apart(a.cell, b.cell)
    contact = in_base_contact(distance, a.specials, b.specials)
    return Sight(distance, line_of_sight(ground, a, b), contact)


def aim_of(ground: Ground, scanner: Figure, target: Figure) -> DossierAim:
    """Return how a figure lies to the data scan of another."""
    jammed = jammed_between(ground, scanner.side, scanner, target)
    ends = scanner.standing, target.standing
    return aim_on_map(ground.environs, *ends, ground.bodies, jammed)


def noticed_by(figure: Figure, emitter: Cell) -> Noticed:
    """Return that a figure notices an emission, with the bearing it gets."""
    return Noticed(figure.piece, surface_bearing(centre(figure.cell), centre(emitter)))


def jammed_between(ground: Ground, side: Side, a: Figure, b: Figure) -> int:
    """Return the strongest field hostile to `side` on the line between two figures."""
    return line_jammed(SURFACE, ground.fields, side, centre(a.cell), centre(b.cell))


def _figures(truth: Truth, site: Site) -> tuple[Figure, ...]:
    units = [_unit(unit) for unit in truth.ground.values() if unit.site == site and unit.in_play]
    ships = [
        _ship(ship, truth.stands(ship.id))
        for ship in truth.in_play()
        if ship.landing is not None and ship.landing.site == site
    ]
    return (*units, *ships)


def _unit(unit: GroundTruth) -> Figure:
    kind = unit.type
    return Figure(
        piece=unit.id,
        side=unit.side,
        cell=unit.cell,
        height=height_of_kind(kind.kind, kind.specials),
        specials=kind.specials,
        eyes=eyes_of(kind.kind),
        infantry=unit.is_infantry,
        remote=unit.is_remote,
        hidden=unit.hidden,
        ecm_on=unit.ecm_on,
    )


def _ship(ship: ShipTruth, place: tuple[Site, Cell] | None) -> Figure:
    return Figure(
        piece=ship.id,
        side=ship.side,
        cell=Cell(0, 0) if place is None else place[1],
        height=height_of_ship(ship.type.size),
        specials=(*footprint_of(ship.type.size), *ship.specials),
        eyes=Eyes.LARGE_CRAFT,
        powered=ship.powered,
        ecm_on=ship.ecm_on,
    )


def field_of(figure: Figure) -> Field | None:
    """Return the field that a figure makes, if it makes any."""
    emitting = Emitting(
        specials=figure.specials,
        operational=figure.works,
        switched_on=figure.ecm_on,
        infantry=figure.infantry,
    )
    made = bubble(emitting)
    return None if made is None else Field(figure.side, centre(figure.cell), made)


def _fields(figures: tuple[Figure, ...]) -> tuple[Field, ...]:
    jammers = [figure for figure in figures if has_jammer(figure.specials)]
    return tuple([field for figure in jammers if (field := field_of(figure)) is not None])


def _muted(figure: Figure, fields: tuple[Field, ...]) -> Figure:
    if Special.DRO not in figure.specials:
        return figure
    mute = drone_is_mute(SURFACE, fields, figure.side, centre(figure.cell), None)
    return msgspec.structs.replace(figure, mute=mute)
