"""A seat that outlives its connections: resuming, repeating commands, giving up."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from msgspec.structs import replace

from builders.fakeserver import MATCH, SIDE, Table, frame, news, over, serving, soon, until, view
from sunglare_client.errors import GapError, LostError, RefusedError, SupersededError
from sunglare_client.link.callbacks import Hooks
from sunglare_client.link.connection import connect
from sunglare_client.link.patience import Patience, may_come_back
from sunglare_client.link.seat import Seat
from sunglare_protocol.errors import OutOfTurnError
from sunglare_protocol.ids import NO_MATCH, MatchId, OwnId
from sunglare_protocol.messages import Accepted, Ask, Bye, Chat, GiveOrders, Question, Resign
from sunglare_protocol.messages.answers import Card
from sunglare_protocol.orders import Turn
from sunglare_protocol.refusals import Code
from sunglare_protocol.words.ladder import Phase

QUICK = Patience(first_s=0.01, most_s=0.02, restart_s=0.01, give_up_after_s=3)


@asynccontextmanager
async def seated(
    table: Table, patience: Patience = QUICK, hooks: Hooks | None = None
) -> AsyncIterator[Seat]:
    async with serving(table.script) as url:
        connection = await soon(connect(url))
        joined = Seat.join(connection, match=MATCH, patience=patience, hooks=hooks)
        async with await soon(joined) as seat:
            yield seat


async def take(seat: Seat, count: int) -> list[int]:
    """Return the numbers of the next posts."""
    return [(await soon(anext(seat))).seq for _ in range(count)]


async def test_a_seat_gives_posts_in_sequence_and_ends_after_the_over() -> None:
    table = Table(frame(1), news(2), frame(3), over(4))
    async with seated(table) as seat:
        assert seat.side == SIDE
        assert await take(seat, 4) == [1, 2, 3, 4]
        with pytest.raises(StopAsyncIteration):
            await soon(anext(seat))
        assert seat.picture.over == over(4)


async def test_after_a_cut_the_missed_posts_come_exactly_once() -> None:
    table = Table(frame(1), frame(2))
    async with seated(table) as seat:
        assert await take(seat, 2) == [1, 2]
        table.cut()
        await table.post(frame(3), news(4))
        assert await take(seat, 2) == [3, 4]
        await table.post(frame(5))
        assert await take(seat, 1) == [5]
    assert [resume.have for resume in table.resumes] == [2]


async def test_a_seat_comes_back_as_the_same_agent_with_the_newest_ticket() -> None:
    table = Table()
    tickets: list[str] = []
    links: list[bool] = []
    hooks = Hooks(on_ticket=lambda _, ticket: tickets.append(ticket), on_link=links.append)
    async with seated(table, hooks=hooks):
        table.cut()
        await until(lambda: links == [False, True])
        table.cut()
        await until(lambda: links == [False, True] * 2)
    assert [hello.token for hello in table.hellos] == [None, "fresh-token", "fresh-token"]
    assert [resume.ticket for resume in table.resumes] == ["ticket-0", "ticket-1"]
    assert tickets == ["ticket-0", "ticket-1", "ticket-2"]


async def test_posts_that_are_sent_again_are_dropped() -> None:
    table = Table(frame(1), frame(2))
    async with seated(table) as seat:
        await take(seat, 2)
        assert table.talk is not None
        await table.talk.send(frame(1), frame(2))
        await table.post(frame(3))
        assert await take(seat, 1) == [3]


async def test_a_reset_replaces_the_picture_by_a_keyframe() -> None:
    table = Table(frame(1))
    table.ring = 1
    async with seated(table) as seat:
        await take(seat, 1)
        table.cut()
        await table.post(frame(2), frame(3), frame(4))
        assert await take(seat, 1) == [4]
        await table.post(frame(5))
        assert await take(seat, 1) == [5]
        assert seat.picture.chain_from == 4


async def test_a_missing_post_is_raised() -> None:
    table = Table(frame(1))
    async with seated(table) as seat:
        await take(seat, 1)
        await table.post(frame(3))
        with pytest.raises(GapError):
            await soon(anext(seat))
        with pytest.raises(GapError):
            await soon(seat.resign())


async def test_posts_of_other_matches_are_passed_over() -> None:
    table = Table()
    async with seated(table) as seat:
        assert table.talk is not None
        await table.talk.send(replace(frame(7), match=MatchId("z" * 26)))
        await table.post(frame(1))
        assert await take(seat, 1) == [1]


async def test_news_of_the_whole_server_are_given_out_at_every_seat() -> None:
    table = Table()
    async with seated(table) as seat:
        assert table.talk is not None
        told = replace(news(0, "ends"), match=NO_MATCH, ends_ms=1)
        await table.talk.send(told, replace(told, match=MatchId("z" * 26)))
        await table.post(frame(1))
        assert await soon(anext(seat)) == told
        assert await take(seat, 1) == [1]


async def test_an_unanswered_command_is_repeated_with_its_number() -> None:
    table = Table(frame(1))
    async with seated(table) as seat:
        await take(seat, 1)
        table.silent = True
        asked = asyncio.create_task(seat.orders([], lock=True))
        await until(lambda: len(table.commands) == 1)
        table.silent = False
        table.cut()
        accepted = await soon(asked)
        assert accepted.rev == 1
    assert len(table.commands) == 2
    assert table.commands[0] == table.commands[1]


async def test_of_two_questions_asked_at_once_the_second_waits_for_the_answer_to_the_first() -> (
    None
):
    table = Table()
    async with seated(table) as seat:
        table.silent = True
        about = ("S1", "S2")
        asked = [asyncio.create_task(seat.ask(Question.LOOK, label)) for label in about]
        await until(lambda: len(table.commands) > 0)
        table.silent = False
        table.cut()
        answers = await soon(asyncio.gather(*asked))
    assert [answer.title for answer in answers if isinstance(answer, Card)] == ["S1", "S2"]
    assert len(table.commands) == 3


async def test_a_review_is_asked_for_with_its_orders() -> None:
    plan = (Turn(ship=OwnId("S1"), steps=1),)
    table = Table()
    async with seated(table) as seat:
        await soon(seat.ask(Question.REVIEW, orders=iter(plan)))
        await soon(seat.ask(Question.LOOK, "S1"))
    asked = [(one.kind, one.about, one.orders) for one in table.commands if isinstance(one, Ask)]
    assert asked == [(Question.REVIEW, None, plan), (Question.LOOK, "S1", ())]


async def test_repeated_commands_keep_their_order_and_answered_ones_are_not_repeated() -> None:
    table = Table()
    async with seated(table) as seat:
        await soon(seat.ready())
        table.silent = True
        chats = [asyncio.create_task(seat.chat(text)) for text in ("one", "two", "three")]
        await until(lambda: len(table.commands) == 4)
        table.silent = False
        table.cut()
        await soon(asyncio.gather(*chats))
    ids = [message.id for message in table.commands]
    assert ids[1:4] == ids[4:]
    assert ids[1:4] == sorted(ids[1:4])


async def test_a_command_given_while_the_line_is_cut_is_sent_on_the_next() -> None:
    table, late = Table(), list[asyncio.Task[Accepted]]()

    def on_link(up: bool) -> None:
        if not up:
            late.append(asyncio.create_task(seat.chat("late")))

    async with seated(table, hooks=Hooks(on_link=on_link)) as seat:
        table.cut()
        await until(lambda: bool(late) and late[0].done())
        assert [type(message) for message in table.commands] == [Chat]


async def test_numbers_rise_above_those_of_the_process_before() -> None:
    table = Table(frame(1))
    table.last_id = 500
    async with serving(table.script) as url:
        connection = await soon(connect(url))
        async with await soon(Seat.resume(connection, MATCH, "ticket-0")) as seat:
            assert await take(seat, 1) == [1]
            await soon(seat.ready())
    assert table.commands[0].id == 501


async def test_orders_after_a_resume_replace_those_that_are_staged() -> None:
    table = Table(frame(1))
    table.rev = 4
    async with serving(table.script) as url:
        connection = await soon(connect(url))
        async with await soon(Seat.resume(connection, MATCH, "ticket-0")) as seat:
            await take(seat, 1)
            assert (await soon(seat.orders([]))).rev == 5


async def test_orders_go_to_the_newest_window_and_replace_each_other() -> None:
    table = Table(frame(1, view(Phase.ENGAGE, turn=3)))
    async with seated(table) as seat:
        await take(seat, 1)
        await soon(seat.orders([], lock=False))
        await soon(seat.orders([]))
    given = [message for message in table.commands if isinstance(message, GiveOrders)]
    assert [(message.window, message.rev, message.lock) for message in given] == [
        ("3.engage", 1, False),
        ("3.engage", 2, True),
    ]


async def test_there_is_no_window_to_order_in_before_the_first_frame() -> None:
    async with seated(Table()) as seat:
        with pytest.raises(OutOfTurnError):
            await soon(seat.orders([]))


async def test_a_refused_command_raises_and_the_seat_goes_on() -> None:
    table = Table(refuses={Resign: Code.MATCH_NOT_STARTED})
    async with seated(table) as seat:
        with pytest.raises(RefusedError) as refusal:
            await soon(seat.resign())
        await soon(seat.ready())
    assert refusal.value.code is Code.MATCH_NOT_STARTED


async def test_where_the_ticket_is_refused_the_account_takes_its_seat() -> None:
    table = Table(frame(1))
    table.refusal, table.account_refusal = Code.TICKET_BAD, None
    async with seated(table) as seat:
        assert await take(seat, 1) == [1]
        table.cut()
        await table.post(frame(2))
        assert await take(seat, 1) == [2]
    assert [(resume.ticket, resume.have) for resume in table.resumes] == [
        ("ticket-0", 1),
        (None, 1),
    ]


async def test_who_is_given_no_ticket_keeps_the_one_he_has() -> None:
    table = Table()
    tickets: list[str] = []
    links: list[bool] = []
    table.gives_tickets = False
    hooks = Hooks(on_ticket=lambda _, ticket: tickets.append(ticket), on_link=links.append)
    async with seated(table, hooks=hooks) as seat:
        for count in (1, 2):
            table.cut()
            await until(lambda count=count: links == [False, True] * count)  # type: ignore[misc]
        assert seat.ticket == "ticket-0"
    assert [resume.ticket for resume in table.resumes] == ["ticket-0", "ticket-0"]
    assert tickets == ["ticket-0"]


async def test_a_seat_is_taken_from_another_process_without_a_ticket() -> None:
    table = Table(frame(1))
    table.account_refusal = None
    async with serving(table.script) as url:
        connection = await soon(connect(url))
        async with await soon(Seat.resume(connection, MATCH)) as seat:
            assert await take(seat, 1) == [1]
    assert [resume.ticket for resume in table.resumes] == [None]


async def test_a_ticket_that_is_refused_ends_the_seat() -> None:
    table = Table()
    table.refusal = Code.TICKET_BAD
    async with seated(table) as seat:
        table.cut()
        with pytest.raises(RefusedError):
            await soon(anext(seat))
        with pytest.raises(RefusedError):
            await soon(seat.chat("anybody?"))


async def test_a_server_that_is_closing_is_asked_again() -> None:
    table = Table()
    table.refusal = Code.SERVER_CLOSING
    async with seated(table) as seat:
        table.cut()
        await until(lambda: len(table.resumes) >= 3)
        table.refusal = None
        await table.post(frame(1))
        assert await take(seat, 1) == [1]


async def test_a_seat_that_another_connection_took_does_not_fight_for_it() -> None:
    table = Table()
    async with seated(table) as seat:
        assert table.talk is not None
        await table.talk.socket.close(4001)
        with pytest.raises(SupersededError):
            await soon(anext(seat))
    assert table.resumes == []


async def test_a_seat_comes_back_after_a_restart_was_announced() -> None:
    table = Table()
    async with seated(table) as seat:
        talk, table.talk = table.talk, None
        assert talk is not None
        await table.post(frame(1))
        await talk.send(Bye(code=Code.SERVER_CLOSING, text="back soon"))
        await talk.socket.close(1012)
        assert await take(seat, 1) == [1]


async def test_a_seat_gives_up_when_its_patience_ends() -> None:
    table = Table()
    links: list[bool] = []
    patience = Patience(first_s=0.01, most_s=0.02, give_up_after_s=0.3)
    async with serving(table.script) as url:
        connection = await soon(connect(url))
        hooks = Hooks(on_link=links.append)
        seat = await soon(Seat.join(connection, match=MATCH, patience=patience, hooks=hooks))
    async with seat:
        with pytest.raises(LostError):
            await soon(anext(seat))
        with pytest.raises(LostError):
            await soon(seat.ready())
    assert links == [False]


async def test_a_loss_after_the_end_is_no_loss() -> None:
    table = Table(frame(1), over(2))
    async with seated(table) as seat:
        assert await take(seat, 2) == [1, 2]
        table.cut()
        with pytest.raises(StopAsyncIteration):
            await soon(anext(seat))
    assert table.resumes == []


@pytest.mark.parametrize(
    ("lost", "expected"),
    [
        (LostError("cut", 1006), True),
        (LostError("restart", 1012), True),
        (LostError("drain", 1012, Bye(code=Code.SERVER_CLOSING, text="")), True),
        (LostError("slow", 1013, Bye(code=Code.MESSAGE_BUSY, text="")), True),
        (LostError("kicked", 1008, Bye(code=Code.MESSAGE_MALFORMED, text="")), False),
        (SupersededError("elsewhere", 4001), False),
    ],
    ids=["cut", "restart", "drain", "slow reader", "own fault", "superseded"],
)
def test_only_losses_that_pass_are_worth_coming_back_from(lost: LostError, expected: bool) -> None:
    assert may_come_back(lost) is expected


def test_the_server_may_say_within_what_time_to_come_back() -> None:
    patience = Patience(first_s=0.1, most_s=5, restart_s=0.2)
    for retry_ms, bound in [(2_000, 2.0), (60_000, 5.0), (0, 0.1)]:
        bye = Bye(code=Code.SERVER_CLOSING, text="", retry_ms=retry_ms)
        drawn = [next(patience.waits(LostError("", 1012, bye))) for _ in range(50)]
        assert bound / 2 < max(drawn) <= bound


@pytest.mark.parametrize(
    ("code", "bounds"),
    [(1006, [1, 2, 4, 5, 5]), (1012, [3, 5, 5, 5, 5])],
    ids=["a cut", "a restart"],
)
def test_waits_are_random_below_a_bound_that_doubles(code: int, bounds: list[float]) -> None:
    patience = Patience(first_s=1, most_s=5, restart_s=3)
    drawn: list[list[float]] = []
    for _ in range(50):
        waits = patience.waits(LostError("", code))
        drawn.append([next(waits) for _ in bounds])
    for index, bound in enumerate(bounds):
        column = [draw[index] for draw in drawn]
        assert 0 <= min(column) < max(column) <= bound
        assert max(column) > bound / 2
