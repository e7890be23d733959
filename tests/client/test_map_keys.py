"""The legend of the full screen names every key of its map."""

from builders.fullscreens import full_screen_of
from builders.terminals import frame, view
from sunglare_client.fullscreen.keys import ON_MAP, POINTING_KEYS, keys_text
from sunglare_client.fullscreen.playing import KEYS

_NAMES = {"plus": "+", "equals_sign": "=", "minus": "-", "question_mark": "?", "enter": "Enter"}


def test_the_legend_of_a_match_ends_with_every_key_of_the_map() -> None:
    named = {word for text in POINTING_KEYS for word in text.replace("(", "").split()}
    for key in (*ON_MAP, *KEYS):
        arrow = key.removeprefix("shift+") in ("left", "right", "up", "down")
        assert arrow or _NAMES.get(key, key) in named, key
    assert "arrows" in keys_text("match")


async def test_a_question_mark_shows_the_keys_below_the_shapes() -> None:
    async with full_screen_of((frame(1, view()),), awaits=("4.plot",)) as shown:
        await shown.press("f1", "question_mark")
        assert keys_text("match") in shown.record
