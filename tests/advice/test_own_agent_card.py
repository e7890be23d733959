"""The cards on an own agent, line by line, from views made by hand."""

import pytest
from msgspec.structs import replace

from builders.sections import HEADINGS, cited, lines
from builders.terminals import AGENT
from builders.views import S1, own_ship, view
from sunglare_protocol.geometry import Board, Compass, Environs, Planet, PlanetSize, Square
from sunglare_protocol.ids import OwnId
from sunglare_protocol.surface import Site
from sunglare_protocol.views import View
from sunglare_protocol.views.agents import ItemView, StanceView
from sunglare_protocol.views.ground import AgentView
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.search import FightPolicy
from sunglare_rules.advice.cards.why import look, why

P1, P2, P3, G1 = OwnId("P1"), OwnId("P2"), OwnId("P3"), OwnId("G1")
TOWN, WILDS, UNDRAWN = Site("Ceres", 1), Site("Ceres", 2), Site("Vesta", 1)
OPEN = Square(7, 27)
CERES = Planet(
    name="Ceres",
    at=Square(15, 12),
    size=PlanetSize.SMALL,
    environs=(
        Environs(number=1, sector=Compass.SW, size=3),
        Environs(number=2, sector=Compass.N, size=1),
    ),
)


def agent(own: OwnId = P1, **fields: object) -> AgentView:
    """Return an agent of intelligence 4 in the town, with the fields given changed."""
    return replace(AGENT, id=own, **fields)


def hot(own: OwnId = P1, **fields: object) -> AgentView:
    """Return a detected agent of intelligence 4 in the town."""
    return agent(own, detected=True, **fields)


def seen(*agents: AgentView, square: Square = OPEN) -> View:
    """Return a view with the agents and a ship on a square; the town has the size number 3."""
    plain = view(Phase.PLOT, own_ship(square=square))
    return replace(plain, board=Board(planets=(CERES,)), agents=agents)


def facts(*agents: AgentView) -> tuple[str, ...]:
    """Return the lines of what the first of the agents is."""
    return lines(look(seen(*agents), agents[0].id))


def reasons(*agents: AgentView) -> tuple[str, ...]:
    """Return the lines of what enemies know of the first of the agents."""
    return lines(why(seen(*agents), agents[0].id))


PLAIN = (
    "Combat 2, endurance 3, wounds 0.",
    "Intelligence 4, leadership 1.",
    "At Ceres 1; undetected.",
    (
        "When he speaks for a group it flees if found, wounds fall at random, and it hides by "
        "its best head."
    ),
)


def test_the_card_of_an_agent_has_these_lines_and_no_more() -> None:
    assert facts(agent()) == PLAIN


@pytest.mark.parametrize(
    ("fields", "number", "line"),
    [
        ({"npc": True}, 1, "Intelligence 4, leadership 1. An NPC: nobody hides by him."),
        ({"stacked": G1}, 2, "At Ceres 1, with G1; undetected."),
        ({"detected": True}, 2, "At Ceres 1; detected."),
        ({"site": None, "aboard": S1}, 2, "At S1; undetected."),
        ({"site": None}, 2, "At nowhere; undetected."),
    ],
    ids=["an NPC", "in a stack", "detected", "aboard", "not stationed yet"],
)
def test_the_card_of_an_agent_says_who_and_where_he_is(
    fields: dict[str, object], number: int, line: str
) -> None:
    assert facts(replace(agent(), **fields)) == (*PLAIN[:number], line, *PLAIN[number + 1 :])


def test_the_card_of_an_agent_names_what_he_carries_himself() -> None:
    items = tuple(
        ItemView(name=name, carrier=carrier)
        for name, carrier in (("Key", P1), ("Map", P2), ("Orb", None), ("Pen", P1))
    )
    both = replace(seen(agent(), agent(P2), agent(P3)), items=items)
    assert lines(look(both, P1)) == (*PLAIN[:3], "Carries: Key, Pen.", PLAIN[3])
    assert lines(look(both, P2)) == (*PLAIN[:3], "Carries: Map.", PLAIN[3])
    assert lines(look(both, P3)) == PLAIN


