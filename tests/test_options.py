"""Match options: the table of meanings, the defaults, and what is refused."""

from typing import get_args, get_type_hints

import msgspec
import pytest

from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.match.clocks import PRESETS
from sunglare_server.match.options import (
    MEANINGS,
    ClockName,
    MatchOptions,
    OptionValue,
    chosen,
    shown,
)


def taken(**wish: OptionValue) -> MatchOptions:
    found = chosen({}, wish)
    assert isinstance(found, MatchOptions)
    return found


def refused(**wish: OptionValue) -> Rejected:
    found = chosen({}, wish)
    assert isinstance(found, Rejected)
    return found


def test_the_table_has_a_row_for_every_option_and_no_more() -> None:
    assert tuple(MEANINGS) == MatchOptions.__struct_fields__


@pytest.mark.parametrize("name", list(MEANINGS))
def test_every_option_has_values_a_line_of_meaning_and_a_source(name: str) -> None:
    meaning = MEANINGS[name]
    assert meaning.values
    assert meaning.text
    assert "\n" not in meaning.text
    assert meaning.source


@pytest.mark.parametrize(
    ("name", "default"),
    [
        ("scan_slots", "sequential"),
        ("contact_values", "no"),
        ("passive_reveals", "nearest"),
        ("tracker_mode", "window"),
        ("sweep_six", "reminder"),
        ("noise_blinds", "self"),
        ("cloak_variant", "return_fire"),
        ("wave_gun_blinds", "no"),
        ("pad_frames", "auto"),
        ("afk", "auto"),
        ("readiness", "auto"),
    ],
)
def test_the_first_value_is_the_default(name: str, default: str) -> None:
    assert getattr(MatchOptions(), name) == default
    assert MEANINGS[name].values.split(" | ")[0] == default


@pytest.mark.parametrize("name", [each for each in MEANINGS if " | " in MEANINGS[each].values])
def test_the_table_lists_exactly_the_words_that_are_taken(name: str) -> None:
    words = MEANINGS[name].values.split(" | ")
    assert set(words) == set(get_args(get_type_hints(MatchOptions)[name]))
    for word in words:
        assert getattr(taken(**{name: word}), name) == word


def test_every_clock_has_a_preset() -> None:
    assert set(get_args(ClockName)) == set(PRESETS)


@pytest.mark.parametrize("name", ["scan_slot", "", "SCAN_SLOTS", "seed"])
def test_an_unknown_option_is_refused_with_the_known_ones(name: str) -> None:
    found = refused(**{name: "yes"})
    assert found.code is Code.OPTION_UNKNOWN
    assert found.choices == tuple(MEANINGS)
    assert name in found.at


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("scan_slots", "open"),
        ("scan_slots", True),
        ("contact_values", True),
        ("contact_values", "maybe"),
        ("clock", "fast"),
        ("clock", 3),
        ("omni_delay_turns", -1),
        ("omni_delay_turns", "1"),
        ("omni_delay_turns", True),
        ("omni_delay_turns", 10**30),
        ("omni_delay_s", -5),
        ("pad_frames", 256),
    ],
)
def test_a_wrong_value_is_refused_with_the_values_there_are(name: str, value: OptionValue) -> None:
    found = refused(**{name: value})
    assert found.code is Code.OPTION_VALUE
    assert found.at == f"$.options.{name}"
    assert MEANINGS[name].values in found.text


@pytest.mark.parametrize("name", ["omni_delay_turns", "omni_delay_s"])
@pytest.mark.parametrize("value", [0, 1, 300])
def test_the_delays_of_the_truth_feed_are_numbers_from_0(name: str, value: int) -> None:
    assert getattr(taken(**{name: value}), name) == value


def test_the_wish_of_the_creator_goes_before_the_scenario() -> None:
    base: dict[str, OptionValue] = {"contact_values": "yes", "clock": "blitz"}
    found = chosen(base, {"clock": "demo"})
    assert isinstance(found, MatchOptions)
    assert (found.contact_values, found.clock) == ("yes", "demo")


def test_correspondence_seals_the_scan_slots() -> None:
    assert taken(clock="correspondence").scan_slots == "sealed"
    assert taken(clock="correspondence", scan_slots="sequential").scan_slots == "sealed"


def test_the_options_in_force_are_shown_as_text_for_every_name() -> None:
    assert shown(taken(contact_values="yes", omni_delay_turns=3)) == {
        "scan_slots": "sequential",
        "contact_values": "yes",
        "passive_reveals": "nearest",
        "tracker_mode": "window",
        "sweep_six": "reminder",
        "noise_blinds": "self",
        "cloak_variant": "return_fire",
        "wave_gun_blinds": "no",
        "clock": "friendly",
        "omni_delay_turns": "3",
        "omni_delay_s": "0",
        "pad_frames": "auto",
        "allowance_beats": "1",
        "afk": "auto",
        "readiness": "auto",
    }


def test_options_are_stored_strictly() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"unheard_of": 1}, MatchOptions)
