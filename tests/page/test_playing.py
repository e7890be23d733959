"""A seat in a real browser: rooms, turns by pointing and by keys, and coming back."""

import re
from pathlib import Path

import pytest

from builders.players import opened, seated
from builders.servers import running_app, server_process
from builders.wires import met
from page.browser import Tab
from page.closequarters import NAME, answering, data_of
from page.frames import around, frame_of
from page.seats import (
    ASKED,
    SEALED,
    SENSORS,
    click,
    in_window,
    locked,
    plan,
    planned,
    press,
    seat_against,
    start_of,
)
from page.watching import chosen, foreign, home, playing, resigned, text, visitor
from sunglare_arena.verify import main as verify
from sunglare_client.link.account_file import import_account
from sunglare_protocol.ids import MatchId, WindowId
from sunglare_protocol.messages import Chat, News, Ready, Resume, Resumed

BEGUN = "document.getElementById('field')?.hidden === false"
ELSEWHERE = "!document.getElementById('elsewhere').hidden"


async def token_of(tab: Tab) -> str:
    """Return the token of the guest that the browser is."""
    return str(await tab.value("localStorage.getItem('sunglare-guest')"))


async def test_a_match_against_a_bot_begins_by_one_click(tmp_path: Path) -> None:
    async with running_app(tmp_path, bots=("scout",)) as app, visitor() as tab:
        await tab.open(home(app.url))
        await press(tab, "play-bot", "Play a bot")
        await tab.until(in_window("PLOT"))
        await planned(tab, *SENSORS)
        assert await tab.value("document.title") == "● Your turn: Sunglare"
        assert "Clock" not in await text(tab, "turn")
        assert foreign(tab, app.url) == []


async def test_a_match_with_a_bot_is_paused_and_goes_on_by_the_same_button(tmp_path: Path) -> None:
    async with running_app(tmp_path, bots=("scout",)) as app, visitor() as tab:
        await tab.open(home(app.url))
        await press(tab, "play-bot", "Play a bot")
        await tab.until(in_window("PLOT"))
        await press(tab, "pause", "Pause")
        await tab.until("document.getElementById('clock').textContent === 'paused'")
        await press(tab, "pause", "End the pause")
        await tab.until("document.getElementById('pause').textContent === 'Pause'")
        assert ":" in await text(tab, "clock")


async def test_a_turn_is_played_by_pointing(tmp_path: Path) -> None:
    async with (
        running_app(tmp_path) as app,
        met(app.url, name="Bo") as bo,
        visitor() as tab,
    ):
        theirs = await seat_against(tab, app.url, bo, options=SEALED)
        await planned(tab, *SENSORS)
        await press(tab, "ways", "deploy")
        await click(tab, (7, 7))
        await planned(tab, *SENSORS, await start_of(tab, "S1", (7, 7)))
        await tab.value("document.querySelector('#entries select').value = 'SE'")
        await press(tab, "entries", "Deploy S1")
        deployed = "deploy S1 7,7 vector 0,0 facing SE"
        await planned(tab, *SENSORS, deployed)
        await press(tab, "ways", "fly")
        await click(tab, (8, 8))
        await planned(tab, *SENSORS, deployed, "thrust S1 SE")
        assert "marked one is ordered" in await text(tab, "hint")
        await press(tab, "undo", "Undo")
        await planned(tab, *SENSORS, deployed)
        await locked(tab)
        await theirs.frame()
        await theirs.ordered()
        await tab.until(in_window("SCAN"))
        await press(tab, "ways", "ir")
        await press(tab, "sizes", "1sq")
        await click(tab, (9, 9))
        await planned(tab, "scan S1 ir 1sq 9,9")
        await press(tab, "sizes", "1box")
        await click(tab, (12, 9))
        await planned(tab, "scan S1 ir 1box C2")
        assert "EVERYBODY WILL LEARN: ir 1box at C2" in await text(tab, "entries")
        await locked(tab)
        await theirs.reached(WindowId("1.scan"))
        await theirs.ordered()
        await tab.until(
            "document.getElementById('field-story').textContent.includes('A scans ir')"
        )


