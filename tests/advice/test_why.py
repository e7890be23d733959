"""The cards of `why` and `look`, and the one door for all questions."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.advice import code, offered, refusal
from builders.orders import typed
from builders.views import (
    C1,
    C2,
    ON_CERES,
    ON_ROCK,
    ORDERS,
    S1,
    S2,
    contact,
    own_ship,
    view,
    views,
)
from sunglare_protocol.geometry import Compass, Square, Vector
from sunglare_protocol.ids import Side
from sunglare_protocol.messages import Question
from sunglare_protocol.messages.answers import (
    AnswerBody,
    Card,
    LegalOrders,
    ScanPreview,
    SenseOdds,
    ShotOdds,
)
from sunglare_protocol.notices import InitiativeDrawn, RadarSeen, ScanAnswered, ShotSeen, SideOut
from sunglare_protocol.orders import Lift, Order
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import ContactView, Exposure, OwnView, View
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.scans import Answers, Echo, ScanSize, ScanType
from sunglare_rules.advice.answer import answer
from sunglare_rules.advice.cards.why import look, why

SCAN, FIRE = typed("scan S1 visual 1box B4"), typed("fire S1.beam aaaaaa")
RECORD = (
    InitiativeDrawn(order=(Side("B"), Side("A"))),
    ScanAnswered(
        side=Side("A"),
        type=ScanType.VISUAL,
        size=ScanSize.BOX,
        at="B4",
        strength=1,
        answers=Answers(glare=True, from_well=False, touches_well=False),
        effective=-5,
    ),
    RadarSeen(square=Square(3, 4)),
    ShotSeen(square=Square(13, 14)),
    SideOut(side=Side("B")),
)


def text(card: Card | Rejected) -> str:
    """Return the whole card."""
    assert isinstance(card, Card)
    return "\n".join((card.title, *card.lines))


def holding(*contacts: ContactView, ship: OwnView | None = None) -> View:
    """Return a view in ENGAGE that holds the contacts."""
    return view(Phase.ENGAGE, ship or own_ship(), contacts=contacts)


def recorded(phase: Phase = Phase.ENGAGE) -> View:
    """Return a view with every kind of public notice on the record."""
    return replace(view(phase), record=RECORD)


@pytest.mark.parametrize("ask", [why, look], ids=["why", "look"])
@pytest.mark.parametrize("about", [C2, "C9", "S9", "", "ceres"])
def test_what_the_viewer_does_not_hold_is_refused_alike(
    ask: Callable[[View, str | None], Card | Rejected], about: str
) -> None:
    found = ask(holding(contact()), about)
    assert found == ask(holding(contact()), "no such thing")
    assert code(found) == "ask/about"
    assert offered(found) == (S1, "C1")


@pytest.mark.parametrize("about", [C1, "C1"])
def test_a_contact_is_called_by_its_handle_or_its_label(about: str) -> None:
    assert text(why(holding(contact()), about)) == text(why(holding(contact()), "C1"))
    assert text(look(holding(contact()), about)).startswith("C1\n")


def test_a_contact_is_explained_by_the_signatures_that_gave_it_away() -> None:
    seen = contact(signatures=("visual_hull", "ir_power", "radar"), signal=2)
    lines = text(why(holding(seen), "C1"))
    assert "Visual(Hull)" in lines
    assert "IR(Power)" in lines
    assert "radar showed its square" in lines
    assert "+2" in lines
    assert "Intercept sensors" in lines


@pytest.mark.parametrize(
    ("fix", "words"),
    [
        pytest.param(Fix.CONTACT, "snapshot of turn 3", id="contact"),
        pytest.param(Fix.TRACKED, "Sense roll of 10", id="tracked"),
        pytest.param(Fix.COASTING, "one more miss loses the track", id="coasting"),
        pytest.param(Fix.MEMORY, "Nothing newer is known than of turn 3", id="memory"),
    ],
)
def test_every_rung_is_explained(fix: Fix, words: str) -> None:
    assert words in text(why(holding(contact(fix=fix)), "C1"))


def test_a_look_at_a_track_says_what_is_known_and_how_it_bears() -> None:
    track = contact(
        fix=Fix.TRACKED,
        square=Square(12, 27),
        vector=Vector(1, -2),
        facing=Compass.SE,
        size=Echo.SMALL,
    )
    lines = text(look(holding(track), "C1"))
    assert "vector +1,-2, facing SE, echo small" in lines
    assert "A blip" in lines
    assert "From S1: range 1, flanking, arcs right 1" in lines


@pytest.mark.parametrize(
    ("ship", "square", "words"),
    [
        pytest.param(own_ship(), Square(7, 27), "range 0 for any weapon", id="same square"),
        pytest.param(own_ship(), Square(7, 2), "beyond range 3", id="far away"),
        pytest.param(
            own_ship(square=Square(13, 14)), Square(18, 9), "hidden by a body", id="hidden"
        ),
    ],
)
def test_a_look_says_how_a_ship_bears(ship: OwnView, square: Square, words: str) -> None:
    assert f"From S1: {words}" in text(
        look(holding(contact(square=square), ship=ship), "C1")
    ).replace("beneath its base, ", "")


def test_a_look_at_a_memory_measures_nothing() -> None:
    lines = text(look(holding(contact(fix=Fix.MEMORY, handle=None)), "C1"))
    assert "From S1" not in lines
    assert "as of turn 3" in lines


def test_an_identified_contact_shows_side_and_type() -> None:
    known = contact(side=Side("B"), type="raider", fate=Fate.DESTROYED)
    lines = text(look(holding(known), "C1"))
    assert "Side B, type raider." in lines
    assert "It is destroyed." in lines


def test_a_marker_left_by_another_rule_is_named_by_its_word() -> None:
    shooter = contact(fix=Fix.MEMORY, handle=None, signatures=("direct_shot",))
    assert "direct shot" in text(why(holding(shooter), "C1"))


def test_an_own_ship_is_told_what_it_gives_off_and_why() -> None:
    # Small, lit by sunfactor 6, sensors out, plant on, two points of thrust spent.
    lines = text(why(view(Phase.SCAN, own_ship(thrust_spent=2)), S1))
    for words in (
        "Visual(Hull) +1",
        "Visual(Thrust) +0",
        "IR(Power) -2",
        "IR(Thrust) +2",
        "Radar(Hull) -3",
        "Neutrino(Power) -3",
        "Mass(Hull) -7",
        "column 7 north of it",
        "No side is known to hold it.",
    ):
        assert words in lines


def test_a_ship_in_the_shadow_column_is_told_so() -> None:
    lines = text(why(view(Phase.SCAN, own_ship(square=Square(15, 17))), S1))
    assert "Visual(Hull) -5" in lines
    assert "shadow column" in lines


def test_a_ship_that_shadows_a_larger_one_is_told_so() -> None:
    large = own_ship(id=S2, echo=Echo.LARGE)
    lines = text(why(view(Phase.SCAN, own_ship(), large), S1))
    assert "shadows a larger ship" in lines
    assert "Visual(Hull) -5" in lines
    landed = own_ship(id=S2, echo=Echo.LARGE, landed=ON_ROCK)
    assert "shadows" not in text(why(view(Phase.SCAN, own_ship(), landed), S1))


def test_a_ship_in_a_well_is_told_what_pulls_it_and_what_is_hidden() -> None:
    lines = text(why(view(Phase.PLOT, own_ship(square=Square(13, 14))), S1))
    assert "near SW of Ceres: gravity pulls it +1,-1" in lines


def test_a_ship_on_a_planet_gives_off_nothing() -> None:
    ship = own_ship(square=Square(14, 13), landed=ON_CERES, popped_out=False)
    assert "It gives off nothing" in text(why(view(Phase.SCAN, ship), S1))


def test_a_ship_is_told_who_holds_it() -> None:
    ship = own_ship(exposed=(Exposure(side=Side("B"), fix=Fix.TRACKED),))
    assert "Side B holds it: tracked." in text(why(view(Phase.PLOT, ship), S1))


@pytest.mark.parametrize(
    ("ship", "words"),
    [
        pytest.param(own_ship(vector=Vector(3, 0)), "drifts to 10,27 (box C6)", id="drifts"),
        pytest.param(own_ship(vector=Vector(-8, 0)), "drifts off the map", id="leaves"),
        pytest.param(
            own_ship(square=Square(15, 13)), "drifts into a planet", id="falls into Ceres"
        ),
        pytest.param(own_ship(fate=Fate.ESCAPED), "escaped", id="gone"),
        pytest.param(own_ship(damage=3), "Hull 5 of 8", id="damaged"),
    ],
)
def test_a_look_at_an_own_ship_says_all_its_owner_may_know(ship: OwnView, words: str) -> None:
    assert words in text(look(view(Phase.PLOT, ship), S1))


def test_a_lost_ship_gives_off_nothing_any_more() -> None:
    lines = text(why(view(Phase.PLOT, own_ship(fate=Fate.DESTROYED)), S1))
    assert "out of the match: destroyed" in lines


@pytest.mark.parametrize("about", [None, "last"])
def test_why_last_explains_the_newest_entries_of_the_record_first(about: str | None) -> None:
    card = why(recorded(), about)
    assert isinstance(card, Card)
    words = ("Side B has no piece", "13,14 (box C3)", "3,4 (box A1)", "glare yes", "B, A")
    assert [word in line for word, line in zip(words, card.lines, strict=True)] == [True] * 5


def test_a_turn_without_a_record_has_nothing_to_explain() -> None:
    assert "Nothing yet" in text(why(view(Phase.PLOT), "last"))


# All questions.


@pytest.mark.parametrize(
    ("kind", "about", "body"),
    [
        pytest.param(Question.LEGAL, None, LegalOrders, id="legal"),
        pytest.param(Question.LEGAL, "S1", LegalOrders, id="legal of a ship"),
        pytest.param(Question.PREVIEW, SCAN, ScanPreview, id="preview of a scan"),
        pytest.param(Question.ODDS, FIRE, ShotOdds, id="odds of a shot"),
        pytest.param(Question.ODDS, SCAN, SenseOdds, id="odds of a scan"),
        pytest.param(Question.ODDS, "S1", SenseOdds, id="odds of a ship's operator"),
        pytest.param(Question.WHY, "C1", Card, id="why a contact"),
        pytest.param(Question.LOOK, "S1", Card, id="look at a ship"),
    ],
)
def test_a_fitting_question_is_answered(
    kind: Question, about: Order | str | None, body: type[AnswerBody]
) -> None:
    assert isinstance(answer(holding(contact()), kind, about), body)


@pytest.mark.parametrize(
    ("kind", "about"),
    [
        pytest.param(Question.LEGAL, SCAN, id="legal about an order"),
        pytest.param(Question.LEGAL, "S9", id="legal about no ship"),
        pytest.param(Question.PREVIEW, FIRE, id="preview of a shot"),
        pytest.param(Question.PREVIEW, "S1", id="preview of a ship"),
        pytest.param(Question.PREVIEW, None, id="preview of nothing"),
        pytest.param(Question.ODDS, Lift(ship=S1), id="odds of a lift-off"),
        pytest.param(Question.ODDS, "C1", id="odds of a contact"),
        pytest.param(Question.ODDS, None, id="odds of nothing"),
        pytest.param(Question.WHY, SCAN, id="why an order"),
        pytest.param(Question.WHY, "C9", id="why something unknown"),
        pytest.param(Question.LOOK, FIRE, id="look at an order"),
        pytest.param(Question.LOOK, "last", id="look at the last"),
    ],
)
def test_a_question_about_the_wrong_thing_is_refused(
    kind: Question, about: Order | str | None
) -> None:
    assert refusal(answer(holding(contact()), kind, about)) == "ask/about $.about"


def test_a_refused_order_in_a_question_is_pointed_at() -> None:
    asked = answer(holding(contact()), Question.ODDS, typed("fire S1.cannon aaaaaa"))
    assert refusal(asked) == "order/weapon $.about.weapon"


def test_legal_about_a_ship_lists_that_ships_orders() -> None:
    found = answer(view(Phase.PLOT, own_ship(), own_ship(id=S2)), Question.LEGAL, "S2")
    assert isinstance(found, LegalOrders)
    assert {order.ship for order in found.orders} == {S2}


@given(
    views(),
    st.sampled_from(Question),
    st.one_of(st.none(), ORDERS, st.sampled_from(["S1", "S2", "S9", C1, f"C-{C2}", "last"])),
)
def test_any_question_is_answered_or_refused_and_never_raises(
    seen: View, kind: Question, about: Order | str | None
) -> None:
    found = answer(seen, kind, about)
    if isinstance(found, Rejected):
        assert found.at.startswith("$.about")
    if isinstance(found, Card):
        assert all(line and "\n" not in line for line in found.lines)


def test_the_record_is_explained_alike_in_every_window() -> None:
    assert {text(why(recorded(phase), "last")) for phase in Phase} == {text(why(recorded(), None))}
