"""The page in a real browser, with a server: live matches, their end, coming back, TV."""

from pathlib import Path

from builders.players import Player, all_ready, created, play_on, rematch_of, seated
from builders.ratedresults import result
from builders.servers import running_app, server_process
from builders.watchers import name_of
from builders.wires import met
from page.watching import (
    OPEN_TRUTH,
    begun,
    choices,
    foreign,
    home,
    playing,
    pressed,
    resigned,
    steps,
    text,
    visitor,
)
from sunglare_protocol.ids import OMNI
from sunglare_protocol.messages import GrantFeed
from sunglare_server.ops.control.requests import Drain
from sunglare_server.ports.rating_model import player_of

LIVE = "document.getElementById('pill').textContent === 'LIVE'"
LAGS = "LIVE \N{MINUS SIGN}1 turn"


async def test_a_live_match_is_watched_from_the_list_to_its_end_and_then_through_all_eyes(
    tmp_path: Path,
) -> None:
    async with (
        running_app(tmp_path) as app,
        playing(app.url, ("Ada", "Bo"), options=OPEN_TRUTH) as players,
        visitor() as tab,
    ):
        await tab.open(home(app.url))
        await tab.until("document.querySelector('#running a')")
        assert "A Ada against B Bo" in await text(tab, "running")
        await tab.value("document.querySelector('#running a').click()")
        await tab.until(LIVE)
        await tab.until("document.querySelectorAll('#eyes button').length === 2")
        assert await choices(tab, "eyes") == ["1 Truth", "2 Public"]
        for count in range(1, 6):
            await play_on(players, 1)
            await tab.until(f"Number(document.getElementById('scrub').value) === {count}")
        assert await tab.value(LIVE)
        await resigned(players[1], [players[0]])
        await tab.until("document.querySelectorAll('#eyes button').length === 5")
        assert await choices(tab, "eyes") == [
            "1 Truth",
            "2 A Ada",
            "3 B Bo",
            "4 Public",
            "5 Side by side",
        ]
        assert "THE END: A (Ada) wins; all other sides resigned." in await text(tab, "story")
        assert (await text(tab, "pill")).startswith("REPLAY")
        assert foreign(tab, app.url) == []


async def test_the_rematch_of_a_match_is_offered_to_who_saw_its_end_and_who_comes_later(
    tmp_path: Path,
) -> None:
    shown = "!document.getElementById('again').hidden"
    async with (
        running_app(tmp_path) as app,
        playing(app.url, ("Ada", "Bo"), options=OPEN_TRUTH) as players,
        visitor() as tab,
    ):
        await tab.open(f"{home(app.url)}#m={players[0].match}")
        await tab.until(LIVE)
        await resigned(players[1], [players[0]])
        await tab.until("document.getElementById('pill').textContent.startsWith('REPLAY')")
        assert not await tab.value(shown)
        match = await rematch_of(players)
        await tab.until(shown)
        link = "document.getElementById('again-link')"
        assert await tab.value(f"{link}.hash") == f"#m={match}"
        await tab.value(f"{link}.click()")
        await tab.until(f"location.hash.startsWith('#m={match}')")
        await tab.until(f"!({shown})")
        await tab.until("document.getElementById('word').textContent.includes('not started')")
        taken = [await seated(player.talker, match) for player in reversed(players)]
        await all_ready(taken)
        await tab.until(LIVE)
        # Now by its address, as whoever was not there.
        await tab.value(f"location.hash = '#m={players[0].match}'")
        await tab.until(f"{shown} && {link}.hash === '#m={match}'")


async def test_a_private_match_is_watched_and_shown_after_its_end_by_a_link_with_its_code(
    tmp_path: Path,
) -> None:
    async with (
        running_app(tmp_path) as app,
        playing(app.url, ("Ada", "Bo"), options=OPEN_TRUTH, private=True) as players,
        visitor() as tab,
    ):
        match = players[0].match
        code = app.lobby.rooms[match].code
        await tab.open(f"{home(app.url)}#m={match}")
        await tab.until("document.getElementById('word').textContent.includes('no record')")
        # What the browser says of an address that leads nowhere.
        assert "404" in tab.complaints.pop()
        await tab.value(f"location.hash = '#m={match}&c={code}'")
        await tab.until(LIVE)
        await tab.until("document.querySelectorAll('#eyes button').length === 2")
        await resigned(players[1], [players[0]])
        await tab.until("document.querySelectorAll('#eyes button').length === 5")
        # What is written into the address can be shared and reloaded.
        assert await tab.value(f"location.hash.startsWith('#m={match}&c={code}&t=')")
        again = await rematch_of(players)
        link = "document.getElementById('again-link')"
        await tab.until(f"{link}.hash === '#m={again}&c={code}'")
        save = "document.getElementById('save')"
        assert await tab.value(f"{save}.href.startsWith('blob:')")
        assert await tab.value(f"{save}.download") == f"{match}.sgr"
        line = "document.getElementById('onward-line').value"
        assert (await tab.value(line)).endswith(f"--code {code}")


