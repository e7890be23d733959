"""The lines of gateways that a worker answers, until they end or their gateway is gone."""

import asyncio
import itertools
from collections.abc import Callable
from typing import final

import msgspec

from sunglare_protocol.ids import Audience, MatchId
from sunglare_server.api.session import HouseDesk, HouseTalk
from sunglare_server.base.histograms import LineFigures
from sunglare_server.transport.messages import Card, GatewayHere
from sunglare_server.transport.transport import CarrierError
from sunglare_server.worker.publisher import Posts
from sunglare_server.worker.remote_line import FarLine

SILENT_MS = 5_000
"""OWN: a gateway that was not heard of for so long is gone, and its lines with it."""

STAYS_MOST = 1_000_000
"""OWN: the stays of one process of a gateway are no further apart."""

RETURN_MS = 5_000
"""OWN: lines of a gateway's earlier stay that have not come back by then are gone."""


@final
class Guest(msgspec.Struct):
    """A line with the talk that answers it, one request after the other."""

    line: FarLine
    talk: HouseTalk
    turn: asyncio.Lock = msgspec.field(default_factory=asyncio.Lock)


@final
class _Gateway(msgspec.Struct):
    """A gateway: its stay, since when it is in that, and when it was last heard of.

    Whoever begins anew draws the number of its first stay; those of one process are counted on.
    """

    stay: int
    since_ms: int
    heard_ms: int


@final
class Guests:
    """All lines by gateway and number; `stay` rises when lines were given up.

    `figures` count what is said to them.
    """

    def __init__(self, desk: HouseDesk, posts: Posts, worker: str) -> None:
        """Receive at `desk`; what is said unasked goes by `posts`."""
        self.figures = LineFigures()
        self.desk = desk
        self._posts = posts
        self.worker = worker
        self._guests: dict[tuple[str, int], Guest] = {}
        self._gateways: dict[str, _Gateway] = {}
        self._numbers = itertools.count(1)
        self.stay = 1

    def knows(self, card: Card, match: MatchId | None) -> bool:
        """Return whether a line holds something of a match, in the stay its gateway is in."""
        known = self.known(card)
        return known is not None and any(held[0] == match for held in known.talk.holdings)

    def known(self, card: Card) -> Guest | None:
        """Return the guest of a card, in the stay its gateway is in; None for one that is new."""
        known = self._guests.get((card.gateway, card.number))
        return None if known is None or known.line.card.stay != card.stay else known

    def holds(self, card: Card, match: MatchId, feed: Audience) -> bool:
        """Return whether a line holds a feed now, in the stay its gateway is in."""
        known = self.known(card)
        return known is not None and any(held[:2] == (match, feed) for held in known.talk.holdings)

    def __len__(self) -> int:
        """Return how many lines there are."""
        return len(self._guests)

    def of(self, card: Card, now_ms: int) -> Guest:
        """Return the guest of a card, who may have come this moment.

        Raise CarrierError for what was asked in an earlier stay and has come late.
        """
        gateway = self._gateways.get(card.gateway)
        if gateway is not None and 0 < gateway.stay - card.stay < STAYS_MOST:
            raise CarrierError("it was asked before a newer connection")
        self._hear(card.gateway, card.stay, now_ms)
        guest = self._guests.get((card.gateway, card.number))
        if guest is None or guest.line.card.stay != card.stay:
            guest = self._come(card, guest)
        return guest

    def end(self, card: Card, *, deliberate: bool) -> None:
        """End a line, if it is known; `deliberate`: the peer hung up."""
        known = self._guests.get((card.gateway, card.number))
        if known is None:
            return
        gateway = self._gateways.get(card.gateway)
        # The line may not have come back to us when it ended in a newer stay.
        is_newest = gateway is not None and gateway.stay == card.stay
        if is_newest or known.line.card.stay == card.stay:
            self._end(known, deliberate=deliberate)

    def heard(self, here: GatewayHere, now_ms: int) -> None:
        """Note a gateway's sign of life; one that leaves takes its lines along."""
        if here.leaves:
            known = self._gateways.get(here.name)
            is_newest = known is not None and known.stay == here.stay
            self._end_where(here.name, lambda stay: is_newest or stay == here.stay)
        else:
            self._hear(here.name, here.stay, now_ms)

    def sweep(self, now_ms: int) -> None:
        """End the lines of gateways that are gone, and those that did not come back."""
        for name, known in tuple(self._gateways.items()):
            if now_ms - known.heard_ms > SILENT_MS:
                self._end_where(name, lambda _: True)
                del self._gateways[name]
                # If it is there all the same, this tells it that its lines are not.
                self.stay += 1
            elif now_ms - known.since_ms > RETURN_MS:
                self._end_where(name, known.stay.__ne__)

    def turn_out(self) -> None:
        """End every line, for the gateways to bring them back here by the seals they have."""
        self.end_all()
        self._gateways.clear()
        self.stay += 1

    def end_all(self) -> None:
        """End every line, whose gateways bring them to another worker."""
        for guest in tuple(self._guests.values()):
            self._end(guest, deliberate=False)

    def _come(self, card: Card, earlier: Guest | None) -> Guest:
        if earlier is not None:
            self._end(earlier, deliberate=False)
        line = FarLine(card, self._posts, self.worker, self._numbers, self.figures)
        guest = Guest(line, self.desk.receive(line, card.address, card.place))
        self._guests[card.gateway, card.number] = guest
        return guest

    def _hear(self, name: str, stay: int, now_ms: int) -> None:
        known = self._gateways.get(name)
        if known is None or known.stay != stay:
            self._gateways[name] = _Gateway(stay, now_ms, now_ms)
        else:
            known.heard_ms = now_ms

    def _end_where(self, gateway: str, is_over: Callable[[int], bool]) -> None:
        """End the lines of a gateway's stays that are over."""
        for guest in tuple(self._guests.values()):
            card = guest.line.card
            if card.gateway == gateway and is_over(card.stay):
                self._end(guest, deliberate=False)

    def _end(self, guest: Guest, *, deliberate: bool) -> None:
        card = guest.line.card
        del self._guests[card.gateway, card.number]
        guest.line.give_up()
        guest.talk.end(deliberate=deliberate)
