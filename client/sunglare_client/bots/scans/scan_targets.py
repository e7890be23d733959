"""Targets of scans: foreign ships whose squares can be listed, and how bright each may be."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from sunglare_client.bots.movement.measures import burned
from sunglare_client.bots.sightings.foes import Foe
from sunglare_protocol.geometry import Square
from sunglare_protocol.orders import Scan
from sunglare_protocol.replay.analysis import Basis
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_protocol.words.scans import Echo, ScanType
from sunglare_rules.advice.odds.whereabouts import Whereabouts
from sunglare_rules.sensors.scans import NEEDS_POPPED_OUT, sense_chance, tracks_at_once
from sunglare_rules.sensors.signatures import CONTACT_SIGNAL, Emitter, signals, strongest
from sunglare_rules.turn.movement import drifted

POWERED = 0.98
"""How likely an enemy's plant is thought to run."""

OUT = 0.8
"""How likely its sensors are thought to be out."""

BURN = 2
"""The thrust that an enemy is thought to have spent, if it is not known, in half of all cases."""

NARROW = 40
"""A side whose scan was heard is sought if it can be on so many squares at most."""

HEARD_WORTH = 0.4
"""What such a one is worth, against 1 for a foe that was seen."""

SOUGHT_MOST = 8
"""So many ships are sought at once."""

Guess = tuple[tuple[Emitter, float], ...]
"""What a piece may give off, with the chance of each case; the chances sum up to 1."""


class Sought(NamedTuple):
    """A foreign ship: where it may be, what it may give off, and what finding it is worth."""

    spots: tuple[tuple[Square, float], ...]
    guess: Guess
    is_tracked: bool = False
    worth: float = 1.0


class Chances(NamedTuple):
    """How likely a scan is to find a piece, and how likely the Sense roll then tracks it."""

    found: float
    tracked: float


def types_now(ship: OwnView) -> Iterator[ScanType]:
    """Yield the types of scans that a ship can make now: some take its hull sensors."""
    hull_sensors = ship.powered and ship.popped_out and ship.hull_sensors_work
    for scan_type in ScanType:
        if ship.sensors.get(scan_type, 0) and (hull_sensors or scan_type not in NEEDS_POPPED_OUT):
            yield scan_type


def sought(view: View, foes: Iterable[Foe], heard: Iterable[Whereabouts]) -> tuple[Sought, ...]:
    """Return whom a side seeks in its SCAN slot: live tracks, other foes, and who was heard."""
    found = (*_of_foes(view, tuple(foes)), *_of_scans(heard))
    return found[:SOUGHT_MOST]


def _of_foes(view: View, foes: tuple[Foe, ...]) -> Iterator[Sought]:
    """Yield the foes by what is known of each since it has moved, live tracks first."""
    before = {foe.contact.label: foe for foe in foes}
    for contact in view.contacts:
        if _is_live(contact):
            foe = before.pop(contact.label, None)
            spent = None
            if foe is not None:
                spent = burned(drifted(view.board, foe.square, foe.vector), contact.square)
            yield Sought(
                ((contact.square, 1.0),), guess_of((contact.size,), spent), is_tracked=True
            )
    for foe in before.values():
        spots: dict[Square, float] = {}
        for way in foe.ways:
            at = way.flight.square
            spots[at] = spots.get(at, 0.0) + way.chance
        yield Sought(tuple(spots.items()), guess_of((foe.contact.size or foe.like.echo,)))


def _of_scans(heard: Iterable[Whereabouts]) -> Iterator[Sought]:
    for spot in heard:
        if spot.basis is Basis.SCAN and 0 < len(spot.squares) <= NARROW:
            share = 1 / len(spot.squares)
            spots = tuple((square, share) for square in spot.squares)
            yield Sought(spots, guess_of((Echo.SMALL, Echo.MEDIUM)), worth=HEARD_WORTH)


def _is_live(contact: ContactView) -> bool:
    return contact.fix is Fix.TRACKED and contact.fate is Fate.IN_PLAY and contact.landed is None


@lru_cache(maxsize=256)
def guess_of(echoes: tuple[Echo | None, ...], spent: int | None = None) -> Guess:
    """Return what a ship of one of these sizes may give off; None stands for any size."""
    sizes = tuple(echo or Echo.MEDIUM for echo in echoes)
    burns = ((0, 0.5), (BURN, 0.5)) if spent is None else ((spent, 1.0),)
    plants = ((True, 1.0),) if spent else ((True, POWERED), (False, 1 - POWERED))
    sensors = ((True, OUT), (False, 1 - OUT))
    return tuple(
        (
            Emitter(
                echo=echo, powered=powered, popped_out=out, thrust_spent=burn if powered else 0
            ),
            share * often * shown / len(sizes),
        )
        for echo, (burn, share), (powered, often), (out, shown) in product(
            sizes, burns, plants, sensors
        )
    )


@lru_cache(maxsize=1 << 13)
def chances(
    guess: Guess, scan_type: ScanType, strength: int, light: int, operator: int
) -> Chances:
    """Return how likely a scan of so much strength finds and tracks a piece in such light."""
    found = tracked = 0.0
    for emitter, share in guess:
        signal = strongest(signals(scan_type, strength, emitter, light))
        if signal is not None and signal >= CONTACT_SIGNAL:
            found += share
            sure = tracks_at_once(scan_type)
            tracked += share * (1.0 if sure else float(sense_chance(operator, signal)))
    return Chances(found, tracked)


def without_sense(chance: Chances, scan: Scan) -> Chances:
    """Return the chances of a scan, of which without a Sense roll none but radar tracks."""
    if scan.sense or tracks_at_once(scan.type):
        return chance
    return Chances(chance.found, 0.0)
