"""Why a detected agent was not found: no search, a search in vain, or one for others."""

import re

import pytest
from msgspec.structs import replace

from builders.agents import AP1, FAR, GROUND_ALERT, IN_VAIN, agent, agents_truth
from builders.ground import unit
from builders.hindsight import told
from builders.truths import A, B
from sunglare_arena.hindsight.agents import missed_lines
from sunglare_protocol.ids import Side
from sunglare_protocol.words.ladder import Phase
from sunglare_server.match.events.agents import SearchTried
from sunglare_server.match.truth.agents import AgentTruth, SearchTruth
from sunglare_server.match.truth.truth import Truth

FOX = agent(A, 1, detected=True)


def town(*agents: AgentTruth, units: tuple[object, ...] = (), alert: bool = True) -> Truth:
    """Return A's agents and others on a site, near which an alert tells of A's."""
    search = SearchTruth(alerts=(GROUND_ALERT,) if alert else ())
    return replace(agents_truth(*agents, units=units), search=search)


def said(truth: Truth, *events: SearchTried) -> str:
    """Return what B is told of A's first agent in an ENGAGE."""
    return "\n".join(missed_lines(truth, B, truth.agents[AP1], events))


NO_SEARCH = {
    "nobody there": (town(FOX), "no piece of yours was there"),
    "beside": (town(FOX, agent(B, 1, FAR, intelligence=3)), "no piece of yours was there"),
    "no value": (
        town(FOX, agent(B, 1, intelligence=0)),
        "your value there was 0, and 1 is needed",
    ),
    "no order": (
        town(FOX, agent(B, 1, intelligence=1)),
        "you gave no order, and your value there was 1",
    ),
    # Rifles of AF 3, and who leads them.
    "troops and their leader": (
        town(FOX, agent(B, 1, leadership=2, stacked=1), units=(unit(B),)),
        "you gave no order, and your value there was 5",
    ),
}


@pytest.mark.parametrize(("truth", "words"), NO_SEARCH.values(), ids=NO_SEARCH)
def test_a_search_that_was_not_made_is_told_with_what_stood_against_it(
    truth: Truth, words: str
) -> None:
    assert said(truth) == f"you did not search Ceres 1: {words} (search §2)"


@pytest.mark.parametrize(
    "truth",
    [
        pytest.param(town(replace(FOX, detected=False), agent(B, 1)), id="undetected"),
        pytest.param(town(agent(A, 1, detected=True, captor=B), agent(B, 1)), id="a prisoner"),
        pytest.param(town(FOX, agent(B, 1), alert=False), id="no alert yet"),
    ],
)
def test_of_whom_no_search_could_be_for_nothing_is_said(truth: Truth) -> None:
    assert said(truth) == ""


def test_a_search_that_could_find_him_is_left_to_its_own_line() -> None:
    assert said(town(FOX, agent(B, 1)), IN_VAIN) == ""


def test_a_search_that_was_not_for_him_is_told_with_the_reason() -> None:
    others = replace(IN_VAIN, group=(), die=None, needed=None)
    stacked = replace(FOX, stacked=unit(A).id)
    assert said(town(stacked, agent(B, 1), units=(unit(A),)), others) == (
        "no search found him, for he was stacked with troops (search §2)"
    )
    assert said(town(FOX, agent(B, 1)), replace(others, mission=2)) == (
        "no search found him, for it was for another group (search §2)"
    )


def test_searches_elsewhere_of_others_or_for_others_do_not_count() -> None:
    truth = town(FOX, agent(B, 1, intelligence=3))
    for other in (replace(IN_VAIN, side=A), replace(IN_VAIN, owner=B), replace(IN_VAIN, site=FAR)):
        assert "you did not search Ceres 1: you gave no order" in said(truth, other)


@pytest.mark.parametrize("side", [A, B])
def test_no_turn_of_a_match_has_both_a_search_of_a_place_and_word_of_none(side: Side) -> None:
    lines = [line for line in told("orlog", side) if line.phase is Phase.ENGAGE]
    searched, missed = (
        {
            (line.turn, line.piece, match[1])
            for line in lines
            if (match := re.match(words, line.words))
        }
        for words in (r"your search of ([^,]+),", r"you did not search ([^:]+):")
    )
    assert searched
    assert missed
    assert not searched & missed
