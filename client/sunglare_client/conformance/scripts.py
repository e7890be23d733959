"""Scripts of the recorded sessions, move by move.

Nothing in them hangs on the dice or on how quick a client is: SCAN is sealed, no side listens or
fires, and each client waits for the effect of what it does. So every server that speaks the
protocol says the same in the same order. At the end all accounts are deleted.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Final

from sunglare_client.conformance.recording import Caller, Recorder
from sunglare_client.conformance.sessions import NAMES, Message
from sunglare_protocol.codec import Form
from sunglare_protocol.messages import PROTOCOL_VERSION
from sunglare_protocol.seals import pledge

ENTROPY: Final = {"A": bytes(range(32)), "B": bytes(range(32, 64))}
"""What each side adds to the dice."""

BOARD: Final = "reference-board"
OPTIONS: Final = {"clock": "test", "scan_slots": "sealed"}
HELLO: Final[dict[str, Any]] = {"v": PROTOCOL_VERSION, "client": "conformance"}

TURN: Final = {"t": "turn", "ship": "S1", "steps": 1}
SCAN: Final = {"t": "scan", "ship": "S1", "type": "visual", "size": "1box", "at": "A1"}


async def play_match(recorder: Recorder) -> None:
    """Play a match from the first hello to its end: sealed dice, a whole turn, a draw."""
    ada, bob = await recorder.open("ada"), await recorder.open("bob")
    for caller in (ada, bob):
        await caller.ask("hello", 1, **HELLO)
    match = await _opened(ada)
    for caller, side in ((ada, "A"), (bob, "B")):
        await caller.ask("join", 3, match=match, side=side, pledge=pledge(ENTROPY[side]))
    await ada.hear("news")
    await _ready(ada, bob, match)
    for caller in (ada, bob):
        # Both pledges, and the call to reveal them.
        await caller.hear("news", "news", "news")
    for caller, side in ((ada, "A"), (bob, "B")):
        await caller.ask("reveal", 5, match=match, entropy=ENTROPY[side].hex())
    await _hear(ada, bob, "frame")
    await ada.ask("ask", 6, match=match, kind="sheet", about="S1")
    await _lock(ada, 7, match, "1.plot", 1, [TURN])
    await _lock(bob, 7, match, "1.plot", 1)
    await _hear(ada, bob, "frame")
    await ada.ask("ask", 8, match=match, kind="preview", about=SCAN)
    await _lock(ada, 9, match, "1.scan", 1, [SCAN])
    await _lock(bob, 9, match, "1.scan", 1)
    await _hear(ada, bob, "frame")
    for number, window in ((10, "1.detect"), (11, "1.engage")):
        for caller in (ada, bob):
            await _lock(caller, number, match, window, 1)
        await _hear(ada, bob, "frame")
    await ada.ask("chat", 12, match=match, text="Well met. A draw?")
    await _hear(ada, bob, "news")
    for caller in (ada, bob):
        await caller.ask("draw", 13, match=match)
    await _hear(ada, bob, "news", "over")
    await _forgotten(14, ada, bob)


async def play_resume(recorder: Recorder) -> None:
    """Lose a line in the middle of a window, come back, and say again what got no answer."""
    ada, bob = await recorder.open("ada"), await recorder.open("bob")
    token = (await ada.ask("hello", 1, **HELLO))["token"]
    await bob.ask("hello", 1, **HELLO)
    match = await _opened(ada, 3)
    seated = await ada.ask("join", 4, match=match, side="A")
    await bob.ask("join", 4, match=match, side="B")
    await ada.hear("news")
    await _ready(ada, bob, match, 5)
    await _hear(ada, bob, "frame")
    await _lock(ada, 6, match, "1.plot", 1, [TURN])
    await ada.drop()
    await _lock(bob, 6, match, "1.plot", 1)
    await bob.hear("frame")
    ada = await recorder.open("ada")
    await ada.ask("hello", 7, **HELLO, token=token)
    await ada.ask("resume", 8, match=match, have=1)
    await ada.hear("frame")
    # As after an answer that was lost: the first one comes again, and nothing is done twice.
    await _lock(ada, 6, match, "1.plot", 1, [TURN])
    await ada.drop()
    # A caller without a token of the account comes back by the ticket of the seat.
    eve = await recorder.open("eve")
    await eve.ask("hello", 1, **HELLO)
    await eve.ask("resume", 9, match=match, ticket=seated["ticket"], have=2)
    await _lock(eve, 10, match, "1.scan", 1)
    await _lock(bob, 10, match, "1.scan", 1)
    await _hear(eve, bob, "frame")
    await bob.ask("resign", 11, match=match)
    await _hear(eve, bob, "news", "over")
    await _forgotten(12, eve, bob)


async def play_refusals(recorder: Recorder) -> None:
    """Say what is refused, before and in a match that a third follows; all of it in JSON."""
    ada = await recorder.open("ada", Form.JSON)
    await ada.ask("ping", 1)
    await ada.ask("list", 2)
    await ada.ask("dance", 3)
    await ada.ask("hello", 4, v=PROTOCOL_VERSION + 1)
    await ada.ask("hello", 5, **HELLO)
    await ada.ask("hello", 6, **HELLO)
    await ada.ask("hello", 7, **HELLO, mood="good")
    await ada.ask("info", 8, match="a" * 26)
    await ada.ask("create", 9, scenario=BOARD, options={"clock": "sundial"})
    match = await _opened(ada, 10)
    await ada.ask("join", 11, match=match, side="A")
    bob = await recorder.open("bob", Form.JSON)
    await bob.ask("hello", 1, **HELLO)
    await bob.ask("join", 2, match=match, side="A")
    await bob.ask("join", 3, match=match, side="B")
    await ada.hear("news")
    await bob.ask("orders", 4, match=match, window="1.plot", rev=1)
    cara = await recorder.open("cara", Form.JSON)
    await cara.ask("hello", 1, **HELLO)
    await cara.ask("watch", 2, match=match, feed="A")
    await cara.ask("watch", 3, match=match, feed="public")
    await _ready(ada, bob, match, 12, cara)
    await _hear(ada, bob, "frame")
    await cara.hear("frame")
    await _reviewed(ada, match)
    await _refused_orders(ada, match)
    await cara.ask("orders", 4, match=match, window="1.plot", rev=1)
    await _lock(bob, 13, match, "1.plot", 1)
    for caller in (ada, bob, cara):
        await caller.hear("frame")
    await bob.ask("resign", 14, match=match)
    for caller in (ada, bob, cara):
        await caller.hear("news", "over")
    await ada.ask("orders", 30, match=match, window="1.scan", rev=9)
    await _forgotten(31, ada, bob, cara)


async def _reviewed(ada: Caller, match: str) -> None:
    """Have a set of orders reviewed, and ask in two ways that are refused."""
    await ada.ask("ask", 15, match=match, kind="review", orders=[TURN])
    await ada.ask("ask", 16, match=match, kind="review", about="S1")
    await ada.ask("ask", 17, match=match, kind="legal", orders=[TURN])


async def _refused_orders(ada: Caller, match: str) -> None:
    """Give orders that are refused, and between them two that are taken."""
    orders: dict[str, Any] = {"match": match, "window": "1.plot", "rev": 2}
    await ada.ask("orders", 20, **orders, orders=[TURN | {"ship": "S9"}])
    await ada.ask("orders", 21, **orders, orders=[TURN | {"steps": 4}])
    await ada.ask("orders", 22, **orders, orders=[SCAN])
    await ada.ask("orders", 23, **orders, orders=[TURN | {"steps": "one"}])
    await ada.ask("orders", 24, **orders | {"window": "2.plot"})
    await ada.ask("orders", 25, **orders, orders=[TURN])
    await ada.ask("orders", 26, **orders, orders=[])
    await ada.ask("orders", 24, **orders | {"rev": 3})
    await ada.ask("orders", 27, **orders | {"rev": 3}, lock=True)


SCRIPTS: Final[dict[str, Callable[[Recorder], Awaitable[None]]]] = dict(
    zip(NAMES, (play_match, play_resume, play_refusals), strict=True)
)
"""What plays each session, by its name, in the order in which they are recorded."""


async def _opened(caller: Caller, number: int = 2) -> str:
    """Open a room and return the match."""
    created = await caller.ask("create", number, scenario=BOARD, options=OPTIONS)
    return str(created["match"])


async def _ready(ada: Caller, bob: Caller, match: str, number: int = 4, *others: Caller) -> None:
    for caller in (ada, bob):
        await caller.ask("ready", number, match=match)
        for listener in (ada, bob, *others):
            await listener.hear("news")


async def _lock(
    caller: Caller, number: int, match: str, window: str, rev: int, orders: Any = ()
) -> Message:
    return await caller.ask(
        "orders", number, match=match, window=window, rev=rev, orders=list(orders), lock=True
    )


async def _hear(one: Caller, other: Caller, *kinds: str) -> None:
    for caller in (one, other):
        await caller.hear(*kinds)


async def _forgotten(number: int, *callers: Caller) -> None:
    for caller in callers:
        await caller.ask("forget", number)
        await caller.hear("bye")
