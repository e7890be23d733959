"""The best scans that a side could have made in a SCAN window, by what they come to in truth.

Source: none of its own; the resolver makes each scan as it would have been made, and `advice` says
what its answers give away.

Which they are: for each size, and apart for those types that give their sender away anyhow, the
legal scan that finds most pieces; of such the one that tracks most; of such the one whose answers
leave most squares to look for its ship; of such the first that is tried. One than which another
of these is no worse in all three is left out. Two scans together are not tried, and in fleets with
too many pairs of a ship and a foreign piece those by the last ships of the roster.

Hardly any scan has to be made for that: whatever covers no piece that its ship could find without
glare finds nothing, and whatever covers fewer of these than a better one has found is no better.
"""

from collections import Counter
from collections.abc import Generator
from typing import NamedTuple, final

from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import Side, audience_of
from sunglare_protocol.orders import Scan
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.replay.analysis import BestScan
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.check.scan import place_name, sensor_problem
from sunglare_rules.advice.odds.preview import preview
from sunglare_rules.advice.seen.lookup import own_ship, place_of
from sunglare_rules.sensors.areas import centres_covering, scan_place_allowed
from sunglare_rules.sensors.questions import valid
from sunglare_rules.sensors.scans import (
    INTEGRATION_MOST,
    declared_strength,
    gives_sender_away,
)
from sunglare_rules.sensors.sectors import standing_square
from sunglare_rules.sensors.signatures import CONTACT_SIGNAL, signals, strongest
from sunglare_server.match.dice import Dice
from sunglare_server.match.events.space import ScanFinished
from sunglare_server.match.fog import view as fog
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve.scanning import emitter_of, scan, sunfactor_of
from sunglare_server.match.state import MatchState
from sunglare_server.match.truth.truth import ShipTruth, Truth

PAIRS_MOST = 2048
"""OWN: pairs of a ship and a foreign piece of which scans are tried; shipped fleets have less."""


def best_scans(state: MatchState, side: Side) -> Generator[None, None, tuple[BestScan, ...]]:
    """Return the best scans of a side in the open SCAN window, the one that finds most first.

    Yields after each small piece of the work.
    """
    trials = _Trials(state, side)
    for scanner in _scanners(state.truth, side):
        for scan_type in ScanType:
            yield from trials.make(scanner, scan_type)
    best = yield from trials.least_told()
    return tuple(map(_told, _undominated(best)))


class _Tried(NamedTuple):
    """A scan and what it comes to; `left` is in how many squares its ship may be looked for."""

    order: Scan
    found: tuple[PieceId, ...]
    tracked: tuple[PieceId, ...]
    left: int = 0

    @property
    def gain(self) -> tuple[int, int]:
        return (len(self.found), len(self.tracked))

    @property
    def worth(self) -> tuple[int, int, int]:
        return (*self.gain, self.left)


@final
class _Trials:
    """The scans of a side that are made in vain in a window.

    `best` has, of each kind that is compared, the scans that find and track most.
    """

    def __init__(self, state: MatchState, side: Side) -> None:
        """Begin before the first scan."""
        self.best: dict[tuple[ScanSize, bool], list[_Tried]] = {}
        self._placed: dict[tuple[ScanSize, tuple[Square, ...]], list[tuple[Square, int]]] = {}
        self._state = state
        self._view = fog.view(state.intel[audience_of(side)], state.standing, state.board)

    def make(self, scanner: ShipTruth, scan_type: ScanType) -> Generator[None, None, None]:
        """Make the scans of a ship that may be better than what there is; yields for breath."""
        ship = own_ship(self._view, scanner.own)
        if isinstance(ship, Rejected) or sensor_problem(ship, scan_type) is not None:
            return
        stands = standing_square(self._view.board, place_of(ship))
        targets = _targets(self._state.truth, scanner, scan_type)
        for size in ScanSize:
            strength = _strength_most(self._state.truth, scanner, scan_type, size)
            seen = [at for at, signal in targets if signal + strength >= CONTACT_SIGNAL]
            for at, most in self._places(size, tuple(seen)):
                if self._may_gain(size, scan_type, most) and scan_place_allowed(size, at, stands):
                    self._try(scanner, scan_type, size, at)
            if seen:
                yield

    def _places(self, size: ScanSize, seen: tuple[Square, ...]) -> list[tuple[Square, int]]:
        """Return what `_places` does; most types of scan and ships see the same squares."""
        if (size, seen) not in self._placed:
            self._placed[size, seen] = _places(self._state.truth, size, seen)
        return self._placed[size, seen]

    def _may_gain(self, size: ScanSize, scan_type: ScanType, most: int) -> bool:
        """Return whether a scan that finds so many at most may be as good as those there are."""
        equals = self.best.get((size, gives_sender_away(scan_type)))
        return not equals or most >= len(equals[0].found)

    def _try(self, scanner: ShipTruth, scan_type: ScanType, size: ScanSize, at: Square) -> None:
        """Make a legal scan, and keep it if no other of its kind is better."""
        kind = (size, gives_sender_away(scan_type))
        equals = self.best.get(kind, [])
        place = place_name(size, at)
        order = Scan(ship=scanner.own, type=scan_type, size=size, at=place, sense=True)
        made = _made(self._state, scanner, order)
        if made.found and (not equals or made.gain > equals[0].gain):
            self.best[kind] = [made]
        elif made.found and made.gain == equals[0].gain:
            equals.append(made)

    def least_told(self) -> Generator[None, None, list[_Tried]]:
        """Return of each kind the first that leaves most squares to look for its ship."""
        told: list[_Tried] = []
        for equals in self.best.values():
            best: _Tried | None = None
            for made in equals:
                left = self._left(made.order)
                best = made._replace(left=left) if best is None or left > best.left else best
                yield
            told += [] if best is None else [best]
        return told

    def _left(self, order: Scan) -> int:
        found = preview(self._view, order)
        if isinstance(found, Rejected) or gives_sender_away(order.type):
            return 1
        return found.candidates[-1]


