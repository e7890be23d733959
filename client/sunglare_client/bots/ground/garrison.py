"""Garrisons: where troops stand at the start, and which of them lie low."""

from collections.abc import Iterator
from functools import lru_cache
from random import Random

from sunglare_protocol.geometry import Environs
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders.ground import Station
from sunglare_protocol.surface import Cell, GroundKind, Mode, Site
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import GroundView
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.advice.check.bombard import DESIGNATORS
from sunglare_rules.advice.check.ground import in_areas
from sunglare_rules.capital.capital import CLASS_OF_ARM
from sunglare_rules.capital.tag import POINT_HEIGHT
from sunglare_rules.ground.line_of_sight import Viewpoint, sees, solid_between
from sunglare_rules.ground.plane import apart
from sunglare_rules.ground.terrain import may_stand, terrain_at

BEAM_INCHES = 24
"""How far a designator reaches."""

PROBE_INCHES = 16
"""How far a probe finds what is hidden."""

APART_INCHES = 12
"""Troops that stand this far from one another are far enough for any blast."""

SAMPLED = 2
"""Of so many cells one is looked at when an outlook is weighed."""

_FAR = 1 << 60
"""Farther than anything on a map, in squared units."""

_OUTLOOKS_KEPT = 4_096
"""The outlooks of several maps: a bot weighs those of the same cells in every match."""

FOOT = (GroundKind.INFANTRY, GroundKind.BATTLE_ARMOUR)
"""The troops that search, and in whose stacks agents shelter."""


def designates(unit: GroundView) -> bool:
    """Return whether a unit can guide fire at points."""
    return any(special.value in DESIGNATORS for special in unit.specials)


def is_battery(unit: GroundView) -> bool:
    """Return whether a unit fires at ships."""
    return any(arm.kind in CLASS_OF_ARM for arm in unit.weapons)


def stations(view: View, rng: Random) -> Iterator[Station]:
    """Yield the set-up of all troops: hidden, apart from one another, foot on every map.

    A raider's troops keep to their own map: they are havens for its agents, as far as can be from
    its middle. Designators go where their beams reach most and probes least. A unit that lays
    sensors has to move at once, which would show what it is: it begins as a token and stays one.
    """
    placed: dict[Site, list[Cell]] = {}
    for unit, site in _sites(view).items():
        environs = view.board.environs_at(site)
        able = [] if environs is None else _able(view, unit, environs, site)
        if environs is None or not able:
            continue
        mates = placed.setdefault(site, [])
        rng.shuffle(able)
        if designates(unit):
            foreign = _foreign(view, environs, site)
            cell = max(able, key=lambda cell: _outlook(environs, cell, unit.height, foreign))
        elif not holds(view):
            cell = max(able, key=lambda cell: apart(cell, environs.middle).squared)
        else:
            cell = max(able, key=lambda cell: _room(cell, mates))
        mates.append(cell)
        yield Station(ship=unit.id, at=site, cell=cell, hidden=not unit.dispensers)


def landing_ground(view: View, site: Site) -> tuple[Cell, ...]:
    """Return the cells of the own areas on a map on which troops can get out of a ship."""
    environs = view.board.environs_at(site)
    if environs is None or all(area.site != site for area in view.areas):
        return ()
    return tuple(
        cell
        for cell in _cells(environs)
        if in_areas(view, site, cell) and may_stand(Mode.TRACKED, terrain_at(environs, cell))
    )


def is_raider(view: View) -> bool:
    """Return whether the viewer came for something that it is to bring somewhere."""
    return any(goal.kind is ObjectiveKind.DELIVER for goal in view.objectives)


def holds(view: View) -> bool:
    """Return whether the viewer is to hold an environs."""
    return any(goal.kind is ObjectiveKind.HOLD for goal in view.objectives)


def _sites(view: View) -> dict[GroundView, Site]:
    """Return on which map each unit starts: a garrison's foot is shared out by strength."""
    ashore = {unit: unit.site for unit in view.ground if unit.site is not None}
    if not holds(view):
        return ashore
    force = dict.fromkeys([area.site for area in view.areas], 0)
    foot = sorted((u for u in ashore if u.kind in FOOT), key=lambda u: -u.af)
    for unit in foot:
        site = min(force, key=lambda site: (force[site], site != unit.site), default=None)
        if site is not None:
            force[site] += unit.af
            ashore[unit] = site
    return ashore


def _able(view: View, unit: GroundView, environs: Environs, site: Site) -> list[Cell]:
    return [
        cell
        for cell in _cells(environs)
        if in_areas(view, site, cell) and may_stand(unit.mode, terrain_at(environs, cell))
    ]


def _room(cell: Cell, mates: list[Cell]) -> int:
    """Return how far off the nearest of the others stands, as far as one blast reaches."""
    gaps = [apart(cell, mate).squared for mate in mates if apart(cell, mate).within(APART_INCHES)]
    return min(gaps, default=_FAR)


def _foreign(view: View, environs: Environs, site: Site) -> tuple[Cell, ...]:
    """Return the cells outside the own areas that are looked at when an outlook is weighed."""
    return tuple(cell for cell in _cells(environs)[::SAMPLED] if not in_areas(view, site, cell))


@lru_cache(maxsize=_OUTLOOKS_KEPT)
def _outlook(environs: Environs, cell: Cell, height: int, foreign: tuple[Cell, ...]) -> int:
    """Return how many cells a beam reaches from one, less those that it can be probed from."""
    eyes = Viewpoint(cell, height)
    worth = 0
    for other in foreign:
        gap = apart(cell, other)
        if gap.within(BEAM_INCHES):
            worth += sees(environs, eyes, Viewpoint(other, POINT_HEIGHT))
            probed = gap.within(PROBE_INCHES)
            worth -= probed and not solid_between(environs, eyes, Viewpoint(other, 1))
    return worth


def _cells(environs: Environs) -> list[Cell]:
    return [
        Cell(column, row) for column in range(environs.columns) for row in range(environs.rows)
    ]


def lies_low(view: View, unit: GroundView) -> bool:
    """Return whether a hidden unit neither moves nor attacks, as either would show it.

    Havens and designators do, and of a garrison one unit on each map that it is to hold.
    """
    if not unit.hidden or is_battery(unit):
        return False
    return not holds(view) or designates(unit) or unit.id in _holders(view)


def _holders(view: View) -> list[OwnId]:
    held = [goal.at for goal in view.objectives if goal.kind is ObjectiveKind.HOLD]
    found = []
    for site in held:
        here = [
            unit
            for unit in view.ground
            if unit.site == site
            and unit.fate is Fate.IN_PLAY
            and unit.kind is not GroundKind.REMOTE
        ]
        last = min(here, key=lambda u: (not u.hidden, u.af, _power(u), u.id), default=None)
        found += [] if last is None else [last.id]
    return found


def _power(unit: GroundView) -> int:
    return sum(sum(arm.damage) for arm in unit.weapons)
