"""Names: highly restrictive scripts, none that looks like one that is taken or kept back."""

import tracemalloc
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.text import NAME_MOST, clean
from sunglare_server.accounts.confusables import looks, skeleton
from sunglare_server.accounts.names import Names, guest_name
from sunglare_server.accounts.role_names import RESERVED
from sunglare_server.accounts.scripts import is_highly_restrictive
from sunglare_server.config import HOUSE_BOTS


@pytest.mark.parametrize(
    "text",
    [
        "Kite 7",
        "Zoë",
        "Ярослав",
        "Αθηνά",
        "朱雀",
        "朱雀ひめカイトー",
        "ラーメン",
        "김철수 金哲洙",
        "ㄅㄆ朱",
        "हिन्दी।",
        "שלום",
        "🚀 2",
        "ᚠᚢᚦ",
    ],
)
def test_a_name_of_one_script_is_taken(text: str) -> None:
    assert is_highly_restrictive(text)


@pytest.mark.parametrize(
    "name", ["アダAda", "Kite 朱雀", "aー", "Ada ひめ カイト 朱", "김Kim金", "Bo ㄅ朱"]
)
def test_a_name_mixes_latin_with_the_scripts_of_one_language_of_east_asia(name: str) -> None:
    assert Names(()).fit(name, None) == name


MIXED = {
    "Cyrillic e": "Kit\u0435",
    "Greek Kappa": "\u039aite",
    "Japanese with Korean": "ひめ김",
    "Japanese with Korean and Latin": "Kim ひめ김",
    "Bopomofo with Japanese": "ㄅひ",
    "Bopomofo with Korean": "ㄅ김",
    "Japanese with Cyrillic": "ひ\u0435",
    "Japanese with Latin and one Cyrillic letter": "アダAd\u0430",
    "Chinese with Greek": "朱α",
    "Latin a": "\u042f\u0440\u043e\u0441\u043ba\u0432",
    "Hebrew": "Kite\u05d0",
    "no letter": "\u0378",
}


@pytest.mark.parametrize("text", MIXED.values(), ids=MIXED)
def test_a_name_that_mixes_scripts_is_refused(text: str) -> None:
    assert not is_highly_restrictive(text)
    assert Names(()).fit(text, None) == Rejected(
        code=Code.TEXT_UNFIT if text == "\u0378" else Code.NAME_SCRIPTS, at="$.name"
    )


def test_every_letter_that_python_knows_is_of_a_script_that_is_listed() -> None:
    letters = [chr(code) for code in range(0x110000)]
    known = [letter for letter in letters if unicodedata.category(letter)[0] != "C"]
    assert [letter for letter in known if not is_highly_restrictive(letter)] == []


@given(st.lists(st.sampled_from("aé\u0435\u03b1朱ひカ김ㄅ7 ")))
def test_a_part_of_a_name_that_mixes_no_scripts_mixes_none(letters: list[str]) -> None:
    text = "".join(letters)
    if is_highly_restrictive(text):
        assert all(is_highly_restrictive(text[:end]) for end in range(len(text)))


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Kite", "KITE"),
        ("Kite", "Κιτε"),
        ("ace", "\u0430\u0441\u0435"),
        ("Moon", "M00n"),
        ("modern", "modem"),
        ("Alice", "AIice"),
        ("ALICE", "aIice"),
        ("admin", "ADMlN"),
        ("paul", "pau1"),
        ("Kite", "Ki\u0442e"),
        ("Kite", "\U0001d40a\U0001d422\U0001d42d\U0001d41e"),
        ("Ki te", "Ki\u2002te"),
    ],
)
def test_names_that_look_alike_have_a_look_in_common(name: str, other: str) -> None:
    assert any(look in looks(other) for look in looks(name))


@pytest.mark.parametrize(
    ("name", "other"),
    [("Kite", "Kit"), ("anna", "anne"), ("nora", "\u043d\u043e\u0440\u0430"), ("Zoe", "Zoë")],
)
def test_other_names_have_no_look_in_common(name: str, other: str) -> None:
    assert not [look for look in looks(name) if look in looks(other)]


@given(st.text(max_size=NAME_MOST))
def test_a_skeleton_looks_like_itself(text: str) -> None:
    assert skeleton(skeleton(text)) == skeleton(text)


