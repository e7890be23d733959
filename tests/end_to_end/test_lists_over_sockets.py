"""The lists of matches, page by page: what stands in them, for whom, and at which cost."""

import asyncio
import contextlib
import itertools
import sqlite3
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from builders.players import created, finished, play_on, seated, started
from builders.servers import running_app
from builders.venues import Venue
from builders.wires import WAIT_S, Talker, met
from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages import (
    LINES_MOST,
    Info,
    Listing,
    ListMatches,
    Matches,
    MatchInfo,
    Refused,
    RoomState,
    SeatState,
)
from sunglare_protocol.refusals import Code
from sunglare_server.app import App
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.ports.rooms import Room, RoomSeat

OPEN, RUNNING, MINE, OVER, LIVELY = Listing
A, B = Side("A"), Side("B")


def ids(told: Matches, which: Listing) -> list[MatchId]:
    """Return the matches of a list."""
    return [line.match for line in getattr(told, which.value)]


async def pages(talker: Talker, which: Listing, most: int) -> list[list[MatchId]]:
    """Return the pages of a list."""
    found: list[list[MatchId]] = []
    after: str | None = None
    while True:
        told = await talker.listed(which, most=most, after=after)
        assert all(not ids(told, other) for other in Listing if other is not which)
        assert set(told.more) <= {which}
        found.append(ids(told, which))
        after = told.more.get(which)
        if after is None:
            return found


async def whole(talker: Talker, which: Listing, most: int) -> list[MatchId]:
    """Return a list, put together from its pages."""
    return [*itertools.chain(*await pages(talker, which, most))]


def over_room(number: int, *accounts: str, private: bool = False) -> Room:
    """Return the room of a match that is over."""
    letters = "abcdefghijklmnopqrstuvwxyz234567"
    name = f"{letters[number // 1024]}{letters[number // 32 % 32]}{letters[number % 32]}"
    seats = tuple(
        RoomSeat(side=side, account=account)
        for side, account in zip((A, B), accounts, strict=False)
    )
    return Room(
        match=MatchId(name.ljust(26, "q")),
        scenario="shadow-of-ceres",
        sides=(A, B),
        options=MatchOptions(),
        host=accounts[0],
        server_seed=b"",
        code="secret" if private else None,
        seats=seats,
        state=RoomState.OVER,
        ended_ms=1_000 + number // 2,
    )


async def end(app: App, *rooms: Room) -> list[MatchId]:
    """Put matches that are over into the archive; return them as they are listed."""
    for room in rooms:
        assert room.ended_ms is not None
        await app.lobby.past.keep(room, room.ended_ms)
    newest = sorted(rooms, key=lambda room: (-(room.ended_ms or 0), room.match))
    return [room.match for room in newest]


def account_of(app: App, match: MatchId) -> str:
    """Return who has opened a match."""
    return app.lobby.rooms[match].host


@pytest.mark.parametrize("most", [1, 2, 3, 7, LINES_MOST])
async def test_every_match_stands_on_one_page_of_its_list(venue: Venue, most: int) -> None:
    app = await venue.open()
    anna, boris = await venue.named("anna", "boris")
    stranger = await venue.one()
    waiting = sorted([await created(anna) for _ in range(3)])
    hidden = await created(anna, private=True)
    running = (await started([anna, boris]))[0].match
    owner = account_of(app, hidden)
    over = await end(app, *(over_room(n, owner, "other") for n in range(5)))
    secret = await end(app, *(over_room(n, owner, private=True) for n in range(8, 10)))
    assert await whole(stranger, OPEN, most) == waiting
    assert await whole(stranger, RUNNING, most) == [running]
    assert await whole(stranger, OVER, most) == over
    assert await whole(stranger, MINE, most) == []
    alive = sorted([*waiting, hidden, running])
    mine = await pages(anna, MINE, most)
    assert [*itertools.chain(*mine)] == [*alive, *secret, *over]
    assert [len(page) for page in mine[:-1]] == [most] * (len(mine) - 1)
    assert all(mine)
    assert await whole(boris, MINE, most) == [running]


async def test_without_a_name_the_beginnings_of_three_lists_are_told(venue: Venue) -> None:
    anna, boris = await venue.some(2)
    waiting = sorted([await created(anna) for _ in range(3)])
    running = (await started([anna, boris]))[0].match
    await end(venue.app, over_room(1, account_of(venue.app, running)))
    told = await anna.listed()
    assert (ids(told, OPEN), ids(told, RUNNING), ids(told, OVER)) == (waiting, [running], [])
    assert len(ids(told, MINE)) == 5
    assert told.more == {}
    short = await anna.listed(most=2)
    assert (ids(short, OPEN), ids(short, RUNNING)) == (waiting[:2], [running])
    assert list(short.more) == [OPEN, MINE]
    rest = await anna.listed(OPEN, after=short.more[OPEN])
    assert ids(rest, OPEN) == waiting[2:]


