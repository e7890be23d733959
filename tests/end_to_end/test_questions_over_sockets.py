"""Questions over real sockets: so many a window, one at a time, told to nobody and not stored."""

import asyncio
from collections.abc import Callable

import msgspec

from builders.fakeclock import FakeClock
from builders.players import Player, created, play_on, seated, started
from builders.records import read_record
from builders.runners import runners_of
from builders.venues import Venue
from builders.watchers import OPEN, watch
from builders.wires import WAIT_S, met
from sunglare_protocol.codec import Form, encode_client
from sunglare_protocol.ids import OMNI, OwnId
from sunglare_protocol.messages import ORDERS_MOST, Answer, Ask, Question, Refused
from sunglare_protocol.messages.answers import LegalOrders, Sheet
from sunglare_protocol.orders import Order, Turn
from sunglare_protocol.refusals import Code
from sunglare_protocol.views import View
from sunglare_rules.advice.review.review import review
from sunglare_rules.advice.sheets.cost import question_cost
from sunglare_rules.advice.sheets.sheet import sheet

MOST = 20


async def look(player: Player, about: str | None = None) -> Code | None:
    """Ask for a look at something; return the code of the refusal, if it is one."""
    answer = await player.talker.ask(Ask, match=player.match, kind=Question.LOOK, about=about)
    assert isinstance(answer, Answer | Refused), answer
    return answer.code if isinstance(answer, Refused) else None


async def test_no_seat_is_answered_more_than_twenty_times_in_a_window(venue: Venue) -> None:
    anna, boris = await venue.duel()
    for _ in range(2):
        assert [await look(anna) for _ in range(MOST)] == [None] * MOST
        assert [await look(anna) for _ in range(3)] == [Code.ASK_MANY] * 3
        await play_on([anna, boris], 1)
    assert await look(anna) is None


async def test_a_refused_question_is_never_free(venue: Venue) -> None:
    anna, _ = await venue.duel()
    codes = [await look(anna, "zzzzzz") for _ in range(MOST + 1)]
    assert codes == [Code.ASK_ABOUT] * MOST + [Code.ASK_MANY]


async def test_coming_back_never_wins_another_question(venue: Venue) -> None:
    anna, _ = await venue.duel()
    assert [await look(anna) for _ in range(MOST)] == [None] * MOST
    back = await anna.resume(await venue.one())
    assert await look(back) is Code.ASK_MANY


async def test_the_questions_of_a_seat_never_count_against_another(venue: Venue) -> None:
    anna, boris = await venue.duel()
    assert [await look(anna) for _ in range(MOST + 1)][-1] is Code.ASK_MANY
    assert [await look(boris) for _ in range(MOST)] == [None] * MOST


async def test_no_question_is_taken_while_the_answer_to_the_last_is_on_its_way(
    venue: Venue,
) -> None:
    anna, _ = await venue.duel()
    questions = [Ask(id=n, match=anna.match, kind=Question.LOOK) for n in range(100, 110)]
    protocol = anna.talker.socket.protocol
    for question in questions:
        protocol.send_binary(encode_client(question, anna.talker.form))
    # In one write, so that the server has all of them before its first answer can go out.
    anna.talker.socket.transport.write(b"".join(protocol.data_to_send()))
    await anna.talker.ping()
    answers = [message for message in anna.talker.messages if getattr(message, "id", 0) >= 100]
    codes = [answer.code for answer in answers if isinstance(answer, Refused)]
    assert [answer.id for answer in answers if isinstance(answer, Answer)] == [100]
    assert codes == [Code.MESSAGE_BUSY] * 9
    assert [await look(anna) for _ in range(MOST)] == [None] * (MOST - 1) + [Code.ASK_MANY]


async def test_a_question_never_makes_a_byte_for_anybody_else_nor_a_record(venue: Venue) -> None:
    first, second, stranger = await venue.some(3)
    anna, boris = await started([first, second], options=OPEN)
    others = [boris.talker, stranger]
    await watch(stranger, anna.match, OMNI)
    await stranger.ping()
    await boris.talker.ping()
    before = [len(talker.raw) for talker in others]
    records = len(await runners_of(venue.app.lobby.matches)[anna.match].archiving.records())
    for about in (None, "S1", "zzzzzz", *([None] * 17)):
        await look(anna, about)
    for kind in Question:
        await anna.talker.ask(Ask, match=anna.match, kind=kind)
    for talker in others:
        await talker.ping()
    assert [len(talker.raw) - 1 for talker in others] == before
    assert (
        len(await runners_of(venue.app.lobby.matches)[anna.match].archiving.records()) == records
    )
    await anna.resign()
    await boris.over()
    kinds = {record["b"]["t"] for record in read_record(await first.record(anna.match)).maps}
    assert kinds == {"open", "resign", "close"}


