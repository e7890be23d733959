"""Taking a seat as a program, against a scripted server."""

import pytest
from msgspec.structs import replace

from builders.fakeserver import MATCH, Talk, refused, serving, soon
from sunglare_client.errors import RefusedError
from sunglare_client.link.callbacks import Hooks
from sunglare_client.link.connection import connect
from sunglare_client.link.taking import SeatWish, take_seat
from sunglare_protocol.messages import Join, Resume
from sunglare_protocol.refusals import Code


@pytest.mark.parametrize(
    ("wish", "names"),
    [
        pytest.param(SeatWish(match=MATCH), (), id="by its id"),
        pytest.param(SeatWish(code="ABCD-EFGH"), (MATCH,), id="by a code"),
    ],
)
async def test_a_seat_of_the_account_is_asked_for_again(
    wish: SeatWish, names: tuple[str, ...]
) -> None:
    asked = []

    async def script(talk: Talk) -> None:
        await talk.greet()
        join = await talk.receive()
        assert isinstance(join, Join)
        await talk.send(replace(refused(join.id, Code.SEAT_YOURS), choices=names))
        resume = await talk.receive()
        assert isinstance(resume, Resume)
        asked.append(resume.match)
        await talk.send(refused(resume.id, Code.SEAT_NONE))

    async with serving(script) as url:
        connection = await soon(connect(url))
        with pytest.raises(RefusedError):
            await soon(take_seat(connection, wish, None, Hooks()))
    assert asked == [MATCH]


async def test_a_refusal_by_a_code_that_names_no_match_is_passed_on() -> None:
    async def script(talk: Talk) -> None:
        await talk.greet()
        join = await talk.receive()
        assert isinstance(join, Join)
        await talk.send(refused(join.id, Code.SEAT_YOURS))

    async with serving(script) as url:
        connection = await soon(connect(url))
        with pytest.raises(RefusedError) as refusal:
            await soon(take_seat(connection, SeatWish(code="ABCD-EFGH"), None, Hooks()))
    assert refusal.value.code is Code.SEAT_YOURS