async def test_a_page_goes_on_after_its_place_whatever_became_of_the_match(venue: Venue) -> None:
    app = await venue.open()
    anna = await venue.one()
    waiting = sorted([await created(anna) for _ in range(4)])
    first = await anna.listed(OPEN, most=2)
    await anna.leave(waiting[1])
    assert ids(await anna.listed(OPEN, after=first.more[OPEN]), OPEN) == waiting[2:]
    over = await end(app, *(over_room(n, "somebody") for n in range(4)))
    second = await anna.listed(OVER, most=2)
    assert app.storage.database is not None
    await app.storage.store.drop_room(over[1])
    assert ids(await anna.listed(OVER, after=second.more[OVER]), OVER) == over[2:]


async def test_a_match_that_ends_goes_from_one_list_to_the_other(venue: Venue) -> None:
    app = await venue.open()
    players = await venue.duel()
    anna, match = players[0].talker, players[0].match
    assert ids(await anna.listed(RUNNING), RUNNING) == [match]
    end_of_it = await finished(players)
    while match in app.lobby.rooms:
        await anna.info(match)
    for which, expected in ((RUNNING, []), (OVER, [match]), (MINE, [match])):
        assert ids(await anna.listed(which), which) == expected
    (line,) = (await anna.listed(OVER)).over
    assert (line.state, line.mine, line.turn, line.phase) == (RoomState.OVER, "A", 0, None)
    assert [seat.state for seat in line.seats] == [SeatState.ACCOUNT] * 2
    assert not line.your_turn
    assert line.result == end_of_it.result
    await venue.close()
    app = await venue.open()
    later = await venue.one()
    assert app.lobby.rooms == {}
    assert ids(await later.listed(OVER), OVER) == [match]
    told = await later.info(match)
    assert told.line.state is RoomState.OVER
    assert told.line.result == end_of_it.result


async def test_everybody_is_told_where_a_public_match_stands_and_nobody_of_a_private_one(
    venue: Venue,
) -> None:
    players = await venue.duel()
    hidden = await venue.duel(private=True)
    anybody = await venue.one()
    await play_on(players, 2)
    for which in (RUNNING, LIVELY):
        (line,) = getattr(await anybody.listed(which), which.value)
        stage = players[0].newest.view.stage
        assert (line.match, line.turn, line.phase) == (players[0].match, stage.turn, stage.phase)
        assert (line.mine, line.your_turn, line.result) == (None, False, None)
    code = venue.app.lobby.rooms[hidden[0].match].code
    opened = await anybody.expect(MatchInfo, Info, match=hidden[0].match, code=code)
    assert (opened.line.turn, opened.line.phase) == (0, None)


async def test_a_cursor_tells_nothing_of_what_is_not_listed(venue: Venue) -> None:
    anna, stranger = await venue.some(2)
    for _ in range(3):
        await created(anna)
    await end(venue.app, *(over_room(n, "somebody") for n in range(0, 60, 20)))

    async def told() -> list[bytes]:
        answers = [await stranger.listed(listing, most=2, id=77) for listing in (None, OPEN, OVER)]
        return [encode_server(answer, Form.PACKED) for answer in answers]

    # An answer to a repeated question is looked for by its number.
    before = await told()
    stranger.messages.clear()
    for _ in range(3):
        await created(anna, private=True)
    private = [over_room(n, "somebody", private=True) for n in range(60) if n % 20]
    await end(venue.app, *private)
    assert await told() == before


WRONG = {
    "rubbish": (OPEN, "rubbish"),
    "empty": (OPEN, ""),
    "too short": (OPEN, "a" * 25),
    "too long": (OPEN, "a" * 27),
    "capitals": (OPEN, "A" * 26),
    "the end of what is not over": (RUNNING, f"12.{'a' * 26}"),
    "what is not over among what is": (OVER, "a" * 26),
    "a time alone": (OVER, "12."),
    "no time": (OVER, f".{'a' * 26}"),
    "another time": (MINE, f"-1.{'a' * 26}"),
    "a time without end": (OVER, f"{'9' * 40}.{'a' * 26}"),
    "what is lively": (LIVELY, "a" * 26),
    "no list": (None, "a" * 26),
}


async def test_a_place_that_is_none_of_a_list_is_refused(venue: Venue) -> None:
    anna = await venue.one()
    for what, (which, after) in WRONG.items():
        told = await anna.refused(ListMatches, which=which, after=after)
        assert (told.code, told.at, told.choices) == (Code.LIST_AFTER, "$.after", ()), what


