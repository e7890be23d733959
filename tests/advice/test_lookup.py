"""What is found in a view by a name or a handle, and the one door for all questions."""

import pytest
from msgspec.structs import replace

from builders.agentorders import G1, G2, P1, P2, P3, VIEW, view_of
from builders.orders import typed
from builders.terminals import AGENT, GUARD
from builders.views import C1, C2, S1, S2, S3, contact, own_ship, view
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.messages import Question
from sunglare_protocol.messages.answers import AgentPreview, Card, LegalOrders
from sunglare_protocol.orders.agents import Search
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.advice.answer import answer
from sunglare_rules.advice.cards.why import look, why
from sunglare_rules.advice.legal.legal import legal
from sunglare_rules.advice.odds.agents import mission_odds, search_odds, step_preview
from sunglare_rules.advice.seen.lookup import (
    not_targetable,
    own_ids,
    own_target,
    remotes_in_play,
    swept_now,
)

C3, C4, C5 = Handle("cccccc"), Handle("dddddd"), Handle("eeeeee")
LIFT = typed("lift S1")

# Own pieces.


def test_own_pieces_in_play_are_ships_then_units_then_agents() -> None:
    seen = replace(
        view(
            Phase.PLOT,
            own_ship(fate=Fate.DESTROYED),
            own_ship(id=S2),
            own_ship(id=S3, kind=PieceKind.REMOTE),
        ),
        ground=(GUARD, replace(GUARD, id=G2, fate=Fate.DESTROYED)),
        agents=(replace(AGENT, fate=Fate.ESCAPED), replace(AGENT, id=P2)),
    )
    assert own_ids(seen) == (S2, G1, P2)


def test_remote_sensors_are_found_while_they_are_in_play() -> None:
    sensor = own_ship(id=S2, kind=PieceKind.REMOTE)
    lost = replace(sensor, id=S3, fate=Fate.DESTROYED)
    assert remotes_in_play(view(Phase.PLOT, own_ship(), lost, sensor)) == (sensor,)


# Targets.


def test_a_ship_swept_if_that_gave_it_away_this_turn() -> None:
    seen = view(Phase.ENGAGE, turn=3)
    for signatures, turn, swept in (
        (("sweep",), 3, True),
        (("visual_hull", "sweep"), 3, True),
        (("sweep",), 2, False),
        (("radar",), 3, False),
        ((), 2, False),
    ):
        assert swept_now(seen, contact(signatures=signatures, turn=turn)) is swept


HELD = (
    contact(handle=C1, label="C1", fix=Fix.TRACKED),
    contact(handle=C2, label="C2", fix=Fix.CONTACT),
    contact(handle=C3, label="C3", fix=Fix.COASTING),
    contact(handle=C4, label="C4", fix=Fix.TRACKED, fate=Fate.DESTROYED),
    contact(handle=C5, label="C5", fix=Fix.DETECTED),
    contact(handle=None, label="M1", fix=Fix.MEMORY),
)
HOLDING = view(Phase.ENGAGE, contacts=HELD)


@pytest.mark.parametrize("index", [0, 1, 4])
def test_a_target_is_found_by_its_handle(index: int) -> None:
    assert own_target(HOLDING, HELD[index].handle) is HELD[index]


def test_what_is_held_too_loosely_is_no_target_and_the_choices_are() -> None:
    assert own_target(HOLDING, C3) == Rejected(
        code=Code.ORDER_STATE,
        at="$.at",
        detail="C3 is coasting; this takes a contact or a live track or a detected ship or a "
        "solution.",
        choices=(C1, C2, C5),
    )


@pytest.mark.parametrize("handle", [None, C4, Handle("zzzzzz")])
def test_a_handle_of_nothing_in_play_is_refused_with_those_that_are(handle: Handle | None) -> None:
    expected = Rejected(code=Code.ORDER_HANDLE, at="$.at", choices=(C1, C2, C5))
    assert own_target(HOLDING, handle) == expected


def test_a_weapon_that_needs_a_live_track_is_offered_live_tracks_alone() -> None:
    assert not_targetable(HOLDING, HELD[1], (Fix.TRACKED,)) == Rejected(
        code=Code.ORDER_STATE,
        at="$.at",
        detail="C2 is contact; this takes a live track.",
        choices=(C1,),
    )


# Questions.


def wrong(*choices: str) -> Rejected:
    """Return the refusal of a question about the wrong thing."""
    return Rejected(code=Code.ASK_ABOUT, at="$.about", choices=choices)


@pytest.mark.parametrize("kind", [Question.LEGAL, Question.ODDS, Question.WHY, Question.LOOK])
def test_a_question_about_an_order_it_is_not_for_offers_no_names(kind: Question) -> None:
    assert answer(HOLDING, kind, LIFT) == wrong()


def test_a_question_about_what_is_not_ones_own_offers_what_is() -> None:
    seen = view_of(agents=(AGENT,), own=(own_ship(),))
    assert answer(seen, Question.LEGAL, "S9") == wrong(S1, G1, G2, P1)
    assert answer(seen, Question.ODDS, "S9") == wrong(S1)


def test_why_and_look_are_about_a_thing_or_about_nothing() -> None:
    for about in (None, "C1", S1):
        told, shown = (answer(HOLDING, kind, about) for kind in (Question.WHY, Question.LOOK))
        assert isinstance(told, Card)
        assert isinstance(shown, Card)
        assert (told, shown) == (why(HOLDING, about), look(HOLDING, about))
        assert told != shown


def test_legal_about_nothing_is_about_everything() -> None:
    found = answer(HOLDING, Question.LEGAL, None)
    assert found == LegalOrders(orders=legal(HOLDING))
    assert isinstance(found, LegalOrders)
    assert found.orders


def test_a_step_is_previewed() -> None:
    order = typed("walk P1 2")
    found = answer(VIEW, Question.PREVIEW, order)
    assert isinstance(found, AgentPreview)
    assert found == step_preview(VIEW, order)


def test_searches_and_missions_have_odds() -> None:
    for line, odds_of in (("search G1", search_odds), ("mission P1 spy with P2", mission_odds)):
        odds = odds_of(VIEW, typed(line))
        assert not isinstance(odds, Rejected)
        assert answer(VIEW, Question.ODDS, typed(line)) == odds


def test_a_refused_search_is_pointed_at_in_the_question() -> None:
    found = answer(VIEW, Question.ODDS, Search(ship=OwnId("S9")))
    expected = Rejected(code=Code.ORDER_UNIT, at="$.about.ship", choices=(G1, P1, P2, P3))
    assert found == expected
