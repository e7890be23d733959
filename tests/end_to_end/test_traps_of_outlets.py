"""What no outlet may ever carry: seeds, tickets, tokens, addresses, and in the lobby any play."""

import base64
import contextlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import get_args

import pytest
from msgspec.structs import replace
from websockets.asyncio.client import connect as open_socket
from websockets.typing import Subprotocol

from builders.players import Player, all_ready, created, play_on, seated, started
from builders.randomplayer import random_orders
from builders.records import read_record
from builders.scenarios import scenarios
from builders.servers import ServerProcess, running_app, server_process
from builders.wires import Talker, met
from sunglare_protocol.codec import Form
from sunglare_protocol.ids import OMNI, PUBLIC, MatchId
from sunglare_protocol.messages import (
    Accepted,
    Ask,
    Chat,
    FetchRecord,
    Frame,
    Info,
    Join,
    ListMatches,
    Matches,
    MatchInfo,
    News,
    Piece,
    Ping,
    Pong,
    Question,
    Ready,
    Rematch,
    Resign,
    Reveal,
    Seated,
    ServerMessage,
    Watch,
    Watching,
)
from sunglare_protocol.refusals import Code
from sunglare_protocol.seals import pledge
from sunglare_protocol.views import View
from sunglare_server.host.rooms import Room

OPEN: dict[str, str | int] = {
    "clock": "test",
    "truth_feed": "yes",
    "omni_delay_turns": 0,
    "omni_delay_s": 0,
}
ENTROPY = {"A": "a1" * 20, "B": "b2" * 20}


def spellings(secret: bytes) -> Iterator[bytes]:
    """Yield how a secret may be written: as it is, in hexadecimal digits, in base 64."""
    yield secret
    yield secret.hex().encode()
    yield secret.hex().upper().encode()
    yield base64.b64encode(secret).rstrip(b"=")
    yield base64.urlsafe_b64encode(secret).rstrip(b"=")


async def sworn(talker: Talker, match: MatchId, side: str) -> Player:
    """Take a seat with a pledge."""
    given = await talker.expect(
        Seated, Join, match=match, side=side, pledge=pledge(bytes.fromhex(ENTROPY[side]))
    )
    return Player(talker, given)


async def play_window(players: list[Player], rng: Random) -> None:
    """Let a window go by with random orders of every side that is asked."""
    window = players[0].newest.window
    for player in players:
        await player.reached(window)
    for player in [one for one in players if one.is_asked]:
        view = player.newest.view
        assert isinstance(view, View)
        answer = await player.orders(*random_orders(rng, view))
        assert isinstance(answer, Accepted), answer
    for player in players:
        await player.frame(beside=window)


@pytest.mark.parametrize("form", list(Form), ids=lambda form: form.name.lower())
async def test_no_message_ever_holds_a_seed_before_the_end_nor_a_secret_of_somebody_else(
    tmp_path: Path, form: Form
) -> None:
    async with contextlib.AsyncExitStack() as stack:
        app = await stack.enter_async_context(running_app(tmp_path))
        host, anna, boris, *spectators, later = talkers = [
            await stack.enter_async_context(met(app.url, f"account {n}", form=form))
            for n in range(6)
        ]
        match = await created(host, options=OPEN)
        left, right = await sworn(anna, match, "A"), await sworn(boris, match, "B")
        await hear_everything(talkers, spectators, [left, right])
        back = await left.resume(later)
        await back.chat(1)
        state = app.lobby.matches.runners[match].state
        owners = {talker.token: talker for talker in talkers}
        owners |= {left.ticket: anna, back.ticket: later, right.ticket: boris}
        check_secrets(talkers, [state.server_seed, state.seed], owners)
        await boris.accepted(Resign, match=match)
        await back.over()
        # The scan would have found the seed: this is how it looks when it is shown.
        assert state.server_seed.hex().encode() in later.raw[-1]
        kinds = {type(message) for talker in talkers for message in talker.messages}
    assert {kind for kind in get_args(ServerMessage) if kind not in kinds} == set()


async def hear_everything(
    talkers: list[Talker], spectators: list[Talker], players: list[Player]
) -> None:
    """Play a part of a match with spectators, and ask for all that there is to ask for."""
    match, (public, omni) = players[0].match, spectators
    await public.expect(Watching, Watch, match=match, feed=PUBLIC)
    await omni.expect(Watching, Watch, match=match, feed=OMNI)
    for player in players:
        await player.talker.accepted(Ready, match=match)
    for player in players:
        await player.talker.accepted(Reveal, match=match, entropy=ENTROPY[player.side])
    for player in players:
        await player.frame()
    rng = Random(1)
    for _ in range(11):
        await play_window(players, rng)
    for talker in talkers:
        await talker.expect(Matches, ListMatches)
        await talker.expect(MatchInfo, Info, match=match)
        await talker.expect(Pong, Ping)
        await talker.ask(Ask, match=match, kind=Question.WHY)
    await players[0].talker.record(match)
    assert await public.code(FetchRecord, match=match) is Code.RECORD_SEALED


