"""Advice on ECM, launches and data scans: what is allowed, listed and explained."""

import pytest

from builders.advice import checked, code, offered, plot, refusal
from builders.orders import typed
from builders.spotting import specials
from builders.views import C1, C2, ON_ROCK, ROCK, S1, contact, own_ship, view
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import Handle, OwnId, Side
from sunglare_protocol.orders import Power, Probe, Thrust
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_protocol.words.dossiers import Dossier
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.advice.cards.contacts import contact_facts, contact_reasons
from sunglare_rules.advice.cards.own import own_reasons
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.check.probe import probe_means, request_means
from sunglare_rules.advice.legal.legal import legal, probes
from sunglare_rules.blips.dossiers import Means

LAUNCH = typed("launch S1 remote")
ASK = typed("probe S1 aaaaaa")
TENDER = own_ship(specials=specials("PRB RSD"), dispensers=2)
JAMMER = own_ship(specials=specials("ECM"), ecm=True)
BUOY = own_ship(id=OwnId("R1"), kind=PieceKind.REMOTE, thrust=0, weapons=(), turrets=())
KNOWN = contact(side=Side("B"), type="frigate")


def detect(*contacts: ContactView, ship: OwnView = TENDER) -> View:
    """Return the view of a DETECT window with one own ship."""
    return view(Phase.DETECT, ship, contacts=contacts)


# ECM.


@pytest.mark.parametrize("state", ["off", "on"])
def test_a_jammer_is_switched_by_the_power_order(state: str) -> None:
    assert plot(f"power S1 on ecm {state}", ship=JAMMER) is None


def test_a_ship_without_a_jammer_has_none_to_switch() -> None:
    assert refusal(plot("power S1 on ecm off")) == "order/ecm [0].ecm"


def test_the_switch_of_a_jammer_is_among_the_legal_orders() -> None:
    assert typed("power S1 on ecm off") in legal(view(Phase.PLOT, JAMMER))


# Launches.


def test_a_ship_launches_one_remote_sensor_from_each_dispenser() -> None:
    assert plot(LAUNCH, LAUNCH, ship=TENDER) is None
    assert code(plot(LAUNCH, LAUNCH, LAUNCH, ship=TENDER)) == "order/launch"


def test_a_ship_without_dispensers_launches_nothing() -> None:
    assert refusal(plot(LAUNCH)) == "order/launch [0].what"


@pytest.mark.parametrize(
    ("fields", "beside", "refused"),
    [
        ({"powered": False}, "", "order/power"),
        ({}, "power S1 off", "order/power"),
        ({"landed": ON_ROCK, "square": ROCK.at}, "", "order/landed"),
        ({"square": ROCK.at}, "land S1 Rock E", "order/landed"),
    ],
    ids=["cold", "ordered cold", "landed", "landing"],
)
def test_a_launch_needs_power_and_open_space(
    fields: dict[str, object], beside: str, refused: str
) -> None:
    assert code(plot(LAUNCH, beside, ship=own_ship(dispensers=1, **fields))) == refused


def test_a_launch_is_among_the_legal_orders_of_a_tender_alone() -> None:
    assert LAUNCH in legal(view(Phase.PLOT, TENDER))
    assert LAUNCH not in legal(view(Phase.PLOT, own_ship()))


def test_a_remote_sensor_takes_no_orders() -> None:
    seen = view(Phase.PLOT, own_ship(), BUOY)
    for order in (Thrust(ship=BUOY.id, to=()), Power(ship=BUOY.id, on=False)):
        assert refusal(check(seen, (order,))) == "order/piece [0]"
    assert {order.ship for order in legal(seen)} == {S1}


# Data scans.


def test_what_is_held_and_identified_may_be_asked_about() -> None:
    for fix in (Fix.CONTACT, Fix.TRACKED):
        held = contact(fix=fix, side=Side("B"), type="frigate")
        assert check(detect(held), (ASK,)) is None


