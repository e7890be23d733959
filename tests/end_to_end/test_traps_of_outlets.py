"""What no outlet may ever carry: seeds, tickets, tokens, addresses, and in the lobby any play."""

import base64
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import get_args

import pytest
from msgspec.structs import replace

from builders.players import (
    Player,
    all_ready,
    created,
    finished,
    play_on,
    pledged,
    rematch_of,
    seated,
    started,
)
from builders.randomplayer import random_orders
from builders.records import read_record
from builders.runners import runners_of
from builders.scenarios import scenarios
from builders.servers import ServerProcess
from builders.venues import Venue
from builders.watchers import OPEN, watch
from builders.wires import Talker, met
from sunglare_protocol.codec import Form
from sunglare_protocol.ids import OMNI, PUBLIC
from sunglare_protocol.messages import (
    Ask,
    AskLadder,
    Chat,
    FetchRecord,
    Frame,
    LessonAct,
    Piece,
    Question,
    QuickMatch,
    Ready,
    ServerMessage,
    TakeLesson,
    Unquick,
)
from sunglare_protocol.refusals import Code
from sunglare_protocol.views import View
from sunglare_server.app import App
from sunglare_server.ports.rooms import Room
from sunglare_server.runtime.runner import Runner

ENTROPY = {"A": b"\xa1" * 20, "B": b"\xb2" * 20}


def spellings(secret: bytes) -> Iterator[bytes]:
    """Yield how a secret may be written: as it is, in hexadecimal digits, in base 64."""
    yield secret
    yield secret.hex().encode()
    yield secret.hex().upper().encode()
    yield base64.b64encode(secret).rstrip(b"=")
    yield base64.urlsafe_b64encode(secret).rstrip(b"=")


@pytest.mark.parametrize("form", list(Form), ids=lambda form: form.name.lower())
async def test_no_message_ever_holds_a_seed_before_the_end_nor_a_secret_of_somebody_else(
    venue: Venue, app: App, form: Form
) -> None:
    host, anna, boris, *spectators, later = talkers = [
        await venue.one(f"account {n}", form=form) for n in range(6)
    ]
    match = await created(host, options=OPEN)
    left = await pledged(anna, match, ENTROPY["A"])
    right = await pledged(boris, match, ENTROPY["B"])
    await hear_everything(talkers, spectators, [left, right])
    back = await left.resume(later)
    await back.chat(1)
    state = runners_of(app.lobby.matches)[match].state
    owners = {talker.token: talker for talker in talkers}
    owners |= {left.ticket: anna, back.ticket: later, right.ticket: boris}
    check_secrets(talkers, [state.server_seed, state.seed], owners)
    await boris.resign(match)
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
    await watch(public, match, PUBLIC)
    await watch(omni, match, OMNI)
    for player in players:
        await player.talker.ready(match)
    for player in players:
        await player.talker.reveal(match, ENTROPY[player.side])
    for player in players:
        await player.frame()
    rng = Random(1)
    await play_on(players, 11, partial(random_orders, rng))
    for talker in talkers:
        await talker.listed()
        await talker.info(match)
        await talker.ping()
        await talker.ask(AskLadder)
        await talker.ask(QuickMatch, family="shadow-of-ceres")
        await talker.accepted(Unquick)
        await talker.ask(Ask, match=match, kind=Question.WHY)
        for act in LessonAct:
            await talker.ask(TakeLesson, act=act, lesson="03-shadow")
    await players[0].talker.record(match)
    assert await public.code(FetchRecord, match=match) is Code.RECORD_SEALED


def check_secrets(talkers: list[Talker], seeds: list[bytes], owners: dict[str, Talker]) -> None:
    """Check that nobody was sent a seed, an entropy, or what is another's; all got their own."""
    assert len(set(seeds)) == len(seeds)
    hidden = [spelling for seed in (*seeds, *ENTROPY.values()) for spelling in spellings(seed)]
    for talker in talkers:
        files = [message.data for message in talker.messages if isinstance(message, Piece)]
        told = b"\n".join([*talker.raw, *files])
        assert not [secret for secret in hidden if secret in told]
        assert b"127.0.0.1" not in told
        for secret, owner in owners.items():
            assert (secret.encode() in told) is (owner is talker)


async def test_no_log_line_ever_holds_a_ticket_a_token_a_seed_an_order_or_an_address(
    server: ServerProcess,
) -> None:
    async with met(server.url, "somebody") as anna, met(server.url) as boris:
        match = await created(anna)
        left, right = await pledged(anna, match, ENTROPY["A"]), await seated(boris, match)
        for player in (left, right):
            await player.talker.ready(match)
        await anna.reveal(match, ENTROPY["A"])
        for player in (left, right):
            await player.frame()
        await anna.accepted(Chat, match=match, text="a line that nobody logs")
        await play_on([left, right], 6)
        await anna.ask(Ask, match=match, kind=Question.LOOK, about="canary-question")
        await anna.resign(match)
        over = await right.over()
        said = server.said()
        ports = [str(talker.socket.local_address[1]) for talker in (anna, boris)]
    assert match in said
    secrets = (anna.token, boris.token, left.ticket, right.ticket, over.seed, ENTROPY["A"].hex())
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
    "awaits_bot",
    "origin",
    "rated",
    "result",
}


