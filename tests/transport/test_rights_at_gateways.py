"""A right that ends at the worker ends at the gateway, in whatever order word of it comes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.feedmessages import parcels_of
from builders.memorytransport import Harm
from builders.remotematches import SCENARIO, A, B, Gate, Person, RemoteMatches, yonder
from builders.remotepeers import Peer
from sunglare_protocol import messages
from sunglare_protocol.codec import Form
from sunglare_protocol.ids import PUBLIC, Audience, MatchId, audience_of
from sunglare_protocol.refusals import Code
from sunglare_server.api.port import COME_BACK, RESTARTING, SUPERSEDED
from sunglare_server.gateway.remote.feed_cache import Follower
from sunglare_server.gateway.remote.session import RemoteSession
from sunglare_server.transport.messages import (
    ClientContext,
    HeldFeed,
    Reattach,
    Release,
    Response,
    answer_of,
    request_of,
    sealed_up,
)
from sunglare_server.transport.subjects import OF_GATEWAYS, Trust, of_match

OF_A = audience_of(A)
MATCH = MatchId("m" * 26)


async def sessions(y: RemoteMatches) -> tuple[Gate, Person, Person, Person, MatchId]:
    """Return a gateway with a watcher of A's feed, and the seats, at another gateway.

    A second one watches it there to the end, so that the gateway has it all the same.
    """
    near, far = await y.gate("near"), await y.gate("far")
    ann, bob = await near.one("ann"), await near.one("bob")
    kim, eve = await far.one("kim"), await far.one("eve")
    match = await y.duel(ann, bob)
    for watcher, name in ((kim, "kim"), (eve, "eve")):
        await ann.accepted(messages.GrantFeed, match=match, name=name, feed=OF_A)
        await watcher.expect(messages.Watching, messages.Watch, match=match, feed=OF_A)
    for _ in range(3):
        await eve.expect(messages.MatchInfo, messages.Info, match=match)
    await y.play(match)
    assert len(eve.peer.posts(match)) > 3
    return far, ann, bob, eve, match


async def hears_nothing_more(y: RemoteMatches, person: Person, match: MatchId) -> bool:
    """Return whether nothing of a match comes any more, though it goes on."""
    before, tap = len(person.peer.posts(match)), y.tap(match, OF_A)
    await y.play(match)
    assert len(tap.posts(match)) > 2
    return len(person.peer.posts(match)) == before


async def test_a_grant_that_is_taken_back_ends_at_the_gateway() -> None:
    async with yonder() as y:
        _, ann, _, eve, match = await sessions(y)
        await ann.accepted(messages.RevokeFeed, match=match, name="eve", feed=OF_A)
        await y.go_on(50)
        assert await hears_nothing_more(y, eve, match)


async def test_whoever_waits_in_a_room_that_is_closed_is_let_go_and_may_sit_elsewhere() -> None:
    async with yonder() as y:
        gate = await y.gate("near")
        ann, bob, eve = [await gate.one(name) for name in ("ann", "bob", "eve")]
        match = await y.room(eve)
        await ann.expect(messages.Seated, messages.Join, match=match)
        await bob.expect(messages.Watching, messages.Watch, match=match, feed=PUBLIC)
        await eve.accepted(messages.Leave, match=match)
        await y.go_on(50)
        for person in (ann, bob, eve):
            told = await person.expect(messages.Refused, messages.Info, match=match)
            assert told.code is Code.MATCH_UNKNOWN
        other = await y.room(eve)
        for person in (ann, bob):
            await person.expect(messages.Seated, messages.Join, match=other)


@pytest.mark.parametrize("harm", [Harm.LOST, Harm.LATEST])
async def test_a_grant_that_was_taken_back_while_the_gateway_was_away_is_not_found_again(
    harm: Harm,
) -> None:
    async with yonder() as y:
        far, ann, _, eve, match = await sessions(y)
        far.carrier.cut()
        await ann.accepted(messages.RevokeFeed, match=match, name="eve", feed=OF_A)
        y.road.weather.add(harm)
        far.carrier.mend()
        await y.go_on(3_000)
        assert await hears_nothing_more(y, eve, match)
        assert any(one.feed == OF_A for one in parcels_of(y.road.posted))


async def test_after_a_lost_connection_another_feed_can_be_watched() -> None:
    async with yonder() as y:
        far, _, _, eve, match = await sessions(y)
        eve.hang_up()
        zoe = await far.one("zoe")
        for _ in range(5):
            await zoe.expect(messages.MatchInfo, messages.Info, match=match)
        far.carrier.cut()
        far.carrier.mend()
        await y.go_on(1_000)
        await zoe.expect(messages.Watching, messages.Watch, match=match, feed=PUBLIC)
        tap = y.tap(match, PUBLIC)
        await y.play(match)
        assert len(tap.posts(match)) > 2
        assert zoe.peer.posts(match)[-len(tap.posts(match)) :] == tap.posts(match)


async def test_lines_that_a_worker_gave_up_hold_again_what_they_may_and_nothing_else() -> None:
    async with yonder() as y:
        far, ann, _, eve, match = await sessions(y)
        far.carrier.hold_up()
        y.reception.sessions.sweep(y.clock.now_ms() + 6_000)
        await ann.accepted(messages.RevokeFeed, match=match, name="eve", feed=OF_A)
        far.carrier.go_on()
        await y.go_on(3_000)
        assert await hears_nothing_more(y, eve, match)


async def secret(y: RemoteMatches, host: Person, *people: Person) -> messages.Created:
    """Start a private match of two, whose host has no seat, and return its id and code."""
    wish = {"scenario": SCENARIO, "options": {"clock": "test"}, "private": True}
    made = await host.expect(messages.Created, messages.Create, **wish)
    for person in people:
        shown = {"match": made.match, "code": made.code}
        await person.expect(messages.Seated, messages.Join, **shown)
    for person in people:
        await person.accepted(messages.Ready, match=made.match)
    await y.until(lambda: y.lobby.matches.handle(made.match) is not None, "a start")
    await y.until(lambda: y.newest(made.match, A) > 0, "the first frames")
    return made


async def test_who_watches_a_private_match_by_its_code_goes_on_after_a_lost_connection() -> None:
    async with yonder() as y:
        near, far = await y.gate("near"), await y.gate("far")
        host, ann, bob = [await near.one(name) for name in ("host", "ann", "bob")]
        eve = await far.one("eve")
        room = await secret(y, host, ann, bob)
        shown = {"match": room.match, "code": room.code, "feed": PUBLIC}
        await eve.expect(messages.Watching, messages.Watch, **shown)
        far.carrier.cut()
        await y.play(room.match)
        far.carrier.mend()
        await y.go_on(2_000)
        tap, before = y.tap(room.match, PUBLIC), len(eve.peer.posts(room.match))
        await y.play(room.match)
        assert len(tap.posts(room.match)) > 2
        assert eve.peer.posts(room.match)[before:] == tap.posts(room.match)
        # The worker that it came back to knows the right, too.
        await eve.expect(messages.MatchInfo, messages.Info, match=room.match)


async def test_a_line_comes_back_to_a_private_match_by_no_ticket_and_no_code() -> None:
    async with yonder() as y:
        near, far = await y.gate("near"), await y.gate("far")
        host, ann, bob = [await near.one(name) for name in ("host", "ann", "bob")]
        eve = await far.one("eve")
        room = await secret(y, host, ann, bob)
        for proof in ("", "wrongs", "0" * 64):
            context = eve.talk.context
            asked = Reattach(context, room.match, feed=PUBLIC, proof=proof)
            subject = of_match(Trust.PLAYERS, room.match, "far")
            told = answer_of(await far.carrier.request(subject, sealed_up(asked), 1.0))
            assert isinstance(told, Response)
            assert told.holds == ()


async def test_a_private_match_is_refused_across_the_road_in_the_bytes_of_an_unknown_one() -> None:
    async with yonder() as y:
        gates = await y.gate("near"), await y.gate("look", Trust.SPECTATORS)
        host, ann, bob = [await gates[0].one(name) for name in ("host", "ann", "bob")]
        room = await secret(y, host, ann, bob)
        kinds = (messages.Info, messages.FetchRecord, messages.Join, messages.Ready)
        for gate in gates:
            eve = await gate.one()
            for kind in kinds:
                told = [
                    await eve.expect(messages.Refused, kind, id=9, match=match)
                    for match in (room.match, MATCH)
                ]
                assert told[0] == told[1]
            for match in (room.match, MATCH):
                assert await gate.service.record(match) is None


async def test_spectators_gateways_pass_on_the_record_of_a_match_that_is_over() -> None:
    async with yonder() as y:
        near, look = await y.gate("near"), await y.gate("look", Trust.SPECTATORS)
        host, ann, bob = [await near.one(name) for name in ("host", "ann", "bob")]
        room = await secret(y, host, ann, bob)
        eve = await look.one()
        shown = {"match": room.match, "code": room.code}
        told = await eve.expect(messages.Refused, messages.FetchRecord, **shown)
        assert told.code is Code.SERVER_SPECTATORS
        await bob.accepted(messages.Resign, match=room.match)
        await y.until(lambda: room.match not in y.lobby.rooms, "the end is stored")
        assert (await eve.expect(messages.Piece, messages.FetchRecord, **shown)).last
        told = await eve.expect(messages.Refused, messages.FetchRecord, match=room.match)
        assert told.code is Code.SERVER_SPECTATORS


async def test_a_gateway_has_the_mark_for_its_log_from_the_worker() -> None:
    async with yonder() as y:
        for trust in OF_GATEWAYS:
            gate = await y.gate(trust.value, trust)
            ann = await gate.one()
            caller = ann.talk.caller
            assert caller is not None
            assert caller.mark == y.lobby.marks.of(caller.account) != ""


async def test_a_seat_that_was_left_and_taken_meanwhile_is_not_taken_back() -> None:
    async with yonder() as y:
        near, far = await y.gate("near"), await y.gate("far")
        host, ann = await near.one("host"), await far.one("ann")
        bob, cid = await near.one("bob"), await near.one("cid")
        match = await y.room(host)
        await ann.expect(messages.Seated, messages.Join, match=match, side=A)
        far.carrier.cut()
        seat = y.lobby.rooms[match].seat_at(A)
        assert seat is not None
        assert await y.lobby.leave(match, seat.account) is None
        for person, side in ((bob, A), (cid, B)):
            await person.expect(messages.Seated, messages.Join, match=match, side=side)
        far.carrier.mend()
        await y.go_on(2_000)
        for person in (bob, cid):
            await person.accepted(messages.Ready, match=match)
        await y.go_on(1_000)
        await y.play(match)
        assert bob.peer.farewell is None
        assert bob.peer.posts(match)
        assert not ann.peer.posts(match)


async def test_a_seat_whose_room_was_closed_meanwhile_is_let_go_of_like_one_that_was_taken() -> (
    None
):
    async with yonder() as y:
        near, far = await y.gate("near"), await y.gate("far")
        host, ann = await near.one("host"), await far.one("ann")
        match = await y.room(host)
        await ann.expect(messages.Seated, messages.Join, match=match, side=A)
        far.carrier.cut()
        await y.lobby.opener.close(y.lobby.rooms[match])
        far.carrier.mend()
        await y.go_on(2_000)
        assert ann.peer.farewell == (COME_BACK, RESTARTING)


async def test_a_line_whose_seat_another_has_taken_meanwhile_does_not_take_it_back() -> None:
    async with yonder() as y:
        near, far = await y.gate("near"), await y.gate("far")
        ann, bob = await far.one("ann"), await near.one("bob")
        match = await y.duel(ann, bob)
        welcome = next(one for one in ann.peer.messages if isinstance(one, messages.Welcome))
        far.carrier.cut()
        again = await near.one(token=welcome.token)
        await again.expect(messages.Resumed, messages.Resume, match=match)
        far.carrier.mend()
        await y.go_on(2_000)
        assert again.peer.farewell is None
        before = len(ann.peer.posts(match))
        await y.play(match)
        assert len(again.peer.posts(match)) > 3
        assert len(ann.peer.posts(match)) == before
        assert ann.peer.farewell is not None


async def test_who_is_superseded_is_closed_at_the_other_gateway() -> None:
    async with yonder() as y:
        near, far = await y.gate("near"), await y.gate("far")
        ann, bob = await far.one("ann"), await near.one("bob")
        match = await y.duel(ann, bob)
        welcome = next(one for one in ann.peer.messages if isinstance(one, messages.Welcome))
        again = await near.one(token=welcome.token)
        await again.expect(messages.Resumed, messages.Resume, match=match)
        await y.go_on(50)
        assert ann.peer.farewell is not None
        assert ann.peer.farewell[1] == SUPERSEDED
        before = len(ann.peer.posts(match))
        await y.play(match)
        assert len(ann.peer.posts(match)) == before


async def test_an_account_that_is_forgotten_is_turned_out_at_every_gateway() -> None:
    async with yonder() as y:
        near, far = await y.gate("near"), await y.gate("far")
        ann = await near.one("ann")
        welcome = next(one for one in ann.peer.messages if isinstance(one, messages.Welcome))
        other = await far.one(token=welcome.token)
        await ann.accepted(messages.Forget)
        await y.go_on(50)
        assert ann.peer.farewell is not None
        assert other.peer.farewell is not None


class _Backend:
    """What a talk asks, for a talk alone: nobody is asked, and views are a list of who follows."""

    def __init__(self) -> None:
        self.following: dict[tuple[MatchId, Audience], Follower] = {}

    def follow(self, held: tuple[MatchId, Audience], follower: Follower, _: HeldFeed) -> None:
        self.following[held] = follower

    def unfollow(self, _: RemoteSession, held: tuple[MatchId, Audience], __: Follower) -> None:
        del self.following[held]

    def attach(self, match: MatchId, talk: RemoteSession, worker: str) -> None:
        """Do nothing: nobody is brought back."""

    def now_ms(self) -> int:
        return 0

    def context(self, number: int) -> ClientContext:
        return ClientContext("far", 1, number, Form.PACKED)


@st.composite
def words(draw: st.DrawFn) -> tuple[list[Response | Release], bool]:
    """Return what a worker says of one feed, and whether it is held in the end.

    Posts come in their order, and answers in any, before them or after.
    """
    said: list[Response | Release] = []
    is_held, count = False, 0
    for _ in range(draw(st.integers(1, 8))):
        if is_held and draw(st.booleans()):
            is_held = False
            said.append(Release(1, "w", count, MATCH, OF_A))
        else:
            is_held = is_held or draw(st.booleans())
            count += 1
            hold = HeldFeed(MATCH, OF_A, is_seat=False, have=0, epoch=1)
            said.append(Response("w", count=count, holds=(hold,) if is_held else ()))
    posts = [word for word in said if isinstance(word, Release)]
    mixed = draw(st.permutations(said))
    return [posts.pop(0) if isinstance(word, Release) else word for word in mixed], is_held


@given(words())
def test_in_whatever_order_answers_and_posts_come_the_newest_word_holds(
    drawn: tuple[list[Response | Release], bool],
) -> None:
    said, is_held = drawn
    backend = _Backend()
    talk = RemoteSession(backend, Peer(), 1, None, None)  # type: ignore[arg-type]
    for word in said:
        if isinstance(word, Release):
            talk.let_go(word)
        else:
            talk.take_back(MATCH, word)
    assert bool(backend.following) is is_held
    assert bool(talk.holds) is is_held


async def test_nothing_that_a_gateway_keeps_or_says_again_holds_a_players_token() -> None:
    async with yonder() as y:
        gate = await y.gate("near")
        ann, bob = await gate.one("ann"), await gate.one("bob")
        match = await y.duel(ann, bob)
        await ann.accepted(messages.Chat, match=match, text="hello")
        gate.carrier.cut()
        gate.carrier.mend()
        await y.go_on(1_000)
        tokens = [
            one.token.encode()
            for person in (ann, bob)
            for one in person.peer.messages
            if isinstance(one, messages.Welcome)
        ]
        assert len(tokens) == 2
        asked = [data for name, _, data in y.road.asked if name == "near"]
        assert len(asked) > 10
        assert not any(token in data for data in asked for token in tokens)
        contexts = [getattr(request_of(data), "context", None) for data in asked]
        assert len([one for one in contexts if one is not None and one.seal is not None]) > 5
        assert ann.talk.caller is not None
        assert ann.talk.caller.token == ""
