"""The one door for text that people write, and the key by which two names are one."""

import unicodedata

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from builders.cases import cases
from sunglare_protocol.text import (
    BRIEF_MOST,
    CHAT_MOST,
    NAME_MOST,
    TITLE_MOST,
    clean,
    is_ignorable,
    name_key,
)

OUT = ("Cf", "Cs", "Cn", "Co")
"""Refused whether or not they are ignorable."""


def test_the_lengths_that_are_taken() -> None:
    assert (NAME_MOST, CHAT_MOST, TITLE_MOST, BRIEF_MOST) == (24, 300, 60, 600)


@cases(
    ("text", "found"),
    {
        "plain": ("Kite", "Kite"),
        "outer blanks": ("  Kite \n", "Kite"),
        "inner blanks": ("Kite and Lark", "Kite and Lark"),
        "composed": ("Zoe\u0308", "Zo\u00eb"),
        "composed already": ("\u00c5ngstr\u00f6m", "\u00c5ngstr\u00f6m"),
        "canonical equivalent": ("\u212b", "\u00c5"),
        "Cyrillic": ("\u0418\u0432\u0430\u043d", "\u0418\u0432\u0430\u043d"),
        "Chinese": ("\u6731\u96c0", "\u6731\u96c0"),
        "outside the basic plane": ("\U0001f680", "\U0001f680"),
        "Vietnamese": ("Vi\u1ec7t", "Vi\u1ec7t"),
        "two marks": ("q\u0323\u0301", "q\u0323\u0301"),
        "three marks in one character": ("\u1fa7", "\u1fa7"),
        "Hindi": (
            "\u0939\u093f\u0928\u094d\u0926\u0940\u0902",
            "\u0939\u093f\u0928\u094d\u0926\u0940\u0902",
        ),
        "Thai": ("\u0e17\u0e35\u0e48", "\u0e17\u0e35\u0e48"),
        "Burmese": (
            "\u1000\u103c\u1031\u102c\u1004\u1037\u103a",
            "\u1000\u103c\u1031\u102c\u1004\u1037\u103a",
        ),
        "longest": ("x" * 24, "x" * 24),
    },
)
def test_text_is_taken_in_nfc_without_outer_blanks(text: str, found: str) -> None:
    assert clean(text, NAME_MOST) == found


@cases(
    "text",
    {
        "empty": "",
        "blank": "   ",
        "line ends alone": "\n\t",
        "too long": "x" * 25,
        "far too long": "x" * 1_000_000,
        "null": "a\x00b",
        "escape sequence": "a\x1b[2Jb",
        "line feed": "a\nb",
        "delete": "a\x7fb",
        "next line": "a\x85b",
        "right-to-left override": "a\u202eb",
        "isolate": "a\u2066b",
        "right-to-left mark": "a\u200fb",
        "zero width space": "a\u200bb",
        "byte order mark": "\ufeffab",
        "soft hyphen": "a\u00adb",
        "line separator": "a\u2028b",
        "paragraph separator": "a\u2029b",
        "private use": "a\ue000b",
        "private use plane": "a\U000f0000b",
        "lone surrogate": "a\ud800b",
        "no character": "a\uffffb",
        "unassigned": "a\u0378b",
        "tag letter": "a\U000e0041b",
        "blank Braille": "a\u2800b",
        "Hangul filler": "\u3164",
        "filler of a first sound": "a\u115fb",
        "filler of a vowel": "a\u1160b",
        "half-width filler": "a\uffa0b",
        "grapheme joiner": "a\u034fb",
        "variation selector": "a\ufe0fb",
        "Mongolian selector": "a\u180bb",
        "further variation selector": "a\U000e0101b",
        "object that is none": "a\ufffcb",
        "three marks": "a\u0300\u0316\u0317b",
        "a mark on a letter with two of its own": "\u1ec7\u0301b",
        "three marks on nothing": "\u0300\u0316\u0317b",
        "three circles": "a\u20dd\u20dd\u20ddb",
    },
)
def test_text_that_could_hide_or_break_something_is_not_taken(text: str) -> None:
    assert clean(text, NAME_MOST) is None


def test_the_ignorable_letters_are_those_of_unicode() -> None:
    listed = regex.compile(r"\p{DI}")
    kept = [
        letter for letter in map(chr, range(0x110000)) if unicodedata.category(letter) not in OUT
    ]
    wrong = [letter for letter in kept if bool(listed.match(letter)) != is_ignorable(letter)]
    assert wrong == []


@given(st.text(st.characters(), max_size=60), st.integers(1, 40))
def test_what_is_taken_is_fit_and_is_taken_again_unchanged(text: str, most: int) -> None:
    found = clean(text, most)
    if found is not None:
        assert 1 <= len(found) <= most
        assert found == found.strip()
        assert unicodedata.is_normalized("NFC", found)
        assert clean(found, most) == found
        assert all(unicodedata.category(letter)[0] != "C" for letter in found)
        found.encode()


@cases(
    ("one", "other"),
    {
        "capitals": ("Kite", "KITE"),
        "one capital": ("Kite", "kite"),
        "sharp s": ("stra\u00dfe", "STRASSE"),
        "full width": ("\uff2b\uff49\uff54\uff45", "kite"),
        "two blanks": ("Ki te", "Ki  te"),
        "no-break space": ("Ki te", "Ki\u00a0te"),
        "wide space": ("Ki te", "ki\u3000TE"),
        "composed": ("Zoe\u0308", "ZO\u00cb"),
        "ligature": ("\ufb01n", "FIN"),
        "final sigma": ("\u03c3", "\u03c2"),
    },
)
def test_names_that_agents_take_for_one_share_a_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Kite", "Kit"), ("Kite", "Ki te"), ("Zoe", "Zo\u00eb"), ("A1", "A2")]
)
def test_other_names_have_other_keys(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@given(st.text(max_size=40))
def test_a_key_is_its_own_key(text: str) -> None:
    assert name_key(name_key(text)) == name_key(text)


@given(st.text(max_size=40))
def test_case_makes_no_other_name(text: str) -> None:
    assert name_key(text) == name_key(text.casefold())