async def test_the_turn_that_is_shown_is_handed_to_a_terminal_by_keys_alone(
    tmp_path: Path,
) -> None:
    async with (
        running_app(tmp_path) as app,
        playing(app.url, ("Ada", "Bo"), options=OPEN_TRUTH) as players,
        visitor() as tab,
    ):
        await tab.open(f"{home(app.url)}#m={players[0].match}")
        await tab.until(LIVE)
        assert await tab.value("document.getElementById('play-on').hidden")
        while players[0].view.stage.turn < 2:
            await play_on(players, 1)
        await resigned(players[1], [players[0]])
        await tab.until("!document.getElementById('play-on').hidden")
        await tab.press("Home")
        await tab.press("p")
        await tab.until("document.activeElement === document.getElementById('onward-line')")
        line = "document.getElementById('onward-line').value"
        url = app.url.removesuffix("/play")
        told = f"sunglare play --url {url} --from {players[0].match} --turn"
        await tab.until(f"{line} === '{told} 1'")
        await tab.value("document.activeElement.blur()")
        await tab.press("End")
        await tab.until(f"{line} === '{told} 2'")
        assert foreign(tab, app.url) == []


async def test_a_match_whose_truth_is_closed_is_shown_as_the_public_sees_it(
    tmp_path: Path,
) -> None:
    async with (
        running_app(tmp_path) as app,
        playing(app.url) as players,
        visitor() as tab,
    ):
        await tab.open(f"{home(app.url)}/#m={players[0].match}")
        await tab.until(LIVE)
        await play_on(players, 2)
        await tab.until("document.getElementById('scrub').value === '2'")
        assert await choices(tab, "eyes") == ["1 Public"]
        assert "No piece is known." in await text(tab, "pieces")


async def test_whoever_looks_back_stays_there_while_the_match_goes_on(tmp_path: Path) -> None:
    async with (
        running_app(tmp_path) as app,
        playing(app.url) as players,
        visitor() as tab,
    ):
        await tab.open(f"{home(app.url)}/#m={players[0].match}")
        await tab.until(LIVE)
        await play_on(players, 3)
        await tab.until("document.getElementById('scrub').max === '3'")
        await tab.press("Home")
        await play_on(players, 3)
        await tab.until("document.getElementById('scrub').max === '6'")
        assert await tab.value("document.getElementById('scrub').value") == "0"
        assert await text(tab, "pill") == "turn 1; live is turn 2"
        await tab.press("End")
        await tab.until(LIVE)


async def test_a_truth_that_lags_is_not_for_strangers_whom_nobody_has_granted_it(
    tmp_path: Path,
) -> None:
    options = {**OPEN_TRUTH, "omni_delay_turns": 1}
    async with (
        running_app(tmp_path) as app,
        playing(app.url, options=options) as players,
        visitor() as tab,
    ):
        await tab.open(f"{home(app.url)}/#m={players[0].match}")
        await tab.until(LIVE)
        await play_on(players, 12)
        await tab.until("document.getElementById('scrub').max === '12'")
        assert await choices(tab, "eyes") == ["1 Public"]


async def test_whoever_is_granted_a_truth_that_lags_is_told_by_how_many_turns(
    tmp_path: Path,
) -> None:
    options = {**OPEN_TRUTH, "omni_delay_turns": 1}
    async with (
        running_app(tmp_path) as app,
        met(app.url) as host,
        met(app.url) as anna,
        met(app.url) as boris,
        met(app.url) as guest,
        visitor() as tab,
    ):
        match = await created(host, options=options)
        players = [await seated(talker, match) for talker in (anna, boris)]
        await host.accepted(GrantFeed, match=match, name=name_of(guest), feed=OMNI)
        await all_ready(players)
        assert guest.welcome is not None
        await tab.open(home(app.url))
        await tab.until("document.querySelector('#over li')")
        await tab.value(f"localStorage.setItem('sunglare-guest', '{guest.welcome.token}')")
        await tab.open(f"{home(app.url)}/#m={match}")
        await tab.until(LIVE)
        await play_on(players, 12)
        await tab.until("document.querySelectorAll('#eyes button').length === 2")
        await tab.press("1")
        assert await pressed(tab, "eyes") == "1 Truth"
        await tab.until("document.getElementById('scrub').max === '12'")
        await tab.until(f"document.getElementById('pill').textContent === '{LAGS}'")
        await tab.press("2")
        assert await tab.value(LIVE)


