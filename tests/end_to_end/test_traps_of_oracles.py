"""What a seat must never find out by asking, by being refused, or from the orders of others."""

from collections.abc import Iterator
from functools import partial
from random import Random

from msgspec.structs import replace

from builders.players import Player, all_ready, created, play_on, seated
from builders.questions import UNKNOWN, unheld
from builders.randomplayer import random_orders
from builders.runners import runners_of
from builders.scenarios import scenarios
from builders.venues import Venue
from builders.watchers import OPEN, watch
from builders.wires import Kind, Talker
from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.ids import OMNI, PUBLIC, Handle, OwnId, audience_of
from sunglare_protocol.messages import (
    Accepted,
    Ask,
    Create,
    Created,
    Frame,
    GiveOrders,
    Join,
    Question,
    Refused,
)
from sunglare_protocol.orders import Fire, Order, Probe, Scan
from sunglare_protocol.refusals import Code
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.seen.lookup import ships_in_play


async def duel(venue: Venue) -> tuple[list[Player], dict[str, Talker]]:
    """Run a crowded match of two sides; return its players, and spectators by feed."""
    (await venue.open()).lobby.matches.library.scenarios["duel"] = scenarios()["duel"]
    host, public, omni, *talkers = await venue.some(5)
    match = await created(host, scenario="duel", options={**OPEN, "scan_slots": "sealed"})
    players = [await seated(talker, match) for talker in talkers]
    await watch(public, match, PUBLIC)
    await watch(omni, match, OMNI)
    await all_ready(players)
    return players, {PUBLIC: public, OMNI: omni}


def aimed(view: View, handle: Handle) -> Iterator[Order]:
    """Yield the orders of this window that name what is held."""
    ships = [ship for ship in ships_in_play(view) if any(one.works for one in ship.weapons)]
    if view.stage.phase is Phase.ENGAGE and ships:
        weapon = next(fitted.id for fitted in ships[0].weapons if fitted.works)
        yield Fire(ship=ships[0].id, weapon=weapon, at=handle)
    if view.stage.phase is Phase.DETECT and ships:
        yield Probe(ship=ships[0].id, at=handle)


async def bare(talker: Talker, kind: Kind, /, **fields: object) -> bytes:
    """Return the bytes of a refusal, without the id of what was refused."""
    refused = await talker.refused(kind, **fields)
    return encode_server(replace(refused, id=0), Form.PACKED)


async def test_unknown_foreign_dead_and_hidden_handles_are_never_told_apart(venue: Venue) -> None:
    refused: set[type[Order]] = set()
    dead = foreign = 0
    players, _ = await duel(venue)
    runner, rng = runners_of(venue.app.lobby.matches)[players[0].match], Random(5)
    while not runner.state.is_over and runner.state.standing.turn < 6:
        for player in players:
            audience = audience_of(player.side)
            handles = unheld(runner.state, audience)
            some = (UNKNOWN, *rng.sample(handles, min(6, len(handles))))
            dead += runner.state.intel[audience].handles > 0
            foreign += len(handles) > 4
            refused |= await refused_alike(player, some)
            await answered_alike(player, some)
        await play_on(players, 1, partial(random_orders, rng))
    assert refused == {Fire, Probe}
    assert min(dead, foreign) > 10


async def refused_alike(player: Player, handles: tuple[Handle, ...]) -> set[type[Order]]:
    """Check that orders are refused alike whichever of the handles they name; return the kinds."""
    given: dict[str, object] = {"match": player.match, "window": player.newest.window, "rev": 9999}
    kinds: set[type[Order]] = set()
    for orders in zip(*(aimed(player.view, handle) for handle in handles), strict=True):
        told = {
            await bare(player.talker, GiveOrders, **given, orders=(order,)) for order in orders
        }
        assert len(told) == 1
        kinds.add(type(orders[0]))
    return kinds


async def answered_alike(player: Player, handles: tuple[Handle, ...]) -> None:
    """Check that questions about three of the handles are refused alike."""
    for kind in (Question.LOOK, Question.WHY, Question.LEGAL, Question.ODDS):
        about = {"match": player.match, "kind": kind}
        told = {await bare(player.talker, Ask, **about, about=handle) for handle in handles[:3]}
        assert len(told) == 1


