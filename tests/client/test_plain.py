"""The plain terminal on a seat without a server: what is typed, sent and shown."""

import asyncio
from collections.abc import AsyncIterator

import msgspec
import pytest

from builders.tables import PostedTable
from builders.terminals import KITE, MOTH, B, Paper, frame, over, screen, ship, typed, view
from sunglare_client.errors import LostError
from sunglare_client.link.connection import Post
from sunglare_client.terminal.plain import ENDED, LOST, Terminal
from sunglare_client.terminal.screen import Screen
from sunglare_protocol.geometry import Compass
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages import News, NewsKind
from sunglare_protocol.notices import ScanResult, SideOut, TrackLost
from sunglare_protocol.orders import Scan, Thrust, Turn
from sunglare_protocol.views import ObjectiveView
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.victory import ObjectiveKind

PLOT = frame(1, view())
THEIR_SLOT = frame(2, view(Phase.SCAN, slot="B"))
MY_SLOT = frame(3, view(Phase.SCAN, slot="A"))
DETECT = frame(4, view(Phase.DETECT))
ENGAGE = frame(5, view(Phase.ENGAGE))
TURN = (PLOT, THEIR_SLOT, MY_SLOT, DETECT, ENGAGE, over())
MINE = ("4.plot", "4.scan.A", "4.detect", "4.engage")


async def played(
    table: PostedTable,
    *lines: str,
    script: bool = True,
    quit_on_eof: bool = False,
    ascii_only: bool = False,
) -> tuple[int, str]:
    """Play to the end and return the exit code and all that was shown."""
    shown, paper = screen(ascii_only=ascii_only)
    terminal = Terminal(
        table,
        typed(*lines),
        shown,
        script=script,
        quit_on_eof=quit_on_eof,
        names={Side("A"): "anna"},
    )
    async with asyncio.timeout(10):
        code = await terminal.run()
    return code, paper.getvalue()


async def plotted(*lines: str, **fields: bool) -> tuple[PostedTable, str]:
    """Type lines in a PLOT window until orders are locked; return the table and what was shown."""
    table = PostedTable((PLOT, over()), awaits=("4.plot",))
    _, text = await played(table, *lines, **fields)
    return table, text


def locked(table: PostedTable) -> dict[str, tuple[object, ...]]:
    """Return the orders that were locked, by window."""
    return {window: orders for window, orders, lock in table.given if lock}


async def test_a_script_plays_a_turn_window_by_window() -> None:
    table = PostedTable(TURN, awaits=MINE)
    code, text = await played(
        table,
        "face S1 NE; burn S1 +2,-1   # towards the planet",
        "ready",
        "scan S1 visual 1box D4 sense",
        "ready",
        "fire S1.B1 C3",
        "ready",
    )
    assert code == ENDED
    given = locked(table)
    turn, thrust = given["4.plot"]
    assert turn == Turn(ship=KITE.id, steps=1)
    assert isinstance(thrust, Thrust)
    (scan,) = given["4.scan.A"]
    assert isinstance(scan, Scan)
    assert scan.sense
    assert given["4.detect"] == ()
    assert [type(order).__name__ for order in given["4.engage"]] == ["Fire"]
    assert "4.scan.B" not in given
    assert "A (anna) wins" in text


async def test_no_escape_code_is_ever_written() -> None:
    rude = News(match=MatchId("m"), seq=2, kind=NewsKind.CHAT, side=B, text="\x1b[31mred\x07")
    named = frame(3, view(own=(ship(name="\x1b]0;title\x07"), MOTH)))
    table = PostedTable((PLOT, rude, named, over()), awaits=("4.plot",))
    _, text = await played(table, "map", "ready!", script=False)
    assert "red" in text
    assert all(letter == "\n" or letter.isprintable() for letter in text)


async def test_the_ascii_terminal_writes_ascii_alone() -> None:
    _, text = await plotted("map", "ready", ascii_only=True)
    assert text.isascii()
    assert "^S1" in text


