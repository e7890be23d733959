"""Many matches at once on a real server: every order is answered, stored once, and in its order.

`make fuzz` has the long form: 500 connections in 100 matches.
"""

import asyncio
import os
from contextlib import AsyncExitStack
from random import Random
from typing import Any, final

import msgpack  # type: ignore[import-untyped]
import pytest

from builders.players import Player, all_ready, created, seated
from builders.records import read_record
from builders.servers import ServerProcess
from builders.watchers import watch
from builders.wires import Talker, met
from sunglare_protocol.codec import Form, decode_server, encode_client
from sunglare_protocol.ids import PUBLIC, MatchId
from sunglare_protocol.messages import Accepted, Frame, GiveOrders, Over, Resign
from sunglare_protocol.views import View
from sunglare_rules.advice.legal.legal import legal

LONG = bool(os.environ.get("SUNGLARE_LONG"))
MATCHES = 100 if LONG else 6
SPECTATORS = 3 if LONG else 1
WINDOWS = 12 if LONG else 4

AT_ONCE = 20
"""How many people say hello at the same time."""


@final
class Table:
    """One match: its players, its spectators, and every order that was acknowledged."""

    def __init__(self, accounts: list[Talker], number: int) -> None:
        """Seat the first two of the people; the others watch."""
        self.seats, self.watchers = accounts[:2], accounts[2:]
        self.players: list[Player] = []
        self.match = MatchId("")
        self._before: list[dict[int, bytes]] = [{} for _ in accounts]
        self._rng = Random(number)
        self._given: dict[str, list[tuple[int, GiveOrders]]] = {"A": [], "B": []}

    async def open(self) -> None:
        """Begin the match."""
        self.match = await created(self.seats[0])
        self.players = [await seated(talker, self.match) for talker in self.seats]
        for watcher in self.watchers:
            await watch(watcher, self.match, PUBLIC)
        await all_ready(self.players)

    async def play(self, windows: int) -> None:
        """Play windows: each seat revises its orders once, then locks them."""
        for _ in range(windows):
            window = self.players[0].newest.window
            for player in self.players:
                await player.reached(window)
            for player in [one for one in self.players if one.is_asked]:
                await self._order(player, lock=False)
                await self._order(player, lock=True)
            for player in self.players:
                await player.frame(beside=window)

    async def _order(self, player: Player, *, lock: bool) -> None:
        view = player.newest.view
        assert isinstance(view, View)
        found = legal(view)
        orders = (self._rng.choice(found),) if found else ()
        given = self._given[player.side]
        message = GiveOrders(
            id=100 + len(given),
            match=self.match,
            window=player.newest.window,
            rev=1 + len(given),
            orders=orders,
            lock=lock,
        )
        await player.talker.send(message)
        answer = await player.talker.wait_for(
            lambda heard: getattr(heard, "id", None) == message.id
        )
        assert answer == Accepted(id=message.id, window=message.window, rev=message.rev)
        given.append((message.id, message))

    async def come_back(self, url: str, stack: AsyncExitStack) -> None:
        """Take the seats, and the places of the spectators, over new lines; all at once."""
        self._before = [talker.sequence(self.match) for talker in (*self.seats, *self.watchers)]
        every = (*self.seats, *self.watchers)
        lines = [stack.enter_async_context(met(url, token=talker.token)) for talker in every]
        talkers = await asyncio.gather(*lines)
        self.seats, self.watchers = talkers[:2], talkers[2:]
        back = zip(self.players, self.seats, strict=True)
        self.players = list(await asyncio.gather(*(p.resume(talker) for p, talker in back)))
        for watcher in self.watchers:
            await watch(watcher, self.match, PUBLIC)

    async def end(self) -> None:
        """End the match and compare its record with what was acknowledged, order by order."""
        await self.players[1].talker.accepted(Resign, match=self.match, id=9_999)
        for talker in (*self.seats, *self.watchers):
            await talker.wait_for(lambda post: isinstance(post, Over) and post.match == self.match)
        stored = read_record(await self.seats[0].record(self.match)).maps
        for side, given in self._given.items():
            told = [(number, _plain(message)) for number, message in given]
            kept = [(record["c"], _body(record)) for record in stored if _is_order(record, side)]
            assert kept == told
            assert len(told) >= WINDOWS // 2

    def check_feeds(self) -> None:
        """Check that everybody got a whole sequence, and all spectators the same one."""
        every = zip(self._before, (*self.seats, *self.watchers), strict=True)
        feeds = [{**before, **talker.sequence(self.match)} for before, talker in every]
        for feed in feeds:
            assert sorted(feed) == list(range(1, len(feed) + 1))
        # Whoever watches again is shown the window anew first, under the number of the last post.
        anew = [next(iter(watcher.sequence(self.match))) for watcher in self.watchers]
        for feed in feeds[3:]:
            assert {seq for seq in feed if feed[seq] != feeds[2][seq]} <= {*anew}
        messages = [decode_server(data, Form.PACKED) for data in feeds[2].values()]
        shown = dict.fromkeys(message.window for message in messages if isinstance(message, Frame))
        assert len(shown) == WINDOWS + 1


def _is_order(record: dict[str, Any], side: str) -> bool:
    return record.get("s") == side and record["b"]["t"] == "orders"


def _body(record: dict[str, Any]) -> dict[str, Any]:
    body = record["b"]
    return {key: body.get(key) for key in ("window", "rev", "orders", "lock")}


def _plain(message: GiveOrders) -> dict[str, Any]:
    """Return what was sent as plain values."""
    data = encode_client(message, Form.PACKED)
    sent = msgpack.unpackb(data)
    return {key: sent[key] for key in ("window", "rev", "orders", "lock")}


async def tables_of(url: str, stack: AsyncExitStack) -> list[Table]:
    """Return the tables with a match begun at each."""
    accounts: list[Talker] = []
    for _ in range(0, MATCHES * (2 + SPECTATORS), AT_ONCE):
        comers = (stack.enter_async_context(met(url)) for _ in range(AT_ONCE))
        accounts += await asyncio.gather(*comers)
    size = 2 + SPECTATORS
    tables = [Table(accounts[i * size : (i + 1) * size], i) for i in range(MATCHES)]
    await asyncio.gather(*(table.open() for table in tables))
    return tables


@pytest.mark.timeout(600)
async def test_under_load_every_order_is_answered_and_stored_once_and_in_order(
    own_server: ServerProcess,
) -> None:
    async with AsyncExitStack() as stack:
        tables = await tables_of(own_server.url, stack)
        await asyncio.gather(*(table.play(WINDOWS) for table in tables))
        await asyncio.gather(*(table.end() for table in tables))
        for table in tables:
            table.check_feeds()
    said = own_server.said()
    assert "Traceback" not in said
    assert "warning" not in said


@pytest.mark.timeout(600)
async def test_when_all_come_back_at_once_after_a_kill_no_order_is_lost(
    own_server: ServerProcess,
) -> None:
    async with AsyncExitStack() as stack:
        tables = await tables_of(own_server.url, stack)
        await asyncio.gather(*(table.play(WINDOWS // 2) for table in tables))
        await asyncio.to_thread(own_server.kill)
        await asyncio.to_thread(own_server.start)
        await asyncio.gather(*(table.come_back(own_server.url, stack) for table in tables))
        await asyncio.gather(*(table.play(WINDOWS - WINDOWS // 2) for table in tables))
        await asyncio.gather(*(table.end() for table in tables))
        for table in tables:
            table.check_feeds()
    assert "Traceback" not in own_server.said()
