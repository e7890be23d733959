"""One cell of the outlet matrix looked at: who asks, over which connection, and what came."""

import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from typing import final

from builders.players import Player
from builders.wires import Talker, dialled, met
from outlets.matrix import Gives
from outlets.places import Place
from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.messages import ClientMessage, Frame, Ping, Pong, Refused, ServerMessage
from sunglare_protocol.refusals import Code
from sunglare_protocol.views import TruthView


@final
class Visit:
    """One cell looked at: its place, audience and what it gives; `heard` is all that came."""

    def __init__(self, place: Place, audience: str, gives: Gives | Code) -> None:
        """Begin with nothing heard."""
        self.place = place
        self.audience = audience
        self.gives = gives
        self.heard: list[ServerMessage] = []

    @property
    def player(self) -> Player:
        """Return the seat of the audience."""
        return self.place.players[self.audience]

    @contextlib.asynccontextmanager
    async def talking(self, *, fresh: bool = False) -> AsyncIterator[Talker]:
        """Give a connection of the audience, and keep what comes over it."""
        async with contextlib.AsyncExitStack() as stack:
            if self.audience == "silent":
                talker = await stack.enter_async_context(dialled(self.place.url))
            elif fresh:
                token = self.place.tokens[self.audience]
                talker = await stack.enter_async_context(met(self.place.url, token=token))
            else:
                talker = self.place.talkers[self.audience]
            await talker.expect(Pong, Ping)
            start = len(talker.messages)
            yield talker
            await talker.expect(Pong, Ping)
            came = talker.messages[start:]
            self.heard += [message for message in came if not isinstance(message, Pong)]

    async def asked(
        self, kind: Callable[..., ClientMessage], /, **fields: object
    ) -> ServerMessage:
        """Return the answer to a message; a refusal is checked against the cell."""
        async with self.talking() as talker:
            told = await talker.ask(kind, **fields)
        return self.judged(told)

    def judged(self, told: ServerMessage) -> ServerMessage:
        """Return what was told; where the cell is a code it must be that refusal."""
        if isinstance(self.gives, Code):
            assert isinstance(told, Refused), told
            assert told.code is self.gives
        return told

    def said(self) -> list[ServerMessage]:
        """Return all that was heard, and what came to the audience by itself before."""
        talker = self.place.talkers.get(self.audience)
        return [*self.heard, *(talker.messages if talker else ())]

    @property
    def is_refused(self) -> bool:
        """Return whether the cell is a refusal."""
        return isinstance(self.gives, Code)

    async def check_frames(self, came: Sequence[ServerMessage]) -> None:
        """Check that the frames among what came are the audience's, and none is from ahead."""
        place = self.place
        known = set((await place.sent(self.audience)).values())
        shown = [message for message in came if isinstance(message, Frame)]
        assert shown
        for frame in shown:
            data = encode_server(frame, Form.PACKED)
            if self.gives is Gives.TRUTH:
                assert isinstance(frame.view, TruthView)
                assert place.state.is_over or frame.turn < place.state.standing.turn
            is_present = data == place.frame(self.audience, frame.seq)
            is_late = self.gives is Gives.TRUTH and not place.state.is_over
            assert data in known or (is_present and not is_late)
        if self.gives is not Gives.TRUTH:
            last = (await place.shown(self.audience)).stage.window
            assert shown[-1].window in (last, place.state.standing.window)
            if shown[-1].window == place.state.standing.window:
                assert shown[-1].view == place.view(self.audience)
