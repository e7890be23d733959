"""Landings: troops come ashore from a ship, fight, and get aboard with all who leave.

A party stays as long as it has a foe to fight, or agents at work to wait for, and no longer than
that: a landed ship is a large mark for ships that fly over its planet, and what stands around it
is hit together with it. Units that waited on the same map go with it, as far as there are bays.
"""

from collections.abc import Iterator

from sunglare_client.bots.fire.bombarding import marks
from sunglare_client.bots.ground.agent_tasks import tasks
from sunglare_client.bots.ground.searches import CLOSE_INCHES
from sunglare_client.bots.movement.measures import inches_apart, within_inches
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Order
from sunglare_protocol.orders.ground import Move
from sunglare_protocol.surface import Cell
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.views.ground import GroundView
from sunglare_protocol.words.ladder import Fate
from sunglare_rules.advice.check.ground import stands
from sunglare_rules.advice.legal.ground import moves_of
from sunglare_rules.advice.seen.agents import free_agents
from sunglare_rules.advice.seen.lookup import ships_in_play
from sunglare_rules.ground.builds import footprint_of
from sunglare_rules.ground.plane import apart, touch

ASHORE_LEAST = 2
"""For so many turns after its landing a ship waits for its party, whatever is in sight."""

ASHORE_MOST = 5
"""After so many turns the party comes back, whatever is left to fight."""

GONE_AFTER = 4
"""So many turns after that the ship stops waiting."""

FIGHTS_WITH = 2
"""A unit goes ashore if one of its weapons does so much damage."""

NEAR_INCHES = 24
"""A party goes ashore if a foe stands so near to its ship: as far as its weapons reach."""

BLAST_INCHES = 4
"""Within so many inches of one another two units are hit by the same missile."""

CROWD = 3.0
"""So many inches of way a unit spends to be out of the blast that hits another."""

WORN = 0.25
"""A landed ship that has lost this share of its hull calls its party back."""


class Landings:
    """The landings of one match: since when each ship is down, and whom it brought."""

    def __init__(self) -> None:
        self._since: dict[OwnId, int] = {}
        self._parties: dict[OwnId, OwnId] = {}

    def see(self, view: View) -> None:
        """Take in which ships have come down on a surface map, and whom they brought."""
        self._parties |= {unit.id: unit.aboard for unit in view.ground if unit.aboard is not None}
        for ship in ships_in_play(view):
            if stands(view, ship) is not None:
                self._since.setdefault(ship.id, view.stage.turn)

    def have_been(self, ship: OwnView) -> bool:
        """Return whether a ship has been down before, and is in space again."""
        return ship.landed is None and ship.id in self._since

    def brought(self, ship: OwnView) -> bool:
        """Return whether a ship had troops aboard at the start."""
        return ship.id in self._parties.values()

    def are_over(self, view: View, ship: OwnView) -> bool:
        """Return whether a landed ship can lift off, as no passenger is left to come aboard."""
        turns = self._turns(view, ship)
        if not self.is_recalled(view, ship):
            return False
        if turns >= ASHORE_MOST + GONE_AFTER:
            return True
        is_awaited = any(agent.aboard is None for agent in free_agents(view))
        return not is_awaited and not any(self._ashore(view, ship))

    def have_ended(self, view: View) -> bool:
        """Return whether no ship is down, and none is to land any more."""
        ships = ships_in_play(view)
        if any(stands(view, ship) is not None for ship in ships):
            return False
        return bool(self._since) or not any(
            unit.aboard == ship.id for unit in view.ground for ship in ships
        )

    def ferry(self, view: View) -> OwnView | None:
        """Return the landed ship that takes agents along from now on, if one does."""
        down = [ship for ship in ships_in_play(view) if stands(view, ship) is not None]
        ready = [ship for ship in down if not tasks(view) or self.is_recalled(view, ship)]
        return next(iter(ready), None)

    def moves(self, view: View) -> Iterator[Order]:
        """Yield the moves of the troops of landed ships: out, at the enemy, and back again."""
        for ship in ships_in_play(view):
            if stands(view, ship) is None:
                continue
            party = [u for u in self._ashore(view, ship) if self._parties.get(u.id) == ship.id]
            for unit in self._ashore(view, ship):
                if unit not in party or self.is_recalled(view, ship):
                    yield from _back(view, unit, ship)
            if not self.is_recalled(view, ship):
                yield from _out(view, ship)
                yield from _attack(view, ship, tuple(party))

    def _turns(self, view: View, ship: OwnView) -> int:
        return view.stage.turn - self._since.get(ship.id, view.stage.turn)

    def is_recalled(self, view: View, ship: OwnView) -> bool:
        """Return whether the party of a landed ship is to come back."""
        place = stands(view, ship)
        turns = self._turns(view, ship)
        if place is None or turns < ASHORE_LEAST:
            return False
        is_quiet = not marks(view, place[0]) and not tasks(view)
        return is_quiet or turns >= ASHORE_MOST or ship.damage > WORN * ship.hull

    def _ashore(self, view: View, ship: OwnView) -> Iterator[GroundView]:
        """Yield the units on a landed ship's map that it is to take along: its party first."""
        place = stands(view, ship)
        here = [
            unit
            for unit in view.ground
            if place is not None and unit.site == place[0] and unit.fate is Fate.IN_PLAY
        ]
        movers = (unit for unit in here if unit.move)
        yield from sorted(movers, key=lambda unit: self._parties.get(unit.id) != ship.id)


