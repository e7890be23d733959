"""The one door for text that people write, and the key by which two names are one."""

import unicodedata

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

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


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Kite", "Kite"),
        ("  Kite \n", "Kite"),
        ("Kite and Lark", "Kite and Lark"),
        ("Zoe\u0308", "Zo\u00eb"),
        ("\u00c5ngstr\u00f6m", "\u00c5ngstr\u00f6m"),
        ("\u212b", "\u00c5"),
        ("\u0418\u0432\u0430\u043d", "\u0418\u0432\u0430\u043d"),
        ("\u6731\u96c0", "\u6731\u96c0"),
        ("\U0001f680", "\U0001f680"),
        ("Vi\u1ec7t", "Vi\u1ec7t"),
        ("q\u0323\u0301", "q\u0323\u0301"),
        ("\u1fa7", "\u1fa7"),
        (
            "\u0939\u093f\u0928\u094d\u0926\u0940\u0902",
            "\u0939\u093f\u0928\u094d\u0926\u0940\u0902",
        ),
        ("\u0e17\u0e35\u0e48", "\u0e17\u0e35\u0e48"),
        (
            "\u1000\u103c\u1031\u102c\u1004\u1037\u103a",
            "\u1000\u103c\u1031\u102c\u1004\u1037\u103a",
        ),
        ("x" * 24, "x" * 24),
    ],
    ids=[
        "plain",
        "outer blanks",
        "inner blanks",
        "composed",
        "composed already",
        "canonical equivalent",
        "Cyrillic",
        "Chinese",
        "outside the basic plane",
        "Vietnamese",
        "two marks",
        "three marks in one character",
        "Hindi",
        "Thai",
        "Burmese",
        "longest",
    ],
)
def test_text_is_taken_in_nfc_without_outer_blanks(text: str, found: str) -> None:
    assert clean(text, NAME_MOST) == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "\n\t",
        "x" * 25,
        "x" * 1_000_000,
        "a\x00b",
        "a\x1b[2Jb",
        "a\nb",
        "a\x7fb",
        "a\x85b",
        "a\u202eb",
        "a\u2066b",
        "a\u200fb",
        "a\u200bb",
        "\ufeffab",
        "a\u00adb",
        "a\u2028b",
        "a\u2029b",
        "a\ue000b",
        "a\U000f0000b",
        "a\ud800b",
        "a\uffffb",
        "a\u0378b",
        "a\U000e0041b",
        "a\u2800b",
        "\u3164",
        "a\u115fb",
        "a\u1160b",
        "a\uffa0b",
        "a\u034fb",
        "a\ufe0fb",
        "a\u180bb",
        "a\U000e0101b",
        "a\ufffcb",
        "a\u0300\u0316\u0317b",
        "\u1ec7\u0301b",
        "\u0300\u0316\u0317b",
        "a\u20dd\u20dd\u20ddb",
    ],
    ids=[
        "empty",
        "blank",
        "line ends alone",
        "too long",
        "far too long",
        "null",
        "escape sequence",
        "line feed",
        "delete",
        "next line",
        "right-to-left override",
        "isolate",
        "right-to-left mark",
        "zero width space",
        "byte order mark",
        "soft hyphen",
        "line separator",
        "paragraph separator",
        "private use",
        "private use plane",
        "lone surrogate",
        "no character",
        "unassigned",
        "tag letter",
        "blank Braille",
        "Hangul filler",
        "filler of a first sound",
        "filler of a vowel",
        "half-width filler",
        "grapheme joiner",
        "variation selector",
        "Mongolian selector",
        "further variation selector",
        "object that is none",
        "three marks",
        "a mark on a letter with two of its own",
        "three marks on nothing",
        "three circles",
    ],
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


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Kite", "KITE"),
        ("Kite", "kite"),
        ("stra\u00dfe", "STRASSE"),
        ("\uff2b\uff49\uff54\uff45", "kite"),
        ("Ki te", "Ki  te"),
        ("Ki te", "Ki\u00a0te"),
        ("Ki te", "ki\u3000TE"),
        ("Zoe\u0308", "ZO\u00cb"),
        ("\ufb01n", "FIN"),
        ("\u03c3", "\u03c2"),
    ],
    ids=[
        "capitals",
        "one capital",
        "sharp s",
        "full width",
        "two blanks",
        "no-break space",
        "wide space",
        "composed",
        "ligature",
        "final sigma",
    ],
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
