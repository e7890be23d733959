"""The full screen as one reads: texts from their first line on, cards of what is there."""

from msgspec.structs import replace

from builders.fullscreens import full_screen_of
from builders.terminals import CONTACT, KITE, frame, view
from sunglare_client.fullscreen.pane import Pane
from sunglare_client.fullscreen.pointing.pointing import Pointer
from sunglare_protocol.geometry import Vector
from sunglare_protocol.ids import Side

PLOT = frame(1, view())
AWAITED = ("4.plot",)


TEXTS = {
    "help": "command  short example",
    "rules turn 5": "turn §5: movement",
    "why land": "turn §5: movement",
}
"""Lines that are answered by a text, with how its first line begins."""


async def test_a_text_is_read_from_its_first_line_until_something_else_is_said() -> None:
    async with full_screen_of((PLOT,), awaits=AWAITED) as shown:
        before = shown.board.record.size.height
        for line, first in TEXTS.items():
            await shown.type(line)
            assert first in [row[: len(first)] for row in shown.rows], line
            assert shown.board.record.size.height > before, line
            await shown.type("orders")
            assert shown.board.record.size.height == before, line
            assert shown.record[-2].startswith("orders: none"), line


async def test_a_text_that_needs_no_page_is_followed_by_nothing() -> None:
    async with full_screen_of((PLOT,), awaits=AWAITED) as shown:
        await shown.type("rules rotate")
        assert "arcs §2" in shown.text
        assert "newer (PgDn)" not in shown.text


async def test_f3_folds_the_record_that_a_text_has_opened() -> None:
    async with full_screen_of((PLOT,), awaits=AWAITED) as shown:
        small = shown.board.record.size.height
        await shown.type("rules turn 6")
        await shown.press("f3")
        assert shown.board.record.size.height == small


async def test_f1_on_a_thing_shows_its_card_and_again_gives_the_keys_to_the_line() -> None:
    async with full_screen_of((PLOT,), awaits=AWAITED) as shown:
        await shown.press("f1")
        assert "Here (F1: card)" in shown.text
        await shown.press("f1")
        assert "S1 (Esc: type)" in shown.text
        assert "worth 4" in shown.text
        assert shown.board.board.has_focus
        await shown.press("f1")
        assert shown.board.line.has_focus


async def test_a_card_goes_when_the_pointer_moves_and_escape_leads_to_the_line() -> None:
    async with full_screen_of((PLOT,), awaits=AWAITED) as shown:
        await shown.press("f1", "f1", "up")
        assert "(Esc: type)" not in shown.text
        assert "way of S1: burn" in shown.text
        await shown.press("down", "f1", "escape")
        assert shown.board.line.has_focus
        assert not [line for line in shown.record if line.startswith("> ")]


async def test_f1_where_nothing_is_known_gives_the_keys_to_the_line() -> None:
    async with full_screen_of((PLOT,), awaits=AWAITED) as shown:
        await shown.press("f1", "up")
        assert "nothing known here" in shown.text
        await shown.press("f1")
        assert shown.board.line.has_focus


async def test_a_body_has_a_card_and_an_identified_ship_the_classes_it_may_be() -> None:
    known = replace(
        CONTACT, square=KITE.square.moved(Vector(0, -1)), side=Side("B"), type="raider"
    )
    seen = view(contacts=(known,))
    planet = seen.board.planets[0]
    async with full_screen_of((frame(1, seen),), awaits=AWAITED) as shown:
        await shown.press("f1", "n", "f1")
        assert "class raider, worth 5" in " ".join(shown.board.query_one("#card", Pane).lines)
        assert "cloak" in " ".join(shown.board.query_one("#card", Pane).lines)
        shown.board._pointer = Pointer(planet.at)  # noqa: SLF001 - many keys would lead there
        await shown.press("f1")
        assert f"{planet.name} (Esc: type)" in shown.text
        assert "Small planet at" in shown.text