async def test_after_a_restart_of_the_server_the_page_comes_back_and_goes_on(
    tmp_path: Path,
) -> None:
    with server_process(tmp_path) as server:
        async with visitor() as tab:
            async with met(server.url) as anna, met(server.url) as boris:
                players = await begun([anna, boris])
                await tab.open(f"{home(server.url)}/#m={players[0].match}")
                await tab.until(LIVE)
                await play_on(players, 2)
                await tab.until("document.getElementById('scrub').max === '2'")
                server.kill()
            await tab.until("document.getElementById('pill').textContent.startsWith('OFFLINE')")
            server.start()
            async with met(server.url) as anna, met(server.url) as boris:
                again = [
                    await player.resume(talker)
                    for player, talker in zip(players, (anna, boris), strict=True)
                ]
                await tab.until(LIVE)
                await play_on(again, 2)
                await tab.until("document.getElementById('scrub').max === '4'")
                assert await steps(tab) == 4
            tab.complaints[:] = [line for line in tab.complaints if "WebSocket" not in line]


async def test_an_announced_end_of_the_server_stands_above_whatever_is_shown(
    tmp_path: Path,
) -> None:
    async with running_app(tmp_path) as app, visitor() as tab:
        await tab.open(home(app.url))
        await tab.until("document.querySelector('#running')")
        assert await tab.value("document.getElementById('notice').hidden")
        half_an_hour = Drain(in_ms=1_800_000, note="An upgrade")
        await app.operator.perform(half_an_hour)
        await tab.until("!document.getElementById('notice').hidden")
        assert (await text(tab, "notice")).endswith(" min: An upgrade")
        await app.operator.perform(Drain(off=True))
        off = "the server does not end after all"
        await tab.until(f"document.getElementById('notice').textContent === '{off}'")


async def test_tv_shows_the_most_eventful_match_and_moves_on_when_it_ends(tmp_path: Path) -> None:
    async with (
        running_app(tmp_path) as app,
        playing(app.url) as quiet,
        playing(app.url) as busy,
        visitor() as tab,
    ):
        await play_on(quiet, 2)
        await play_on(busy, 9)
        await tab.open(f"{home(app.url)}/tv")
        await tab.until(f"location.hash.includes('{busy[0].match}')")
        await resigned(busy[1], [busy[0]])
        await tab.until("document.getElementById('word').textContent.startsWith('In a moment: ')")
        assert f"m={busy[0].match}" in await tab.value("location.hash")
        assert "THE END" in await text(tab, "story")
        await tab.until(f"location.hash.includes('{quiet[0].match}')")
        await resigned(quiet[1], [quiet[0]])
        await tab.until("document.querySelectorAll('#eyes button').length === 5")
        assert await text(tab, "title") == "shadow of ceres"


async def test_without_a_running_match_tv_plays_the_latest_replay(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app:
        async with playing(app.url) as players:
            await play_on(players, 4)
            await resigned(players[0], [players[1]])
        async with visitor() as tab:
            await tab.open(f"{home(app.url)}/tv")
            await tab.until("document.getElementById('play').textContent.includes('Pause')")
            await tab.until("Number(document.getElementById('scrub').value) >= 1")


async def test_a_room_that_waits_is_shown_when_it_starts(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url) as anna, met(app.url) as boris:
        match = await created(anna)
        async with visitor() as tab:
            await tab.open(f"{home(app.url)}/#m={match}")
            await tab.until(
                "document.getElementById('room-seats')?.textContent.includes('A: free')"
            )
            players: list[Player] = [await seated(talker, match) for talker in (anna, boris)]
            await all_ready(players)
            await tab.until(LIVE)
            assert await tab.value("document.getElementById('room').hidden")
            assert await pressed(tab, "eyes") == "1 Public"


async def test_the_hall_shows_a_ladder_with_intervals_once_somebody_has_a_rating(
    tmp_path: Path,
) -> None:
    async with running_app(tmp_path) as app, met(app.url, "Ada"), visitor() as tab:
        await tab.open(home(app.url))
        await tab.until("document.querySelector('#over .none')")
        assert await tab.value("document.getElementById('ladder').hidden")
        ada = await app.lobby.accounts.called("Ada")
        assert ada is not None
        hunter = player_of("any", "hunter")
        for number, family in enumerate(("redondo", "shadow-of-ceres")):
            await app.lobby.ladder.ratings.add(result(number, ada, hunter, family=family))
        await tab.open(home(app.url))
        await tab.until("document.querySelectorAll('#ranks tbody tr').length === 2")
        assert await choices(tab, "families") == ["redondo", "shadow of ceres"]
        rows = "[...document.querySelectorAll('#ranks tbody tr')]"
        cells = f"{rows}.map(row => row.cells[%d].textContent)"
        assert await tab.value(cells % 1) == ["Ada", "hunter (bot)"]
        assert all(" to " in interval for interval in await tab.value(cells % 3))
        await tab.value("document.querySelectorAll('#families button')[1].click()")
        caption = "document.querySelector('#ranks caption').textContent"
        await tab.until(f"{caption} === 'shadow of ceres'")
