"""A pause that was asked for, or that lasts, is told again to whoever comes."""

from pathlib import Path

from builders.players import Player, started
from builders.servers import server_process
from builders.venues import Venue
from builders.wires import Talker, met
from sunglare_protocol.ids import PUBLIC, MatchId
from sunglare_protocol.messages import (
    AskPause,
    News,
    NewsKind,
    Resume,
    Resumed,
    ResumeKind,
    Watch,
    Watching,
)

FAR_AHEAD = 10_000
"""More than any seat has seen, so that it gets a keyframe."""


def pauses(talker: Talker, match: MatchId) -> list[tuple[str | None, str]]:
    """Return what was told again of pauses, outside the sequence of a match."""
    return [
        (news.side, news.text)
        for news in talker.every(News)
        if (news.match, news.seq, news.kind) == (match, 0, NewsKind.PAUSE)
    ]


async def back(talker: Talker, player: Player, have: int, kind: ResumeKind) -> None:
    """Take a seat of the account again, with what follows on `have` told in this way."""
    taken = await talker.expect(Resumed, Resume, match=player.match, have=have)
    assert taken.kind is kind
    await talker.ping()


async def watched(talker: Talker, match: MatchId) -> None:
    """Watch what the public may see of a match."""
    await talker.expect(Watching, Watch, match=match, feed=PUBLIC)
    await talker.ping()


async def test_who_asks_for_a_pause_is_told_again_after_resumed_and_after_a_keyframe(
    venue: Venue,
) -> None:
    anna, boris = await venue.duel()
    await anna.accepted(AskPause)
    await boris.talker.told("asked")
    again = boris.talker
    for have, kind in ((boris.seen, ResumeKind.EXACT), (FAR_AHEAD, ResumeKind.RESET)):
        again = await venue.one(token=boris.talker.token)
        await back(again, boris, have, kind)
        assert pauses(again, anna.match) == [("A", "asked")]
    stranger = await venue.one()
    await watched(stranger, anna.match)
    assert pauses(stranger, anna.match) == [("A", "asked")]
    await again.accepted(AskPause, match=anna.match)
    await anna.talker.told("paused")
    for kind, have in ((ResumeKind.RESET, FAR_AHEAD), (ResumeKind.EXACT, 0)):
        later = await venue.one(token=anna.talker.token)
        await back(later, anna, have, kind)
        assert pauses(later, anna.match) == [(None, "paused")]


async def test_a_wish_for_a_pause_that_was_taken_back_is_told_no_more(venue: Venue) -> None:
    anna, boris = await venue.duel()
    await anna.accepted(AskPause)
    await anna.accepted(AskPause, on=False)
    for have in (boris.seen, FAR_AHEAD):
        again = await venue.one(token=boris.talker.token)
        await again.expect(Resumed, Resume, match=anna.match, have=have)
        await again.ping()
        assert pauses(again, anna.match) == []


async def test_a_pause_that_was_asked_for_is_told_again_after_a_restart(tmp_path: Path) -> None:
    with server_process(tmp_path) as server:
        async with met(server.url) as anna, met(server.url) as boris:
            players = await started([anna, boris])
            match, token = players[0].match, boris.token
            await players[0].accepted(AskPause)
            await boris.told("asked")
        server.kill()
        server.start()
        async with met(server.url, token=token) as again:
            await again.expect(Resumed, Resume, match=match, have=FAR_AHEAD)
            await again.ping()
            assert pauses(again, match) == [("A", "asked")]
