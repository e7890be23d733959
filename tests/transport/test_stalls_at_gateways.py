"""Matches that nobody answers for: what is refused, what is told, what is taken all the same."""

import asyncio
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.memorytransport import Harm, Weather
from builders.remotematches import A, Gate, Person, RemoteMatches, yonder
from builders.runners import runners_of
from sunglare_protocol import messages
from sunglare_protocol.ids import PUBLIC, MatchId
from sunglare_protocol.refusals import Code
from sunglare_server.gateway.remote.session import FAULT, FAULT_BYE
from sunglare_server.transport.messages import (
    ErrorResponse,
    Reattach,
    Response,
    WorkerHeartbeat,
    request_of,
    sealed_up,
)
from sunglare_server.transport.subjects import worker_here
from sunglare_server.transport.transport import Serve

JOURNAL, AGAIN = "server/journal", "server/again"


async def duel(y: RemoteMatches) -> tuple[Gate, Person, Person, MatchId]:
    """Return two who play a match at one gateway."""
    gate = await y.gate("near")
    ann, bob = await gate.one("ann"), await gate.one("bob")
    return gate, ann, bob, await y.duel(ann, bob)


def served_by(y: RemoteMatches, change: Callable[[Serve], Serve]) -> Callable[[], None]:
    """Have the worker answer otherwise, until what is returned is called."""
    before = dict(y.carrier.serving)
    for number, (pattern, group, serve) in before.items():
        y.carrier.serving[number] = (pattern, group, change(serve))
    return lambda: y.carrier.serving.update(before)


def silent(_: Serve) -> Serve:
    """Return what never answers."""

    async def never(_: str, __: bytes) -> bytes:
        await asyncio.Event().wait()
        return b""

    return never


def warnings(person: Person, match: MatchId) -> list[str]:
    """Return what a seat was told of the server."""
    return [text for text in person.peer.texts(match) if text in (JOURNAL, AGAIN)]


async def test_without_a_connection_commands_are_refused_and_questions_too() -> None:
    async with yonder() as y:
        gate, ann, _, match = await duel(y)
        gate.carrier.cut()
        for kind, fields in (
            (messages.Chat, {"match": match, "text": "hello"}),
            (messages.Resign, {"match": match}),
            (messages.Info, {"match": match}),
            (messages.ListMatches, {}),
        ):
            refused = await ann.expect(messages.Refused, kind, **fields)
            assert refused.code is Code.SERVER_JOURNAL
        gate.carrier.mend()
        await y.go_on(500)
        await ann.accepted(messages.Chat, match=match, text="hello")


async def test_seats_are_told_after_a_second_and_again_when_somebody_answers() -> None:
    async with yonder() as y:
        gate, ann, bob, match = await duel(y)
        eve = await gate.one("eve")
        await eve.expect(messages.Watching, messages.Watch, match=match, feed=PUBLIC)
        gate.carrier.cut()
        await y.go_on(900)
        assert [warnings(person, match) for person in (ann, bob)] == [[], []]
        await y.go_on(200)
        assert [warnings(person, match) for person in (ann, bob)] == [[JOURNAL], [JOURNAL]]
        await y.go_on(10_000)
        gate.carrier.mend()
        await y.go_on(1_000)
        assert [warnings(person, match) for person in (ann, bob)] == [[JOURNAL, AGAIN]] * 2
        assert warnings(eve, match) == []


async def test_of_a_short_loss_nobody_is_told() -> None:
    async with yonder() as y:
        gate, ann, _, match = await duel(y)
        gate.carrier.cut()
        await y.go_on(400)
        gate.carrier.mend()
        await y.go_on(2_000)
        assert warnings(ann, match) == []


async def test_a_worker_that_stands_still_is_told_of_as_soon_as_one_that_is_gone() -> None:
    async with yonder() as y:
        _, ann, _, match = await duel(y)
        go_on = served_by(y, silent)
        y.carrier.mute()
        # Silent for 1.5 s, which is looked at once a second, and then for another second.
        await y.go_on(3_700)
        assert warnings(ann, match) == [JOURNAL]
        refused = await ann.expect(messages.Refused, messages.Chat, match=match, text="hello")
        assert refused.code is Code.SERVER_JOURNAL
        go_on()
        y.carrier.unmute()
        await y.go_on(4_000)
        assert warnings(ann, match) == [JOURNAL, AGAIN]
        await ann.accepted(messages.Chat, match=match, text="hello")


async def test_a_command_under_way_to_a_worker_that_stands_still_waits_for_no_answer_of_it() -> (
    None
):
    async with yonder() as y:
        _, ann, bob, match = await duel(y)
        go_on = served_by(y, silent)
        under_way = asyncio.create_task(ann.accepted(messages.Chat, match=match, text="hello"))
        y.carrier.mute()
        await y.go_on(3_700)
        assert not under_way.done()
        go_on()
        y.carrier.unmute()
        await y.go_on(4_000)
        assert under_way.done()
        await under_way
        await y.play(match, 1)
        await y.go_on(20_000)
        heard = [one.text for one in bob.peer.messages if isinstance(one, messages.News)]
        assert heard.count("hello") == 1