async def test_an_order_is_given_by_the_keys_alone(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url, name="Bo") as bo, visitor() as tab:
        await seat_against(tab, app.url, bo)
        await planned(tab, *SENSORS)
        await press(tab, "ways", "deploy")
        await tab.value("document.querySelector('#field-boards canvas').focus()")
        for key, times in (("ArrowLeft", 13), ("ArrowUp", 13)):
            for _ in range(times):
                await tab.press(key)
        assert "7,7 B2" in await text(tab, "field-pointed")
        await tab.press("Enter")
        await planned(tab, *SENSORS, await start_of(tab, "S1", (7, 7)))


async def test_what_would_be_lost_is_said_before_a_lock_and_again_locks_it(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url, name="Bo") as bo, visitor() as tab:
        theirs = await seat_against(tab, app.url, bo)
        await planned(tab, *SENSORS)
        await press(tab, "lock", "Lock")
        await press(tab, "lock", "Lock all the same")
        assert "S2 is not deployed" not in await text(tab, "doubts")
        await tab.until("document.getElementById('turn').textContent.includes('Locked')")
        await press(tab, "lock", "Unlock")
        await tab.until(ASKED)
        await press(tab, "lock", "Lock")
        await tab.until(
            "document.getElementById('doubts').textContent.includes('S2 is not deployed')"
        )
        assert theirs.newest.window == "1.plot"


async def test_the_card_of_a_piece_is_as_it_is_in_each_window(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url, name="Bo") as bo, visitor() as tab:
        theirs = await seat_against(tab, app.url, bo, options=SEALED)
        await planned(tab, *SENSORS)
        await press(tab, "ways", "fly")
        await tab.value("document.querySelector('#field-boards canvas').focus()")
        for key in ("n", "Enter"):
            await tab.press(key)
        await tab.until("document.getElementById('plan').textContent.includes('thrust S1')")
        await press(tab, "own", "S1")
        lines = "document.getElementById('card-lines').textContent"
        await tab.until(f"{lines}.includes('At ')")
        before = await tab.value(lines)
        await locked(tab)
        await theirs.frame()
        await theirs.ordered()
        await tab.until(in_window("SCAN"))
        await tab.until(f"{lines}.includes('At ') && {lines} !== {before!r}")


async def test_what_a_window_has_brought_stands_above_the_orders_until_the_next_turn(
    tmp_path: Path,
) -> None:
    async with (
        running_app(tmp_path, data=data_of(tmp_path)) as app,
        met(app.url, name="Bo") as bo,
        visitor() as tab,
    ):
        theirs = await seat_against(tab, app.url, bo, NAME, options=SEALED)
        happened = "document.getElementById('happened').textContent"
        async with answering(theirs):
            await tab.until(in_window("PLOT"))
            await locked(tab)
            await tab.until(in_window("SCAN"))
            assert not await tab.value(happened)
            await press(tab, "own", "S2")
            await press(tab, "ways", "visual")
            await click(tab, (7, 7), edge=10)
            await tab.until("document.getElementById('plan').textContent.includes('visual')")
            await locked(tab)
            await tab.until(f"{happened}.includes('CONTACT')")


async def test_what_others_say_scrolls_the_story_alone(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url, name="Bo") as bo, visitor() as tab:
        theirs = await seat_against(tab, app.url, bo)
        await planned(tab, *SENSORS)
        await tab.size(1280, 500)
        for number in range(30):
            await bo.accepted(Chat, match=theirs.match, text=f"line {number}")
        story = "document.getElementById('field-story')"
        await tab.until(f"{story}.textContent.includes('line 29')")
        assert await tab.value(f"{story}.scrollTop > 0")
        assert await tab.value("document.getElementById('desk').scrollTop + scrollY") == 0


