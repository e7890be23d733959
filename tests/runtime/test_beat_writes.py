"""On a beat the frames of all matches are written first, before any match does anything else."""

import asyncio
from collections.abc import Callable
from typing import final

from builders.beats import Hall, SlowJournal, rated
from builders.truths import A, B
from sunglare_protocol.codec import Form
from sunglare_protocol.ids import Audience
from sunglare_protocol.messages import Bye
from sunglare_server.match.clock.presets import BEAT_MS, FLOOR_MS
from sunglare_server.match.record import ChatSaid, OrdersGiven
from sunglare_server.runtime.encoded_message import EncodedMessage


@final
class Line:
    """A sink that does as a line does: what is put in one round of the loop leaves in the next."""

    def __init__(self, write: Callable[[], None]) -> None:
        """Write by calling `write`."""
        self.forms = (Form.PACKED,)
        self._write = write

    def put(self, _: EncodedMessage) -> None:
        """Write it in the next round."""
        asyncio.get_running_loop().call_soon(self._write)

    def let_go(self) -> None:
        """Hear that no more of a feed comes."""

    def supersede(self) -> None:
        """Do nothing: nobody takes the seat."""

    def dismiss(self, bye: Bye, code: int) -> None:
        """Do nothing: nobody is turned out."""


async def test_all_frames_of_a_beat_are_written_before_any_match_does_anything_else() -> None:
    halls = [Hall(), Hall()]
    first, second = halls
    second.clock, second.scheduler, second.journal = (
        first.clock,
        first.scheduler,
        SlowJournal(first.clock),
    )
    tried: list[int] = []

    def appends() -> int:
        return sum(len(hall.journal.tried_ms) for hall in halls)

    for hall in halls:
        hall.ears = {Audience("A"): Line(lambda: tried.append(appends()))}  # type: ignore[dict-item]
        await hall.open(rated())
    await first.clock.run_for(BEAT_MS)
    for hall in halls:
        window = hall.runner.state.standing.window
        for side in (A, B):
            hall.command(side, OrdersGiven(window=window, rev=1, orders=(), lock=True))
    await first.clock.run_for(FLOOR_MS)
    tried.clear()
    for hall in halls:
        # It waits for the beat as the frames do, and is stored after them.
        hall.command(A, ChatSaid(text="so"))
    await first.clock.run_for(BEAT_MS)
    assert len(tried) >= len(halls)
    assert tried[0] == tried[1] < appends()