@pytest.mark.parametrize(
    "name", [*RESERVED, *HOUSE_BOTS, "0perator", "ADMlN", "SERVER", "Sorneone"]
)
def test_what_could_be_the_server_or_a_house_bot_is_kept_back(name: str) -> None:
    assert Names(HOUSE_BOTS).fit(name, None) == Rejected(code=Code.NAME_RESERVED, at="$.name")


@pytest.mark.parametrize(
    "name",
    [
        "operator: hi",
        "the operator",
        "[Server] closes",
        "\u041ep\u0435rator",
        "Moderator",
        "someone else",
        "truth Bob",
        "TRUTH",
        "public",
        "omni",
        "caster-1",
        "system: bye",
        "bot",
        "B0T 7",
        "Ada (bot)",
        "Ada \uff08bot\uff09",
        "A",
        "a",
        "\u0410",
        "[D]",
        "C: hi",
        "B\uff1a hi",
    ],
)
def test_a_name_that_reads_as_the_server_a_role_or_a_side_is_refused(name: str) -> None:
    refused = {Code.NAME_RESERVED, Code.NAME_SCRIPTS}
    fit = Names(HOUSE_BOTS).fit(name, None)
    assert isinstance(fit, Rejected)
    assert fit.code in refused


@pytest.mark.parametrize(
    "name",
    [
        "A. Smith",
        "Team A",
        "A Fine Day",
        "E",
        "night-bot",
        "Botany Bay",
        "Serverin",
        "Going Public",
        "Áda",
        "...",
    ],
)
def test_a_name_that_only_has_a_part_of_such_a_word_or_another_place_for_it_is_taken(
    name: str,
) -> None:
    assert Names(HOUSE_BOTS).fit(name, None) == name


@pytest.mark.parametrize("name", ["guest-0011aabb", "Guest-0011aabb", "GUEST-", "guest-Anna"])
def test_nobody_chooses_a_name_that_begins_as_a_guests(name: str) -> None:
    assert Names(()).fit(name, None) == Rejected(code=Code.NAME_RESERVED, at="$.name")


@pytest.mark.parametrize("name", ["guest", "Guest Anna", "a guest-1"])
def test_who_is_no_guest_may_have_the_word_in_a_name(name: str) -> None:
    assert Names(()).fit(name, None) == name


def test_names_of_guests_take_no_memory_however_many_came() -> None:
    names = Names(())
    tracemalloc.start()
    try:
        for number in range(1000):
            names.take(f"account {number}", guest_name(number.to_bytes(4)))
        left = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert left < 10_000


def test_a_guest_who_chooses_a_name_has_it_and_one_who_is_a_guest_again_has_not() -> None:
    names = Names(())
    names.take("one", guest_name(bytes(4)))
    names.take("one", "Moon")
    assert isinstance(names.fit("M00N", "two"), Rejected)
    names.take("one", guest_name(bytes(4)))
    assert names.fit("M00N", "two") == "M00N"


def test_a_name_is_taken_with_all_that_look_like_it_until_it_is_given_up() -> None:
    names = Names(())
    names.take("one", "Moon")
    assert names.fit("M00N", "two") == Rejected(code=Code.NAME_TAKEN, at="$.name")
    assert names.fit("M00N", "one") == "M00N"
    names.take("one", "Lark")
    assert names.fit("M00N", "two") == "M00N"
    names.drop("one")
    assert names.fit("1ark", "two") == "1ark"


def test_of_two_old_names_that_look_alike_both_stay_taken() -> None:
    names = Names(())
    names.take("one", "Moon")
    names.take("two", "M00n")
    names.drop("one")
    assert isinstance(names.fit("moon", "three"), Rejected)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.text(min_size=1, max_size=6)), max_size=12))
def test_nobody_gets_a_name_that_looks_like_anothers(wishes: list[tuple[str, str]]) -> None:
    names, held = Names(()), dict[str, str]()
    for account, wish in wishes:
        got = names.fit(wish, account)
        if isinstance(got, str):
            assert got == clean(wish, NAME_MOST)
            names.take(account, got)
            held[account] = got
    for one in held:
        others = [held[other] for other in held if other != one]
        assert not [
            name for name in others if any(look in looks(name) for look in looks(held[one]))
        ]
