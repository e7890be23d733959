"""Chat shows who speaks by name, those too who join after the terminal has begun."""

from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from builders.commandlines import sunglare
from builders.terminals import CARD, MATCH, B, frame, over, view
from client.test_cli_server import LINE, answers, serving
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import (
    Accepted,
    ClientMessage,
    GiveOrders,
    Info,
    MatchInfo,
    News,
    NewsKind,
    Ready,
    SeatInfo,
    SeatState,
    ServerMessage,
    Watch,
    Watching,
)

ALONE = replace(LINE, seats=(LINE.seats[0], SeatInfo(side=B, state=SeatState.FREE)))
JOINED = News(match=MatchId(MATCH), seq=1, kind=NewsKind.SEAT, side=B, text="joined")
HELLO = News(match=MatchId(MATCH), seq=3, kind=NewsKind.CHAT, side=B, text="gl hf")

Answers = Callable[[ClientMessage], tuple[ServerMessage, ...]]


def joining(later: Answers, *behind: ServerMessage) -> Answers:
    """Return answers that name side B at the second question alone, and send `behind` with it."""
    asked: list[ClientMessage] = []

    def reply(message: ClientMessage) -> tuple[ServerMessage, ...]:
        if not isinstance(message, Info):
            return later(message)
        asked.append(message)
        if len(asked) == 1:
            return (MatchInfo(id=message.id, line=ALONE, card=CARD),)
        return (MatchInfo(id=message.id, line=LINE, card=CARD), *behind)

    return reply


async def test_a_player_reads_the_name_of_one_who_joined_later(tmp_path: Path) -> None:
    def later(message: ClientMessage) -> tuple[ServerMessage, ...]:
        match message:
            case Ready():
                return (Accepted(id=message.id), JOINED)
            case GiveOrders(lock=False):
                return (*answers(message), HELLO)
            case GiveOrders():
                return (*answers(message)[:1], over(4))
            case _:
                return answers(message)

    async with serving(joining(later, frame(2, view()))) as (url, _):
        typed = "turn S1 +1\nready\n"
        done = await sunglare("play", "--url", url, home=tmp_path, typed=typed)
    assert done.code == 0, done.err
    assert "[chat] B (scout): gl hf" in done.out.splitlines()
    assert "points: A (anna) 4, B (scout) 2" in done.out


async def test_a_spectator_reads_the_name_of_one_who_joined_later(tmp_path: Path) -> None:
    def later(message: ClientMessage) -> tuple[ServerMessage, ...]:
        if not isinstance(message, Watch):
            return answers(message)
        return (Watching(id=message.id, match=MATCH, feed=message.feed, card=CARD), JOINED)

    behind = (frame(2, view()), HELLO, over(4))
    async with serving(joining(later, *behind)) as (url, heard):
        done = await sunglare("watch", MATCH, "--url", url, home=tmp_path)
    assert done.code == 0, done.err
    assert "[chat] B (scout): gl hf" in done.out.splitlines()
    assert sum(isinstance(message, Info) for message in heard) == 2
