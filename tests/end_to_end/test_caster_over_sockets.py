"""The truth at once, for whom the operator lets see it, and what the operator says of it."""

import pytest

from builders.operators import asked, typed
from builders.players import all_ready, created, play_on, seated
from builders.records import folded, read_record
from builders.venues import Venue
from builders.watchers import Options, frames, name_of, reached, watch
from builders.wires import Talker
from sunglare_protocol.ids import CASTER, OMNI
from sunglare_protocol.messages import Chat, GrantFeed, Join, News, Ping, Pong, Resign, Watch
from sunglare_protocol.refusals import Code
from sunglare_protocol.views import TruthView
from sunglare_server.ops.control.requests import GrantCaster, RequestError, RevokeCaster

TEST: Options = {"clock": "test"}
RATED: Options = {"clock": "standard", "caster": "yes"}
SEALED: Options = {"clock": "standard"}


async def told(talker: Talker) -> list[str]:
    """Return what news outside the sequence have come by now."""
    await talker.expect(Pong, Ping)
    return [came.text for came in talker.messages if isinstance(came, News) and not came.seq]


async def test_a_caster_sees_the_truth_as_soon_as_the_seats_see_their_views(
    venue: Venue,
) -> None:
    app = await venue.open()
    anna, boris, carl = await venue.some(3)
    match = await created(anna, options=TEST)
    players = [await seated(talker, match) for talker in (anna, boris)]
    assert await carl.code(Watch, match=match, feed=CASTER) is Code.FEED_CLOSED
    await asked(app, GrantCaster(match=match, name=name_of(carl)))
    answer = await watch(carl, match, CASTER)
    assert (answer.feed, answer.delay_turns, answer.delay_s) == (CASTER, 0, 0)
    await all_ready(players)
    await play_on(players, 4)
    await reached(carl, players[0].seen)
    assert all(isinstance(frame.view, TruthView) for frame in frames(carl))
    assert await carl.code(Chat, match=match, text="look north") is Code.SEAT_NONE
    assert await carl.code(Watch, match=match, feed=OMNI) is Code.FEED_CLOSED
    await anna.accepted(Resign, match=match)
    over = await players[1].over()
    await reached(carl, over.seq)
    file = read_record(await boris.record(match))
    assert carl.sequence(match) == folded(file, OMNI)[OMNI]


@pytest.mark.parametrize(("options", "is_open"), [(TEST, True), (RATED, True), (SEALED, False)])
async def test_a_rated_match_has_a_caster_only_if_its_seats_were_shown_the_option(
    venue: Venue, options: Options, is_open: bool
) -> None:
    app = await venue.open()
    anna, carl = await venue.some(2)
    match = await created(anna, options=options)
    player = await seated(anna, match)
    assert ("caster" in player.taken.card.unusual) is (options is RATED)
    if is_open:
        await asked(app, GrantCaster(match=match, name=name_of(carl)))
    else:
        with pytest.raises(RequestError, match="no access"):
            await asked(app, GrantCaster(match=match, name=name_of(carl)))
    watched = await carl.ask(Watch, match=match, feed=CASTER)
    assert (getattr(watched, "code", None) is None) is is_open
    assert await told(anna) == ([f"caster {name_of(carl)}"] if is_open else [])


async def test_nobody_but_the_operator_grants_it_and_never_to_a_seat(venue: Venue) -> None:
    app = await venue.open()
    host, anna, carl = await venue.some(3)
    match = await created(host, options=TEST)
    await seated(anna, match)
    for talker in (host, anna, carl):
        fields = {"match": match, "name": name_of(carl), "feed": CASTER}
        assert await talker.code(GrantFeed, **fields) is Code.GRANT_ORGANISER
    with pytest.raises(RequestError, match="cannot have a seat and a granted feed"):
        await asked(app, GrantCaster(match=match, name=name_of(anna)))
    await asked(app, GrantCaster(match=match, name=name_of(carl)))
    await asked(app, GrantCaster(match=match, name=name_of(host)))
    # Before the start a seat ends it: nothing has been seen yet.
    await seated(carl, match)
    assert await carl.code(Watch, match=match, feed=CASTER) is Code.FEED_CLOSED
    await asked(app, RevokeCaster(match=match, name=name_of(host)))
    assert await host.code(Watch, match=match, feed=CASTER) is Code.FEED_CLOSED
    assert await told(anna) == [
        f"caster {name_of(carl)}",
        f"caster {name_of(host)}",
        "joined",
        f"no caster {name_of(host)}",
    ]
    assert await host.code(Join, match=match, side="C") is Code.SEAT_TAKEN


async def test_the_operator_types_it_and_is_told_what_was_done(
    venue: Venue, capsys: pytest.CaptureFixture[str]
) -> None:
    app = await venue.open()
    carl = await venue.one("Carl")
    anna = await venue.one()
    match = await created(anna, options=TEST)
    given = await typed(capsys, app, "grant", match[:8], "Carl", "caster")
    assert (given.code, given.err) == (0, "")
    assert given.out == f"{match}: Carl sees the truth at once; all seats are informed\n"
    await watch(carl, match, CASTER)
    taken = await typed(capsys, app, "revoke", match, "Carl", "caster")
    assert taken.out == f"{match}: Carl sees the truth no more; all seats are informed\n"
    nobody = await typed(capsys, app, "grant", match, "Nobody", "caster")
    assert (nobody.code, nobody.err) == (1, "sunglare-server: no account is called 'Nobody'\n")
    with pytest.raises(SystemExit):
        await typed(capsys, app, "grant", match, "Carl", "omni")
