"""Every line of a `why` card names its rule with a section of the rule book; points and agents."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.sections import HEADINGS, cited
from builders.views import C1, S1, contact, own_ship, view, views
from sunglare_protocol.geometry import Compass, Square
from sunglare_protocol.ids import Side
from sunglare_protocol.messages.answers import Card
from sunglare_protocol.notices import NovaSeen, RadarSeen
from sunglare_protocol.notices.cloak import JamSet
from sunglare_protocol.surface import Site
from sunglare_protocol.views import CloakRules, ObjectiveView, TrackersView, View
from sunglare_protocol.views.agents import AlertView, FoundAgentView, FoundView, SpyView
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.advice.cards.why import WORDS, why

SITE = Site("Ceres", 1)


def lines_of(seen: View, about: str | None) -> tuple[str, ...]:
    """Return the lines of a card on something known."""
    card = why(seen, about)
    assert isinstance(card, Card), card
    return card.lines


def with_contact(**fields: object) -> View:
    """Return a view in ENGAGE that holds one contact."""
    return view(Phase.ENGAGE, own_ship(), contacts=(contact(**fields),))


@given(views(), st.sampled_from([None, *WORDS, S1, C1]))
def test_every_line_of_a_why_card_names_a_section_of_the_rule_book(
    seen: View, about: str | None
) -> None:
    card = why(seen, about)
    for line in card.lines if isinstance(card, Card) else ():
        assert cited(line), line
        assert cited(line) <= HEADINGS


def test_every_kind_of_contact_is_explained_with_sections() -> None:
    names = ("visual_hull", "mass_hull", "radar", "sweep", "uncloaking", "another")
    for fix, fate, trackers in product(Fix, Fate, (None, TrackersView())):
        seen = with_contact(
            fix=fix, fate=fate, signatures=names, signal=1, alert=True, trackers=trackers
        )
        lines = lines_of(seen, "C1")
        without = [line for line in lines if not cited(line) or not cited(line) <= HEADINGS]
        assert not without, (fix, fate, trackers)


@pytest.mark.parametrize(
    ("fields", "section"),
    [
        pytest.param({"signatures": ("sweep",)}, "cloak §4", id="a sweep"),
        pytest.param({"signatures": ("uncloaking",)}, "cloak §1", id="uncloaking"),
        pytest.param({"signatures": ("radar",)}, "sensors §5", id="its radar"),
        pytest.param({"fix": Fix.TRACKED}, "sensors §5", id="tracked"),
        pytest.param({"fix": Fix.DETECTED}, "cloak §3", id="detected"),
        pytest.param({"side": Side("B"), "type": "raider"}, "blips §3", id="identified"),
        pytest.param({"alert": True}, "search §1", id="agents near it"),
        pytest.param({"fix": Fix.MEMORY, "handle": None}, "turn §3", id="a memory"),
    ],
)
def test_a_contact_is_explained_by_the_section_that_made_it(
    fields: dict[str, object], section: str
) -> None:
    assert section in set().union(*map(cited, lines_of(with_contact(**fields), "C1")))


def test_a_lost_piece_of_ones_own_is_explained_too() -> None:
    (line,) = lines_of(view(Phase.PLOT, own_ship(fate=Fate.DESTROYED)), S1)
    assert cited(line) == {"turn §5", "turn §6"}


def test_the_whole_record_has_every_entry_and_last_only_the_newest_six() -> None:
    record = tuple(RadarSeen(square=Square(3, y)) for y in range(9))
    seen = replace(view(Phase.ENGAGE), record=record)
    assert len(lines_of(seen, "last")) == 6
    assert len(lines_of(seen, "record")) == 9
    assert "3,8" in lines_of(seen, "record")[0]


@pytest.mark.parametrize("until", [2, 3, 4])
def test_what_was_made_public_earlier_is_explained_while_it_holds(until: int) -> None:
    seen = replace(view(Phase.DETECT), nova_until=until, cloak_rules=CloakRules(jammed=until))
    lines = "\n".join(lines_of(seen, "last"))
    assert seen.stage.turn == 3
    assert ("nova gun was fired" in lines) is (until >= 3)
    assert ("Space is jammed" in lines) is (until >= 3)


def test_what_was_made_public_this_turn_is_not_said_twice() -> None:
    seen = replace(
        view(Phase.ENGAGE),
        record=(NovaSeen(until=5), JamSet(until=4)),
        nova_until=5,
        cloak_rules=CloakRules(jammed=4),
    )
    assert len(lines_of(seen, "last")) == 2


@pytest.mark.parametrize(
    ("objective", "words"),
    [
        (
            ObjectiveView(kind=ObjectiveKind.ESCAPE, edge=Compass.N),
            "over the N edge with a ship: 2 times its points",
        ),
        (ObjectiveView(kind=ObjectiveKind.COLLECT, body="Styx"), "Collect at Styx, at rest"),
        (
            ObjectiveView(kind=ObjectiveKind.COLLECT, body="Styx", met=True),
            "with a ship: 3 points: done",
        ),
        (ObjectiveView(kind=ObjectiveKind.IDENTIFY, piece="Argo"), "Identify Argo: 3 points"),
        (
            ObjectiveView(kind=ObjectiveKind.SURVIVE, piece="Kite"),
            "Keep Kite from being destroyed: 3 points at the end",
        ),
        (
            ObjectiveView(kind=ObjectiveKind.SURVIVE, piece="Kite", ends_after=1),
            "3 points at the end; its loss ends the match",
        ),
        (
            ObjectiveView(kind=ObjectiveKind.SURVIVE, piece="Kite", ends_after=5),
            "3 points at the end; with its loss the last 5 turns begin",
        ),
        (
            ObjectiveView(kind=ObjectiveKind.DELIVER, piece="Key", at=SITE),
            "Bring Key to Ceres 1: 5 points",
        ),
        (
            ObjectiveView(kind=ObjectiveKind.HOLD, at=SITE),
            "Hold Ceres 1 at the end, with no enemy troops there: 3 points",
        ),
        (
            ObjectiveView(kind=ObjectiveKind.HOLD, at=SITE, ends_after=4),
            "3 points; alone there in the open for 4 turns on end: the end",
        ),
        (
            ObjectiveView(kind=ObjectiveKind.HOLD, at=SITE, ends_after=1),
            "3 points; alone there in the open for a turn: the end",
        ),
    ],
    ids=lambda value: value.kind.value if isinstance(value, ObjectiveView) else "",
)
def test_the_points_are_explained_with_every_objective(
    objective: ObjectiveView, words: str
) -> None:
    seen = replace(view(Phase.PLOT), points=7, objectives=(objective,))
    lines = lines_of(seen, "points")
    assert words in lines[0]
    assert any(line.startswith("7 points follow from what you know") for line in lines)
    assert all(cited(line) == {"turn §8"} for line in lines)


def test_alerts_found_agents_and_spied_places_are_explained() -> None:
    found = FoundView(side=Side("B"), site=SITE, turn=2, agents=(FoundAgentView("Ada", 3, 4),))
    seen = replace(
        view(Phase.PLOT),
        alerts=(AlertView(side=Side("B"), planet="Ceres"),),
        found=(found,),
        spied=(SpyView(site=SITE, turn=1),),
    )
    alert, agent, spied = lines_of(seen, "agents")
    assert "orbit of Ceres" in alert
    assert "Ada of B, combat 3, endurance 4" in agent
    assert "all 0 foreign troops" in spied
    for line in (alert, agent, spied):
        assert cited(line) <= HEADINGS
        assert cited(line)