async def test_an_answer_never_knows_of_a_window_that_has_closed_but_is_not_released(
    venue: Venue,
) -> None:
    clock = await venue.still()
    first, second = await venue.some(2)
    match = await created(first, options={"clock": "blitz"})
    anna, boris = await seated(first, match), await seated(second, match)
    for player in (anna, boris):
        await player.talker.ready(match)
    await waited(lambda: bool(anna.posts), clock)
    opening = anna.newest
    legal, told = await ask_legal(anna), await ask_sheet(anna)
    assert told.window == opening.window
    runner = runners_of(venue.app.lobby.matches)[match]
    due_ms = runner.state.due_ms
    assert due_ms is not None
    await clock.run_for(due_ms - clock.now_ms())
    # The clock stands still from here on: the window is closed, its frames wait for the beat.
    await waited(lambda: runner.state.standing.window != opening.window)
    assert await ask_legal(anna) == legal
    assert await ask_sheet(anna) == told
    assert anna.newest == opening
    await clock.run_for(1_000)
    await anna.frame(beside=opening.window)
    assert await ask_legal(anna) != legal
    later = await ask_sheet(anna)
    assert later.window == anna.newest.window
    assert later.answer != told.answer


async def waited(condition: Callable[[], bool], clock: FakeClock | None = None) -> None:
    """Wait until `condition` holds, with the clock going on if one is given."""
    async with asyncio.timeout(WAIT_S):
        while not condition():
            await asyncio.sleep(0.01)
            if clock is not None:
                await clock.run_for(50)


async def test_a_review_answers_for_its_orders_and_refuses_too_many(venue: Venue) -> None:
    anna, _ = await venue.duel()
    orders = (Turn(ship=OwnId("S1"), steps=1),)
    fields = {"match": anna.match, "kind": Question.REVIEW, "orders": orders}
    told = await anna.talker.expect(Answer, Ask, **fields)
    view = anna.newest.view
    assert isinstance(view, View)
    assert told.answer == review(view, orders)
    many = await anna.talker.ask(Ask, **fields | {"orders": orders * (ORDERS_MOST + 1)})
    assert isinstance(many, Refused)
    assert many.code is Code.MESSAGE_MALFORMED


async def test_a_sheet_is_the_same_in_every_form_and_says_its_window_and_cost(
    venue: Venue,
) -> None:
    anna, _ = await venue.duel()
    view = anna.newest.view
    assert isinstance(view, View)
    plan = (Turn(ship=OwnId("S1"), steps=1),)
    for orders in ((), plan):
        told = await ask_sheet(anna, orders)
        assert told.answer == sheet(view, "S1", orders)
        assert told.window == view.stage.window
        assert told.cost == question_cost(view, Question.SHEET, "S1", orders)
    binary = await ask_sheet(anna)
    async with met(venue.app.url, token=anna.talker.token, form=Form.JSON) as talker:
        again = await anna.resume(talker)
        assert await ask_sheet(again) == binary


async def test_a_seat_gets_sheets_as_long_as_it_has_points(venue: Venue) -> None:
    anna, _ = await venue.duel()
    costs = []
    while isinstance(told := await anna.talker.ask(Ask, **of_sheet(anna)), Answer):
        costs.append(told.cost)
    assert isinstance(told, Refused)
    assert told.code is Code.ASK_MANY
    assert anna.talker.welcome is not None
    # Some points come back meanwhile.
    assert sum(costs) + costs[0] > anna.talker.welcome.limits.ask_points


def of_sheet(player: Player, orders: tuple[Order, ...] = ()) -> dict[str, object]:
    """Return the fields of the question for the sheet of a player's first ship."""
    return {"match": player.match, "kind": Question.SHEET, "about": "S1", "orders": orders}


async def ask_sheet(player: Player, orders: tuple[Order, ...] = ()) -> Answer:
    """Return the answer with the sheet of a first ship, without the number of the question."""
    told = await player.talker.expect(Answer, Ask, **of_sheet(player, orders))
    assert isinstance(told.answer, Sheet)
    return msgspec.structs.replace(told, id=0)


async def ask_legal(player: Player) -> LegalOrders:
    """Return the legal orders that the server tells a seat."""
    given = await player.talker.expect(Answer, Ask, match=player.match, kind=Question.LEGAL)
    assert isinstance(given.answer, LegalOrders)
    return given.answer
