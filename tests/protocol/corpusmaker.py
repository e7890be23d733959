"""Writes the corpus of real messages: run this file to make it anew when a kind was added.

Two people on a real server say everything that can be said, a third watches, and a proxy keeps
what passes; orders, frames and answers of the larger scenarios come from matches of bots.
"""

import asyncio
import contextlib
import itertools
import sys
import tempfile
from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import msgspec

from builders.botmatches import fought
from builders.corpus import CLIENT, FOLDER, SERVER, kinds_of
from builders.matches import view_of
from builders.played import Rig, rig
from builders.players import all_ready, opened, play_on, seated
from builders.proxies import Proxy, proxied
from builders.ratedresults import CERES, result
from builders.scenarios import scenarios
from builders.servers import running_app
from builders.truths import MATCH
from builders.wires import Talker, met
from sunglare_protocol.codec import (
    Form,
    decode_client,
    decode_server,
    encode_client,
    encode_server,
)
from sunglare_protocol.ids import OMNI, PUBLIC, MatchId, Side, WindowId, audience_of
from sunglare_protocol.lessons.lesson import positions
from sunglare_protocol.messages import (
    AddBot,
    Answer,
    Ask,
    AskLadder,
    AskPause,
    Chat,
    ClientMessage,
    Create,
    Created,
    FetchRecord,
    Forget,
    From,
    GiveOrders,
    GrantFeed,
    Info,
    Leave,
    LessonAct,
    ListMatches,
    Mute,
    OfferDraw,
    Over,
    Ping,
    Question,
    QuickMatch,
    Rematch,
    Renew,
    Report,
    Resign,
    Reveal,
    RevokeFeed,
    ServerMessage,
    SetWebhook,
    TakeLesson,
    Unquick,
    Watch,
)
from sunglare_protocol.orders import Order
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import View
from sunglare_rules.advice.answer import answer
from sunglare_rules.advice.legal.legal import legal
from sunglare_server.app import App
from sunglare_server.match.frames import posted
from sunglare_server.ports.rating_model import player_of
from sunglare_server.ports.store import hash_of

MATCHES = (
    ("redondo", 2, ("admiral",) * 4, 3),
    ("orlog", 1, ("raider", "raider"), 3),
    ("proving-ground", 5, ("random", "scout"), 5),
    ("picket-line", 2, ("hunter", "hunter"), 6),
    ("blip-parade", 5, ("random", "scout"), 3),
    ("shadow-of-ceres", 5, ("scout", "lurker"), 5),
    ("smugglers-moon", 1, ("raider", "raider"), 6),
)
"""The matches of bots: scenario, seed, bots and turns."""

BYTES_MOST = 40_000
"""No message of the corpus is longer."""


def main() -> None:
    """Write the corpus."""
    client, server = asyncio.run(_session())
    orders, told = _played()
    client += [_given(order) for order in orders]
    FOLDER.mkdir(exist_ok=True)
    sent = _chosen([encode_client(message, Form.PACKED) for message in client])
    heard = _chosen([encode_server(message, Form.PACKED) for message in (*server, *told)])
    CLIENT.with_suffix(".msgpack").write_bytes(b"".join(sent))
    SERVER.with_suffix(".msgpack").write_bytes(b"".join(heard))
    said = [encode_client(decode_client(data, Form.PACKED), Form.JSON) for data in sent]
    CLIENT.with_suffix(".jsonl").write_bytes(b"".join(line + b"\n" for line in said))
    said = [encode_server(decode_server(data, Form.PACKED), Form.JSON) for data in heard]
    SERVER.with_suffix(".jsonl").write_bytes(b"".join(line + b"\n" for line in said))


def _chosen(messages: Iterable[bytes]) -> list[bytes]:
    """Return a message with each kind of anything, the short ones first."""
    known: dict[str, None] = {}
    chosen = []
    for data in sorted(messages, key=lambda message: (len(message), message)):
        kinds = kinds_of(msgspec.msgpack.decode(data))
        if len(data) <= BYTES_MOST and any(kind not in known for kind in kinds):
            known |= dict.fromkeys(kinds)
            chosen.append(data)
    return chosen


def _given(order: Order) -> GiveOrders:
    return GiveOrders(id=9, match=MATCH, window=WindowId("1.plot"), rev=1, orders=(order,))


def _played() -> tuple[list[Order], list[ServerMessage]]:
    """Return orders of every kind that is legal somewhere, and what a server said meanwhile."""
    orders: list[Order] = []
    told: list[ServerMessage] = []

    def watch(_: WindowId, match: Rig) -> None:
        assert match.last is not None
        for audience in (*map(audience_of, match.sides), PUBLIC, OMNI):
            told.extend(posted(MATCH, match.last, audience, ""))
        for side in match.sides:
            view = view_of(match.state, audience_of(side))
            found = {type(order): order for order in legal(view)}
            orders.extend(found.values())
            told.extend(_answers(view, (*found.values(), "C1", "last", None)))

    for name, seed, bots, turns in MATCHES:
        # What is legal in the first window alone is ordered before the first close.
        watch(WindowId("1.plot"), rig(scenarios()[name], seed))
        fought(name, seed, *bots, watch=watch, turns_most=turns)
    return orders, told