async def test_orders_are_there_after_a_reload_and_after_the_server_was_killed(
    tmp_path: Path,
) -> None:
    with server_process(tmp_path) as server:
        async with visitor() as tab:
            async with met(server.url, name="Bo") as bo:
                await seat_against(tab, server.url, bo)
                await planned(tab, *SENSORS)
                await press(tab, "plan", "✕")
                await planned(tab, SENSORS[1])
                await tab.tell("Page.reload")
                await tab.until(BEGUN)
                await planned(tab, SENSORS[1])
                server.kill()
            server.start()
            await tab.until("document.getElementById('turn').textContent.includes('Give your')")
            await planned(tab, SENSORS[1])
            await press(tab, "plan", "✕")
            await planned(tab)
            await tab.tell("Page.reload")
            await tab.until(BEGUN)
            await tab.until(ASKED)
            await press(tab, "ways", "deploy")  # by now the page knows what the window asks
            assert await plan(tab) == []
            await locked(tab)
            await tab.until("document.getElementById('turn').textContent.includes('Locked')")
            tab.complaints.clear()  # of the line that was cut


async def test_a_seat_that_is_taken_elsewhere_says_so_and_is_taken_back_by_a_click(
    tmp_path: Path,
) -> None:
    async with running_app(tmp_path) as app, met(app.url, name="Bo") as bo, visitor() as tab:
        theirs = await seat_against(tab, app.url, bo)
        await planned(tab, *SENSORS)
        async with met(app.url, token=await token_of(tab)) as second:
            await second.expect(Resumed, Resume, match=theirs.match)
            await tab.until(ELSEWHERE)
            await press(tab, "take-over", "Play here")
            await tab.until(f"{BEGUN} && {ASKED}")
            assert await plan(tab) == [*SENSORS]


async def test_an_invitation_seats_by_one_click_and_its_entropy_is_in_the_dice(
    tmp_path: Path,
) -> None:
    async with running_app(tmp_path) as app, met(app.url, name="Ada") as ada, visitor() as tab:
        room = await opened(ada, private=True)
        theirs = await seated(ada, room.match, "A", code=room.code)
        await tab.open(f"{home(app.url)}#m={room.match}&c={room.code}")
        await tab.until("document.getElementById('room-seats')?.textContent.includes('A: Ada')")
        await press(tab, "room-seats", "Play B")
        await press(tab, "ready", "Ready")
        await ada.accepted(Ready, match=room.match)
        await tab.until(BEGUN)
        await theirs.frame()
        await ada.wait_for(lambda heard: is_pledge_of_b(heard, room.match))
        assert (room.code or "") not in await tab.value("location.pathname + location.search")


def is_pledge_of_b(heard: object, match: MatchId) -> bool:
    """Return whether this is the news of what the seat of side B has pledged."""
    if not isinstance(heard, News) or heard.match != match:
        return False
    return heard.side == "B" and heard.text.startswith("pledge ")


async def test_ready_is_taken_back_when_the_page_goes_out_of_sight(tmp_path: Path) -> None:
    ready = "document.getElementById('room-seats').textContent.includes('ready')"
    async with running_app(tmp_path) as app, met(app.url, name="Bo") as bo, visitor() as tab:
        room = await opened(bo)
        await tab.open(f"{home(app.url)}#m={room.match}")
        await press(tab, "room-seats", "Play A")
        await press(tab, "ready", "Ready")
        await tab.until(ready)
        await tab.value("Object.defineProperty(document, 'hidden', { value: true })")
        await tab.value("document.dispatchEvent(new Event('visibilitychange'))")
        await tab.until(f"!{ready}")


async def test_what_others_say_is_text_and_nothing_else(tmp_path: Path) -> None:
    said = "<img src=x onerror=alert(1)>"
    async with running_app(tmp_path) as app, met(app.url, name="Bo") as bo, visitor() as tab:
        theirs = await seat_against(tab, app.url, bo)
        await bo.accepted(Chat, match=theirs.match, text=said)
        story = "document.getElementById('field-story').textContent"
        await tab.until(f"{story}.includes({said!r})")
        assert await tab.value("document.querySelector('#field-story img')") is None
        await tab.value("document.getElementById('others').open = true")
        await press(tab, "other-sides", "Mute")
        await tab.until("document.querySelector('#other-sides [aria-pressed=true]')")
        await bo.accepted(Chat, match=theirs.match, text="not heard")
        await press(tab, "other-sides", "Mute")
        await tab.until("document.querySelector('#other-sides [aria-pressed=false]')")
        await bo.accepted(Chat, match=theirs.match, text="heard")
        await tab.until(f"{story}.includes('says: heard')")
        assert not await tab.value(f"{story}.includes('not heard')")