async def test_the_list_of_matches_tells_a_stranger_no_more_than_the_public_window(
    venue: Venue,
) -> None:
    anna, boris, stranger = await venue.some(3)
    players = await started([anna, boris], options=OPEN)
    match = players[0].match
    first = await stranger.info(match)
    before = await stranger.listed()
    (line,) = before.running
    there, rng = line, Random(8)
    for _ in range(11):
        await play_on(players, 1, partial(random_orders, rng))
        now = await stranger.listed()
        stage = players[0].newest.view.stage
        there = replace(line, turn=stage.turn, phase=stage.phase)
        assert replace(now, id=before.id) == replace(before, running=(there,))
    again = await stranger.info(match)
    assert replace(again, id=first.id, line=first.line) == first
    assert again.line == there
    assert set(line.__struct_fields__) == LISTED
    told = (line.mine, line.your_turn, line.awaits_bot, line.origin, line.result)
    assert told == (None, False, False, None, None)


async def test_no_message_of_the_lobby_ever_tells_of_the_forces_of_others(venue: Venue) -> None:
    app = await venue.open()
    scenario = scenarios()["duel"]
    app.lobby.matches.library.scenarios["duel"] = scenario
    anna, boris, stranger = [await venue.one(form=Form.JSON) for _ in range(3)]
    match = await created(anna, scenario="duel")
    left, right = await seated(anna, match, "A"), await seated(boris, match, "B")
    for talker in (anna, boris, stranger):
        await talker.info(match)
        await talker.listed()
    await anna.ready(match)
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
    assert {card.name for card in left.taken.classes} == {ship.type for ship in ships[left.side]}
    counts = {len(talker.raw) for talker in (stranger,)}
    assert counts == {3}


async def test_another_match_of_the_same_people_never_begins_with_what_the_last_one_knew(
    venue: Venue, app: App
) -> None:
    app.lobby.matches.library.scenarios["duel"] = scenarios()["duel"]
    anna, boris = await venue.some(2)
    sealed = {"clock": "test", "scan_slots": "sealed"}
    players = await started([anna, boris], scenario="duel", options=sealed)
    rng = Random(5)
    await play_on(players, 16, partial(random_orders, rng))
    known = [handles(player) for player in players]
    assert all(known)
    await finished(players)
    match = await rematch_of(players)
    devices = [await venue.one(token=talker.token) for talker in (anna, boris)]
    again = [await seated(device, match) for device in devices]
    await all_ready(again)
    for player in again:
        view = player.view
        assert (view.contacts, view.surfaces, view.found, view.spied) == ((), (), (), ())
        assert (player.newest.seq, len(player.newest.notices), view.points) == (1, 1, 0)
    await play_on(again, 16, partial(random_orders, rng))
    later = [handles(player) for player in again]
    assert all(later)
    assert not {*known[0], *known[1]} & {*later[0], *later[1]}


def handles(player: Player) -> set[str]:
    """Return every handle that a player was ever shown."""
    views = [post.view for post in player.posts if isinstance(post, Frame)]
    contacts = [contact for view in views if isinstance(view, View) for contact in view.contacts]
    return {contact.handle for contact in contacts if contact.handle is not None}


def followers(runner: Runner) -> list[int]:
    """Return how many connections get each feed of a match."""
    return [len(feed.seats) + len(feed.viewers) for feed in runner.feeds.values()]


async def test_a_connection_that_has_gone_is_never_sent_anything(venue: Venue, app: App) -> None:
    boris = await venue.one()
    async with met(app.url) as anna, met(app.url) as watcher:
        players = await started([anna, boris])
        match = players[0].match
        await watch(watcher, match, PUBLIC)
        runner = runners_of(app.lobby.matches)[match]
        assert followers(runner) == [1, 1, 1, 0, 0]
    await boris.ping()
    for _ in range(100):
        if sum(followers(runner)) == 1:
            break
        await boris.ping()
    assert followers(runner) == [0, 1, 0, 0, 0]
    before = len(anna.raw), len(watcher.raw)
    await players[1].chat(3)
    assert (len(anna.raw), len(watcher.raw)) == before


async def test_the_records_of_two_matches_never_tell_that_the_same_people_played(
    venue: Venue, app: App
) -> None:
    anna, boris = await venue.some(2)
    known: list[set[str]] = []
    accounts: set[str] = set()
    for _ in range(2):
        async with met(app.url, token=anna.token) as a, met(app.url, token=boris.token) as b:
            left, right = await started([a, b])
            await a.resign(left.match)
            await right.over()
            room = await app.lobby.registry.find(left.match)
            assert isinstance(room, Room)
            accounts |= {seat.account for seat in room.seats}
            data = await b.record(left.match)
            opened = read_record(data).maps[0]["b"]
            known.append({seat["person"] for seat in opened["seats"]})
            assert not [account for account in accounts if account.encode() in data]
    assert len(accounts) == 2
    assert [len(names) for names in known] == [2, 2]
    assert not known[0] & known[1]
