"""The belief map: where the enemy may be, folded from one side's views and notices over turns.

Theory of operation. The map answers two questions, which it keeps apart.

- Where *can* ships be? `possible` and `suspects` are sets of squares, and a square is only ever
  struck off for certain. They begin with the zones of set-up. A movement lets everything go as
  far as its last motion, gravity and any drive could have brought it. Own scans rule out where
  they would have found even the faintest ship, cold and folded. What is held is where the hold
  says. What was held, and a ship whose scan was heard, has a trail of its own, which goes on
  until it tells no more than that there are ships.
- Where are they *likely* to be? `weights` is a share of belief for every square, as `Belief` has
  it: a guess, moved by sightings and by searches in vain, which rules out nothing.

All of it follows from what the side was sent and from the public rules, so nothing hidden can
come in. With the rules' own bounds the sets soon cover most of the map, as a drive may give 12
points of thrust. A bot that would rather be wrong now and then than know nothing gives bounds of
its own for `thrust` and `speed`; its sets are as good as those are.

Volleys, fighters and remote sensors echo like missiles: `possible` is of ships alone, while
`suspects` has whatever was held.
"""

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import Any, NamedTuple, final

import msgspec

from sunglare_client.bots.sightings.belief import Belief
from sunglare_client.bots.sightings.trails import (
    Bounds,
    RuledOut,
    Trail,
    found,
    is_placed,
    lost,
    movements,
)
from sunglare_protocol.geometry import BOX_EDGE, Board, Square, box_named
from sunglare_protocol.ids import Side
from sunglare_protocol.messages import ScenarioCard
from sunglare_protocol.notices import Notice, RadarSeen, ScanAnswered, ShotSeen
from sunglare_protocol.replay.analysis import Basis
from sunglare_protocol.views import ContactView, View
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.scans import Echo
from sunglare_rules.advice.check.landing import DEPLOY_SPEED_MOST
from sunglare_rules.advice.odds.candidates import landed_scanners, scanner_mask
from sunglare_rules.advice.odds.whereabouts import PLACED, Whereabouts, scan_named
from sunglare_rules.sensors.masks import Stride, area_mask, mask_of, masks_of, squares_in
from sunglare_rules.sensors.scans import gives_sender_away
from sunglare_rules.turn.movement import THRUST_MOST

MOVES_BY = 2
"""The weights take an enemy ship to move by up to this many squares a turn along each axis."""


_LEFT_OUT: dict[str, Any] = dict.fromkeys(
    ("ground", "agents", "surfaces", "missiles", "areas", "alerts", "found", "spied", "items"), ()
)
"""What of a view says nothing of ships in space."""


class _Held(NamedTuple):
    """A contact as it was seen last, and its trail; `fresh`: it has not moved since."""

    contact: ContactView
    trail: Trail
    fresh: bool


class _Heard(NamedTuple):
    """Whose scan was heard, what it is called, and the trail of the ship that made it."""

    of: str
    side: Side
    trail: Trail


