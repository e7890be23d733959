"""Wrong guesses of secrets: one that is nearly right is answered in the bytes of any other.

The secrets are the code of a private match, a ticket and a token. A guess is nearly right that
begins or ends as the secret does, differs from it in one letter, or in the case of its letters;
that of a code does not matter.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from builders.fakeclock import FakeClock
from builders.openlimits import OPEN
from builders.players import SCENARIO, seated
from builders.wires import dialled, met
from sunglare_protocol.messages import (
    PROTOCOL_VERSION,
    Create,
    Created,
    Hello,
    Join,
    Refused,
    Resume,
    ServerMessage,
)
from sunglare_server.app import App
from sunglare_server.config import Settings
from two_worlds.match import LeakError

LONGEST: Final = 7
"""Of a long secret so many beginnings and ends are guessed."""


def near(secret: str) -> Iterator[str]:
    """Yield guesses that are nearly right, the empty one first."""
    cuts = range(min(len(secret), LONGEST))
    yield from (secret[:cut] for cut in cuts)
    yield from (secret[-cut:] for cut in cuts if cut)
    yield from (secret[: len(secret) - cut] for cut in cuts if cut)
    yield f"{secret}{secret[-1]}"
    yield f"{secret} "
    for place in cuts:
        other = "b" if secret[place] == "a" else "a"
        yield f"{secret[:place]}{other}{secret[place + 1 :]}"
    if secret.lower() != secret:
        yield secret.swapcase()


def far(secret: str) -> Iterator[str]:
    """Yield guesses that have nothing of the secret, as long as the near ones each."""
    stranger = "q" if "q" not in secret else "z"
    return (stranger * len(guess) for guess in near(secret))


async def guessed_secrets(folder: Path) -> int:
    """Guess all secrets of a server; raise `LeakError` where a guess is answered otherwise.

    Return how many guesses were compared.
    """
    settings = Settings(port=0, journal=folder / "journal.db", bots=(), **OPEN)
    app = App(settings, FakeClock())
    await app.start()
    try:
        return await _guess(app.url)
    finally:
        await app.stop()


async def _guess(url: str) -> int:
    count = 0
    async with met(url, "Host") as host, met(url, "Guess") as guest:
        made = await host.expect(Created, Create, scenario=SCENARIO, private=True)
        assert made.code is not None
        seat = await seated(host, made.match)
        async for one, other in _pairs(made.code, lambda code: guest.ask(Join, code=code)):
            count += _compare("code", one, other)
        async for one, other in _pairs(
            seat.ticket, lambda ticket: guest.ask(Resume, match=made.match, ticket=ticket)
        ):
            count += _compare("ticket", one, other)
        async for one, other in _pairs(host.token, lambda token: _hello(url, token)):
            count += _compare("token", one, other)
    return count


async def _pairs(
    secret: str, ask: Callable[[str], Awaitable[ServerMessage]]
) -> AsyncIterator[tuple[ServerMessage, ServerMessage]]:
    """Yield the answers to a guess that is nearly right and to one that is not."""
    for guess, other in zip(near(secret), far(secret), strict=True):
        yield await ask(guess), await ask(other)


async def _hello(url: str, token: str) -> ServerMessage:
    async with dialled(url) as talker:
        return await talker.ask(Hello, v=PROTOCOL_VERSION, token=token)


def _compare(secret: str, one: ServerMessage, other: ServerMessage) -> int:
    plain = [
        msgspec.msgpack.encode({**msgspec.to_builtins(message), "id": 0})
        for message in (one, other)
    ]
    if not isinstance(one, Refused) or plain[0] != plain[1]:
        raise LeakError(f"a guess of the {secret}:\n  {plain[0]!r}\n  {plain[1]!r}")
    return 1