async def test_a_window_shows_story_map_ships_contacts_and_clock() -> None:
    first = frame(1, view(), SideOut(side=B), closes_ms=28_000)
    _, text = await played(PostedTable((first, over()), awaits=("4.plot",)))
    for words in (
        "side B has no piece left",
        "-- turn 4 of 20: PLOT",
        "▲S1",
        "S1 Kite",
        "C3   TRACKED",
        "closes in 28 s, bank 60 s",
    ):
        assert words in text


async def test_the_slot_of_another_side_is_waited_out() -> None:
    table = PostedTable((THEIR_SLOT, over()), talks=("4.scan.B",))
    _, text = await played(table, "ready", "scan S1 ir 1 D4", "say done", script=False)
    assert "side B has the slot; you wait" in text
    assert "nothing to be ready for" in text
    assert "window/others" in text
    assert table.given == []


async def test_an_order_that_is_not_legal_is_refused_at_once_and_not_sent() -> None:
    table, text = await plotted("thrust S1 S", "ready")
    assert "E-ORDER" in text
    assert "order/thrust" in text
    assert locked(table) == {"4.plot": ()}


async def test_orders_are_with_the_server_before_ready_is_said() -> None:
    table = PostedTable((PLOT, over()), saves=("4.plot",))
    await played(table, "turn S1 +1; turn S2 +1", script=False)
    assert table.given[0] == (
        "4.plot",
        (Turn(ship=KITE.id, steps=1), Turn(ship=MOTH.id, steps=1)),
        False,
    )


async def test_a_seat_that_catches_up_draws_only_the_newest_window() -> None:
    table = PostedTable((PLOT, MY_SLOT, ENGAGE, over()), awaits=("4.engage",))
    _, text = await played(table, "ready")
    assert text.count("▲S1") == 1
    assert text.count("-- turn 4") == 3
    assert locked(table) == {"4.engage": ()}


async def test_undo_and_clear_take_orders_back() -> None:
    table, text = await plotted(
        "turn S1 +1; turn S2 +1", "undo", "turn S2 -1", "clear S1", "orders", "ready"
    )
    assert locked(table) == {"4.plot": (Turn(ship=MOTH.id, steps=-1),)}
    assert "undone" in text


async def test_who_is_ready_must_unready_before_other_orders() -> None:
    table = PostedTable((PLOT, over()), talks=("4.plot",))
    _, text = await played(
        table, "ready!", "turn S1 +1; undo", "unready; turn S1 +1; ready", "say done", script=False
    )
    assert text.count("Say unready first") == 2
    assert [(len(orders), lock) for _, orders, lock in table.given] == [
        (0, True),
        (0, False),
        (1, True),
    ]


async def test_double_bang_repeats_the_line_before() -> None:
    _, text = await plotted("look C3", "!!", "ready")
    assert text.count("C3\n") >= 2


async def test_a_window_that_takes_no_orders_is_locked_without_a_word() -> None:
    table = PostedTable((DETECT, over()), awaits=("4.detect",))
    _, text = await played(table, script=False)
    assert locked(table) == {"4.detect": ()}
    assert "ready" not in text


async def test_without_a_ship_left_every_window_is_locked() -> None:
    gone = tuple(ship(own, fate=Fate.DESTROYED) for own in (KITE, MOTH))
    table = PostedTable((frame(1, view(own=gone)), over()), awaits=("4.plot",))
    await played(table, script=False)
    assert locked(table) == {"4.plot": ()}


async def test_when_the_input_ends_the_match_goes_on_without_orders() -> None:
    table = PostedTable(TURN, awaits=MINE)
    code, text = await played(table)
    assert code == ENDED
    assert locked(table) == dict.fromkeys(MINE, ())
    assert "THE END" in text


async def test_the_end_of_the_input_can_mean_to_leave() -> None:
    table = PostedTable(TURN, awaits=MINE)
    code, text = await played(table, quit_on_eof=True)
    assert code == ENDED
    assert table.given == []
    assert "THE END" not in text


