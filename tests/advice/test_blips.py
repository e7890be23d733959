"""Advice on ECM, launches and data scans: what is allowed, listed and explained."""

import pytest

from builders.advice import assert_refused, plot
from builders.spotting import specials
from builders.views import C1, C2, ON_ROCK, ROCK, S1, S2, contact, own_ship, view
from sunglare_protocol.geometry import Landing, Square
from sunglare_protocol.ids import Handle, OwnId, Side
from sunglare_protocol.orders import Land, Launch, Order, Power, Probe, Thrust
from sunglare_protocol.refusals import Code
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_protocol.words.armament import Launchable
from sunglare_protocol.words.dossiers import Dossier
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.advice.cards.contacts import contact_facts, contact_reasons
from sunglare_rules.advice.cards.own import own_facts, own_reasons
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.check.probe import probe_means, request_means
from sunglare_rules.advice.legal.legal import legal, probes
from sunglare_rules.advice.seen.plotting import after_plot
from sunglare_rules.blips.dossiers import Means

LAUNCH = Launch(ship=S1, what=Launchable.REMOTE)
TENDER = own_ship(specials=specials("PRB RSD"), dispensers=2)
JAMMER = own_ship(specials=specials("ECM"), ecm=True)
BUOY = own_ship(id=OwnId("R1"), kind=PieceKind.REMOTE, thrust=0, weapons=(), turrets=())
KNOWN = contact(side=Side("B"), type="frigate")


def detect(*contacts: ContactView, ship: OwnView = TENDER) -> View:
    """Return the view of a DETECT window with one own ship."""
    return view(Phase.DETECT, ship, contacts=contacts)


# ECM.


@pytest.mark.parametrize("on", [False, True])
def test_a_jammer_is_switched_by_the_power_order(on: bool) -> None:
    assert plot(Power(ship=S1, on=True, ecm=on), ship=JAMMER) is None


def test_a_ship_without_a_jammer_has_none_to_switch() -> None:
    problem = plot(Power(ship=S1, on=True, ecm=False))
    assert_refused(problem, Code.ORDER_ECM, "$.orders[0].ecm")


def test_the_switch_of_a_jammer_is_among_the_legal_orders() -> None:
    orders = legal(view(Phase.PLOT, JAMMER))
    assert Power(ship=S1, on=True, ecm=False) in orders


# Launches.


def test_a_ship_launches_one_remote_sensor_from_each_dispenser() -> None:
    assert plot(LAUNCH, LAUNCH, ship=TENDER) is None
    problem = plot(LAUNCH, LAUNCH, LAUNCH, ship=TENDER)
    assert problem is not None
    assert problem.code is Code.ORDER_LAUNCH


def test_a_ship_without_dispensers_launches_nothing() -> None:
    assert_refused(plot(LAUNCH), Code.ORDER_LAUNCH, "$.orders[0].what")


@pytest.mark.parametrize(
    ("ship", "orders", "code"),
    [
        (own_ship(dispensers=1, powered=False), (LAUNCH,), Code.ORDER_POWER),
        (own_ship(dispensers=1), (LAUNCH, Power(ship=S1, on=False)), Code.ORDER_POWER),
        (own_ship(dispensers=1, landed=ON_ROCK, square=ROCK.at), (LAUNCH,), Code.ORDER_LANDED),
        (
            own_ship(dispensers=1, square=ROCK.at),
            (LAUNCH, Land(ship=S1, body="Rock", sector=ON_ROCK.sector)),
            Code.ORDER_LANDED,
        ),
    ],
    ids=["cold", "ordered cold", "landed", "landing"],
)
def test_a_launch_needs_power_and_open_space(
    ship: OwnView, orders: tuple[Order, ...], code: Code
) -> None:
    problem = plot(*orders, ship=ship)
    assert problem is not None
    assert problem.code is code


def test_a_launch_is_among_the_legal_orders_of_a_tender_alone() -> None:
    assert LAUNCH in legal(view(Phase.PLOT, TENDER))
    assert LAUNCH not in legal(view(Phase.PLOT, own_ship()))


