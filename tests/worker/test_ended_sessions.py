"""A talk that ends while it still answers: what was waited for is not done any more."""

import asyncio

from builders.remotematches import yonder
from builders.remotepeers import Peer
from sunglare_protocol import messages
from sunglare_protocol.ids import PUBLIC
from sunglare_server.accounts.accounts import Caller
from sunglare_server.api.session import LocalService


async def test_whoever_was_to_take_a_seat_when_its_line_ended_leaves_it_to_who_has_it() -> None:
    async with yonder() as y:
        gate = await y.gate("near")
        ann, bob = await gate.one("ann"), await gate.one("bob")
        match = await y.duel(ann, bob)
        seat = y.lobby.rooms[match].seats[0]
        talk = LocalService(y.lobby, y.clock).receive(Peer(), None, None)
        talk.receive_again(Caller(seat.account, "ann", ""))
        answering = asyncio.create_task(talk.answer(messages.Resume(id=1, match=match)))
        await asyncio.sleep(0)
        assert not answering.done()
        talk.end(deliberate=False)
        await y.until(answering.done, "an answer")
        assert talk.holdings == ()
        assert ann.peer.farewell is None
        await ann.accepted(messages.Chat, match=match, text="still here")


async def test_a_line_that_has_ended_watches_nothing() -> None:
    async with yonder() as y:
        gate = await y.gate("near")
        ann, bob = await gate.one("ann"), await gate.one("bob")
        match = await y.duel(ann, bob)
        peer = Peer()
        talk = LocalService(y.lobby, y.clock).receive(peer, None, None)
        talk.receive_again(Caller("eve", "eve", ""))
        talk.end(deliberate=False)
        await talk.answer(messages.Watch(id=1, match=match, feed=PUBLIC))
        came = len(peer.came)
        await y.play(match, 1)
        assert talk.holdings == ()
        assert len(peer.came) == came