async def test_the_goals_open_the_match_and_are_told_when_asked_for() -> None:
    aims = (ObjectiveView(kind=ObjectiveKind.IDENTIFY, piece="Basalt"),)
    seen = msgspec.structs.replace(view(), objectives=aims, points=7)
    table = PostedTable((frame(1, seen), over()), awaits=("4.plot",))
    _, text = await played(table, "goals", "ready")
    assert text.count("Identify Basalt: 3 points.") == 2
    assert text.count("points so far: 7") == 2
    assert text.index("Basalt") < text.index("your orders, please")


@pytest.mark.parametrize(("closes_ms", "left"), [(10_050, 10), (30_050, 30)])
async def test_a_window_that_is_about_to_close_is_warned_of(closes_ms: int, left: int) -> None:
    warned = asyncio.Event()

    class Watched(Paper):
        def write(self, text: str) -> int:
            if f"* The window closes in {left} s." in text:
                warned.set()
            return super().write(text)

    async def lines() -> AsyncIterator[str]:
        await warned.wait()
        yield "ready"

    paper = Watched()
    table = PostedTable((frame(1, view(), closes_ms=closes_ms), over()), awaits=("4.plot",))
    async with asyncio.timeout(10):
        await Terminal(table, lines(), Screen(paper)).run()
    assert paper.getvalue().count("* The window closes") == 1


async def test_a_refusal_of_the_server_is_shown_with_its_code() -> None:
    table = PostedTable((PLOT, over()), talks=("4.plot",), refuses=("4.plot",))
    code, text = await played(table, "ready!", "say done", script=False)
    assert code == ENDED
    assert "E-SERVER  This window is not open. (window/closed)" in text


async def test_grave_commands_ask_first() -> None:
    table, text = await plotted("resign", "draw", "resign yes", "draw yes", "ready")
    assert "resign yes" in text
    assert table.said == ["resigned", "draw True"]


async def test_pauses_and_mutes_are_asked_for_and_called_off() -> None:
    table = PostedTable((PLOT, over()), awaits=("4.plot",))
    lines = ("pause", "pause off", "mute B", "mute B off", "mute A", "ready")
    _, text = await played(table, *lines)
    assert table.said == ["pause True", "pause False", "mute B True", "mute B False"]
    assert "'A' is not a side of somebody else" in text


async def test_a_side_is_reported_in_words_that_may_hold_any_sign() -> None:
    table = PostedTable((PLOT, over()), awaits=("4.plot",))
    lines = ("report B he shouts; # all the time", "report B", "report A me", "ready")
    _, text = await played(table, *lines)
    assert table.said == ["report B he shouts; # all the time"]
    assert "Only the operator receives the report of B." in text
    assert "needs <text> next" in text
    assert "'A' is not a side of somebody else" in text


async def test_a_feed_is_granted_by_name_and_the_truth_where_no_feed_is_named() -> None:
    table = PostedTable((PLOT, over()), awaits=("4.plot",))
    lines = ("grant Ada", "grant Ada b A", "grant A", "revoke Ada Lee OMNI", "grant", "ready")
    _, text = await played(table, *lines)
    assert table.said == ["grant Ada omni", "grant Ada b A", "grant A omni", "revoke Ada Lee omni"]
    assert "Ada b may watch A." in text
    assert "Ada Lee may watch omni no more." in text
    assert "needs <name> next" in text


async def test_quit_leaves_the_match_alone() -> None:
    table = PostedTable(TURN, awaits=MINE)
    code, _ = await played(table, "quit", "quit yes", "resign yes")
    assert code == ENDED
    assert table.said == []


async def test_chat_goes_out_as_it_was_typed_and_comes_back_marked() -> None:
    answer = News(match=MatchId("m"), seq=2, kind=NewsKind.CHAT, side=B, text="hello")
    table = PostedTable((PLOT, answer, over()), awaits=("4.plot",))
    _, text = await played(table, "say gl; hf # all", "ready")
    assert table.said == ["gl; hf # all"]
    assert "[chat] B: hello" in text


