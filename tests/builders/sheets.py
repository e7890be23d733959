"""What a sheet says, entry by entry: the orders that it offers, and views to ask for sheets of."""

from collections.abc import Iterator
from functools import lru_cache
from random import Random

from builders.matches import view_of
from builders.played import rig
from builders.scenarios import scenarios
from sunglare_protocol.ids import audience_of
from sunglare_protocol.messages.answers import Sheet
from sunglare_protocol.messages.sheets import BombardReach
from sunglare_protocol.orders import (
    Bombard,
    Deploy,
    Fire,
    Listen,
    Order,
    Scan,
    Sensors,
    Sweep,
    Thrust,
    Turn,
)
from sunglare_protocol.orders.agents import Search
from sunglare_protocol.orders.ground import Move, Station
from sunglare_protocol.surface import Cell
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.sheets.beside import without

Offer = tuple[tuple[Order, ...], tuple[Order, ...]]
"""The orders of an entry, and those that stay beside them."""

PLAYED = ("siege", "stalk-3", "hunt", "garrison", "duel")
"""Scenarios with ships, ground units, agents, capital weapons and cloaks."""


@lru_cache(maxsize=len(PLAYED))
def played_views(name: str, windows: int = 9) -> tuple[View, ...]:
    """Return the views of two sides at the beginning of each window of a random match."""
    match, rng, found = rig(scenarios()[name], 5), Random(name), list[View]()
    for _ in range(windows):
        sides = match.state.standing.sides[:2]
        found.extend(view_of(match.state, audience_of(side)) for side in sides)
        match.play(rng, 1)
    return tuple(found)


def offered(view: View, sheet: Sheet, plan: tuple[Order, ...] = ()) -> Iterator[Offer]:
    """Yield the orders of every entry of a sheet, and what of a plan stays beside them.

    Of a ship that is only what it is ordered itself, but for scans.
    """
    mine = plan
    if view.stage.phase is not Phase.SCAN and any(ship.id == sheet.piece for ship in view.own):
        mine = tuple(order for order in plan if order.ship == sheet.piece)
    drifts = tuple(order for order in mine if not isinstance(order, Turn | Thrust))
    yield from ((course.orders, drifts) for course in sheet.courses)
    singles = (
        *sheet.orders,
        *of_ships(sheet),
        *of_units(view, sheet),
        *(step.order for step in sheet.steps),
        *(mission.order for mission in sheet.missions),
    )
    for order in singles:
        # A deployment takes the place of a course, which begins elsewhere; landed ships are blind.
        kept = drifts if isinstance(order, Deploy) else mine
        if isinstance(order, Deploy) and order.landed is not None:
            kept = tuple(one for one in drifts if not isinstance(one, Sensors))
        yield (order,), without(kept, order)


def of_ships(sheet: Sheet) -> Iterator[Order]:
    """Yield the orders of the entries that only ships have, but for courses."""
    own = sheet.piece
    yield from (Deploy(ship=own, at=square) for square in sheet.deploys)
    yield from scans_in(sheet)
    yield from [Listen(ship=own)] * (sheet.listen is not None)
    yield from [Sweep(ship=own)] * (sheet.sweep is not None)
    yield from (Fire(ship=own, weapon=shot.weapon, at=shot.at) for shot in sheet.shots)


def of_units(view: View, sheet: Sheet) -> Iterator[Order]:
    """Yield the orders of the entries that ground units have, and fire at points."""
    own = sheet.piece
    for reach in sheet.bombards:
        for cell in cells_in(view, reach):
            yield Bombard(ship=own, weapon=reach.weapon, at=reach.at, cell=cell)
    yield from (Fire(ship=own, weapon=odds.weapon, at=odds.at) for odds in sheet.attacks)
    for start in sheet.stations:
        for cell in start.cells:
            yield Station(ship=own, at=start.at, cell=cell)
            yield Station(ship=own, at=start.at, cell=cell, hidden=True)
    yield from (Move(ship=own, path=path) for path in sheet.walks)
    yield from (Move(ship=own, path=(cell,), jump=True) for cell in sheet.jumps)
    yield from [Search(ship=own)] * (sheet.search is not None)


def scans_in(sheet: Sheet) -> Iterator[Scan]:
    """Yield every scan that a sheet offers: each type and size at each place for that size."""
    for strength in sheet.scans:
        if strength.at is None:
            for place in sheet.places:
                if place.size is strength.size:
                    yield Scan(
                        ship=sheet.piece,
                        type=strength.type,
                        size=place.size,
                        at=place.at,
                        sense=True,
                    )


def cells_in(view: View, reach: BombardReach) -> tuple[Cell, ...]:
    """Return the cells that an entry for fire at points is about: two where it is all of them."""
    environs = view.board.environs_at(reach.at)
    assert environs is not None
    return reach.cells or (Cell(0, 0), environs.middle)
