"""What a talk waits for when it ends, or when the match of its seat goes to another owner."""

import asyncio

from builders.remotematches import yonder
from builders.remotepeers import Peer
from builders.runners import runners_of
from sunglare_protocol import messages
from sunglare_protocol.codec import Form, decode_server
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


async def test_a_talk_waits_for_no_answer_of_an_owner_that_is_fenced() -> None:
    async with yonder() as y:
        gate = await y.gate("near")
        match = await y.duel(await gate.one("ann"), await gate.one("bob"))
        peer = Peer()
        talk = LocalService(y.lobby, y.clock).receive(peer, None, None)
        talk.receive_again(Caller(y.lobby.rooms[match].seats[0].account, "ann", ""))
        resuming = asyncio.create_task(talk.answer(messages.Resume(id=1, match=match)))
        await y.until(resuming.done, "the seat")
        assert talk.answer_now(messages.Chat(id=2, match=match, text="a word")) is None
        runners_of(y.lobby.matches)[match].fence("its lease was taken")
        settling = asyncio.create_task(talk.settled())
        await y.until(settling.done, "that it waits no more")
        # Its line gives the command to the next owner, and nobody hears of it before.
        came = [decode_server(data, Form.PACKED) for data in peer.came]
        assert messages.Resumed in map(type, came)
        assert not [answer for answer in came if getattr(answer, "id", None) == 2]