def _out(view: View, ship: OwnView) -> Iterator[Move]:
    """Yield the moves of those who go ashore: who can fight, if a foe is near."""
    place = stands(view, ship)
    if place is None:
        return
    if any(within_inches(mark.cell, place[1], NEAR_INCHES) for mark in marks(view, place[0])):
        for unit in view.ground:
            if unit.aboard == ship.id and unit.fate is Fate.IN_PLAY and _fights(unit):
                yield Move(ship=unit.id, unload=True)


def _fights(unit: GroundView) -> bool:
    """Return whether a unit is of use in a fight; others are only there to be hit."""
    return any(max(arm.damage) >= FIGHTS_WITH for arm in unit.weapons)


def _attack(view: View, ship: OwnView, party: tuple[GroundView, ...]) -> Iterator[Move]:
    """Yield the moves of a party at what it knows, apart from one another and from the ship."""
    place = stands(view, ship)
    if place is None:
        return
    foes = [mark.cell for mark in marks(view, place[0])]
    taken = [place[1]]

    def cost(cell: Cell) -> float:
        off = min((inches_apart(cell, foe) for foe in foes), default=0.0)
        crowd = sum(within_inches(cell, other, BLAST_INCHES) for other in taken)
        return max(0.0, off - CLOSE_INCHES) + CROWD * crowd

    for unit in party:
        ways = {unit.cell: None} | {way.path[-1]: way for way in ways_of(view, unit)}
        best = min((cell for cell in ways if cell is not None), key=cost, default=None)
        if best is not None:
            taken.append(best)
            way = ways[best]
            if way is not None:
                yield way


def ways_of(view: View, unit: GroundView) -> list[Move]:
    """Return the straight moves of a unit, each of any length, and its jumps."""
    found = list(moves_of(view, unit))
    paths = [move.path for move in found if not move.jump]
    walks = [path[:steps] for path in paths for steps in range(1, len(path) + 1)]
    return [
        *(Move(ship=unit.id, path=path, token=unit.hidden) for path in walks),
        *(m for m in found if m.jump),
    ]


def _back(view: View, unit: GroundView, ship: OwnView) -> Iterator[Move]:
    """Yield the move that takes a unit aboard, or as near to its ship as it comes."""
    place = stands(view, ship)
    if place is None or unit.cell is None:
        return
    if touch(unit.cell, place[1], unit.specials, footprint_of(ship.size)):
        yield Move(ship=unit.id, load=ship.id)
        return
    ways = ways_of(view, unit)
    if ways:
        yield min(ways, key=lambda way: apart(way.path[-1], place[1]).squared)
