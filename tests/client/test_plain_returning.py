"""The plain terminal in a new process that takes a seat again with orders held for it."""

import pytest

from builders.tables import PostedTable
from builders.terminals import KITE, frame, over, resumed, view
from client.test_plain import ENGAGE, PLOT, locked, played
from sunglare_protocol.orders import Order, Sensors, Turn

HELD = (Turn(ship=KITE.id, steps=1), Sensors(ship=KITE.id, out=True))


async def test_a_new_process_shows_the_orders_that_the_server_holds_and_sends_them_unchanged() -> (
    None
):
    taken = resumed(*HELD, window=PLOT.window, rev=3, seq=1)
    table = PostedTable((PLOT, over()), awaits=("4.plot",), taken=taken)
    _, text = await played(table, "orders", "ready")
    assert text.count("orders given:\n") == 2
    assert "  turn S1 +1\n  sensors S1 out\n" in text
    assert table.given == [("4.plot", HELD, True)]


async def test_orders_given_by_a_new_process_join_those_that_the_server_holds() -> None:
    taken = resumed(HELD[0], window=PLOT.window, rev=3, seq=1)
    table = PostedTable((PLOT, over()), awaits=("4.plot",), taken=taken)
    await played(table, "sensors S1 out", "ready")
    assert locked(table) == {"4.plot": HELD}


@pytest.mark.parametrize("orders", [(), HELD], ids=["none", "two"])
async def test_a_new_process_knows_that_it_is_ready(orders: tuple[Order, ...]) -> None:
    taken = resumed(*orders, window=PLOT.window, rev=3, locked=True, seq=1)
    table = PostedTable((PLOT, over()), saves=("4.plot",), taken=taken)
    _, text = await played(table, "face S1 S", "unready", script=False)
    assert "you are ready; unready takes that back" in text
    assert "E-PHASE   you are ready already" in text
    assert table.given == [("4.plot", orders, False)]


async def test_what_the_server_holds_is_for_its_own_window_alone() -> None:
    taken = resumed(*HELD, window=ENGAGE.window, rev=3, seq=5)
    table = PostedTable((PLOT, ENGAGE, over()), awaits=("4.plot", "4.engage"), taken=taken)
    await played(table, "ready", "ready")
    assert locked(table) == {"4.plot": (), "4.engage": HELD}


@pytest.mark.parametrize(
    ("seq", "left"), [(0, "28 s"), (1, "18 s")], ids=["as it happens", "missed"]
)
async def test_the_clock_of_what_was_missed_counts_from_its_release(seq: int, left: str) -> None:
    first = frame(1, view(), closes_ms=28_000)
    taken = resumed(window=first.window, seq=seq, since_ms=10_000)
    _, text = await played(PostedTable((first, over()), awaits=("4.plot",), taken=taken), "ready")
    assert f"The window closes in {left}, bank 60 s." in text
