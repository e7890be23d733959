"""The crier: in which order connections hear of an end, and which end they hear of."""

import asyncio

from builders.fakeclock import FakeClock
from sunglare_protocol.messages import News
from sunglare_server.base.shutdown import Closing
from sunglare_server.gateway.shutdown_broadcast import SLICE, WORKERS, ShutdownBroadcast
from sunglare_server.runtime.encoded_message import EncodedMessage

MINUTE_MS = 60_000


class Listener:
    """A connection that writes down, in one book for all, what it is told and when."""

    def __init__(self, name: str, book: list[tuple[str, str]], *, is_seated: bool = False) -> None:
        self.name = name
        self.book = book
        self.is_seated = is_seated

    def put(self, encoded_message: EncodedMessage) -> None:
        """Take what is told."""
        assert isinstance(encoded_message.message, News)
        self.book.append((self.name, encoded_message.message.text))


async def settled() -> None:
    """Let the tasks of the crier do what is due."""
    for _ in range(100):
        await asyncio.sleep(0)


async def test_seats_are_told_before_the_others_and_these_in_slices() -> None:
    book: list[tuple[str, str]] = []
    shutdown_broadcast = ShutdownBroadcast(FakeClock())
    watchers = [Listener(f"w{number}", book) for number in range(3 * SLICE)]
    seats = [Listener(f"s{number}", book, is_seated=True) for number in range(2)]
    for one in (*watchers, *seats):
        shutdown_broadcast.came(one)
    shutdown_broadcast.announce(Closing(MINUTE_MS))
    await asyncio.sleep(0)
    assert len(book) <= SLICE
    await settled()
    assert [name for name, _ in book] == [one.name for one in (*seats, *watchers)]
    shutdown_broadcast.stop()


async def test_whoever_has_gone_is_told_nothing() -> None:
    book: list[tuple[str, str]] = []
    shutdown_broadcast = ShutdownBroadcast(FakeClock())
    one, other = Listener("one", book), Listener("other", book)
    shutdown_broadcast.came(one)
    shutdown_broadcast.came(other)
    shutdown_broadcast.went(one)
    shutdown_broadcast.announce(Closing(MINUTE_MS))
    await settled()
    assert book == [("other", "ends")]
    shutdown_broadcast.stop()


async def test_of_two_ends_the_one_that_comes_first_is_told() -> None:
    book: list[tuple[str, str]] = []
    shutdown_broadcast = ShutdownBroadcast(FakeClock())
    shutdown_broadcast.came(Listener("one", book))
    for closing, whose in (
        (Closing(5 * MINUTE_MS, "workers"), WORKERS),
        (Closing(9 * MINUTE_MS, "own"), "own"),
        (None, WORKERS),
        (None, "own"),
    ):
        shutdown_broadcast.announce(closing, whose)
        await settled()
    assert [text for _, text in book] == ["ends: workers", "ends: own", "does not end"]
    assert shutdown_broadcast.closing is None


async def test_an_end_that_has_come_is_not_called_off() -> None:
    book: list[tuple[str, str]] = []
    clock = FakeClock()
    shutdown_broadcast = ShutdownBroadcast(clock)
    shutdown_broadcast.came(Listener("one", book))
    shutdown_broadcast.announce(Closing(MINUTE_MS))
    await clock.run_for(2 * MINUTE_MS)
    told = list(book)
    # As when a worker is there again, whose end its gateway has outlived.
    shutdown_broadcast.announce(None)
    await settled()
    assert book == told
