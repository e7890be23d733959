"""Waiting for a quick match: asked again until there is one, by servers that can answer or not."""

import pytest
from msgspec.structs import replace

from builders.fakeserver import MATCH, Talk, refused, serving, soon
from sunglare_client.errors import RefusedError
from sunglare_client.link.connection import connect
from sunglare_client.link.quick import quick_match
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import Queued, QuickMatch, ServerMessage
from sunglare_protocol.refusals import Code


async def waited(*answers: ServerMessage) -> tuple[MatchId, list[str]]:
    """Wait at a server that gives these answers in their order; return what came of it."""

    async def script(talk: Talk) -> None:
        await talk.greet()
        for answer in answers:
            asked = await talk.receive()
            assert isinstance(asked, QuickMatch)
            await talk.send(replace(answer, id=asked.id))

    told: list[str] = []
    async with serving(script) as url, await connect(url) as connection:
        return await soon(quick_match(connection, "f", told.append)), told


WAITS, HAS = Queued(id=0, again_ms=1), Queued(id=0, match=MATCH, ready_ms=30_000)
LATER = refused(0, Code.SERVER_JOURNAL)


@pytest.mark.parametrize(
    "answers", [(HAS,), (WAITS, WAITS, HAS), (WAITS, LATER, HAS), (LATER, HAS)]
)
async def test_who_waits_asks_until_there_is_a_match_and_is_told_once_that_he_waits(
    answers: tuple[ServerMessage, ...],
) -> None:
    match, told = await waited(*answers)
    assert match == MATCH
    assert told[-1] == f"match {MATCH}; be ready within 30 s"
    assert len(told) == 1 + (WAITS in answers)


async def test_a_refusal_that_waiting_does_not_mend_is_told() -> None:
    with pytest.raises(RefusedError) as fault:
        await waited(WAITS, refused(0, Code.QUICK_BARRED))
    assert fault.value.code is Code.QUICK_BARRED
