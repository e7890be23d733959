"""Advice on the hunt: odds of listening and sweeping, legal orders, cards, drawings."""

import pytest
from msgspec.structs import replace

from builders.orders import typed
from builders.sections import lines
from builders.terminals import CONTACT, KITE, MOTH, S1, TRACK, view
from sunglare_client.map.drawing import draw_map
from sunglare_client.terminal.owned import draw_own
from sunglare_client.text.lists.space import draw_contacts
from sunglare_client.verbs.written import legal_lines, odds_lines
from sunglare_protocol.messages import Question
from sunglare_protocol.messages.answers import ListenOdds, SweepOdds
from sunglare_protocol.orders import Hold
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import CloakRules, HuntView, TrackersView, TrackerView
from sunglare_protocol.words.cloak import SweepSix, TrackerMode
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.advice.answer import answer
from sunglare_rules.advice.cards.why import look, why
from sunglare_rules.advice.legal.legal import holds, legal
from sunglare_rules.advice.odds.fire import listen_odds, sweep_odds

LISTEN, SWEEP = typed("listen S1"), typed("sweep S1")
RAIDER = replace(KITE, cloak=True, cloaked=True, popped_out=False)
TRACKERS = TrackersView(
    multi=TrackerView(count=1, turns=3, hits=(True, False)),
    single=TrackerView(count=2, turns=4, hits=(True, True, False)),
    solution_dice=True,
)
PREY = replace(TRACK, fix=Fix.DETECTED, facing=None, size=None, trackers=TRACKERS)
TRAIL = replace(PREY, fix=Fix.MEMORY)


@pytest.mark.parametrize(
    ("own", "loudest", "hundredths"),
    [
        pytest.param(0, 0, (0, 17, 33, 50, 67, 83, 100, 100, 100, 100), id="all quiet"),
        pytest.param(0, 2, (0, 0, 0, 17, 33, 50, 67, 83, 100, 100), id="a loud friend"),
        pytest.param(2, 2, (0, 0, 0, 0, 0, 17, 33, 50, 67, 83), id="loud itself: pays twice"),
    ],
)
def test_the_odds_of_listening_go_by_the_thrust_of_the_own_ships(
    own: int, loudest: int, hundredths: tuple[int, ...]
) -> None:
    ships = (replace(KITE, thrust_used=own), replace(MOTH, thrust_used=loudest))
    odds = listen_odds(view(Phase.DETECT, own=ships), LISTEN)
    assert odds == ListenOdds(ship=S1, own=own, loudest=loudest, hundredths=hundredths)


@pytest.mark.parametrize("kind", [other for other in PieceKind if other is not PieceKind.STARSHIP])
def test_what_is_no_starship_drowns_nothing_out(kind: PieceKind) -> None:
    ships = (replace(KITE, thrust_used=1), replace(MOTH, kind=kind, thrust_used=3))
    odds = listen_odds(view(Phase.DETECT, own=ships), LISTEN)
    assert isinstance(odds, ListenOdds)
    assert odds.loudest == 1


def test_a_cloaked_friend_drowns_nothing_out() -> None:
    ships = (replace(KITE, thrust_used=1), replace(RAIDER, id=MOTH.id, thrust_used=3))
    odds = listen_odds(view(Phase.DETECT, own=ships), LISTEN)
    assert isinstance(odds, ListenOdds)
    assert odds.loudest == 1


@pytest.mark.parametrize(
    "noise", [{"cloak_rules": CloakRules(jammed=4)}, {"nova_until": 4}], ids=["jammed", "nova"]
)
def test_in_a_jam_or_under_a_nova_nothing_is_heard(noise: dict[str, object]) -> None:
    odds = listen_odds(replace(view(Phase.DETECT), **noise), LISTEN)
    assert isinstance(odds, ListenOdds)
    assert set(odds.hundredths) == {0}


