"""The scans that a ship may make and that cover anything worth it, each with its chances."""

from collections.abc import Iterable, Iterator
from heapq import nlargest
from typing import NamedTuple, final

import msgspec

from sunglare_client.abilities import Ability
from sunglare_client.advice import Advice
from sunglare_client.bots.scans.scan_targets import (
    Chances,
    Guess,
    Sought,
    chances,
    types_now,
    without_sense,
)
from sunglare_client.bots.sightings.belief import Belief
from sunglare_protocol.geometry import Area, Board, Box, Place, Square, box_of
from sunglare_protocol.orders import Scan
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.check.scan import BOX_SIZES, place_name
from sunglare_rules.sensors.areas import scan_area, scan_place_allowed
from sunglare_rules.sensors.masks import area_mask, masks_of, seen_from
from sunglare_rules.sensors.questions import glares
from sunglare_rules.sensors.scans import (
    ScanHabit,
    declared_strength,
    effective_strength,
    integration,
)
from sunglare_rules.sensors.sunlight import in_shadow

SEARCHED_AREAS = 12
"""So many areas of each size of boxes, the likeliest ones, are searched for unknown ships."""

SMALL_FROM = 0.1
"""Scans of squares are considered where a foe is with at least this chance."""

NEAR = (-1, 0, 1)


class Shares(NamedTuple):
    """Shares of belief, or chances: of squares in sunlight, and of squares in shadow."""

    lit: float
    dark: float


class Offer(NamedTuple):
    """A scan that a ship may make: its chances for each one sought, and for unknown ships.

    `unknown` are the chances to find one that is in its squares, `rest` that there is one and
    that it is found.
    """

    scan: Scan
    area: Area
    gains: tuple[Chances, ...]
    unknown: Shares
    rest: float


class _Spread(NamedTuple):
    """Where a scan is placed: its squares, what it covers of each one sought and of the rest."""

    size: ScanSize
    centre: Square
    area: Area
    covered: tuple[tuple[tuple[int, float], ...], ...]
    rest: Shares


@final
class Offers:
    """Finds the scans of ships for one slot; `guess` is what unknown ships give off."""

    def __init__(
        self, advice: Advice, quest: tuple[Sought, ...], belief: Belief, guess: Guess
    ) -> None:
        self._view, self._board = advice.view, advice.view.board
        self._senses = advice.may(Ability.SENSE)
        self._quest, self._belief, self._guess = quest, belief, guess

    def of(self, ship: OwnView) -> Iterator[Offer]:
        """Yield the scans that the ship can make now and that cover anything worth it."""
        here = Place(ship.square, ship.landed)
        types = tuple(types_now(ship))
        for spread in self._spreads(ship, seen_from(self._board, here)):
            glare = glares(self._board, here, spread.area)
            for scan_type in types:
                declared = _declared(self._view, ship, scan_type, spread)
                sunfactor = self._board.sunfactor
                strength = effective_strength(declared, scan_type, glare, sunfactor)
                yield self._offer(ship, scan_type, spread, strength)

    def _offer(self, ship: OwnView, scan_type: ScanType, spread: _Spread, strength: int) -> Offer:
        def chance(guess: Guess, light: int) -> Chances:
            return chances(guess, scan_type, strength, light, ship.crew.operator)

        at = place_name(spread.size, spread.centre)
        scan = Scan(ship=ship.id, type=scan_type, size=spread.size, at=at, sense=self._senses)
        unknown = Shares(
            chance(self._guess, self._board.sunfactor).found, chance(self._guess, 0).found
        )
        return Offer(
            scan=scan,
            area=spread.area,
            gains=tuple(
                _summed(
                    (without_sense(chance(one.guess, light), scan), share)
                    for light, share in spots
                )
                for one, spots in zip(self._quest, spread.covered, strict=True)
            ),
            unknown=unknown,
            rest=spread.rest.lit * unknown.lit + spread.rest.dark * unknown.dark,
        )

    def _spreads(self, ship: OwnView, seen: int) -> Iterator[_Spread]:
        """Yield where the ship may place its scans so that they cover anything it can see."""
        for (size, centre), rest in self._places(ship).items():
            area = scan_area(self._board, size, centre)
            covered = tuple(_covered(self._board, one, area, seen) for one in self._quest)
            if rest.lit + rest.dark > 0 or any(covered):
                yield _Spread(size, centre, area, covered, rest)

    def _places(self, ship: OwnView) -> dict[tuple[ScanSize, Square], Shares]:
        """Return where scans may be placed that are likely to cover anything worth it."""
        board, found = self._board, dict[tuple[ScanSize, Square], Shares]()
        for size in BOX_SIZES:
            shares = {box.centre: self._shares(size, box.centre) for box in board.boxes()}
            likely = nlargest(SEARCHED_AREAS, shares, key=lambda centre: sum(shares[centre]))
            near = [box.centre for spot in self._spots() for box in _around(board, spot, size)]
            found.update({(size, centre): shares[centre] for centre in (*likely, *near)})
        for spot in self._spots(SMALL_FROM):
            for place in _small(board, spot, ship.square):
                found.setdefault(place, Shares(0.0, 0.0))
        return found

    def _spots(self, least: float = 0.0) -> tuple[Square, ...]:
        """Return the squares on which a sought piece is with at least this chance."""
        spots = (spot for one in self._quest for spot in one.spots)
        return tuple(dict.fromkeys(square for square, share in spots if share >= least))

    def _shares(self, size: ScanSize, centre: Square) -> Shares:
        """Return how much of all belief lies in an area."""
        area = scan_area(self._board, size, centre)
        shadow = area_mask(self._board, area) & masks_of(self._board).shadow
        dark = self._belief.share(shadow)
        return Shares(max(0.0, self._belief.share_in(area) - dark), dark)