async def test_chat_comes_back_with_the_name_of_the_player() -> None:
    said = News(match=MatchId("m"), seq=2, kind=NewsKind.CHAT, side=Side("A"), text="gl hf")
    _, text = await played(PostedTable((PLOT, said, over()), awaits=("4.plot",)), "ready")
    assert "[chat] A (anna): gl hf" in text


async def test_questions_cost_nothing_and_are_answered_at_home() -> None:
    table = PostedTable((MY_SLOT, over()), awaits=("4.scan.A",))
    _, text = await played(
        table,
        "preview S1 visual 3box D2",
        "odds fire S1.B1 C3",
        "legal S1",
        "why C3",
        "look S1",
        "note C3 probably a cruiser",
        "contacts",
        "help scan",
        "ready",
    )
    assert "EVERYBODY WILL LEARN" in text
    assert "mean damage" in text
    assert "scan S1 mass 1sq 7,27" in text
    assert "note on C3: probably a cruiser" in text
    assert "types: visual" in text
    assert locked(table) == {"4.scan.A": ()}


async def test_why_shows_the_rolls_and_notices_that_came_and_cards_besides() -> None:
    rolled = ScanResult(ship=KITE.id, roll=9)
    came = (frame(1, view(), rolled, TrackLost(label="C9")), over())
    table = PostedTable(came, awaits=("4.plot",))
    _, text = await played(table, "why rolls", "why told", "why 1", "why points", "ready")
    total = 9 + KITE.crew.operator
    assert text.count(f"Dice 9 + operator {KITE.crew.operator} = {total} of 10") == 2
    assert text.count("Two SCAN windows in a row made no contact on it.") == 2
    assert "points follow from what you know" in text


async def test_why_answer_explains_the_odds_or_preview_that_was_asked_for_last() -> None:
    table = PostedTable((MY_SLOT, over()), awaits=("4.scan.A",))
    asked = ("why answer", "preview S1 visual 3box D2", "why answer", "odds fire S1.B1 C3")
    _, text = await played(table, *asked, "why answer", "ready")
    none, preview, odds = (
        text.index(words)
        for words in ("you asked for no odds", "Intercept sensors part 2", "Fire (turn §6)")
    )
    assert none < preview < odds


async def test_what_an_order_would_mean_is_told_of_drifting_as_of_thrust() -> None:
    table = PostedTable((PLOT, over()), awaits=("4.plot",))
    _, text = await played(table, "burn S1 +0,-1", "odds burn S1 +0,-1", "odds drift S1", "ready")
    adrift = KITE.square.moved(KITE.vector)
    thrust, drifting = (part.split("\n> ")[0] for part in text.split("\n> odds ")[1:3])
    assert f"{adrift.x},{adrift.y - 1}" in thrust
    assert f"S1 -> {adrift.x},{adrift.y}" in drifting
    assert locked(table) == {"4.plot": (Thrust(ship=KITE.id, to=(Compass.N,)),)}


async def test_an_unchanged_map_is_not_drawn_again() -> None:
    table = PostedTable((PLOT, MY_SLOT, over()), awaits=("4.plot", "4.scan.A"))
    _, text = await played(table, "ready", "ready")
    assert text.count("▲S1") == 1
    assert "(the map is as before)" in text


async def test_a_lost_connection_ends_the_terminal_with_its_own_code() -> None:
    class Broken(PostedTable):
        async def __aiter__(self) -> AsyncIterator[Post]:
            yield PLOT
            raise LostError("the cable is cut")

    code, text = await played(Broken(()), script=False)
    assert code == LOST
    assert "the cable is cut" in text


async def test_a_server_that_just_stops_is_a_lost_connection() -> None:
    code, _ = await played(PostedTable((PLOT,)), script=False)
    assert code == LOST


async def test_what_a_ship_shall_do_is_shown_with_where_it_ends() -> None:
    table, text = await plotted("thrust S1 N NE", "ships", "ready")
    assert "ok: thrust S1 N NE  (ends at 8,24 B5 v(+1,-3) facing N)" in text
    assert locked(table) == {"4.plot": (Thrust(ship=KITE.id, to=(Compass.N, Compass.NE)),)}