def test_a_request_out_of_reach_may_be_made_but_is_not_listed() -> None:
    far = contact(square=Square(35, 2), side=Side("B"), type="frigate")
    assert check(detect(far), (ASK,)) is None
    assert list(probes(detect(far))) == []
    assert list(probes(detect(KNOWN))) == [ASK]


@pytest.mark.parametrize(
    ("held", "ship", "at"),
    [
        (contact(), TENDER, C1),
        (contact(fix=Fix.COASTING, side=Side("B"), type="frigate"), TENDER, C1),
        (contact(fix=Fix.MEMORY, handle=None, side=Side("B"), type="x"), TENDER, C1),
        (contact(), TENDER, Handle("zzzzzz")),
        (contact(), own_ship(powered=False), C1),
    ],
    ids=["a blip", "coasting", "a memory", "an unknown handle", "a cold ship"],
)
def test_every_illegal_request_is_refused_in_the_same_words(
    held: ContactView, ship: OwnView, at: Handle
) -> None:
    blip = check(detect(contact()), (ASK,))
    assert check(detect(held, ship=ship), (Probe(ship=S1, at=at),)) == blip
    assert refusal(blip) == "order/probe [0]"


def test_a_ship_makes_one_request_a_turn() -> None:
    assert refusal(check(detect(KNOWN), (ASK, ASK))) == "order/twice [1]"


@pytest.mark.parametrize(
    ("at", "means"),
    [(Square(8, 25), Means.SHORT), (Square(7, 21), Means.PROBE), (Square(7, 20), None)],
    ids=["short range", "by probe", "out of reach"],
)
def test_the_means_follow_from_what_the_asker_sees(at: Square, means: Means | None) -> None:
    held = contact(square=at, side=Side("B"), type="frigate")
    far = contact(handle=C2, square=Square(35, 2), side=Side("B"), type="frigate")
    assert probe_means(detect(held), TENDER, held) is means
    seen = detect(far, held)
    assert request_means(seen, ASK) == (means, means)
    assert request_means(seen, typed("probe S1 bbbbbb")) == (None, None)


@pytest.mark.parametrize("line", ["probe S2 aaaaaa", "probe S1 bbbbbb"], ids=["S2", "C2"])
def test_a_request_of_nobody_or_about_nothing_has_no_means(line: str) -> None:
    assert request_means(detect(KNOWN), typed(line)) == (None, None)


def test_a_refused_request_comes_with_what_may_be_asked_about() -> None:
    blip = contact(handle=C2, square=Square(7, 21))
    problem = checked(detect(KNOWN, blip), "probe S1 bbbbbb")
    assert refusal(problem) == "order/probe [0]"
    assert offered(problem) == (C1,)


# Cards.


def test_the_cards_tell_the_dossier_and_the_rules_of_it() -> None:
    dossier = Dossier(turn=2, variant="lancer", damage=4, heat=1, move=3, modes=("impulse",))
    known = contact(side=Side("B"), type="frigate", dossier=dossier)
    facts = "\n".join(contact_facts(detect(known), known))
    assert "Side B, type frigate." in facts
    assert "Scanned in turn 2: lancer, damage 4, heat 1, move 3 by impulse." in facts
    reasons = "\n".join(contact_reasons(known))
    assert "identified while this hold lasts" in reasons
    assert "data scan of turn 2" in reasons
    assert "To identify it" in "\n".join(contact_reasons(contact()))


@pytest.mark.parametrize(
    ("ship", "words"),
    [
        (own_ship(), "sensors from 10 inches"),
        (own_ship(specials=specials("STL")), "stealthy or cold"),
        (JAMMER, "Bloodhound at most"),
    ],
    ids=["plain", "stealthy", "jamming"],
)
def test_why_tells_from_how_far_an_own_ship_is_identified(ship: OwnView, words: str) -> None:
    reasons = "\n".join(own_reasons(view(Phase.PLOT, ship), ship))
    assert "sees it from 16 space inches" in reasons
    assert words in reasons
