"""The terms of a match as the terminal tells them: every option that is not the usual one."""

from builders.data import read, scenario
from sunglare_client.text.terms import is_unusual, term_lines
from sunglare_protocol.messages import ScenarioCard
from sunglare_server.match.data.options import MatchOptions, OptionValue, chosen
from sunglare_server.ports.cards import scenario_card


def card(**wish: OptionValue) -> ScenarioCard:
    """Return the card of a match with these options."""
    options = chosen({}, wish)
    assert isinstance(options, MatchOptions)
    return scenario_card(read(scenario()), options)


def test_the_usual_options_are_the_clock_alone() -> None:
    assert term_lines(card()) == ["clock: friendly"]
    assert term_lines(card(clock="standard")) == ["clock: standard"]
    assert not is_unusual(card(clock="standard"))


def test_every_other_option_is_told_with_its_value() -> None:
    found = card(clock="demo", truth_feed="yes", omni_delay_s=0, sweep_six="strict")
    assert term_lines(found) == [
        "clock: demo",
        "unusual: sweep_six strict, truth_feed yes, omni_delay_s 0",
    ]
    assert is_unusual(found)