@final
class BeliefMap:
    """Where the enemy may be, and is likely to be, as far as its side can know.

    Give it every notice (`heard`) and every view (`see`), a view before anything is asked.
    """

    def __init__(
        self,
        side: Side,
        zones: Iterable[str] = (),
        *,
        thrust: int = THRUST_MOST,
        speed: int | None = None,
    ) -> None:
        """Begin before turn 1 with the boxes in which the enemies of `side` set up.

        An enemy is reckoned to spend at most `thrust` points a turn, and to fly at most `speed`
        squares a turn along each axis; None: as fast as it may have become.
        """
        self._side, self._zones = side, tuple(zones)
        self._thrust, self._speed = thrust, speed
        self._bounds = Bounds(thrust, 0)
        self._board = Board()
        self._weights: Belief | None = None
        self._told: list[Notice] = []
        self._views: list[View] = []
        self._taken_in: dict[tuple[str, int], None] = {}
        self._spread_in = 0
        self._moved = 0
        self._ships = Trail(0)
        self._held: dict[str, _Held] = {}
        self._scans: dict[tuple[int, int], _Heard] = {}

    @classmethod
    def of(
        cls,
        side: Side,
        card: ScenarioCard,
        *,
        thrust: int = THRUST_MOST,
        speed: int | None = None,
    ) -> "BeliefMap":
        """Return the map with which a side starts a match of this card, with the same bounds."""
        zones = [name for other, zone in card.zones.items() if other != side for name in zone]
        return cls(side, zones, thrust=thrust, speed=speed)

    @property
    def weights(self) -> Belief:
        """Return how likely the enemy is where; in PLOT already where it will have moved to."""
        if self._weights is None:
            raise ValueError("the map has seen no view yet")
        return self._weights

    @property
    def possible(self) -> int:
        """Return as a mask every square on which an enemy ship may be, those held among them."""
        self._fold()
        return self._ships.mask

    def squares(self) -> tuple[Square, ...]:
        """Return the squares of `possible`, row by row from the north."""
        return squares_in(self._board, self.possible)

    def may_hold(self, square: Square) -> bool:
        """Return whether an enemy ship may be on a square."""
        return bool(self.possible & mask_of(self._board, (square,)))

    def suspects(self) -> tuple[Whereabouts, ...]:
        """Return where each piece may be that was ever held, or whose scan was heard.

        By label, then scan by scan. What may be anywhere by now is left out.
        """
        self._fold()
        every = masks_of(self._board).space
        spots = (
            *map(self._spot_of, self._held.values()),
            *map(self._scanner, self._scans.values()),
        )
        return tuple(spot for spot in spots if spot.mask and spot.mask != every)

    def heard(self, notice: Notice) -> None:
        """Take in a notice: news of enemy places counts from the next view on."""
        if isinstance(notice, ScanAnswered | RadarSeen | ShotSeen):
            self._told.append(notice)

    def see(self, view: View) -> None:
        """Take in the view of an open window; the same one again changes nothing."""
        if self._weights is None:
            self._weights = self._begun(view)
        self._weigh(view, self._weights)
        # Kept for later is what the sets are made from, and none of the maps and lists.
        self._views.append(msgspec.structs.replace(view, **_LEFT_OUT))

    def _fold(self) -> None:
        """Fold the views that have come since the sets were last asked for.

        Most bots go by the weights alone, and shall not wait for more.
        """
        views, self._views = self._views, []
        for view in views:
            while self._moved < movements(view):
                self._moved += 1
                self._move()
            self._place(view)

    def _begun(self, view: View) -> Belief:
        """Set everything to how it is before turn 1, and return the first weights."""
        board = self._board = view.board
        # Nothing on the map can have moved farther in a turn than the map is wide or high.
        across = BOX_EDGE * max(board.columns, board.rows)
        self._bounds = Bounds(self._thrust, across if self._speed is None else self._speed)
        boxes = [box_named(name) for name in self._zones]
        weights = Belief(board)
        weights.start_in(boxes)
        # A side without a zone now was placed by the scenario, as the others were, or comes late.
        if boxes and view.zone:
            zones = (area_mask(board, box.area) for box in boxes)
            start, pace = reduce(or_, zones), DEPLOY_SPEED_MOST
        else:
            start, pace = masks_of(board).every, self._bounds.speed
        stride = Stride(-pace, pace)
        self._ships = Trail(start & masks_of(board).space, stride, stride)
        return weights

    def _weigh(self, view: View, weights: Belief) -> None:
        """Move the weights by the notices since the last view; in PLOT let the enemy move."""
        told, self._told = self._told, []
        own_squares = [ship.square for ship in view.own]
        for notice in told:
            if isinstance(notice, ScanAnswered):
                if notice.side != self._side:
                    weights.hint(scanner_mask(view, notice))
            elif isinstance(notice, RadarSeen | ShotSeen) and notice.square not in own_squares:
                weights.seen(notice.square)
        for contact in view.contacts:
            key = (contact.label, contact.turn)
            if contact.fate is Fate.IN_PLAY and key not in self._taken_in:
                self._taken_in[key] = None
                weights.seen(contact.square)
        if view.stage.phase is Phase.PLOT and self._spread_in < view.stage.turn != 1:
            self._spread_in = view.stage.turn
            weights.spread(MOVES_BY)

    def _move(self) -> None:
        """Let a movement pass over everything."""
        board, bounds = self._board, self._bounds
        self._held = {label: _moved(board, held, bounds) for label, held in self._held.items()}
        self._scans = {
            key: heard._replace(trail=heard.trail.moved(board, bounds))
            for key, heard in self._scans.items()
        }
        self._ships = self._ships.moved(board, bounds)

    def _place(self, view: View) -> None:
        """Strike off what is ruled out, then set down what is held and who has scanned."""
        out = RuledOut(view)
        self._ships = self._ships.without(out.of(Echo.SMALL))
        held: dict[str, _Held] = {}
        for contact in view.contacts:
            if contact.fate is Fate.IN_PLAY:
                one = self._followed(view, contact)
                held[contact.label] = one._replace(
                    trail=one.trail.without(out.of(contact.size or Echo.MISSILE))
                )
        self._held = held
        placed = (one.trail for one in held.values() if is_placed(view, one.contact))
        self._ships = reduce(Trail.joined, placed, self._ships)
        self._listen(view)

    def _followed(self, view: View, contact: ContactView) -> _Held:
        """Return a contact with its trail up to now."""
        known = self._held.get(contact.label)
        if is_placed(view, contact):
            return _Held(contact, found(view.board, contact, self._ships), fresh=True)
        if known is not None and known.contact.turn == contact.turn:
            return known._replace(contact=contact)
        one = _Held(contact, found(view.board, contact, self._ships), fresh=True)
        for _ in range(movements(view) - contact.turn):
            one = _moved(view.board, one, self._bounds)
        return one

    def _listen(self, view: View) -> None:
        """Begin a trail for each scan heard this turn, and end those that say no more."""
        ships = self._ships
        for number, notice in enumerate(view.record):
            key = (view.stage.turn, number)
            if isinstance(notice, ScanAnswered) and self._tells(notice) and key not in self._scans:
                at = scanner_mask(view, notice) | landed_scanners(view, notice)
                of = f"{scan_named(notice)} of turn {view.stage.turn}"
                self._scans[key] = _Heard(of, notice.side, ships._replace(mask=at))
        self._scans = {
            key: heard._replace(trail=heard.trail._replace(mask=mask))
            for key, heard in self._scans.items()
            if (mask := heard.trail.mask & ships.mask) not in (0, ships.mask)
        }

    def _tells(self, notice: ScanAnswered) -> bool:
        """Return whether a scan is another side's and says more than a contact does."""
        return notice.side != self._side and not gives_sender_away(notice.type)

    def _spot_of(self, held: _Held) -> Whereabouts:
        contact, mask = held.contact, held.trail.mask
        basis = Basis.HELD if contact.fix in PLACED else Basis.LOST
        return self._spot(contact.label, basis, contact.side, mask)

    def _scanner(self, heard: _Heard) -> Whereabouts:
        return self._spot(heard.of, Basis.SCAN, heard.side, heard.trail.mask)

    def _spot(self, of: str, basis: Basis, side: Side | None, mask: int) -> Whereabouts:
        return Whereabouts(of, basis, side, squares_in(self._board, mask), mask)


def _moved(board: Board, held: _Held, bounds: Bounds) -> _Held:
    trail = lost(board, held.contact, held.trail, bounds, fresh=held.fresh)
    return held._replace(trail=trail, fresh=False)
