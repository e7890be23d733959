"""Matches of two hands and a spectator whose connections are to outlast what happens to servers.

What came over the connections is held against the record in the end.
"""

import asyncio
from contextlib import AsyncExitStack
from typing import final

from builders.players import Player, all_ready, created, finished, play_on, seated
from builders.records import RecordFile, folded, read_record
from builders.watchers import OPEN, watch
from builders.wires import WAIT_S, Talker, met
from sunglare_arena.verify import verified
from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.ids import PUBLIC, MatchId, Side, audience_of
from sunglare_protocol.messages import Accepted, Frame, GiveOrders, Refused, ServerMessage
from sunglare_protocol.refusals import Code

POLL_S = 0.05
"""How long after a refusal, for the time being, orders are given again."""

Given = tuple[Side, int, str, int]
"""Orders in a record: side, number of the command, window and rev."""


@final
class Show:
    """A match that goes on, its seats, and one who watches its public feed."""

    def __init__(self, players: list[Player], spectator: Talker) -> None:
        """Take what is there; every talker that speaks for a seat is kept.

        `owners` is how many the match has had.
        """
        self.players = players
        self.spectator = spectator
        self.owners = 1
        self.talkers = {player.side: [player.talker] for player in players}

    @property
    def match(self) -> MatchId:
        """Return which match it is."""
        return self.players[0].match

    async def resume(self, place: int, talker: Talker) -> None:
        """Take a seat again by its ticket over another connection."""
        player = self.players[place] = await self.players[place].resume(talker)
        self.talkers[player.side].append(talker)

    async def give_many(self, sets: int) -> None:
        """Have both seats send so many sets of orders, and wait for the answer to the first."""
        for player in self.players:
            talker, window = player.talker, player.newest.window
            for rev in range(1, sets + 1):
                number = next(talker.ids)
                order = GiveOrders(id=number, match=self.match, window=window, rev=rev, lock=False)
                await talker.send(order)
            # Whoever gives orders by hand later has to count on from here.
            player.skip_revs(sets)
        first = self.players[0].talker
        await first.wait_for(lambda told: isinstance(told, Accepted) and told.rev == 1)

    async def answered_again(self) -> None:
        """Return once the match takes orders again, of which nothing is known but by asking."""
        async with asyncio.timeout(WAIT_S):
            for player in self.players:
                while isinstance(answer := await player.orders(lock=False), Refused):
                    assert answer.code is Code.SERVER_JOURNAL, answer
                    await asyncio.sleep(POLL_S)

    async def finish(self, clerk: Talker) -> None:
        """End the match and hold what came against its record, which `clerk` fetches."""
        over = await finished(self.players)
        for talker in (self.spectator, *[player.talker for player in self.players]):
            await talker.wait_for(lambda told: getattr(told, "seq", 0) == over.seq)
        data = await clerk.record(self.match)
        file = read_record(data)
        self._check_orders(file)
        self._check_posts(file)
        assert verified(data)

    def _check_orders(self, file: RecordFile) -> None:
        """Check that what was accepted is there once, and what was not answered once or never."""
        recorded = [
            (record["s"], record["c"], record["b"]["window"], record["b"]["rev"])
            for record in file.maps
            if record["b"]["t"] == "orders"
        ]
        assert len(recorded) == len(set(recorded))
        answers = [
            pair
            for side, talkers in self.talkers.items()
            for talker in talkers
            for pair in answers_of(talker, side)
        ]
        accepted = {given for given, answer in answers if isinstance(answer, Accepted)}
        assert accepted <= set(recorded) <= {given for given, _ in answers}
        assert len(accepted) > len(self.players)

    def _check_posts(self, file: RecordFile) -> None:
        """Check that each seat had each post once, in turn, as it was made, and the spectator too.

        Who watches is shown the newest view instead of what a new owner has in no memory.
        """
        for player in self.players:
            made = folded(file, audience_of(player.side))[audience_of(player.side)]
            came = [(post.seq, encode_server(post, Form.PACKED)) for post in player.posts]
            assert came == sorted(made.items()), player.side
        made = folded(file, PUBLIC)[PUBLIC]
        seen = self.spectator.posts(self.match)
        numbers = [post.seq for post in seen]
        assert numbers == sorted(set(numbers))
        assert numbers[-1] == max(made)
        others = [post for post in seen if encode_server(post, Form.PACKED) != made[post.seq]]
        assert all(isinstance(post, Frame) for post in others), others
        assert len(others) <= self.owners - 1


def answers_of(talker: Talker, side: Side) -> list[tuple[Given, ServerMessage | None]]:
    """Return the orders that were sent over a connection, each with its one answer, if any."""
    found: list[tuple[Given, ServerMessage | None]] = []
    for order in [sent for sent in talker.sent if isinstance(sent, GiveOrders)]:
        told = [
            message
            for message in talker.messages
            if isinstance(message, Accepted | Refused) and message.id == order.id
        ]
        assert len(told) <= 1, told
        given = (side, order.id, str(order.window), order.rev)
        found.append((given, told[0] if told else None))
    return found


async def shown(
    stack: AsyncExitStack, url: str, form: Form = Form.PACKED, *, spectators_url: str = ""
) -> Show:
    """Begin a match whose three connections speak `form` and stay until `stack` is left."""
    anna, boris, watcher = [
        await stack.enter_async_context(met(where, form=form))
        for where in (url, url, spectators_url or url)
    ]
    match = await created(anna, options=OPEN)
    players = [await seated(anna, match), await seated(boris, match)]
    await watch(watcher, match, PUBLIC)
    await all_ready(players)
    await play_on(players, 1)
    while not all(player.is_asked for player in players):
        await play_on(players, 1)
    return Show(players, watcher)
