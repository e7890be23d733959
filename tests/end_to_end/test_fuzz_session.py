"""Hostile messages to a server that plays: none breaks a session, and nobody else is disturbed.

They are real ones with their bytes changed, sent by somebody who sits in a match. `make fuzz`
tries 20,000 in each form.
"""

import os
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from random import Random
from typing import final

import pytest
from structlog.testing import capture_logs
from websockets.exceptions import ConnectionClosed

from builders.corpus import CLIENT, corpus
from builders.hostile import mutated
from builders.players import Player, play_on, started
from builders.servers import running_app
from builders.wires import Talker, met
from sunglare_protocol.codec import Form
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import Over, Ping, Pong, Resume, Resumed
from sunglare_protocol.messages.commands import INBOUND_BYTES
from sunglare_server.app import App

LONG = bool(os.environ.get("SUNGLARE_LONG"))
TRIES = 20_000 if LONG else 150
A_ROUND = 12
LAST = 2**53 - 1

CLOSES = (1000, 1007, 1008, 1009, 4001)
"""How a connection may end that says such things: forgotten, no text, too many faults, too long,
or its own seat taken again."""

ID = re.compile(rb"[a-z2-7]{26}")


@final
class Attack:
    """Somebody who sits in a match, comes back again and again, and says what is no use."""

    def __init__(self, app: App, form: Form) -> None:
        """Attack this server."""
        self.app = app
        self.form = form
        self.sent = 0
        self._rng = Random(f"session {form}")
        self._messages = corpus(CLIENT, form)
        self._seat: Player | None = None

    async def go_on(self) -> None:
        """Say a round of things over a connection that holds a seat."""
        async with self._seated() as (talker, match):
            with suppress(ConnectionClosed):
                for _ in range(A_ROUND):
                    self.sent += 1
                    await talker.send_raw(self._said(match))
                await talker.send(Ping(id=LAST))
            with suppress(AssertionError):
                await talker.wait_for(
                    lambda message: isinstance(message, Pong) and message.id == LAST
                )
                return
            # It has ended before, or refuses all but the end.
            assert await talker.wait_closed() in CLOSES

    def _said(self, match: MatchId) -> bytes:
        rng = self._rng
        data = ID.sub(match.encode(), rng.choice(self._messages))
        if rng.random() < 0.2:
            return data
        return mutated(rng, data, self._messages, self.form, INBOUND_BYTES + 10)

    @asynccontextmanager
    async def _seated(self) -> AsyncIterator[tuple[Talker, MatchId]]:
        async with AsyncExitStack() as stack:
            mallory = await stack.enter_async_context(met(self.app.url, form=self.form))
            seat = self._seat
            back = None
            if seat is not None:
                back = await mallory.ask(Resume, match=seat.match, ticket=seat.ticket)
            if seat is not None and isinstance(back, Resumed):
                self._seat = Player(mallory, back)
            if not isinstance(back, Resumed) or any(
                isinstance(message, Over) for message in mallory.messages
            ):
                again = await stack.enter_async_context(met(self.app.url, form=self.form))
                mike = await stack.enter_async_context(met(self.app.url, form=self.form))
                self._seat, _ = await started([again, mike])
                mallory = again
            assert self._seat is not None
            yield mallory, self._seat.match


@pytest.mark.parametrize("form", list(Form), ids=["packed", "json", "compact"])
@pytest.mark.timeout(900)
async def test_hostile_messages_break_no_session_and_disturb_nobody(
    tmp_path: Path, form: Form
) -> None:
    with capture_logs() as logs:
        async with (
            running_app(tmp_path, matches=60) as app,
            met(app.url) as anna,
            met(app.url) as boris,
        ):
            players = await started([anna, boris])
            attack = Attack(app, form)
            while attack.sent < TRIES:
                await attack.go_on()
            await play_on(players, 5)
            assert app.admission.turned_away == {}
    failed = [line for line in logs if line["log_level"] not in ("debug", "info")]
    assert failed == []