def _declared(view: View, ship: OwnView, scan_type: ScanType, spread: _Spread) -> int:
    """Return the strength that all sides would see, the ship's last scan counted."""
    seen = ship.habit
    habit = None if seen is None else ScanHabit(**msgspec.structs.asdict(seen))
    size, turn = spread.size, view.stage.turn
    repeated = integration(habit, turn, ship.square, scan_type, size, spread.centre)
    return declared_strength(ship.sensors.get(scan_type, 0), size, repeated)


def _covered(board: Board, one: Sought, area: Area, seen: int) -> tuple[tuple[int, float], ...]:
    """Return of the squares of one sought that count how each is lit, and its share."""
    width = board.area.east + 1
    return tuple(
        (0 if in_shadow(board, square) else board.sunfactor, share)
        for square, share in one.spots
        if area.covers(square) and seen >> (square.y * width + square.x) & 1
    )


def _summed(parts: Iterable[tuple[Chances, float]]) -> Chances:
    found = tracked = 0.0
    for chance, share in parts:
        found += share * chance.found
        tracked += share * chance.tracked
    return Chances(found, tracked)


def _around(board: Board, spot: Square, size: ScanSize) -> Iterator[Box]:
    """Yield the boxes around which a scan of this size covers a square."""
    own = box_of(spot)
    steps = NEAR if size is ScanSize.BOXES else (0,)
    for dx in steps:
        for dy in steps:
            if 0 <= own.column + dx < board.columns and 0 <= own.row + dy < board.rows:
                yield Box(own.column + dx, own.row + dy)


def _small(board: Board, spot: Square, scanner: Square) -> Iterator[tuple[ScanSize, Square]]:
    """Yield the scans of squares that cover a square, as far as the scanner may place them."""
    if scan_place_allowed(ScanSize.SQUARE, spot, scanner):
        yield ScanSize.SQUARE, spot
    for dx in NEAR:
        for dy in NEAR:
            centre = Square(spot.x + dx, spot.y + dy)
            if centre in board and scan_place_allowed(ScanSize.SQUARES, centre, scanner):
                yield ScanSize.SQUARES, centre