def _answers(view: View, abouts: tuple[Order | str | None, ...]) -> Iterator[Answer]:
    for kind, about in itertools.product(Question, abouts):
        given = answer(view, kind, about)
        if not isinstance(given, Rejected):
            yield Answer(id=3, match=MATCH, answer=given)


@contextlib.asynccontextmanager
async def _line() -> AsyncIterator[tuple[App, Proxy]]:
    with tempfile.TemporaryDirectory() as folder:
        async with running_app(Path(folder)) as app, proxied(app.url) as proxy:
            yield app, proxy


async def _session() -> tuple[list[ClientMessage], list[ServerMessage]]:
    async with (
        _line() as (app, proxy),
        met(proxy.url, "Ada") as ada,
        met(proxy.url, "Bo", bot=True) as bo,
        met(proxy.url) as eve,
    ):
        room = await opened(ada, title="a match", private=True)
        match, code = room.match, room.code
        await ada.refused(AddBot, match=match, name="nobody")
        await ada.refused(Reveal, match=match, entropy="00")
        await ada.refused(GrantFeed, match=match, name="Bo")
        await ada.refused(RevokeFeed, match=match, name="Bo")
        await ada.ask(ListMatches)
        await ada.ask(Info, match=match)
        players = [await seated(talker, match, code=code) for talker in (ada, bo)]
        await eve.ask(Info, match=match, code=code)
        await eve.ask(Watch, match=match, feed=PUBLIC, code=code)
        await all_ready(players)
        await play_on(players, 6)
        await _talk(ada, bo, match)
        await _climb(app, ada, bo)
        await _learn(ada)
        async with met(proxy.url, token=ada.token) as again:
            ada = (await players[0].resume(again)).talker
            await _end(ada, bo, eve, room)
        return (
            [message for line in proxy.lines for message in line.said()],
            [message for line in proxy.lines for message in line.heard()],
        )


async def _climb(app: App, ada: Talker, bo: Talker) -> None:
    called = [await app.lobby.accounts.called(name) for name in ("Ada", "Bo")]
    players = (*[account for account in called if account], player_of("", "hunter"))
    await app.lobby.ladder.ratings.add(result(1, *players))
    await ada.ask(AskLadder, family=CERES, most=1)
    await bo.ask(AskLadder, after=1)
    await bo.ask(Create, scenario=CERES, options={"clock": "blitz"}, rated=True)
    await bo.ask(ListMatches)
    for talker in (ada, bo):
        await talker.ask(QuickMatch, family=CERES, rated=False)
    await ada.ask(Unquick)


async def _learn(ada: Talker) -> None:
    for act in LessonAct:
        await ada.ask(TakeLesson, act=act, lesson="05-cloak")
    sheet = {"kind": Question.SHEET, "about": "S3"}
    await ada.ask(TakeLesson, act=LessonAct.ASK, lesson="05-cloak", **sheet)
    orders = next(one for one in positions() if one.name == "05-cloak").orders["fire S3.B1 C1"]
    await ada.ask(TakeLesson, act=LessonAct.ANSWER, lesson="05-cloak", orders=orders)
    await ada.ask(TakeLesson, act=LessonAct.LIST)


async def _talk(ada: Talker, bo: Talker, match: MatchId) -> None:
    await ada.accepted(Chat, match=match, text="good luck")
    await bo.accepted(Mute, match=match, side=Side("A"))
    await bo.accepted(Report, match=match, side=Side("A"), text="he shouts")
    await ada.refused(SetWebhook, url="https://hooks.example.org/ada")
    await ada.accepted(OfferDraw, match=match)
    await ada.accepted(AskPause, match=match)
    await ada.ask(Ask, match=match, kind=Question.LEGAL)
    await ada.ask(Ask, match=match, kind=Question.WHY, about="C1")
    await ada.ask(Ping)
    await ada.refused(Create, scenario="nowhere")
    await ada.refused(Create, origin=From(match=match, turn=2, code="nocode"))


async def _end(ada: Talker, bo: Talker, eve: Talker, room: Created) -> None:
    match = room.match
    await bo.accepted(Resign, match=match)
    await ada.wait_for(lambda message: isinstance(message, Over))
    for on in (True, False, True):
        await ada.accepted(Rematch, match=match, on=on)
    await eve.info(match)
    await bo.accepted(Rematch, match=match)
    await eve.info(match)
    await eve.record(match, room.code)
    await eve.ask(Watch, match=match, feed=OMNI)
    await eve.accepted(Leave, match=match)
    await eve.send(FetchRecord(id=90, match=match, from_byte=10**9))
    await eve.refused(Renew, id=92, token_hash=hash_of(ada.token))
    await eve.send(Forget(id=93))
    await eve.wait_closed()


if __name__ == "__main__":
    main()