def check_secrets(talkers: list[Talker], seeds: list[bytes], owners: dict[str, Talker]) -> None:
    """Check that nobody was sent a seed, an entropy, or what is another's; all got their own."""
    assert len(set(seeds)) == len(seeds)
    entropies = map(bytes.fromhex, ENTROPY.values())
    hidden = [spelling for seed in (*seeds, *entropies) for spelling in spellings(seed)]
    for talker in talkers:
        files = [message.data for message in talker.messages if isinstance(message, Piece)]
        told = b"\n".join([*talker.raw, *files])
        assert not [secret for secret in hidden if secret in told]
        assert b"127.0.0.1" not in told
        for secret, owner in owners.items():
            assert (secret.encode() in told) is (owner is talker)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with server_process(tmp_path_factory.mktemp("server")) as running:
        yield running


async def test_no_log_line_ever_holds_a_ticket_a_token_a_seed_an_order_or_an_address(
    server: ServerProcess,
) -> None:
    async with met(server.url, "somebody") as anna, met(server.url) as boris:
        match = await created(anna)
        left, right = await sworn(anna, match, "A"), await seated(boris, match)
        for player in (left, right):
            await player.talker.accepted(Ready, match=match)
        await anna.accepted(Reveal, match=match, entropy=ENTROPY["A"])
        for player in (left, right):
            await player.frame()
        await anna.accepted(Chat, match=match, text="a line that nobody logs")
        await play_on([left, right], 6)
        await anna.ask(Ask, match=match, kind=Question.LOOK, about="canary-question")
        await anna.accepted(Resign, match=match)
        over = await right.over()
        said = server.said()
        ports = [str(talker.socket.local_address[1]) for talker in (anna, boris)]
    assert match in said
    secrets = (anna.token, boris.token, left.ticket, right.ticket, over.seed, ENTROPY["A"])
    words = ("somebody", "a line that nobody logs", "canary-question", *ports)
    assert not [secret for secret in (*secrets, *words) if secret in said]


LISTED = {
    "match",
    "scenario",
    "state",
    "seats",
    "title",
    "clock",
    "turn",
    "phase",
    "mine",
    "your_turn",
}


async def test_the_list_of_matches_never_tells_a_stranger_how_a_match_goes(tmp_path: Path) -> None:
    async with (
        running_app(tmp_path) as app,
        met(app.url) as anna,
        met(app.url) as boris,
        met(app.url) as stranger,
    ):
        players = await started([anna, boris], options=OPEN)
        match = players[0].match
        first = await stranger.expect(MatchInfo, Info, match=match)
        before = await stranger.expect(Matches, ListMatches)
        rng = Random(8)
        for _ in range(11):
            await play_window(players, rng)
            now = await stranger.expect(Matches, ListMatches)
            assert replace(now, id=before.id) == before
        again = await stranger.expect(MatchInfo, Info, match=match)
    assert replace(again, id=first.id) == first
    (line,) = before.running
    assert set(line.__struct_fields__) == LISTED
    assert (line.turn, line.phase, line.mine, line.your_turn) == (0, None, None, False)


async def test_no_message_of_the_lobby_ever_tells_of_the_forces_of_others(tmp_path: Path) -> None:
    async with contextlib.AsyncExitStack() as stack:
        app = await stack.enter_async_context(running_app(tmp_path))
        scenario = scenarios()["duel"]
        app.lobby.library.scenarios["duel"] = scenario
        anna, boris, stranger = [
            await stack.enter_async_context(met(app.url, form=Form.JSON)) for _ in range(3)
        ]
        match = await created(anna, scenario="duel")
        left, right = await seated(anna, match, "A"), await seated(boris, match, "B")
        for talker in (anna, boris, stranger):
            await talker.expect(MatchInfo, Info, match=match)
            await talker.expect(Matches, ListMatches)
        await anna.accepted(Ready, match=match)
        await anna.accepted(Ready, match=match, on=False)
        ships = {side: setup.ships for side, setup in scenario.data.sides.items()}
        words = {
            side: {entry.name for entry in fleet} | {entry.type for entry in fleet}
            for side, fleet in ships.items()
        }
        told = {talker: b"".join(talker.raw).decode() for talker in (anna, boris, stranger)}
        foreign = {
            anna: words[right.side] - words[left.side],
            boris: words[left.side] - words[right.side],
            stranger: words[left.side] | words[right.side],
        }
        for talker, hidden in foreign.items():
            assert hidden
            assert not [secret for secret in hidden if f'"{secret}"' in told[talker]]
        assert "cruiser" in told[anna]
        assert {card.name for card in left.taken.classes} == {
            ship.type for ship in ships[left.side]
        }
        counts = {len(talker.raw) for talker in (stranger,)}
    assert counts == {3}


