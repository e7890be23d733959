"""Whole matches over real sockets: what everybody was sent is the fold of the public record."""

import asyncio

import pytest

from builders.players import created
from builders.proxies import Proxy, proxied
from builders.records import RecordFile, folded, link, read_record
from builders.servers import ServerProcess
from builders.watchers import OPEN
from builders.wires import Talker, met, sequence
from sunglare_client.bot import Bot, play
from sunglare_client.bots import Lurker, RandomLegal, Scout
from sunglare_protocol.codec import Form, decode_server, encode_server
from sunglare_protocol.ids import OMNI, PUBLIC, SIDES, Audience, MatchId, audience_of
from sunglare_protocol.messages import AddBot, Hello, Join, Over, RoomState, Watch


async def followed(talker: Talker, match: MatchId) -> Over:
    """Return the end of a match that is watched, once it has come."""

    def ends(message: object) -> bool:
        return isinstance(message, Over) and message.match == match

    while True:
        try:
            over = await talker.wait_for(ends)
        except TimeoutError:
            continue
        assert isinstance(over, Over)
        return over


def is_gap_free(sent: dict[int, bytes]) -> bool:
    """Return whether the numbers of a sequence run from 1 without a gap, and in order."""
    return list(sent) == list(range(1, len(sent) + 1))


def sent_to_bots(proxy: Proxy, match: MatchId) -> dict[Audience, dict[int, bytes]]:
    """Return what came down each bot's line, by the side that it joined at."""
    return {
        audience_of(join.side): sequence(line.down, match)
        for line in proxy.lines
        for join in line.said()
        if isinstance(join, Join) and join.side is not None
    }


def check_strict(proxy: Proxy) -> None:
    """Check that whatever came down decodes, and encodes to the same bytes again."""
    for line in proxy.lines:
        for data in line.down:
            assert encode_server(decode_server(data, Form.PACKED), Form.PACKED) == data


def check_record(file: RecordFile, sent: dict[Audience, dict[int, bytes]], over: Over) -> None:
    """Check that the fold of a record is what was sent, and that the end speaks of this record."""
    assert folded(file, *sent) == sent
    assert over.head == link(file.blobs[-2]).hex()
    assert file.maps[-1]["k"] == "close"
    assert over.seed == file.maps[0]["b"]["server_seed"].hex()
    assert file.header["winner"] == over.result.winner


@pytest.mark.parametrize(
    ("scenario", "bots"),
    [
        pytest.param("shadow-of-ceres", (Scout(1), Lurker(2)), id="two bots"),
        pytest.param("four-corners", tuple(map(RandomLegal, range(4))), id="four bots"),
    ],
)
async def test_what_was_sent_is_the_fold_of_the_record(
    server: ServerProcess, scenario: str, bots: tuple[Bot, ...]
) -> None:
    async with proxied(server.url) as proxy, met(server.url) as host, met(server.url) as stranger:
        match = await created(host, scenario=scenario, options=OPEN)
        await host.ask(Watch, match=match, feed=PUBLIC)
        await stranger.ask(Watch, match=match, feed=OMNI)
        overs = await asyncio.gather(
            *(
                play(bot, proxy.url, match=match, side=side, strict=True)
                for bot, side in zip(bots, SIDES, strict=False)
            )
        )
        ends = [await followed(host, match), await followed(stranger, match), *overs]
        file = read_record(await host.record(match))
        sent = {
            **sent_to_bots(proxy, match),
            PUBLIC: host.sequence(match),
            OMNI: stranger.sequence(match),
        }
    assert len(sent) == len(bots) + 2
    assert all(map(is_gap_free, sent.values()))
    check_strict(proxy)
    check_record(file, sent, overs[0])
    assert len({(end.result.winner, end.seed, end.head) for end in ends}) == 1


async def test_house_bots_play_a_match_to_its_end(server: ServerProcess) -> None:
    async with met(server.url) as host:
        match = await created(host, scenario="picket-line", options=OPEN)
        await host.ask(Watch, match=match, feed=PUBLIC)
        await host.accepted(AddBot, match=match, name="random")
        await host.accepted(AddBot, match=match, name="lurker")
        over = await followed(host, match)
        file = read_record(await host.record(match))
        info = await host.info(match)
        check_record(file, {PUBLIC: host.sequence(match)}, over)
    assert file.header["names"] == {"A": "random", "B": "lurker"}
    assert info.line.state is RoomState.OVER


async def test_nothing_went_wrong_in_the_log(server: ServerProcess) -> None:
    async with met(server.url) as host:
        await host.ask(Hello, v=1)
    said = server.said()
    assert "listening" in said
    assert "Traceback" not in said
    assert "error" not in said