@pytest.mark.parametrize("most", [0, -1, LINES_MOST + 1])
async def test_a_number_of_lines_that_is_none_is_malformed(venue: Venue, most: int) -> None:
    anna = await venue.one()
    told = await anna.ask(ListMatches, most=most)
    assert isinstance(told, Refused)
    assert (told.code, told.at) == (Code.MESSAGE_MALFORMED, "$.most")


# --- the cost


class Meter:
    """Counts the steps that SQLite makes; they are as many for the same work on any machine."""

    def __init__(self) -> None:
        """Begin at 0."""
        self.steps = 0

    def step(self) -> None:
        """Count one."""
        self.steps += 1

    @contextlib.contextmanager
    def reading(self) -> Iterator[list[int]]:
        """Give a list to which the steps of the block are added."""
        before, read = self.steps, list[int]()
        yield read
        read.append(self.steps - before)


@pytest.fixture
def meter(monkeypatch: pytest.MonkeyPatch) -> Meter:
    made, meter = sqlite3.connect, Meter()

    def metered(*given: object, **fields: object) -> sqlite3.Connection:
        connection: sqlite3.Connection = made(*given, **fields)  # type: ignore[call-overload]
        connection.set_progress_handler(meter.step, 1)
        return connection

    monkeypatch.setattr("sunglare_server.sqlite.open.sqlite3.connect", metered)
    return meter


@contextlib.asynccontextmanager
async def with_many_over(folder: Path, count: int) -> AsyncIterator[tuple[App, Talker]]:
    """Run a server with so many matches that are over, of one account."""
    await asyncio.to_thread(folder.mkdir)
    async with running_app(folder) as app, met(app.url) as anna:
        waiting = await created(anna)
        await seated(anna, waiting)
        owner = account_of(app, waiting)
        await end(app, *(over_room(n, owner, private=n % 2 == 0) for n in range(count)))
        for number in range(count):
            await app.storage.journal.finish(over_room(number, owner).match)
        yield app, anna


async def test_what_a_list_costs_does_not_grow_with_the_matches_that_are_over(
    tmp_path: Path, meter: Meter
) -> None:
    costs: list[list[int]] = []
    for count in (40, 400):
        async with with_many_over(tmp_path / str(count), count) as (app, anna):
            assert len(app.lobby.rooms) == 1
            read: list[int] = []
            for which in (None, *Listing):
                told = await anna.listed(which, most=5)
                with meter.reading() as steps:
                    await anna.listed(which, most=5)
                after = told.more.get(which) if which in (MINE, OVER) else None
                with meter.reading() as more:
                    await anna.listed(which, most=5, after=after)
                read += [*steps, *more]
            costs.append(read)
    assert costs[0] == costs[1]
    # Only what is over has to be read from the store.
    assert any(costs[0])


async def test_what_a_start_costs_does_not_grow_with_the_matches_that_are_over(
    tmp_path: Path, meter: Meter
) -> None:
    costs: list[int] = []
    for count in (4, 80):
        async with with_many_over(tmp_path / str(count), count):
            pass
        with meter.reading() as steps:
            async with running_app(tmp_path / str(count)) as app:
                assert len(app.lobby.rooms) == 1
        costs += steps
    assert costs[0] == costs[1] > 0


async def test_of_lively_matches_the_one_with_the_longest_public_record_comes_first(
    tmp_path: Path,
) -> None:
    async with (
        running_app(tmp_path) as app,
        met(app.url) as anna,
        met(app.url) as boris,
        met(app.url) as clara,
        met(app.url) as daria,
        met(app.url) as guest,
    ):
        older = await started([anna, boris])
        newer = await started([clara, daria])
        assert ids(await guest.listed(LIVELY), LIVELY) == [older[0].match, newer[0].match]
        # Every turn begins with the draw of the initiative, which everybody is told.
        await play_on(newer, 9)
        told = await guest.listed(LIVELY)
        assert ids(told, LIVELY) == [newer[0].match, older[0].match]
        assert (told.open, told.running, told.mine, told.over, told.more) == ((), (), (), (), {})
        assert ids(await guest.listed(LIVELY, most=1), LIVELY) == [newer[0].match]
        await play_on(older, 17)
        assert ids(await guest.listed(LIVELY), LIVELY) == [older[0].match, newer[0].match]
        await finished(older)
        async with asyncio.timeout(WAIT_S):
            # Its room is over once all of its end is stored.
            while ids(await guest.listed(LIVELY), LIVELY) != [newer[0].match]:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
