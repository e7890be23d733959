"""Sentences for who hears them: what stands in a line of the terminal, without its signs."""

import pytest

from builders.tables import PostedTable
from builders.terminals import Paper, typed
from client.test_plain import MINE, TURN
from sunglare_client.terminal.plain import ENDED, Terminal
from sunglare_client.terminal.speaking import NO_MAP, SpokenScreen, SpokenTurnSession
from sunglare_client.text.aloud import aloud

SAID = {
    "a mark of news is left out": ("* B has joined", "B has joined."),
    "a window is no shout": (
        "-- turn 4 of 20: SCAN, slot of B",
        "Turn 4 of 20: scan, slot of B.",
    ),
    "chat names who speaks, in his own words": ("[chat] B: go -> N 1/2", "B says: go -> N 1/2"),
    "chat names its player": ("[chat] B (Ada L.): gl: hf", "B (Ada L.) says: gl: hf"),
    "columns are parted by commas": ("  S1 Kite  frigate  flying", "S1 Kite, frigate, flying."),
    "a part of a whole": ("hull 13/16", "Hull 13 of 16."),
    "four figures are no part": ("C1 scap 4/3/2/0 front", "C1 scap 4/3/2/0 front."),
    "a square and its box": ("is at 7,27 B6", "Is at square 7 27 in box B6."),
    "a vector": ("v(+1,-4)", "Vector plus 1 and minus 4."),
    "a facing": ("facing NE", "Facing north-east."),
    "a facing after a vector": ("v(0,0) facing W", "Vector 0 and 0 facing west."),
    "a facing that may be typed": (
        "deploy S1 2,2 vector 0,0 facing N",
        "Deploy S1 2,2 vector 0,0 facing N.",
    ),
    "the five sensors": (
        "sensors in V2 I2 R1 N0 M3",
        "Sensors in visual 2, infrared 2, radar 1, neutrino 0, mass 3.",
    ),
    "weapons and turrets": (
        "B1 beam2 T1:front; P1 torpedo1 front",
        "B1 beam 2 turret T1 front; P1 torpedo 1 front.",
    ),
    "weapons of two words": ("N1 nova gun1", "N1 nova gun 1."),
    "where a plan leads": ("turn S1 -> 7,27 B6", "Turn S1 to square 7 27 in box B6."),
    "an error is called one, with its code": (
        "E-VERB    no command 'x'.  Try: help",
        "Error E-VERB: no command 'x'. Try: help.",
    ),
    "what may be typed stays as it is typed": ("e.g. burn S1 +2,-1", "For example burn S1 +2,-1."),
    "an abbreviation may be spelled": ("WAT AECM", "WAT AECM."),
    "a hash is no sentence": ("seed " + "ab" * 32, "Seed a long number."),
    "nothing is nothing": ("   ", ""),
}


@pytest.mark.parametrize(("line", "sentence"), SAID.values(), ids=SAID)
def test_a_line_is_said_as_a_sentence(line: str, sentence: str) -> None:
    assert aloud(line) == sentence


async def spoken(*lines: str) -> list[str]:
    """Play a turn by ear, and return what was said."""
    paper = Paper()
    table = PostedTable(TURN, awaits=MINE)
    terminal = Terminal(
        table, typed(*lines), SpokenScreen(paper), script=True, session=SpokenTurnSession
    )
    assert await terminal.run() == ENDED
    return paper.getvalue().splitlines()


async def test_every_line_is_a_sentence_without_signs_for_eyes() -> None:
    said = await spoken("map", "contacts", "ready", "preview S1 visual 3box E4", "ready", "ready")
    assert said
    for line in said:
        assert line == line.strip()
        assert line[-1] in ".!?:"
        assert "  " not in line
        assert line.isascii()


async def test_own_pieces_come_before_the_others_and_the_question_is_last() -> None:
    said = await spoken("ready", "ready", "ready")
    first = said[said.index("Turn 4 of 20: plot.") :]
    places = [
        next(n for n, line in enumerate(first) if line.startswith(start))
        for start in ("Own ships:", "S1 Kite", "S2 Moth", "Contacts:", "C3", "Your orders")
    ]
    assert places == sorted(places)


async def test_who_asks_for_a_map_hears_where_to_ask() -> None:
    said = await spoken("map", "ready", "ready", "ready")
    assert aloud(NO_MAP) in said


async def test_a_preview_is_said_without_the_map() -> None:
    said = await spoken("ready", "preview S1 visual 3box E4", "ready", "ready")
    at = said.index("You typed preview S1 visual 3box E4.")
    assert said[at + 1].startswith("If you commit scan S1")
    assert said[-1].startswith("Points: ")
