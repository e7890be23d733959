"""Who is banned while his line is lost gets nothing back at the worker to which it comes."""

from builders.remotematches import A, Gate, Person, RemoteMatches, yonder
from sunglare_protocol import messages
from sunglare_protocol.ids import PUBLIC, MatchId
from sunglare_protocol.refusals import Code
from sunglare_server.ports.sanctions import SanctionKind


async def banned_while_lost(y: RemoteMatches, far: Gate, account: str) -> None:
    """Ban an account with which nobody is connected, as far as the worker knows."""
    far.carrier.cut()
    await y.lobby.policy.keep(SanctionKind.BAN, account)
    far.carrier.mend()
    await y.go_on(3_000)


async def hears_more(y: RemoteMatches, person: Person, match: MatchId) -> bool:
    """Return whether somebody hears anything of a match that goes on."""
    before, tap = len(person.peer.posts(match)), y.tap(match, PUBLIC)
    await y.play(match)
    assert len(tap.posts(match)) > 2
    return len(person.peer.posts(match)) > before


async def test_a_watcher_who_is_banned_meanwhile_watches_no_more() -> None:
    async with yonder() as y:
        near, far = await y.gate("near"), await y.gate("far")
        ann, bob = await near.one("ann"), await near.one("bob")
        eve = await far.one("eve")
        match = await y.duel(ann, bob)
        await eve.expect(messages.Watching, messages.Watch, match=match, feed=PUBLIC)
        assert await hears_more(y, eve, match)
        account = await y.lobby.accounts.called("eve")
        assert account is not None
        await banned_while_lost(y, far, account)
        assert not await hears_more(y, eve, match)
        refusal = await eve.expect(messages.Refused, messages.Info, match=match)
        assert refusal.code is Code.OPERATOR_BANNED


async def test_nobody_gets_back_the_seat_of_who_is_banned_meanwhile() -> None:
    async with yonder() as y:
        near, far = await y.gate("near"), await y.gate("far")
        ann, bob = await near.one("ann"), await near.one("bob")
        match = await y.duel(ann, bob)
        ticket = next(one.ticket for one in ann.peer.messages if isinstance(one, messages.Seated))
        zoe = await far.one("zoe")
        await zoe.expect(messages.Resumed, messages.Resume, match=match, ticket=ticket)
        assert await hears_more(y, zoe, match)
        seat = y.lobby.rooms[match].seat_at(A)
        assert seat is not None
        assert seat.account == await y.lobby.accounts.called("ann")
        await banned_while_lost(y, far, seat.account)
        assert not await hears_more(y, zoe, match)