def test_a_remote_sensor_takes_no_orders() -> None:
    seen = view(Phase.PLOT, own_ship(), BUOY)
    for order in (Thrust(ship=BUOY.id, to=()), Power(ship=BUOY.id, on=False)):
        assert_refused(check(seen, (order,)), Code.ORDER_PIECE, "$.orders[0]")
    assert {order.ship for order in legal(seen)} == {S1}


def test_a_remote_sensor_is_seen_to_drift_without_gravity() -> None:
    near = own_ship(
        id=OwnId("R1"), kind=PieceKind.REMOTE, square=Square(13, 14), vector=BUOY.vector
    )
    assert after_plot(view(Phase.PLOT, near), near, ()).square == Square(13, 14)


# Data scans.


def test_what_is_held_and_identified_may_be_asked_about() -> None:
    for fix in (Fix.CONTACT, Fix.TRACKED):
        held = contact(fix=fix, side=Side("B"), type="frigate")
        assert check(detect(held), (Probe(ship=S1, at=C1),)) is None


def test_a_request_out_of_reach_may_be_made_but_is_not_listed() -> None:
    far = contact(square=Square(35, 2), side=Side("B"), type="frigate")
    assert check(detect(far), (Probe(ship=S1, at=C1),)) is None
    assert list(probes(detect(far))) == []
    assert list(probes(detect(KNOWN))) == [Probe(ship=S1, at=C1)]


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
    blip = check(detect(contact()), (Probe(ship=S1, at=C1),))
    assert check(detect(held, ship=ship), (Probe(ship=S1, at=at),)) == blip
    assert_refused(blip, Code.ORDER_PROBE, "$.orders[0]")


def test_a_ship_makes_one_request_a_turn() -> None:
    problem = check(detect(KNOWN), (Probe(ship=S1, at=C1), Probe(ship=S1, at=C1)))
    assert_refused(problem, Code.ORDER_TWICE, "$.orders[1]")


@pytest.mark.parametrize(
    ("at", "means"),
    [
        (Square(8, 25), Means.SHORT),
        (Square(7, 21), Means.PROBE),
        (Square(7, 20), None),
    ],
    ids=["short range", "by probe", "out of reach"],
)
def test_the_means_follow_from_what_the_asker_sees(at: Square, means: Means | None) -> None:
    held = contact(square=at, side=Side("B"), type="frigate")
    far = contact(handle=C2, square=Square(35, 2), side=Side("B"), type="frigate")
    assert probe_means(detect(held), TENDER, held) is means
    seen = detect(far, held)
    assert request_means(seen, Probe(ship=S1, at=C1)) == (means, means)
    assert request_means(seen, Probe(ship=S1, at=C2)) == (None, None)


@pytest.mark.parametrize("order", [Probe(ship=S2, at=C1), Probe(ship=S1, at=C2)], ids=["S2", "C2"])
def test_a_request_of_nobody_or_about_nothing_has_no_means(order: Probe) -> None:
    assert request_means(detect(KNOWN), order) == (None, None)


def test_a_refused_request_comes_with_what_may_be_asked_about() -> None:
    blip = contact(handle=C2, square=Square(7, 21))
    problem = check(detect(KNOWN, blip), (Probe(ship=S1, at=C2),))
    assert_refused(problem, Code.ORDER_PROBE, "$.orders[0]")
    assert problem is not None
    assert problem.choices == (C1,)


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


def test_look_lists_the_abilities_of_an_own_ship() -> None:
    facts = "\n".join(own_facts(view(Phase.PLOT, TENDER), TENDER))
    assert "Abilities: PRB, 2 remote sensors a turn." in facts
    drone = own_ship(id=S2, kind=PieceKind.REMOTE, controls=S1, landed=None)
    assert "controlled by S1" in "\n".join(own_facts(view(Phase.PLOT, drone), drone))
    assert isinstance(ON_ROCK, Landing)