@pytest.mark.parametrize(
    ("stance", "words"),
    [
        (
            StanceView(fight=FightPolicy.FIGHT, wounds=(P2,), hides_by=P3),
            "it fights if found, wounds fall on P2 first, and it hides by P3.",
        ),
        (
            StanceView(fight=FightPolicy.SCREEN, wounds=(P2, P1)),
            (
                "it screens the others with its best fighter if found, wounds fall on P2, P1 "
                "first, and it hides by its best head."
            ),
        ),
    ],
    ids=["fight", "screen"],
)
def test_the_card_of_an_agent_tells_his_standing_orders(stance: StanceView, words: str) -> None:
    assert facts(agent(stance=stance))[3] == f"When he speaks for a group {words}"


@pytest.mark.parametrize("fate", [Fate.DESTROYED, Fate.ESCAPED])
def test_both_cards_of_one_who_is_lost_say_only_that(fate: Fate) -> None:
    lost = hot(fate=fate)
    assert facts(lost) == (f"He is out of the match: {fate.value}.",)
    assert reasons(lost) == (
        f"He is out of the match: {fate.value}. Fights and losses (search §2).",
    )


# What enemies know of him.


@pytest.mark.parametrize(
    ("fields", "square", "near"),
    [
        ({}, OPEN, "Ceres 1"),
        ({"site": None, "aboard": S1}, Square(15, 10), "the orbit of Ceres"),
        ({"site": None, "aboard": S1}, OPEN, "S1, if they track it"),
    ],
    ids=["on the ground", "in orbit", "in space"],
)
def test_a_detected_agent_is_told_of_the_alert_and_that_it_names_nobody(
    fields: dict[str, object], square: Square, near: str
) -> None:
    alert, friends, *hiding = lines(why(seen(replace(hot(), **fields), square=square), P1))
    assert f"agents of yours are near {near}, but not which or how many." in alert
    assert friends.startswith("Friends in the same place or ship are detected with him.")
    assert len(hiding) == (not fields)
    assert all(cited(text) and cited(text) <= HEADINGS for text in (alert, friends, *hiding))


def test_nobody_searches_for_who_stands_with_troops() -> None:
    assert reasons(hot(stacked=G1))[2].startswith("He stands with troops: he is always detected")


def chances(*percents: int) -> str:
    """Return the words on the chances of the search values 3, 6 and 12."""
    return ", ".join(
        f"a search value of {value} finds them with {chance} %"
        for value, chance in zip((3, 6, 12), percents, strict=True)
    )


# Hiding value: intelligence + size - number of agents. The chart's rows for the search values 3,
# 6 and 12: 1 2 4 for a hiding value of 6 and of 5, 2 3 5 for 3, 2 4 6 for 2.


@pytest.mark.parametrize(
    ("agents", "words"),
    [
        pytest.param(
            (hot(),), f"1 of yours hides there with a value of 6: {chances(10, 20, 40)}."
        ),
        pytest.param(
            (hot(), hot(P2, intelligence=2), hot(P3, site=WILDS), agent(OwnId("P4"))),
            f"2 of yours hide there with a value of 5: {chances(10, 20, 40)}.",
            id="two of a place, others elsewhere or not detected",
        ),
        pytest.param(
            (hot(intelligence=1), hot(P2, intelligence=2), hot(P3, stacked=G1)),
            f"2 of yours hide there with a value of 3: {chances(20, 30, 50)}.",
            id="the best head counts, and who stands with troops does not",
        ),
        pytest.param(
            (hot(site=UNDRAWN), hot(P2, site=UNDRAWN, intelligence=2)),
            f"2 of yours hide there with a value of 2: {chances(20, 40, 60)}.",
            id="a place without a size",
        ),
    ],
)
def test_agents_hide_by_intelligence_and_size_less_their_number(
    agents: tuple[AgentView, ...], words: str
) -> None:
    assert reasons(*agents)[2] == f"{words} Freedom in the Galaxy 10.2 (search §2)."


def test_agents_hide_by_whom_their_speaker_chose() -> None:
    # P2 leads, and hides by himself; P1 would rather be hidden by his own, better head.
    first = hot(leadership=0, stance=StanceView(hides_by=P1))
    second = hot(P2, leadership=2, intelligence=1, stance=StanceView(hides_by=P2))
    words = "2 of yours hide there with a value of 2: "
    assert reasons(first, second)[2].startswith(words)