def test_the_odds_of_a_sweep_are_the_means_of_the_table_and_strict_ones_lower() -> None:
    seen = view(Phase.DETECT)
    strict = replace(seen, cloak_rules=CloakRules(six=SweepSix.STRICT))
    means = (100, 169, 222, 264)
    assert sweep_odds(seen, SWEEP) == SweepOdds(ship=S1, mean_hundredths=means)
    odds = sweep_odds(strict, SWEEP)
    assert isinstance(odds, SweepOdds)
    assert odds.mean_hundredths[0] == 83


def test_a_cloaked_ship_has_no_odds_of_finding_anything() -> None:
    hidden = view(Phase.DETECT, own=(RAIDER,))
    for odds in (listen_odds(hidden, LISTEN), sweep_odds(hidden, SWEEP)):
        assert isinstance(odds, Rejected)
        assert odds.code is Code.ORDER_CLOAK


def test_questions_about_the_hunt_are_answered_like_any_other() -> None:
    seen = view(Phase.DETECT)
    assert isinstance(answer(seen, Question.ODDS, LISTEN), ListenOdds)
    assert isinstance(answer(seen, Question.ODDS, SWEEP), SweepOdds)
    assert any("by its thrust" in line for line in odds_lines(seen, LISTEN))
    assert any("all sides will see" in line for line in odds_lines(seen, SWEEP))


def test_detect_offers_not_to_listen_and_to_sweep_to_each_ship_that_may() -> None:
    assert legal(view(Phase.DETECT, own=(KITE,))) == (typed("listen S1 off"), SWEEP)
    assert legal(view(Phase.DETECT, own=(RAIDER,))) == ()
    assert legal_lines(view(Phase.DETECT, own=(KITE,)))[1].strip() == "sweep S1"


def test_a_cloak_is_offered_where_there_is_one() -> None:
    shown = replace(RAIDER, cloaked=False)
    assert typed("cloak S1 on") in legal(view(own=(shown,)))
    assert typed("cloak S1 off") in legal(view(own=(RAIDER,)))
    assert not [order for order in legal(view(own=(KITE,))) if order == typed("cloak S1 on")]


def test_every_working_dumb_weapon_of_a_ship_that_shows_may_be_held() -> None:
    seen = replace(view(Phase.ENGAGE, own=(KITE,)), cloak_rules=CloakRules(cloaks=True))
    assert list(holds(seen)) == [typed("hold S1.B1"), Hold(ship=S1, weapon="P1")]
    assert list(holds(replace(seen, own=(RAIDER,)))) == []


def test_the_cards_say_how_far_a_hunt_has_come_and_by_which_rule() -> None:
    seen = view(own=(replace(RAIDER, hunted=(HuntView(fix=Fix.MEMORY, trackers=TRACKERS),)),))
    own = why(seen, S1)
    text = "\n".join(lines(own))
    assert "COUNT 2, TURNS 4" in text
    assert "Cloak detection" in text
    prey = view(contacts=(PREY,))
    assert lines(look(prey, PREY.label))
    assert any("twice as far" in line for line in lines(why(prey, PREY.label)))


def test_by_the_dice_the_card_counts_the_dice() -> None:
    dice = replace(TRACKERS, mode=TrackerMode.DICE)
    card = look(view(contacts=(replace(PREY, trackers=dice),)), PREY.label)
    assert any("2 on the COUNT die" in line for line in lines(card))


def test_the_lists_show_cloaks_finds_and_trackers() -> None:
    seen = view(
        own=(replace(RAIDER, hunted=(HuntView(fix=Fix.DETECTED, trackers=TRACKERS),)),),
        contacts=(PREY, replace(TRAIL, label="C9"), CONTACT),
    )
    own, held = "\n".join(draw_own(seen)), "\n".join(draw_contacts(seen))
    assert "CLOAKED" in own
    assert "HUNTED: DETECTED" in own
    assert "heard by several D- 1/3, by one DD- 2/4" in own
    assert "DETECTED" in held
    assert held.count("heard by several") == 2
    drawn = "\n".join(draw_map(seen, ascii_only=True))
    assert "&" in drawn
    assert "o" in drawn
