"""Match options: the table of meanings, the defaults, and what is refused."""

from typing import get_args, get_type_hints

import msgspec
import pytest

from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.match.clock.presets import PRESETS
from sunglare_server.match.data.options import (
    MEANINGS,
    ClockName,
    MatchOptions,
    OptionValue,
    again,
    chosen,
    shown,
    truth_delay,
    unusual,
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


DEFAULTS = {
    "scan_slots": "sequential",
    "contact_values": "no",
    "passive_reveals": "nearest",
    "tracker_mode": "window",
    "sweep_six": "reminder",
    "noise_blinds": "all",
    "cloak_variant": "return_fire",
    "wave_gun_blinds": "no",
    "truth_feed": "no",
    "caster": "no",
    "pad_frames": "auto",
    "afk": "auto",
    "readiness": "auto",
}


@pytest.mark.parametrize(("name", "default"), DEFAULTS.items())
def test_the_first_value_is_the_default(name: str, default: str) -> None:
    assert getattr(MatchOptions(), name) == default
    assert MEANINGS[name].values.split(" | ")[0] == default


@pytest.mark.parametrize(
    "name", [option for option in MEANINGS if " | " in MEANINGS[option].values]
)
def test_the_table_lists_exactly_the_words_that_are_taken(name: str) -> None:
    words = MEANINGS[name].values.split(" | ")
    assert set(words) == set(get_args(get_type_hints(MatchOptions)[name]))
    for word in words:
        # The feed of the truth is for clocks that are not rated.
        clock: dict[str, OptionValue] = {} if name == "clock" else {"clock": "test"}
        assert getattr(taken(**{**clock, name: word}), name) == word


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
    assert getattr(taken(clock="test", **{name: value}), name) == value


RATED = ("blitz", "standard", "correspondence")
FREE = ("arena", "demo", "local", "test")


def delay_of(options: MatchOptions) -> tuple[int, int]:
    """Return the delay of the truth feed in turns and seconds."""
    return options.omni_delay_turns, options.omni_delay_s


def test_every_clock_is_rated_or_for_friends_or_neither() -> None:
    assert {*RATED, *FREE, "friendly"} == set(PRESETS)
    assert [name for name, preset in PRESETS.items() if preset.is_rated] == [
        name for name in PRESETS if name in RATED
    ]
    assert [name for name, preset in PRESETS.items() if not preset.on_beat] == [
        name for name in PRESETS if name in FREE
    ]


@pytest.mark.parametrize("clock", RATED)
def test_a_rated_match_has_no_truth_feed(clock: str) -> None:
    found = refused(clock=clock, truth_feed="yes")
    assert (found.code, found.at) == (Code.OPTION_VALUE, "$.options.truth_feed")
    assert found.detail == f"With the clock {clock} it must be `no`."
    assert chosen({"truth_feed": "yes"}, {"clock": clock}) == found
    assert truth_delay(taken(clock=clock)) is None


@pytest.mark.parametrize("clock", [*FREE, "friendly"])
def test_the_truth_feed_is_closed_unless_the_match_was_created_with_it(clock: str) -> None:
    assert truth_delay(taken(clock=clock)) is None
    assert truth_delay(taken(clock=clock, omni_delay_turns=9)) is None
    assert truth_delay(taken(clock=clock, truth_feed="yes")) is not None


@pytest.mark.parametrize(
    ("clock", "delay"), [("friendly", (3, 0)), *((clock, (3, 300)) for clock in FREE)]
)
def test_the_truth_lags_by_three_turns_and_unless_friends_play_by_five_minutes(
    clock: str, delay: tuple[int, int]
) -> None:
    assert delay_of(taken(clock=clock, truth_feed="yes")) == delay
    found = truth_delay(taken(clock=clock, truth_feed="yes"))
    assert found is not None
    assert (found.turns, found.seconds) == delay


@pytest.mark.parametrize("clock", [*RATED, "friendly"])
@pytest.mark.parametrize(("name", "least"), [("omni_delay_turns", 3), ("omni_delay_s", 300)])
def test_a_creator_may_raise_a_delay_and_never_lower_it(clock: str, name: str, least: int) -> None:
    least = 0 if (clock, name) == ("friendly", "omni_delay_s") else least
    assert getattr(taken(clock=clock, **{name: least + 1}), name) == least + 1
    for less in range(least):
        found = refused(clock=clock, **{name: less})
        assert (found.code, found.at) == (Code.OPTION_VALUE, f"$.options.{name}")
        assert found.detail == f"With the clock {clock} {name} must be at least {least}."


def test_what_a_scenario_says_of_a_delay_counts_before_the_clock_s() -> None:
    found = chosen({"omni_delay_s": 7}, {"clock": "test"})
    assert isinstance(found, MatchOptions)
    assert delay_of(found) == (3, 7)


def test_the_defaults_are_what_is_chosen_without_a_wish() -> None:
    assert taken() == MatchOptions()


@pytest.mark.parametrize("clock", sorted(PRESETS))
def test_the_same_options_can_be_wished_for_again(clock: str) -> None:
    options = taken(clock=clock)
    assert chosen({}, again(options)) == options
    # Of a match from before there was a least delay.
    short = msgspec.structs.replace(options, omni_delay_turns=1, omni_delay_s=0)
    found = chosen({}, again(short))
    assert isinstance(found, MatchOptions)
    assert found.omni_delay_turns >= PRESETS[clock].truth_least.turns


def test_options_that_are_not_the_default_are_named_in_the_order_of_the_table() -> None:
    assert unusual(taken()) == ()
    assert unusual(taken(clock="standard")) == ("clock",)
    assert unusual(taken(clock="correspondence")) == ("clock",)
    assert unusual(taken(truth_feed="yes", sweep_six="strict", caster="yes")) == (
        "sweep_six",
        "truth_feed",
        "caster",
    )
    found = taken(clock="test", truth_feed="yes", omni_delay_turns=0, omni_delay_s=0)
    assert unusual(found) == ("clock", "truth_feed", "omni_delay_turns", "omni_delay_s")


def test_the_wish_of_the_creator_goes_before_the_scenario() -> None:
    base: dict[str, OptionValue] = {"contact_values": "yes", "clock": "blitz"}
    found = chosen(base, {"clock": "demo"})
    assert isinstance(found, MatchOptions)
    assert (found.contact_values, found.clock) == ("yes", "demo")


def test_correspondence_seals_the_scan_slots() -> None:
    assert taken(clock="correspondence").scan_slots == "sealed"
    assert taken(clock="correspondence", scan_slots="sequential").scan_slots == "sealed"


def test_the_options_in_force_are_shown_as_text_for_every_name() -> None:
    found = shown(taken(contact_values="yes", omni_delay_turns=4))
    others = {"clock": "friendly", "omni_delay_turns": "4", "omni_delay_s": "0"}
    wished = {"contact_values": "yes", "allowance_beats": "1"}
    assert found == {**DEFAULTS, **others, **wished}


def test_options_are_stored_strictly() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"unheard_of": 1}, MatchOptions)