async def test_a_framed_page_shows_no_seat_and_no_token(tmp_path: Path) -> None:
    """The page around it is of another origin of the same site, whose frames share their store."""
    async with running_app(tmp_path) as app, met(app.url, name="Bo") as bo, visitor() as tab:
        theirs = await seat_against(tab, app.url, bo)
        held = await token_of(tab)
        address = f"{home(app.url)}/?embed=1#m={theirs.match}"
        with around(tmp_path, address) as outer:
            await tab.open(outer)
            frame = await frame_of(tab)
            assert await frame.value("document.getElementById('pill')?.textContent === 'LIVE'")
            assert await frame.value("document.getElementById('field').hidden")
            assert await frame.value("localStorage.getItem('sunglare-guest')") == held


async def test_a_turn_of_a_finished_match_is_played_on_in_the_browser(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, visitor() as tab:
        async with playing(app.url) as players:
            await resigned(players[1], [players[0]])
        await tab.open(f"{home(app.url)}#m={players[0].match}")
        await press(tab, "play-on", "Play on")
        await press(tab, "onward-here", "Play on in this browser")
        await tab.until("document.getElementById('room-seats').textContent.includes('(you)')")
        assert players[0].match not in await tab.value("location.hash")


async def test_an_account_is_renamed_and_saved_as_the_file_that_the_terminal_reads(
    tmp_path: Path,
) -> None:
    name = "document.getElementById('account-name').textContent"
    async with running_app(tmp_path) as app, met(app.url, name="Bo"), visitor() as tab:
        await tab.open(home(app.url))
        await tab.until(f"{name}.startsWith('guest-')")
        await tab.value("document.getElementById('account').open = true")
        for wish in ("Bo", "Ada"):
            await tab.value(f"document.getElementById('new-name').value = {wish!r}")
            await press(tab, "rename", "Rename")
            if wish == "Bo":
                await tab.until("!document.getElementById('word').hidden")
        await tab.until(f"{name} === 'Ada'")
        await tab.tell("Page.reload")
        await tab.until(f"document.getElementById('account-name') && {name} === 'Ada'")
        file = tmp_path / "ada.token"
        file.write_text(f"{await token_of(tab)}\n")
        import_account(app.url, file)
        await tab.value("localStorage.clear()")
        await tab.tell("Page.reload")
        await tab.until(f"document.getElementById('account-name') && {name}.startsWith('guest-')")
        await chosen(tab, file, "#account-file")
        await tab.until(f"document.getElementById('account-name') && {name} === 'Ada'")


@pytest.mark.parametrize("is_reloaded", [False, True], ids=["whole", "after a reload"])
async def test_the_log_of_a_seat_is_good_for_the_verifier(
    is_reloaded: bool, tmp_path: Path
) -> None:
    async with running_app(tmp_path) as app, met(app.url, name="Bo") as bo, visitor() as tab:
        theirs = await seat_against(tab, app.url, bo, options=SEALED)
        await planned(tab, *SENSORS)
        if is_reloaded:
            await tab.tell("Page.reload")
            await tab.until(f"{BEGUN} && {ASKED}")
        await locked(tab)
        await theirs.frame()
        await theirs.ordered()
        await tab.until(in_window("SCAN"))
        await theirs.resign()
        await tab.until("document.getElementById('log').offsetParent")
        log, record = tmp_path / "page.log", tmp_path / "match.sgr"
        log.write_text(await tab.value(f"localStorage.getItem('sunglare-log-{theirs.match}')"))
        record.write_bytes(await bo.record(theirs.match))
    text = log.read_text()
    assert '"t":"reveal"' in text
    assert verify([str(record), "--mine", str(log)]) == 0
    log.write_text(re.sub(r'"chain":"[0-9a-f]+"', f'"chain":"{"00" * 16}"', text))
    assert verify([str(record), "--mine", str(log)]) == 1
