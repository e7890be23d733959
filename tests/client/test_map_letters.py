"""A command that is typed while the map has the keys stands in the line whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.fullscreens import TITLE, stage_of
from builders.terminals import view
from client.test_keys_in_order import Standing, rushed
from sunglare_client.fullscreen.keys import LOOKING
from sunglare_client.fullscreen.mapletters import MapLetters
from sunglare_client.fullscreen.playing import Playing
from sunglare_client.verbs.table import VERBS

NAMES = tuple(verb.name for verb in VERBS)
WORDS = tuple(word for verb in VERBS for word in (verb.name, verb.alias) if word.isalpha())

TWO_READINGS = {
    "de": "e",
    "la": "a",
    "st": "t",
    "wk": "k",
    "df": "f",
    "le": "e",
    "ma": "a",
    "ly": "y",
    "su": "u",
}
"""Words that are verbs without their first letter too, which is a key of the map."""


def letters(taken: str) -> MapLetters:
    found = MapLetters()
    for letter in taken:
        found.take(letter)
    return found


@pytest.mark.parametrize(
    ("taken", "word", "meant"),
    [
        pytest.param("s", "can", "scan", id="one letter"),
        pytest.param("sw", "eep", "sweep", id="two letters"),
        pytest.param("nns", "can", "scan", id="letters that looked before"),
        pytest.param("s", "cloak", "cloak", id="a verb by itself"),
        pytest.param("g", "o", "go", id="a name before an alias"),
        pytest.param("l", "a", "a", id="an alias by itself"),
        pytest.param("s", "urf", "surf", id="the beginning of a verb"),
        pytest.param("s", "xyz", "xyz", id="no verb either way"),
        pytest.param("", "can", "can", id="no letters"),
        pytest.param("s", "CAN", "sCAN", id="in capitals"),
        pytest.param("sn", "", "sn", id="letters of the map alone"),
    ],
)
def test_a_word_gets_the_letters_back_that_make_it_a_verb(
    taken: str, word: str, meant: str
) -> None:
    assert letters(taken).completed(word) == meant


def test_letters_are_forgotten_with_any_other_key() -> None:
    found = letters("s")
    found.forget()
    assert found.completed("can") == "can"
    assert not found.begins_verb("i")


@given(st.sampled_from(NAMES), st.text(LOOKING, max_size=4))
def test_no_letter_of_a_verb_is_lost_after_keys_that_looked(name: str, before: str) -> None:
    found, line = letters(before), ""
    for letter in name:
        if not line and letter in LOOKING:
            found.take(letter)
        else:
            assert line or found.begins_verb(letter)
            line += letter
    assert found.completed(line) == name


@pytest.mark.parametrize(
    "words", [("de", "sweep", "note", "walk", "l"), WORDS], ids=["a few", "all"]
)
async def test_every_verb_that_begins_with_a_key_of_the_map_stands_in_the_line_whole(
    words: tuple[str, ...],
) -> None:
    seen = view()
    async with stage_of() as (stage, board, _):
        stage.scene = Playing(Standing(seen), TITLE)
        stood = {}
        begun = [word for word in words if word[0] in LOOKING]
        for word in begun:
            await rushed(board, "f1", *word, "space")
            stood[word] = board.line.value
            board.line.put("")
            await rushed(board, "escape")
        assert stood == {word: f"{TWO_READINGS.get(word, word)} " for word in begun}


LETTERS_BACK = {
    "an arrow in between": (("s", "up", *"can", "space"), "can "),
    "still within the word": (("s", *"xan", "backspace"), "a"),
    "erased": (("s", *"xbn", "backspace", "backspace", *"can", "space"), "can "),
    "Escape in between": (("s", *"can", "escape", "space"), "can "),
    "completed": (("s", *"ca", "tab"), "sca"),
    "an alias that is a key of the map": (("s", "space"), "s "),
    "a blank alone": (("up", "space"), ""),
}
"""Keys that are pressed while the map has them, and what stands in the line then."""


async def test_the_line_gets_letters_back_only_if_they_came_directly_before() -> None:
    async with stage_of() as (stage, board, _):
        stage.scene = Playing(Standing(view()), TITLE)
        stood = {}
        for name, (keys, _) in LETTERS_BACK.items():
            await rushed(board, "f1", *keys)
            stood[name] = board.line.value
            board.line.put("")
            await rushed(board, "escape")
        assert stood == {name: stands for name, (_, stands) in LETTERS_BACK.items()}


async def test_letters_never_go_into_a_line_that_had_begun() -> None:
    async with stage_of() as (stage, board, _):
        stage.scene = Playing(Standing(view()), TITLE)
        await rushed(board, "c", "f1", "s", "a", "n", "space")
        assert board.line.value == "can "
