"""The table of sentences: how fields and choices are read, and what is wrong with others."""

import json
import re
from collections.abc import Sequence
from enum import Enum
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from hypothesis import strategies as st

from builders.drawn import Values, messages
from sunglare_client.text.sentences import SentenceError, read_table
from sunglare_page import FOLDER
from sunglare_protocol.notices import BombardResult, Notice

KINDS: list[type[msgspec.Struct]] = [
    kind for part in get_args(Notice) for kind in get_args(part) or (part,)
]
NAMES = re.compile(r"[{[]([a-z_]+)[a-z_.]*(?:[|?=][a-z_]*(?: ([a-z_]+)})?|})")
FILE = (FOLDER / "story" / "sentences.js").read_text(encoding="utf-8")
TABLE = msgspec.json.decode(FILE.partition("export default ")[2])


def one_of_each(values: Values) -> st.SearchStrategy[tuple[Notice, ...]]:
    """Return a strategy for notices of every kind, one of each."""
    return st.deferred(
        lambda: st.tuples(*(messages(kind, values).filter(_is_whole) for kind in KINDS))
    )


def _is_whole(notice: object) -> bool:
    """Return whether a bombardment says of each piece what it took, as every server does."""
    return not isinstance(notice, BombardResult) or len(notice.harmed) == len(notice.damage)


def told(said: str, **fields: Any) -> str:
    """Return what a sentence makes of these fields; `yes` and `no` are words of its table."""
    file = {
        "words": {"answer": {"y": "yes", "n": "no"}},
        "parts": {"pair": "{one} and {two}"},
        "sentences": {"kind": said},
    }
    text = "export default " + msgspec.json.encode(file).decode()
    return read_table(text).sentences["kind"](fields)


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("a | b, c?", "a | b, c?"),
        ("{ship} and {absent}.", "S1 and ."),
        ("{place.body}", "Ceres"),
        ("{fix|upper} by {by|and}", "FIX by visual hull and ir"),
        ("{reply|answer}", "yes"),
        ("{both|pair}", "1 and 2"),
        ("{dice|row} {none|row}", "5 4 "),
        ("{none|count} {none|length}", "0 0"),
    ],
)
def test_a_field_is_written_in_its_form(said: str, line: str) -> None:
    assert (
        told(
            said,
            ship="S1",
            place={"body": "Ceres"},
            fix="fix",
            by=["visual_hull", "ir"],
            reply="y",
            both={"one": 1, "two": 2},
            dice=[5, 4],
        )
        == line
    )


@pytest.mark.parametrize(
    ("value", "there", "something"),
    [
        (None, "no", "no"),
        (0, "yes", "no"),
        (False, "yes", "no"),
        ([], "yes", "no"),
        ("", "yes", "no"),
        (7, "yes", "yes"),
        (True, "yes", "yes"),
        (["a"], "yes", "yes"),
    ],
)
def test_a_choice_asks_whether_a_field_is_there_or_holds_something(
    value: object, there: str, something: str
) -> None:
    assert told("[it??yes|no]", it=value) == there
    assert told("[it?yes|no]", it=value) == something
    assert told("[it?yes]", it=value) == ("yes" if something == "yes" else "")


def test_choices_stand_in_one_another_and_ask_for_words() -> None:
    said = "[cause=lost?silent[by? by {by}]|gone[cause?: {cause}]]"
    assert told(said, cause="lost") == "silent"
    assert told(said, cause="lost", by="B") == "silent by B"
    assert told(said, cause="fire") == "gone: fire"
    assert told(said) == "gone"


@pytest.mark.parametrize(
    ("said", "place", "what"),
    [
        ("a {b", 2, "neither"),
        ("{B}", 0, "neither"),
        ("[a]", 0, "neither"),
        ("a]", 1, "neither"),
        ("[a?b", 4, "not closed"),
        ("{a|b}", 5, "no form b"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(said: str, place: int, what: str) -> None:
    with pytest.raises(SentenceError, match=rf"kind, letter {place}: .*{what}"):
        told(said)


def test_every_kind_of_notice_has_one_sentence() -> None:
    assert set(TABLE["sentences"]) == {kind.__struct_config__.tag for kind in KINDS}


def test_a_sentence_names_fields_of_its_notice_alone() -> None:
    unknown = {kind.__name__: named_in_sentence(kind) - fields_of(kind) for kind in KINDS}
    assert unknown
    assert not {kind: names for kind, names in unknown.items() if names}


def named_in_sentence(kind: type[msgspec.Struct]) -> set[str]:
    """Return the fields that the sentence of a notice names."""
    said = TABLE["sentences"][kind.__struct_config__.tag]
    return {name for pair in NAMES.findall(said) for name in pair if name}


def fields_of(kind: type[msgspec.Struct]) -> set[str]:
    """Return the fields that a notice has on the wire."""
    return {field.encode_name for field in msgspec.structs.fields(kind)}


def test_nothing_stands_twice_in_the_table() -> None:
    def once(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
        names = [name for name, _ in pairs]
        assert len(set(names)) == len(names), names
        return dict(pairs)

    json.loads(FILE.partition("export default ")[2], object_pairs_hook=once)


SAID_IN_WORDS = [
    (kind, field, form)
    for kind in KINDS
    for field, form in re.findall(
        r"\{([a-z_]+)\|([a-z_]+)\}", TABLE["sentences"][kind.__struct_config__.tag]
    )
    if form in TABLE["words"]
]


@pytest.mark.parametrize(("kind", "field", "form"), SAID_IN_WORDS)
def test_there_are_words_for_whatever_a_field_may_be(
    kind: type[msgspec.Struct], field: str, form: str
) -> None:
    words = get_type_hints(kind)[field]
    assert issubclass(words, Enum)
    assert set(TABLE["words"][form]) == {word.value for word in words}
