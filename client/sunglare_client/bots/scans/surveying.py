"""Surveying: the scans of a slot that find most, net of what they give away.

Theory of operation. What is worth a scan comes in two forms. A `Sought` is one foreign ship whose
whereabouts are known well enough to list: the square of a live track, the likely ends of a foe's
flight, the squares from which a scan was heard. The rest of the map is a `Belief`, a weight for
each square. How bright a ship is just now is unknown, so both reckon with a mixture.

For each ship, place, type and size of scan the chance to find each one sought follows from the
rules: strength, glare, lines of sight, the light on its square. One that is not tracked yet is
worth more where the Sense roll is likely to succeed, which is what small scans are good at. Then
the preview says what the answers would disclose. That costs a share of the worth, and radar more
of it; but a ship that every enemy holds anyway has nothing to lose, so that for it even radar is
free. Of equal scans the smallest are taken, which are the strongest, and of those a type is drawn,
so that no habit shows which ship scans.

The best scan is taken, what it is likely to find and to rule out is reckoned with, and the next
one is chosen for the ships that are left.
"""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Protocol, TypeVar, final

from sunglare_client.advice import Advice
from sunglare_client.bots.scans.offers import Offer, Offers
from sunglare_client.bots.scans.scan_targets import Guess, Sought
from sunglare_client.bots.sightings.belief import Belief
from sunglare_protocol.geometry import Place
from sunglare_protocol.ids import audience_of
from sunglare_protocol.orders import Scan
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.ladder import Fix
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.check.scan import SCANS_A_TURN
from sunglare_rules.sensors.areas import SIZE_MODIFIER
from sunglare_rules.sensors.masks import area_mask, masks_of, seen_from
from sunglare_rules.sensors.scans import gives_sender_away

PER_TRACK = 0.35
"""What it is worth to track a ship that is found, in addition to finding it."""

PER_REST = 0.5
"""What it is worth to look at all of the map while no foe is known."""

REST_LEAST = 0.03
"""What it is worth at least, as the number of foes is unknown."""

PER_DISCLOSED = 0.3
"""The share of a scan's worth that it costs to leave the enemy a single square."""

PER_RADAR = 0.6
"""The share that it costs to show all sides one's square by radar."""

CLOSE = 0.03
"""Scans whose worth differs by no more count as equal."""


@final
class Survey:
    """The choice of the scans of one slot.

    The belief learns where each scan that is chosen would have found a ship that is not among
    those sought; `guess` is what such a ship gives off.
    """

    def __init__(
        self, advice: Advice, quest: tuple[Sought, ...], belief: Belief, guess: Guess
    ) -> None:
        self._advice, self._view, self._belief = advice, advice.view, belief
        self._quest = quest
        self._offers = Offers(advice, quest, belief, guess)

    def chosen(self, ships: Iterable[OwnView], missing: float, rng: Random) -> tuple[Scan, ...]:
        """Return the scans that find most net of what they give away, one a ship at most.

        `missing` is the share of the enemy ships that nothing is known of.
        """
        left = {ship.id: ship for ship in ships}
        per_rest = max(REST_LEAST, PER_REST * missing)
        missed = [1.0] * len(self._quest)
        scans: list[Scan] = []
        while len(scans) < SCANS_A_TURN:
            found = [pair for ship in left.values() for pair in self._best(ship, missed, per_rest)]
            if not found:
                break
            top = max(worth for worth, _ in found)
            offer = drawn([one for worth, one in found if worth >= top - CLOSE], rng)
            scans.append(offer.scan)
            self._rule_out(offer, left.pop(offer.scan.ship))
            pairs = zip(missed, offer.gains, strict=True)
            missed = [chance * (1 - gain.found) for chance, gain in pairs]
        return tuple(scans)

    def _best(
        self, ship: OwnView, missed: list[float], per_rest: float
    ) -> Iterator[tuple[float, Offer]]:
        """Yield a ship's best scan of each type and size, with its worth net of its price."""
        best: dict[tuple[ScanType, ScanSize], tuple[float, Offer]] = {}
        for offer in self._offers.of(ship):
            worth = self._worth(offer, missed) + per_rest * offer.rest
            kind = offer.scan.type, offer.scan.size
            if worth > best.get(kind, (0.0, offer))[0]:
                best[kind] = worth, offer
        has_nothing_to_lose = is_held_by_all(self._view, ship)
        for worth, offer in best.values():
            yield worth * (1.0 if has_nothing_to_lose else self._kept(offer.scan)), offer

    def _worth(self, offer: Offer, missed: list[float]) -> float:
        """Return what an offer is worth by those sought; `missed`: how likely no scan has each."""
        worth = 0.0
        for one, gain, chance in zip(self._quest, offer.gains, missed, strict=True):
            track = 0.0 if one.is_tracked else PER_TRACK * gain.tracked
            worth += one.worth * (chance * gain.found + track)
        return worth

    def _kept(self, scan: Scan) -> float:
        """Return the share of a scan's worth that is left when its answers are paid for."""
        preview = self._advice.preview(scan)
        if preview is None:
            return 0.0
        everywhere = masks_of(self._view.board).space.bit_count()
        kept = 1 - PER_DISCLOSED * (1 - preview.candidates[-1] / everywhere)
        return kept * (1 - PER_RADAR) if gives_sender_away(scan.type) else kept

    def _rule_out(self, offer: Offer, ship: OwnView) -> None:
        """Take in where a scan would find an unknown ship, in sunlight and in shadow."""
        board = self._view.board
        seen = area_mask(board, offer.area) & seen_from(board, Place(ship.square, ship.landed))
        shadow = masks_of(board).shadow
        self._belief.searched(seen & ~shadow, offer.unknown.lit)
        self._belief.searched(seen & shadow, offer.unknown.dark)


def is_held_by_all(view: View, ship: OwnView) -> bool:
    """Return whether every other side that is left holds a ship where it is now."""
    others = [
        side
        for side in view.stage.sides
        if audience_of(side) != view.audience and side not in view.stage.out
    ]
    holders = [held.side for held in ship.exposed if held.fix in (Fix.CONTACT, Fix.TRACKED)]
    return all(side in holders for side in others)


class Scanning(Protocol):
    """Whatever comes with a scan."""

    @property
    def scan(self) -> Scan:
        """Return the scan."""
        ...


ScanningT = TypeVar("ScanningT", bound=Scanning)


def drawn(same: list[ScanningT], rng: Random) -> ScanningT:
    """Return one of the scans that count as equal: of the smallest, and of a type that is drawn.

    The smaller a scan is the stronger it is, and so the surer, whatever a foe has switched off.
    """
    smallest = max(SIZE_MODIFIER[one.scan.size] for one in same)
    left = [one for one in same if SIZE_MODIFIER[one.scan.size] == smallest]
    scan_type = rng.choice(tuple(dict.fromkeys(one.scan.type for one in left)))
    return rng.choice([one for one in left if one.scan.type is scan_type])