async def test_a_line_at_which_a_worker_fails_is_ended_and_no_other() -> None:
    async with yonder() as y:
        gate, ann, bob, match = await duel(y)

        def fails_for_ann(serve: Serve) -> Serve:
            async def answer(subject: str, data: bytes) -> bytes:
                asked = request_of(data)
                if isinstance(asked, Reattach) and asked.context.number == ann.talk.number:
                    return sealed_up(ErrorResponse("w"))
                return await serve(subject, data)

            return answer

        served_by(y, fails_for_ann)
        gate.carrier.cut()
        gate.carrier.mend()
        await y.go_on(2_000)
        assert ann.peer.farewell is not None
        assert ann.peer.farewell[1] == FAULT
        assert bob.peer.farewell is None
        await bob.accepted(messages.Chat, match=match, text="hello")


async def test_a_worker_that_leaves_as_the_last_line_comes_back_is_asked_no_less() -> None:
    async with yonder() as y:
        gate, _, bob, match = await duel(y)
        asked: list[int] = []

        def leaves_behind_bob(serve: Serve) -> Serve:
            async def answer(subject: str, data: bytes) -> bytes:
                told = await serve(subject, data)
                of = request_of(data)
                if isinstance(of, Reattach):
                    asked.append(of.context.number)
                    if asked.count(bob.talk.number) == 1 and of.context.number == bob.talk.number:
                        leaves = WorkerHeartbeat("w", 1, leaves=True)
                        y.carrier.publish(worker_here("w"), sealed_up(leaves))
                return told

            return answer

        served_by(y, leaves_behind_bob)
        gate.carrier.cut()
        gate.carrier.mend()
        await y.go_on(3_000)
        assert asked.count(bob.talk.number) >= 2
        await bob.accepted(messages.Chat, match=match, text="hello")


@given(harms=st.lists(st.sampled_from(Harm), min_size=1, max_size=30), seed=st.integers(0, 3))
async def test_a_command_is_taken_once_and_answered_whatever_was_lost(
    harms: list[Harm], seed: int
) -> None:
    async with yonder() as y:
        gate, ann, bob, match = await duel(y)
        y.road.weather = Weather([Harm.NONE] * seed + harms)
        texts = [f"word {number}" for number in range(4)]
        taken = []
        for text in texts:
            answer = await ann.ask(messages.Chat, match=match, text=text)
            if isinstance(answer, messages.Accepted):
                taken.append(text)
            else:
                # Nobody answered when it was said: nothing of it was done.
                assert isinstance(answer, messages.Refused)
                assert answer.code is Code.SERVER_JOURNAL
                await y.until(lambda: gate.service.stalled == 0, "somebody answers again")
        y.road.weather = Weather()
        await y.go_on(20_000)
        await y.play(match, 1)
        await y.go_on(20_000)
        for person in (ann, bob):
            said = [
                one.text
                for one in person.peer.messages
                if isinstance(one, messages.News) and one.kind is messages.NewsKind.CHAT
            ]
            assert [text for text in said if text in texts] == taken


@pytest.mark.parametrize("harm", [Harm.UNANSWERED, Harm.CUT])
async def test_orders_whose_answer_is_lost_are_given_once_and_answered(harm: Harm) -> None:
    async with yonder() as y:
        gate, ann, _, match = await duel(y)
        window = runners_of(y.lobby.matches)[match].state.standing.window
        y.road.heed = lambda subject: subject.startswith("req")
        y.road.weather = Weather([harm])
        given = {"match": match, "window": window, "rev": 1, "orders": (), "lock": True}
        await ann.accepted(messages.GiveOrders, **given)
        asked = [data for name, subject, data in y.road.asked if name == gate.name]
        assert sum(b"orders" in data for data in asked) >= 2
        state = runners_of(y.lobby.matches)[match].state
        assert state.staged[A].locked
        assert state.staged[A].rev == 1


async def test_a_line_that_has_ended_is_brought_back_to_nothing() -> None:
    async with yonder() as y:
        gate = await y.gate("near")
        ann = await gate.one("ann")
        await y.room(ann)
        ann.hang_up()
        await y.go_on(500)
        known = len(y.reception.sessions)
        gate.carrier.cut()
        await y.go_on(500)
        assert gate.service.stalled == 0
        gate.carrier.mend()
        await y.go_on(1_000)
        assert (known, len(y.reception.sessions)) == (0, 0)


def cut(_: Serve) -> Serve:
    """Return what answers that another owner is to come."""

    async def ends(_: str, __: bytes) -> bytes:
        return sealed_up(Response("w", is_cut=True))

    return ends


def token_of(person: Person) -> str:
    """Return the token that a person was given."""
    return next(one.token for one in person.peer.messages if isinstance(one, messages.Welcome))


async def test_what_a_line_asked_for_that_has_ended_is_asked_no_more() -> None:
    async with yonder() as y:
        gate, ann, _, match = await duel(y)
        first = await gate.one(token=token_of(ann))
        second = await gate.one(token=token_of(ann))
        ann.hang_up()
        go_on = served_by(y, cut)
        wish = messages.Resume(id=next(first.ids), match=match)
        under_way = asyncio.create_task(first.talk.answer(wish))
        await y.go_on(100)
        first.peer.dismiss(FAULT_BYE, FAULT)
        go_on()
        await second.expect(messages.Resumed, messages.Resume, match=match)
        await y.go_on(5_000)
        assert under_way.done()
        assert second.peer.farewell is None
        await second.accepted(messages.Chat, match=match, text="here again")
