"""Two workers on one engine: what people see of it, which is one server."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from builders.engines import Engines
from builders.fakeserver import until
from builders.manyworkers import Fleet, fleet
from builders.players import all_ready, created, seated, started
from builders.ratedresults import result
from builders.wires import Kind, dialled, met
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages import (
    PROTOCOL_VERSION,
    AskLadder,
    Bye,
    Chat,
    Create,
    Hello,
    Info,
    Join,
    Ladder,
    Rematch,
    Renew,
    Resume,
    Resumed,
    Seated,
)
from sunglare_protocol.messages.commands import Listing
from sunglare_protocol.messages.replies import Created, News, RoomState
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.text import REMATCH_NEWS
from sunglare_server.accounts.accounts import Caller
from sunglare_server.api.match_access import about_none
from sunglare_server.app import App
from sunglare_server.lobby.rematches import Wished
from sunglare_server.ports.store import StoreError, hash_of
from sunglare_server.rooms.quotas import Opener
from sunglare_server.worker.match_access import as_known

pytestmark = pytest.mark.needs_nats

SCENARIO = "shadow-of-ceres"
WAIT_S = 20.0
ROUNDS = 12
"""So often something is asked of any worker; that one alone answers all is one in two thousand."""


@pytest.fixture
async def two(node: Engines, tmp_path: Path) -> AsyncIterator[Fleet]:
    """Give a test two workers and a gateway."""
    async with fleet(node, tmp_path, "w1", "w2") as made:
        yield made


async def test_whose_turn_it_is_a_list_says_whichever_worker_is_asked(two: Fleet) -> None:
    anna, boris = await two.one("anna"), await two.one("boris")
    players = await started([anna, boris])
    await players[0].orders(lock=True)
    lines = []
    for _ in range(ROUNDS):
        mine = (await anna.listed(Listing.MINE)).mine, (await boris.listed(Listing.MINE)).mine
        lines.append(mine)
    (of_anna,), (of_boris,) = lines[0]
    assert (of_anna.your_turn, of_boris.your_turn) == (False, True)
    assert of_boris.turn == 1
    assert of_boris.phase is not None
    assert lines == [lines[0]] * ROUNDS


async def test_that_a_seat_awaits_its_bot_a_list_says_whichever_worker_is_asked(
    two: Fleet,
) -> None:
    anna = await two.one("anna")
    robot = await two.one("robot", bot=True)
    match = await created(anna)
    await seated(robot, match)
    await robot.close()
    subscriptions = two.workers[two.owner(match)].lobby.matches.subscriptions
    await until(lambda: not subscriptions.is_held(match, Side("A")))
    again = await two.one(token=robot.token, bot=True)
    for _ in range(ROUNDS):
        (line,) = (await again.listed(Listing.MINE)).mine
        assert (line.match, line.awaits_bot) == (match, True)


async def test_a_room_of_one_worker_is_listed_and_found_by_all(two: Fleet) -> None:
    anna, boris = await two.one("anna"), await two.one("boris")
    made = await anna.expect(Created, Create, scenario=SCENARIO, private=True)
    public = await created(anna)
    for _ in range(ROUNDS):
        listed = [line.match for line in (await boris.listed(Listing.OPEN)).open]
        assert listed == [public]
        assert (await boris.info(public)).line.state is RoomState.LOBBY
    sat = await boris.expect(Seated, Join, code=made.code)
    assert sat.match == made.match


async def test_limits_are_of_all_rooms_whoever_keeps_them(node: Engines, tmp_path: Path) -> None:
    async with fleet(node, tmp_path) as made:
        for name in ("w1", "w2"):
            await made.worker(name, matches_per_account=2)
        anna = await made.one("anna")
        for _ in range(2):
            await created(anna)
        await until(lambda: [_known(app) for app in made.workers.values()] == [2, 2])
        for _ in range(ROUNDS):
            assert await anna.code(Create, scenario=SCENARIO) is Code.MATCH_MANY


async def test_a_name_is_taken_at_every_worker(two: Fleet) -> None:
    await two.one("Anna")
    for _ in range(ROUNDS):
        async with dialled(two.url) as stranger:
            assert await stranger.code(Hello, v=PROTOCOL_VERSION, name="ANNA") is Code.NAME_TAKEN


async def test_a_worker_that_does_not_own_a_private_match_tells_a_stranger_nothing_of_it(
    two: Fleet,
) -> None:
    anna, boris = await two.one("anna"), await two.one("boris")
    await two.one("eve")
    room = await anna.expect(Created, Create, scenario=SCENARIO, private=True)
    player = await seated(boris, room.match, code=room.code)
    owner = two.owner(room.match)
    (lobby,) = [app.lobby for name, app in two.workers.items() if name != owner]
    callers = {
        name: Caller(await lobby.accounts.called(name) or "", name, "")
        for name in ("anna", "boris", "eve")
    }
    shown: dict[str, Any] = {"id": 1, "match": room.match}
    bare = (Info(**shown), Join(**shown), Resume(**shown), Chat(**shown, text="hello"))
    for message in bare:
        known = [await as_known(lobby, message, callers[name]) for name in ("anna", "boris")]
        assert known == [message, message]
        assert await as_known(lobby, message, callers["eve"]) == about_none(message)
    proofs: dict[str, Any] = {"code": room.code, "ticket": player.ticket}
    wrong: dict[str, Any] = {name: secret[:-1] + "_" for name, secret in proofs.items()}
    kinds: tuple[tuple[Kind, str], ...] = ((Info, "code"), (Join, "code"), (Resume, "ticket"))
    for kind, name in kinds:
        right, other = kind(**shown, **{name: proofs[name]}), kind(**shown, **{name: wrong[name]})
        assert await as_known(lobby, right, callers["eve"]) == right
        assert await as_known(lobby, other, callers["eve"]) == about_none(other)


async def test_a_renewed_token_ends_the_connections_at_every_worker_and_gateway(
    node: Engines, tmp_path: Path
) -> None:
    async with fleet(node, tmp_path, "w1", "w2") as two:
        await two.gateway("g2")
        anna, boris = await two.one("anna"), await two.one("boris")
        players = await started([anna, boris])
        far = await two.one(at=1, token=anna.token)
        for _ in range(ROUNDS):
            # So that either worker knows it.
            await far.listed(Listing.MINE)
        asker = await two.one(at=1, token=anna.token)
        token = "n" * 43
        await asker.send(Renew(id=next(asker.ids), token_hash=hash_of(token)))
        # A worker that knows the asker's line, too, may end it before the answer comes.
        for talker in (asker, far, anna):
            assert await talker.wait_closed() == 1000
        async with met(two.url, token=token) as sure:
            await sure.accepted(Renew, token_hash=hash_of(token))
        async with dialled(two.url) as stranger:
            hello = {"v": PROTOCOL_VERSION, "token": anna.token}
            assert await stranger.code(Hello, **hello) is Code.HELLO_TOKEN
        thief = await two.one()
        shown = {"match": players[0].match, "ticket": players[0].ticket}
        assert await thief.code(Resume, **shown) is Code.TICKET_BAD
        again = await two.one(token=token)
        for _ in range(ROUNDS):
            await again.listed(Listing.MINE)
        assert (await again.expect(Resumed, Resume, match=players[0].match)).side == "A"


async def test_a_room_that_waits_outlives_its_worker_and_its_guests_notice_nothing(
    two: Fleet,
) -> None:
    anna, boris = await two.one("anna"), await two.one("boris")
    match = await created(anna)
    first = await seated(anna, match)
    owner = two.owner(match)
    await two.leave(owner)
    await until(lambda: match in next(iter(two.workers.values())).lobby.rooms)
    players = [first, await seated(boris, match)]
    await all_ready(players)
    assert two.owner(match) != owner
    await players[0].accepted(Chat, text="still here")
    assert not anna.every(Bye)


async def test_a_room_s_new_owner_is_the_only_one_that_still_writes_it(two: Fleet) -> None:
    match = await created(await two.one("anna"))
    owner = two.owner(match)
    old = two.workers[owner].lobby
    (new,) = [app.lobby for name, app in two.workers.items() if name != owner]
    # As one that stood still and has not heard that it lost the room.
    await old.matches.ownership.release(match)
    await until(lambda: match in new.rooms)
    with pytest.raises(StoreError):
        await old.registry.keep(replace(old.rooms[match], title="late"))
    await new.registry.keep(replace(new.rooms[match], title="in time"))


async def test_a_match_goes_on_at_the_other_worker_over_the_same_connections(two: Fleet) -> None:
    anna, boris = await two.one("anna"), await two.one("boris")
    players = await started([anna, boris])
    match = players[0].match
    for _ in range(2):
        owner = two.owner(match)
        await two.leave(owner)
        await players[0].accepted(Chat, text=f"after {owner}")
        await two.worker(owner)
        assert two.owner(match) != owner
    await boris.resign(match)
    said = [news.text for news in boris.every(News) if news.text.startswith("after ")]
    assert sorted(said) == ["after w1", "after w2"]
    assert not anna.every(Bye)


@pytest.mark.parametrize("is_there", [True, False], ids=["who is there", "who is gone"])
async def test_a_rematch_is_made_by_a_match_s_last_owner_or_by_another_one(
    two: Fleet, is_there: bool
) -> None:
    await two.gateway("g2")
    anna, boris = await two.one("anna"), await two.one("boris", at=1)
    players = await started([anna, boris])
    match = players[0].match
    owner = two.owner(match)
    await boris.resign(match)
    await until(lambda: match not in two.workers[owner].lobby.rooms)
    if not is_there:
        await two.leave(owner)
    for talker in (anna, boris):
        await talker.accepted(Rematch, match=match)
    for talker in (anna, boris):
        await talker.wait_for(
            lambda message: isinstance(message, News) and message.text.startswith(REMATCH_NEWS)
        )


async def test_a_finished_match_is_told_of_and_given_out_by_every_worker(two: Fleet) -> None:
    anna, boris = await two.one("anna"), await two.one("boris")
    players = await started([anna, boris])
    match = players[0].match
    owner = two.owner(match)
    await boris.resign(match)
    await until(lambda: not _is_anywhere(two, match))
    before = await anna.record(match)
    await two.leave(owner)
    assert await boris.record(match) == before
    assert [line.match for line in (await anna.listed(Listing.OVER)).over] == [match]


def _known(app: App) -> int:
    return len(app.lobby.rooms) + len(app.lobby.peer_rooms.rooms)


def _is_anywhere(made: Fleet, match: MatchId) -> bool:
    return any(match in app.lobby.rooms for app in made.workers.values())


async def test_the_ladder_is_the_same_whichever_worker_is_asked(two: Fleet) -> None:
    anna, boris = await two.one("anna"), await two.one("boris")
    accounts = [await two.workers["w1"].lobby.accounts.called(name) for name in ("anna", "boris")]
    added = result(1, *[account for account in accounts if account is not None])
    assert await two.workers["w1"].lobby.ladder.ratings.add(added)
    async with asyncio.timeout(WAIT_S):
        other = two.workers["w2"].lobby.ladder.ratings
        while not await other.families():  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.02)
    told = [await boris.expect(Ladder, AskLadder) for _ in range(ROUNDS)]
    for ladder in told:
        assert [(line.rank, line.name) for line in ladder.lines] == [(1, "anna"), (2, "boris")]
        assert ladder.mine == ladder.lines[1]
    assert (await anna.expect(Ladder, AskLadder)).mine == told[0].lines[0]


async def test_a_bot_is_shown_as_one_whichever_worker_has_its_match(two: Fleet) -> None:
    anna, robot = await two.one("anna"), await two.one("robot", bot=True)
    players = await started([anna, robot])
    match = players[0].match
    for _ in range(2):
        for _ in range(ROUNDS):
            assert [seat.bot for seat in (await anna.info(match)).line.seats] == [False, True]
        owner = two.owner(match)
        await two.leave(owner)
        await players[1].accepted(Chat, text=f"after {owner}")
        await two.worker(owner)


async def test_two_workers_that_are_wished_a_rematch_at_once_open_one_room(two: Fleet) -> None:
    anna, boris = await two.one("anna"), await two.one("boris")
    players = await started([anna, boris])
    match = players[0].match
    await boris.resign(match)
    await until(lambda: not _is_anywhere(two, match))
    lobbies = [app.lobby for app in two.workers.values()]
    accounts = [await lobbies[0].accounts.called(name) for name in ("anna", "boris")]
    openers = [Opener(account) for account in accounts if account is not None]
    made: list[Wished | Rejected | BaseException] = []
    for _ in range(ROUNDS):
        made = await asyncio.gather(
            *(lobby.rematches.wish(match, opener) for lobby in lobbies for opener in openers),
            return_exceptions=True,
        )
        # Whoever is not first by a hair may be told to ask again.
        assert all(isinstance(one, Wished | StoreError) for one in made), made
        if all(isinstance(one, Wished) and one.news for one in made):
            break
    named = {one.news[-1].text for one in made if isinstance(one, Wished)}
    following = (await anna.info(match)).next
    assert named == {f"{REMATCH_NEWS}{following}"}
    open_rooms = [room for lobby in lobbies for room in lobby.rooms]
    assert open_rooms == [following]
