"""Scans that keep hold of what is to be shot at: of all that the ships can scan, the best few.

A seeker's scan looks for what it does not know of, and every ship chooses for itself. A side that
holds something has more to lose: what no scan finds again this turn cannot be shot at. So each
piece that is held, or was a short while ago, is prey with a worth. A net is a scan with its chance
of finding each, by its echo and light, the glare, and what bodies hide. Prey that is no live track
yet is worth more where the Sense roll is likely to succeed: a wide scan holds many, a strong one
of few squares tracks one. The best net is thrown first; what it is likely to find or track counts
for less in the choice of the next. Of equal nets the smallest are taken, and of those a type is
drawn. Radar tracks for sure but shows all sides where its ship is, so only a ship uses it that all
enemies hold anyway. Empty squares where an enemy may be are worth a little too, so that a side
without prey searches.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from math import fsum
from random import Random
from typing import NamedTuple

from sunglare_client.abilities import OF_SCANS, Ability
from sunglare_client.advice import Advice
from sunglare_client.bots.movement.measures import ahead
from sunglare_client.bots.scans.scan_targets import (
    Chances,
    chances,
    guess_of,
    types_now,
    without_sense,
)
from sunglare_client.bots.scans.surveying import CLOSE, PER_TRACK, drawn, is_held_by_all
from sunglare_client.bots.sightings.belief import Belief
from sunglare_protocol.geometry import Area, Board, Place, Square
from sunglare_protocol.orders import Scan
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_protocol.words.scans import Echo, ScanSize, ScanType
from sunglare_rules.advice.check.scan import SCANS_A_TURN
from sunglare_rules.sensors.areas import scan_area, scan_place_allowed
from sunglare_rules.sensors.masks import area_mask, mask_of, masks_of, seen_from
from sunglare_rules.sensors.questions import glares
from sunglare_rules.sensors.scans import (
    declared_strength,
    effective_strength,
    gives_sender_away,
)

STRAYS = 2
"""What is not seen to move may be so many squares off its drift, for each turn that has passed."""

STALE_TURNS = 3
"""What was seen so many turns ago is still prey."""

CLOSE_SIZES = (ScanSize.SQUARES, ScanSize.SQUARE)
"""The sizes of scan that are centred on prey."""

UNKNOWN = guess_of((Echo.MEDIUM,))
"""What a ship gives off that has not been seen yet."""

NONE = Chances(0.0, 0.0)

SEARCH_WORTH = 0.5
"""What finding something new for sure is worth, in the unit of the prey: points."""


class Prey(NamedTuple):
    """A piece to hold: where it may be as a mask, whether the sun lights it, and its worth."""

    squares: int
    is_lit: bool
    echo: Echo
    worth: float
    middle: Square
    is_tracked: bool


class Net(NamedTuple):
    """A scan, its chances for each prey, and to find a typical ship on the squares it sees."""

    scan: Scan
    chances: tuple[Chances, ...]
    squares: int
    finds: float


class _Spread(NamedTuple):
    """Where a scan may go: its size, its place as orders name it, and what it covers."""

    size: ScanSize
    at: str | Square
    area: Area


def prey_of(view: View, worth: Callable[[ContactView], float]) -> tuple[Prey, ...]:
    """Return what is held, or was lately, as prey; `worth` says what holding it is worth."""
    return tuple(
        _prey(view, contact, worth(contact))
        for contact in view.contacts
        if contact.fate is Fate.IN_PLAY
        and contact.landed is None
        and contact.trackers is None
        and contact.turn >= view.stage.turn - STALE_TURNS
    )


def best_nets(
    advice: Advice, ships: Iterable[OwnView], held: tuple[Prey, ...], belief: Belief, rng: Random
) -> Iterator[Scan]:
    """Yield the scans that find most of what is to be held, as many as a side may make.

    What they look at in vain is taken in by `belief`.
    """
    nets = [net for ship in ships for net in _nets(advice, ship, held)]
    left = [_wanted(prey) for prey in held]
    for _ in range(SCANS_A_TURN):
        worths = [_worth(net, left, belief) for net in nets]
        top = max(worths, default=0.0)
        if top <= 0:
            return
        close = [
            net for net, worth in zip(nets, worths, strict=True) if worth >= top * (1 - CLOSE)
        ]
        best = drawn(close, rng)
        yield best.scan
        left = [_missed(wanted, chance) for wanted, chance in zip(left, best.chances, strict=True)]
        belief.searched(best.squares, best.finds)
        nets = [net for net in nets if net.scan.ship != best.scan.ship]


def _wanted(prey: Prey) -> Chances:
    """Return what it is worth to find a prey, and what to track it."""
    return Chances(prey.worth, 0.0 if prey.is_tracked else PER_TRACK * prey.worth)


def _missed(wanted: Chances, chance: Chances) -> Chances:
    """Return what is left to want of a prey after a scan with such a chance."""
    return Chances(wanted.found * (1 - chance.found), wanted.tracked * (1 - chance.tracked))


def _prey(view: View, contact: ContactView, worth: float) -> Prey:
    """Return a contact as prey; one that is not seen now has drifted on, more or less."""
    is_sure = contact.fix is Fix.TRACKED or contact.turn == view.stage.turn
    at = contact.square if is_sure else ahead(view, contact, 0)
    reach = 0 if is_sure else STRAYS * max(1, view.stage.turn - contact.turn)
    around = Area(at.x - reach, at.y - reach, at.x + reach, at.y + reach)
    is_inside = at in view.board
    squares = area_mask(view.board, around.overlap(view.board.area)) if is_inside else 0
    is_lit = is_inside and not masks_of(view.board).shadow & mask_of(view.board, (at,))
    is_tracked = contact.fix is Fix.TRACKED
    return Prey(squares, is_lit, contact.size or Echo.MEDIUM, worth, at, is_tracked)


def _worth(net: Net, left: list[Chances], belief: Belief) -> float:
    held = fsum(
        [
            wanted.found * chance.found + wanted.tracked * chance.tracked
            for wanted, chance in zip(left, net.chances, strict=True)
        ]
    )
    return held + SEARCH_WORTH * net.finds * belief.share(net.squares)


def _nets(advice: Advice, ship: OwnView, held: tuple[Prey, ...]) -> Iterator[Net]:
    """Yield every net that a ship can throw and that may find something."""
    view, senses = advice.view, advice.may(Ability.SENSE)
    board, here = view.board, Place(ship.square, ship.landed)
    seen, types = seen_from(board, here), _types(advice, ship)
    for spread in (*_boxes(board), *_close(board, ship, held)):
        squares = seen & area_mask(board, spread.area)
        covered = [_share(prey.squares, squares) for prey in held]
        is_glared = glares(board, here, spread.area)
        for scan_type in types:
            declared = declared_strength(ship.sensors[scan_type], spread.size, 0)
            strength = effective_strength(declared, scan_type, is_glared, board.sunfactor)
            found = [
                _chances(share, prey, scan_type, strength, board.sunfactor, ship.crew.operator)
                for share, prey in zip(covered, held, strict=True)
            ]
            unknown = chances(UNKNOWN, scan_type, strength, board.sunfactor, 0)
            if unknown.found or any(chance.found for chance in found):
                scan = Scan(
                    ship=ship.id, type=scan_type, size=spread.size, at=spread.at, sense=senses
                )
                kept = [without_sense(chance, scan) for chance in found]
                yield Net(scan, tuple(kept), squares, unknown.found)


def _chances(
    share: float, prey: Prey, scan_type: ScanType, strength: int, sunfactor: int, operator: int
) -> Chances:
    """Return the chances of a scan for a prey of whose squares it sees such a share."""
    if not share:
        return NONE
    light = sunfactor if prey.is_lit else 0
    found, tracked = chances(guess_of((prey.echo,)), scan_type, strength, light, operator)
    return Chances(share * found, share * tracked)


def _types(advice: Advice, ship: OwnView) -> list[ScanType]:
    """Return the types of scan that a ship can make now, and that do not give it away."""
    has_nothing_to_lose = is_held_by_all(advice.view, ship)
    return [
        scan_type
        for scan_type in types_now(ship)
        if advice.may(OF_SCANS[scan_type])
        and (has_nothing_to_lose or not gives_sender_away(scan_type))
    ]


def _share(squares: int, seen: int) -> float:
    """Return how much of where something may be is seen, all squares alike."""
    return (squares & seen).bit_count() / squares.bit_count() if squares else 0.0


@lru_cache(maxsize=64)
def _boxes(board: Board) -> tuple[_Spread, ...]:
    """Return every place on the map for a scan of boxes."""
    return tuple(
        _Spread(size, box.name, scan_area(board, size, box.centre))
        for size in (ScanSize.BOXES, ScanSize.BOX)
        for box in board.boxes()
    )


def _close(board: Board, ship: OwnView, held: tuple[Prey, ...]) -> Iterator[_Spread]:
    """Yield the places for stronger scans of few squares: around prey near by."""
    for at in dict.fromkeys([prey.middle for prey in held]):
        for size in CLOSE_SIZES:
            if at in board and scan_place_allowed(size, at, ship.square):
                yield _Spread(size, at, scan_area(board, size, at))