async def test_another_match_of_the_same_people_never_begins_with_what_the_last_one_knew(
    tmp_path: Path,
) -> None:
    async with contextlib.AsyncExitStack() as stack:
        app = await stack.enter_async_context(running_app(tmp_path))
        app.lobby.library.scenarios["duel"] = scenarios()["duel"]
        anna, boris = [await stack.enter_async_context(met(app.url)) for _ in range(2)]
        sealed = {"clock": "test", "scan_slots": "sealed"}
        players = await started([anna, boris], scenario="duel", options=sealed)
        rng = Random(5)
        for _ in range(16):
            await play_window(players, rng)
        known = [handles(player) for player in players]
        assert all(known)
        await anna.accepted(Resign, match=players[0].match)
        await players[1].over()
        for player in players:
            await player.talker.accepted(Rematch, match=player.match)
        news = await boris.wait_for(is_rematch)
        assert isinstance(news, News)
        match = MatchId(news.text.removeprefix("rematch "))
        devices = [
            await stack.enter_async_context(met(app.url, token=talker.token))
            for talker in (anna, boris)
        ]
        again = [await seated(device, match) for device in devices]
        await all_ready(again)
        for player in again:
            view = player.newest.view
            assert isinstance(view, View)
            assert (view.contacts, view.surfaces, view.found, view.spied) == ((), (), (), ())
            assert (player.newest.seq, len(player.newest.notices), view.points) == (1, 1, 0)
        for _ in range(16):
            await play_window(again, rng)
        later = [handles(player) for player in again]
        assert all(later)
        assert not {*known[0], *known[1]} & {*later[0], *later[1]}


def is_rematch(message: ServerMessage) -> bool:
    """Return whether a message tells of a rematch."""
    return isinstance(message, News) and message.text.startswith("rematch ")


def handles(player: Player) -> set[str]:
    """Return every handle that a player was ever shown."""
    views = [post.view for post in player.posts if isinstance(post, Frame)]
    contacts = [contact for view in views if isinstance(view, View) for contact in view.contacts]
    return {contact.handle for contact in contacts if contact.handle is not None}


async def test_a_connection_that_has_gone_is_never_sent_anything(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url) as boris:
        async with met(app.url) as anna, met(app.url) as watcher:
            players = await started([anna, boris])
            match = players[0].match
            await watcher.expect(Watching, Watch, match=match, feed=PUBLIC)
            runner = app.lobby.matches.runners[match]
            assert [len(feed.sinks) for feed in runner.feeds.values()] == [1, 1, 1, 0]
        await boris.expect(Pong, Ping)
        for _ in range(100):
            if sum(len(feed.sinks) for feed in runner.feeds.values()) == 1:
                break
            await boris.expect(Pong, Ping)
        assert [len(feed.sinks) for feed in runner.feeds.values()] == [0, 1, 0, 0]
        before = len(anna.raw), len(watcher.raw)
        await players[1].chat(3)
        assert (len(anna.raw), len(watcher.raw)) == before


async def test_no_connection_is_ever_compressed(tmp_path: Path) -> None:
    # Lengths would tell what a secret of the match has in common with a guess.
    async with running_app(tmp_path) as app:
        protocols = [Subprotocol(Form.PACKED.value)]
        offers = open_socket(app.url, subprotocols=protocols, compression="deflate", proxy=None)
        async with offers as socket:
            assert socket.request is not None
            assert "permessage-deflate" in socket.request.headers["Sec-WebSocket-Extensions"]
            assert socket.response is not None
            assert "Sec-WebSocket-Extensions" not in socket.response.headers
            assert socket.protocol.extensions == []


async def test_the_records_of_two_matches_never_tell_that_the_same_people_played(
    tmp_path: Path,
) -> None:
    async with running_app(tmp_path) as app, met(app.url) as anna, met(app.url) as boris:
        known: list[set[str]] = []
        accounts: set[str] = set()
        for _ in range(2):
            async with met(app.url, token=anna.token) as a, met(app.url, token=boris.token) as b:
                left, right = await started([a, b])
                await a.accepted(Resign, match=left.match)
                await right.over()
                room = await app.lobby.find(left.match)
                assert isinstance(room, Room)
                accounts |= {seat.account for seat in room.seats}
                data = await b.record(left.match)
                opened = read_record(data).maps[0]["b"]
                known.append({seat["person"] for seat in opened["seats"]})
                assert not [account for account in accounts if account.encode() in data]
    assert len(accounts) == 2
    assert [len(names) for names in known] == [2, 2]
    assert not known[0] & known[1]