def _scanners(truth: Truth, side: Side) -> tuple[ShipTruth, ...]:
    """Return the ships of a side whose scans are tried, the first of its roster."""
    ships = tuple(ship for ship in truth.ships_of(side) if ship.in_play)
    foreign = sum(ship.side != side for ship in truth.in_play())
    return ships[: max(1, PAIRS_MOST // max(1, foreign))]


def _targets(truth: Truth, scanner: ShipTruth, scan_type: ScanType) -> list[tuple[Square, int]]:
    """Return where foreign pieces are that such a scan may find, with their signals at strength 0.

    Glare can only make a signal weaker.
    """
    found: list[tuple[Square, int]] = []
    for ship in truth.in_play():
        if ship.side == scanner.side or ship.cloaked:
            continue
        given = signals(scan_type, 0, emitter_of(truth, ship), sunfactor_of(truth, ship))
        signal = strongest(given)
        if signal is not None and valid(truth.board, scanner.place, ship.place):
            found.append((ship.square, signal))
    return found


def _strength_most(truth: Truth, scanner: ShipTruth, scan_type: ScanType, size: ScanSize) -> int:
    """Return the most that such a scan of the ship can have, wherever it is placed."""
    habit = scanner.habit
    is_again = habit is not None and (habit.turn, habit.type, habit.size) == (
        truth.turn - 1,
        scan_type,
        size,
    )
    rating = scanner.type.sensors.of(scan_type)
    return declared_strength(rating, size, INTEGRATION_MOST if is_again else 0)


def _places(truth: Truth, size: ScanSize, seen: tuple[Square, ...]) -> list[tuple[Square, int]]:
    """Return the centres that cover any of these squares and how many; those of most first."""
    counts = Counter(at for square in seen for at in centres_covering(truth.board, size, square))
    return counts.most_common()


def _made(state: MatchState, scanner: ShipTruth, order: Scan) -> _Tried:
    """Return what the scan finds and tracks, with the dice that it would have had."""
    events = scan(state.truth, scanner, order, Dice(seed=state.seed))
    done = next(event for event in events if isinstance(event, ScanFinished))
    return _Tried(order, done.found, done.tracked)


def _undominated(best: list[_Tried]) -> list[_Tried]:
    """Return those than which no other is as good in all, of equals the first; the best first."""
    kept: list[_Tried] = []
    for made in sorted(best, key=lambda one: one.worth, reverse=True):
        if not any(_is_as_good(other, made) for other in kept):
            kept.append(made)
    return kept


def _is_as_good(other: _Tried, made: _Tried) -> bool:
    return all(theirs >= ours for theirs, ours in zip(other.worth, made.worth, strict=True))


def _told(made: _Tried) -> BestScan:
    order = made.order
    return BestScan(
        ship=order.ship,
        type=order.type,
        size=order.size,
        at=order.at,
        found=tuple(map(_named, made.found)),
        tracked=tuple(map(_named, made.tracked)),
        left=made.left,
    )


def _named(piece: PieceId) -> str:
    """Return what a piece is called where all sides are shown, as in `B.S1`."""
    return piece.replace("/", ".")
