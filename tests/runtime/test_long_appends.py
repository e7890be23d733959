"""An append that takes more than a second: a stall, told to the seats, that costs nobody time."""

import pytest
from structlog.testing import capture_logs

from builders.beats import START_MS, Hall, rated
from builders.matches import options
from builders.truths import MATCH, A, B
from sunglare_protocol.messages import Frame
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.match.clock.presets import BEAT_MS, next_beat
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.record import ChatSaid, OrdersGiven, Slipped, body_of
from sunglare_server.match.state import Taken
from sunglare_server.ports.journal import JournalError
from sunglare_server.runtime.stall import STALL_MS

OPENS_MS = BEAT_MS
WORD = ChatSaid(text="a word")
REFUSED = Rejected(code=Code.SERVER_JOURNAL)
CLOCKS = pytest.mark.parametrize(
    "chosen", [rated(), options(clock="demo")], ids=["on the beat", "without a beat"]
)


async def storing(takes_ms: int, chosen: MatchOptions) -> Hall:
    """Return a match in the open window, in which a seat's orders have just begun to be stored."""
    hall = await Hall.opened(chosen)
    await hall.clock.run_for(OPENS_MS)
    hall.journal.takes_ms = takes_ms
    hall.command(A, given(hall))
    await hall.clock.run_for(1)
    hall.journal.takes_ms = 0
    return hall


def given(hall: Hall, rev: int = 1) -> OrdersGiven:
    return OrdersGiven(window=hall.runner.state.standing.window, rev=rev, orders=(), lock=True)


def texts(hall: Hall) -> list[str]:
    return [news.text for news in hall.told(B) if news.text.startswith("server/")]


@CLOCKS
async def test_the_seats_are_told_of_an_append_that_lasts_and_of_its_end(
    chosen: MatchOptions,
) -> None:
    hall = await storing(5_000, chosen)
    await hall.clock.run_for(STALL_MS - 2)
    assert texts(hall) == []
    await hall.clock.run_for(BEAT_MS)
    assert texts(hall) == ["server/journal"]
    assert hall.answers == []
    await hall.clock.run_for(5_000)
    assert texts(hall) == ["server/journal", "server/again"]
    assert [type(answer) for _, answer in hall.answers] == [Taken]


async def test_on_the_beat_they_are_told_on_a_beat() -> None:
    hall = await Hall.opened(rated())
    await hall.clock.run_for(OPENS_MS + 99)
    hall.journal.takes_ms = 5_000
    hall.command(A, WORD)
    await hall.clock.run_for(3_000)
    told = [came for came in hall.subscriber(B).came if not isinstance(came.message, Frame)]
    assert [came.at_ms - START_MS for came in told] == [next_beat(OPENS_MS + 99 + STALL_MS)]


@CLOCKS
async def test_an_append_of_less_than_a_second_is_told_to_nobody(chosen: MatchOptions) -> None:
    hall = await storing(STALL_MS - 1, chosen)
    hall.command(B, WORD)
    await hall.clock.run_for(10)
    # Whoever comes while it lasts waits, as ever.
    assert hall.answers == []
    await hall.clock.run_for(3_000)
    assert texts(hall) == []
    assert [type(answer) for _, answer in hall.answers] == [Taken, Taken]


@CLOCKS
async def test_commands_are_refused_at_once_while_it_lasts_and_may_be_given_again(
    chosen: MatchOptions,
) -> None:
    hall = await storing(5_000, chosen)
    hall.command(B, WORD)
    await hall.clock.run_for(STALL_MS + BEAT_MS)
    # The one that waited, when it is called a stall; the next ones when they come.
    assert [answer for _, answer in hall.answers] == [REFUSED]
    hall.command(B, WORD)
    assert [answer for _, answer in hall.answers] == [REFUSED, REFUSED]
    await hall.clock.run_for(5_000)
    hall.command(B, WORD)
    await hall.clock.run_for(10)
    assert [type(answer) for _, answer in hall.answers] == [Rejected, Rejected, Taken, Taken]
    assert [body_of(blob) for blob in await hall.journal.read(MATCH)].count(WORD) == 1


@CLOCKS
@pytest.mark.parametrize("takes_ms", [1_500, 20_000])
async def test_the_window_is_put_off_by_what_it_lasted(
    chosen: MatchOptions, takes_ms: int
) -> None:
    hall = await Hall.opened(chosen)
    await hall.clock.run_for(OPENS_MS)
    opened_ms = hall.runner.state.opened_ms
    hall.journal.takes_ms = takes_ms
    hall.command(A, WORD)
    await hall.clock.run_for(1)
    hall.journal.takes_ms = 0
    await hall.clock.run_for(takes_ms + 1)
    assert hall.runner.state.opened_ms == opened_ms + next_beat(takes_ms)


async def test_where_every_append_lasts_windows_close_all_the_same() -> None:
    hall = await Hall.opened(rated())
    await hall.clock.run_for(OPENS_MS)
    window = hall.runner.state.standing.window
    hall.journal.takes_ms = 1_500
    hall.command(A, WORD)
    await hall.clock.run_for(60_000)
    assert hall.runner.state.standing.window != window
    stored = [body_of(blob) for blob in await hall.journal.read(MATCH)]
    assert sum(isinstance(body, Slipped) for body in stored) < 12


async def test_an_append_that_lasts_and_is_refused_then_is_one_stall() -> None:
    hall = await storing(3_000, rated())
    hall.journal.kept.fail_next(JournalError("disk I/O error"))
    opened_ms = hall.runner.state.opened_ms
    await hall.clock.run_for(3_000)
    assert [answer for _, answer in hall.answers] == [REFUSED]
    await hall.clock.run_for(3_000)
    assert texts(hall) == ["server/journal", "server/again"]
    # From when the append began until one is stored, which is tried again after a second.
    assert hall.runner.state.opened_ms == opened_ms + next_beat(3_000 + 1_000)


async def test_frames_that_an_append_has_kept_from_their_beat_put_their_window_off_once() -> None:
    hall = await Hall.opened(rated())
    window = hall.runner.state.standing.window
    await hall.clock.run_for(OPENS_MS)
    for side in (A, B):
        hall.command(side, given(hall))
        await hall.clock.run_for(10)
    hall.journal.takes_ms = 5_000
    await hall.clock.run_for(1_000)
    hall.journal.takes_ms = 0
    await hall.clock.run_for(6_000)
    assert hall.runner.state.standing.window != window
    assert hall.subscriber(A).times(Frame)[1] > OPENS_MS + 5_000
    assert hall.subscriber(A).times(Frame)[1] == hall.runner.state.opened_ms - START_MS


async def test_the_time_of_an_append_before_is_none_of_the_next_one() -> None:
    hall = await Hall.opened(options(clock="demo"))
    hall.command(A, WORD)
    await hall.clock.run_for(STALL_MS - 100)
    hall.journal.takes_ms = 5_000
    hall.command(A, WORD)
    await hall.clock.run_for(10)
    hall.command(B, WORD)
    # A second after the first one has begun.
    await hall.clock.run_for(200)
    assert len(hall.answers) == 1
    assert texts(hall) == []
    with capture_logs() as logs:
        await hall.clock.run_for(STALL_MS)
    assert texts(hall) == ["server/journal"]
    assert [answer for _, answer in hall.answers][1:] == [REFUSED]
    told = {"event": "append_slow", "match": MATCH, "ms": STALL_MS}
    assert logs == [{**told, "log_level": "error"}]
