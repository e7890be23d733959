"""Passive detection of cloaked ships: the detection value, the blind aft arc, what one die finds.

Source: Full Thrust cloak detection of 2001, the fire phase with its detection value; cloak
hunting of our rule book §3, "Exact definitions".
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from sunglare_protocol.geometry import Board, Compass, Place, Square
from sunglare_protocol.words.cloak import NoiseBlinds, PassiveReveals
from sunglare_rules.sensors.sectors import line_of_sight, standing_square
from sunglare_rules.turn.scale import within_mu

Tie = Callable[[str], bytes]
"""The keyed die of a ship by its id: an opaque key that orders ships equally far away."""

UNCLOAKING_MU = 36
"""OWN: how near a ship must be to notice another that uncloaks."""

_FACES = 6


class Hunter(NamedTuple):
    """An uncloaked ship that looks for cloaked ones: where it is, and how it moved this turn.

    `main_drive`: whether it spent at least one thrust point, as turning alone does not blind.
    """

    id: str
    place: Place
    facing: Compass
    thrust_used: int
    main_drive: bool


class Quarry(NamedTuple):
    """A cloaked ship that some side hunts: where it is, and the thrust it used this turn."""

    id: str
    place: Place
    thrust_used: int


def fastest_thrust(uncloaked: Iterable[int]) -> int:
    """Return the most thrust that any uncloaked ship used this turn, 0 if there is none.

    OWN: ships of every side count, the scanner among them, so that its own thrust may lower
    its chance twice. Missiles, remote sensors, fighters and decoys are no ships here.
    """
    return max(uncloaked, default=0)


def detection_value(cloaked_thrust: int, scanner_thrust: int, fastest: int) -> int:
    """Return what a scanner's die must stay below; distance plays no part."""
    return cloaked_thrust - scanner_thrust - fastest


def passive_chance(dv: int) -> Fraction:
    """Return how likely one die is to stay below the detection value."""
    return Fraction(min(max(dv - 1, 0), _FACES), _FACES)


def is_blind_aft(
    scanner_square: Square, facing: Compass, cloaked_square: Square, main_drive: bool
) -> bool:
    """Return whether the scanner's own drive hides the other square from it.

    OWN: blind are the 60 degrees astern of the scanner, on a turn in which it used its main
    drive. No square lies on the border, as its slope is irrational; nothing in the scanner's
    own square is hidden.
    """
    off, ahead = scanner_square.to(cloaked_square), facing.step
    along = off.dx * ahead.dx + off.dy * ahead.dy
    across = off.dx * ahead.dy - off.dy * ahead.dx
    return main_drive and along < 0 and 3 * across**2 < along**2


def passive_possible(
    *,
    is_cloaked: bool,
    is_active: bool,
    any_active: bool,
    is_jammed: bool,
    nova_in_play: bool,
    noise: NoiseBlinds,
) -> bool:
    """Return whether a ship may roll for passive detection this turn.

    `is_active`: it swept this turn, `any_active`: some ship of any side did. `is_jammed` and
    `nova_in_play` blind every ship on the map. By default the noise of a sweep does so too, as the
    source's two sentences on it say; OWN: by the option it blinds the sweeping ship only.
    """
    is_deafened = any_active if noise is NoiseBlinds.ALL else is_active
    return not (is_cloaked or is_deafened or is_jammed or nova_in_play)


def passive_finds(
    board: Board,
    hunter: Hunter,
    roll: int,
    quarries: Sequence[Quarry],
    fastest: int,
    mode: PassiveReveals,
    tie: Tie,
) -> tuple[str, ...]:
    """Return the ids of the cloaked ships that the hunter's one die reveals, nearest first.

    `quarries` are all ships hostile to the hunter that are cloaked; the same roll counts
    against each of them. OWN: of those it beats the nearest one is revealed, by true distance,
    unless the match lets it reveal all.
    """
    # Mostly the die beats not even the loudest of them.
    loudest = max([quarry.thrust_used for quarry in quarries], default=0)
    if roll >= detection_value(loudest, hunter.thrust_used, fastest):
        return ()
    beaten = [
        quarry
        for quarry in quarries
        if roll < detection_value(quarry.thrust_used, hunter.thrust_used, fastest)
        and _is_in_hearing(board, hunter, quarry)
    ]
    order = nearest_first(board, hunter.place, beaten, tie)
    return order[:1] if mode is PassiveReveals.NEAREST else order


def nearest_first(
    board: Board, scanner: Place, quarries: Iterable[Quarry], tie: Tie
) -> tuple[str, ...]:
    """Return the ids of the ships by true distance from the scanner, ties by the keyed die."""
    here = standing_square(board, scanner)

    def key(quarry: Quarry) -> tuple[int, bytes]:
        there = standing_square(board, quarry.place)
        return here.distance_squared(there), tie(quarry.id)

    return tuple(quarry.id for quarry in sorted(quarries, key=key))


def _is_in_hearing(board: Board, hunter: Hunter, quarry: Quarry) -> bool:
    here = standing_square(board, hunter.place)
    there = standing_square(board, quarry.place)
    if is_blind_aft(here, hunter.facing, there, hunter.main_drive):
        return False
    return line_of_sight(board, hunter.place, quarry.place)


def notices_uncloaking(board: Board, watcher: Place, ship: Place) -> bool:
    """Return whether a ship that uncloaks is near enough to a watcher, and in its sight."""
    apart = watcher.square.distance_squared(ship.square)
    return within_mu(apart, UNCLOAKING_MU) and line_of_sight(board, watcher, ship)