async def test_unknown_foreign_and_lost_ships_are_never_told_apart(venue: Venue) -> None:
    players, _ = await duel(venue)
    player, rng = players[0], Random(2)
    await play_on(players, 1, partial(random_orders, rng))
    names = ("S9", "S99", "B/S1", "X1", "S0")
    told = {
        await bare(
            player.talker,
            GiveOrders,
            match=player.match,
            window=player.newest.window,
            rev=10_000,
            orders=(Scan(ship=OwnId(name), type=ScanType.MASS, size=ScanSize.BOX, at="A1"),),
        )
        for name in names
    }
    assert len(told) == 1


async def test_staged_orders_are_never_in_any_feed_but_the_answer_to_their_owner(
    venue: Venue,
) -> None:
    players, spectators = await duel(venue)
    first, second = players
    rng = Random(3)
    others = [second.talker, *spectators.values()]
    for talker in others:
        await talker.ping()
    before = [len(talker.raw) for talker in others]
    mine = len(first.talker.raw)
    for lock in (False, False, True, False, True):
        answer = await first.orders(*random_orders(rng, first.view), lock=lock)
        assert isinstance(answer, Accepted), answer
    for talker in others:
        await talker.ping()
    assert [len(talker.raw) - 1 for talker in others] == before
    assert len(first.talker.raw) == mine + 5


async def test_a_private_match_is_never_told_from_one_that_is_not_there(venue: Venue) -> None:
    anna, thief = await venue.some(2)
    room = await anna.expect(Created, Create, scenario="shadow-of-ceres", private=True)
    assert room.code is not None
    before = [await bare(thief, Join, code=code) for code in ("AAAAAA", "", room.match)]
    ids = [await bare(thief, Join, match=match) for match in (room.code, "a" * 26)]
    await anna.leave(room.match)
    after = [await bare(thief, Join, code=code) for code in (room.code, "AAAAAA")]
    lists = await thief.listed()
    assert len({*before, *after}) == 1
    assert len(set(ids)) == 1
    assert (lists.open, lists.running, lists.mine) == ((), (), ())


async def test_no_refusal_of_a_window_ever_tells_who_has_locked(venue: Venue) -> None:
    players, _ = await duel(venue)
    first, second = players
    stale = {"match": first.match, "window": "9.plot", "rev": 1}
    before = await bare(first.talker, GiveOrders, **stale)
    line = await first.talker.info(first.match)
    await second.orders()
    assert await bare(first.talker, GiveOrders, **stale) == before
    again = await first.talker.info(first.match)
    assert replace(again, id=0) == replace(line, id=0)


async def test_nobody_is_ever_prompted_by_anything_but_the_frame_of_his_window(
    venue: Venue,
) -> None:
    players, _ = await duel(venue)
    rng = Random(6)
    starts = [len(player.talker.messages) for player in players]
    await play_on(players, 12, partial(random_orders, rng))
    for player, start in zip(players, starts, strict=True):
        came = player.talker.messages[start:]
        assert {type(message) for message in came} <= {Frame, Accepted}
        frames = [message for message in came if isinstance(message, Frame)]
        windows = [frame.window for frame in frames]
        # A window is announced once, by the stage alone, which is the same for everybody.
        assert len(set(windows)) == len(windows) == 12
        assert [frame.view.stage for frame in frames] == [
            message.view.stage
            for message in players[0].talker.messages[starts[0] :]
            if isinstance(message, Frame)
        ]


async def test_orders_for_a_window_that_is_past_are_never_taken(venue: Venue) -> None:
    players, _ = await duel(venue)
    rng, past = Random(7), players[0].newest.window
    given = random_orders(rng, players[0].view)
    await play_on(players, 1, partial(random_orders, rng))
    answer = await players[0].orders(*given, window=past)
    assert isinstance(answer, Refused)
    assert (answer.code, answer.at) == (Code.WINDOW_CLOSED, "$.window")
