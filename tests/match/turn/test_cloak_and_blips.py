"""Cloaked ships among blips: they spot, jam and notice nothing, and are not spotted."""

import pytest
from msgspec.structs import replace

from builders.advice import assert_refused
from builders.blips import able, held, known, remote, spots
from builders.spotting import specials
from builders.truths import A1, B1, C1, A, B, C, truth_of
from builders.views import C1 as HANDLE
from builders.views import S1, contact, own_ship, view
from sunglare_protocol.ids import Side
from sunglare_protocol.orders import Power, Probe
from sunglare_protocol.refusals import Code
from sunglare_protocol.words.dossiers import Outcome
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.legal.legal import probes
from sunglare_server.match.resolve.probing import Request
from sunglare_server.match.resolve.probing import probes as probed
from sunglare_server.match.resolve.remotes import contacts
from sunglare_server.match.truth.truth import ShipTruth

KNOWN = contact(side=Side("B"), type="frigate")
PROBER = own_ship(specials=specials("PRB"))


def cloaked(ship: ShipTruth) -> ShipTruth:
    """Return the ship under a cloak that its class now has."""
    return replace(ship, type=replace(ship.type, cloak=True), cloaked=True, cloaks=1)


@pytest.mark.parametrize("hides", [False, True])
def test_a_cloaked_ship_spots_nobody(hides: bool) -> None:
    spotter = able(A, (10, 10), "BH")
    other = able(B, (12, 12))
    truth = held(truth_of(cloaked(spotter) if hides else spotter, other), A, B1)
    assert bool(spots(truth)) is not hides


@pytest.mark.parametrize("hides", [False, True])
def test_a_cloaked_ship_jams_nobody(hides: bool) -> None:
    jammer = able(B, (14, 11), "AECM", number=2)
    others = able(A, (10, 10), "PRB"), able(B, (14, 12))
    truth = truth_of(*others, cloaked(jammer) if hides else jammer)
    [event] = probed(known(truth, A, B1), (Request(A1, B1),))
    assert (event.outcome is Outcome.FULL) is hides


@pytest.mark.parametrize("hides", [False, True])
def test_a_cloaked_ship_notices_no_probe(hides: bool) -> None:
    bystander = able(C, (11, 11))
    others = able(A, (10, 10), "PRB"), able(B, (14, 12))
    truth = truth_of(*others, cloaked(bystander) if hides else bystander)
    [event] = probed(known(truth, A, B1), (Request(A1, B1),))
    assert event.by_probe
    assert event.noticed == (() if hides else (C1,))


@pytest.mark.parametrize("hides", [False, True])
def test_a_cloaked_ship_ends_no_remote_sensor(hides: bool) -> None:
    finder = able(B, (10, 10))
    sensor = remote(A, (10, 10))
    truth = truth_of(able(A, (1, 1)), sensor, cloaked(finder) if hides else finder)
    assert bool(list(contacts(held(truth, B, sensor.id)))) is not hides


@pytest.mark.parametrize(
    ("works", "found"), [(True, "B/S1 visual sensor"), (False, "B/S1 visual")]
)
def test_while_space_is_jammed_eyes_alone_spot(works: bool, found: str) -> None:
    truth = held(truth_of(able(A, (10, 10)), able(B, (14, 10))), A, B1)
    assert spots(truth, sensors_work=works) == [("A", found)]


def test_a_cloaked_ship_asks_for_no_data() -> None:
    hidden = replace(PROBER, cloak=True, cloaked=True)
    window = view(Phase.DETECT, hidden, contacts=(KNOWN,))
    assert_refused(check(window, (Probe(ship=S1, at=HANDLE),)), Code.ORDER_PROBE, "$.orders[0]")
    assert not list(probes(window))
    assert list(probes(view(Phase.DETECT, PROBER, contacts=(KNOWN,))))


@pytest.mark.parametrize("fix", [Fix.DETECTED, Fix.SOLUTION])
def test_no_data_are_asked_of_a_cloaked_ship(fix: Fix) -> None:
    found = replace(KNOWN, fix=fix)
    window = view(Phase.DETECT, PROBER, contacts=(found,))
    assert_refused(check(window, (Probe(ship=S1, at=HANDLE),)), Code.ORDER_PROBE, "$.orders[0]")


def test_under_a_cloak_the_jammer_is_not_switched() -> None:
    jammer = own_ship(specials=specials("ECM"), ecm=True, cloak=True, cloaked=True)
    problem = check(view(Phase.PLOT, jammer), (Power(ship=S1, on=True, ecm=False),))
    assert_refused(problem, Code.ORDER_CLOAK, "$.orders[0].ecm")
