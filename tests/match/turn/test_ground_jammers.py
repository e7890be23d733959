"""Jammers of ground units: their switch, and that one that is off protects nobody."""

import msgspec
import pytest

from builders.advice import assert_refused
from builders.ground import AG1, BG1, ground_truth, planet, unit
from builders.groundprobes import FLAT, able, asked, closed, known
from builders.learned import flow_of, granted
from builders.orders import read_on
from builders.spotting import specials
from builders.terminals import GUARD, with_ground
from builders.terminals import view as space_view
from builders.truths import A, B, only
from sunglare_client.command import Problem
from sunglare_client.terminal.input.parser import parse
from sunglare_client.terminal.owned import draw_ground
from sunglare_client.verbs.written import order_text
from sunglare_protocol.ids import OMNI, OwnId, audience_of
from sunglare_protocol.orders import Move, Power
from sunglare_protocol.refusals import Code
from sunglare_protocol.surface import Cell
from sunglare_protocol.views import GroundView, View
from sunglare_protocol.words.dossiers import Outcome
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.cards.why import look
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.legal.legal import legal
from sunglare_server.match.apply.space import apply
from sunglare_server.match.events.blips import EcmSwitched
from sunglare_server.match.events.ground import PieceIdentified
from sunglare_server.match.ids import PieceId
from sunglare_server.match.omniscient.omniscient import truth_view
from sunglare_server.match.truth.truth import Truth
from sunglare_server.match.turn.ground import look as look_around

_replace = msgspec.structs.replace

G1, G2 = OwnId("G1"), OwnId("G2")
WALLED = planet("............", ".....4......", ".....4......", ".....4......")
JAMMER = _replace(GUARD, specials=specials("ECM"))
OFF = Power(ship=G1, on=True, ecm=False)


def covered(*, on: bool) -> Truth:
    """Return a tank of B behind a wall beside a jammer of B, and a tank of A on the other side."""
    jammer = _replace(unit(B, 2, (9, 1), "tracked-jammer", hidden=True), ecm_on=on)
    units = (unit(A, 1, (3, 1), "battle-tank"), unit(B, 1, (7, 1), "battle-tank"), jammer)
    return ground_truth(*units, body=WALLED)


def plotted(truth: Truth, *orders: Power | Move) -> tuple[list[str], Truth]:
    """Return what A identifies in a turn in which B gives these orders, and the truth then."""
    flow = flow_of(truth)
    look_around(flow)
    done = closed(flow.finished(), Phase.PLOT, {B: orders})
    known_now = only(done.events, PieceIdentified)
    return [str(event.piece) for event in known_now if event.side == A], done.truth


def test_a_jammer_covers_its_side_until_it_is_switched_off_which_works_at_once() -> None:
    assert plotted(covered(on=True))[0] == []
    off = Power(ship=G2, on=True, ecm=False)
    found, truth = plotted(covered(on=True), off)
    assert found == ["B/G1"]
    assert truth.ground[PieceId("B/G2")].ecm is False


def test_a_jammer_that_is_switched_on_again_protects_in_the_same_turn() -> None:
    assert plotted(covered(on=False))[0] == ["B/G1"]
    on = Power(ship=G2, on=True, ecm=True)
    assert plotted(covered(on=False), on)[0] == []


def test_it_is_switched_before_its_unit_moves() -> None:
    # Where it ends it would be no cover in either case; where it stood it was one.
    off, away = Power(ship=G2, on=True, ecm=False), Move(ship=G2, path=(Cell(9, 0),))
    for orders in ((off, away), (away, off)):
        found, truth = plotted(covered(on=True), *orders)
        assert found == ["B/G1"]
        assert truth.ground[PieceId("B/G2")].cell == Cell(9, 0)


@pytest.mark.parametrize(
    ("words", "probe", "on", "outcome"),
    [
        ("ECM", "PRB", True, Outcome.INCONCLUSIVE),
        ("ECM", "PRB", False, Outcome.FULL),
        ("AECM", "BH", True, Outcome.INCONCLUSIVE),
        ("AECM", "BH", False, Outcome.FULL),
        ("WAT", "PRB", False, Outcome.FULL),
        ("ECM STL", "PRB", False, Outcome.INCONCLUSIVE),
    ],
)
def test_a_jammer_that_is_off_stops_no_probe(
    words: str, probe: str, on: bool, outcome: Outcome
) -> None:
    target = _replace(able(B, (7, 0), words), ecm_on=on)
    truth = ground_truth(able(A, (0, 0), probe), target, body=FLAT)
    assert asked(known(truth, BG1)).outcome is outcome


def test_nothing_is_switched_that_is_so_already_nor_for_what_is_gone() -> None:
    gone = _replace(covered(on=True).ground[PieceId("B/G2")], fate=GUARD.fate.DESTROYED)
    truth = covered(on=True)
    dead = _replace(truth, ground={**truth.ground, gone.id: gone})
    for state, on in ((truth, True), (dead, False)):
        done = closed(flow_of(state).state, Phase.PLOT, {B: (Power(ship=G2, on=True, ecm=on),)})
        assert not only(done.events, EcmSwitched)


def test_nothing_is_told_to_anybody_when_a_jammer_is_switched_but_its_owner_sees_it() -> None:
    truth = covered(on=True)
    event = EcmSwitched(piece=PieceId("B/G2"), on=False)
    assert granted(truth, event) == []
    flow = flow_of(truth)
    look_around(flow)
    before = dict(flow.intel)
    flow.run([event])
    after = flow.finished().intel
    assert after[audience_of(A)].told == before[audience_of(A)].told
    assert after[audience_of(A)].tokens == before[audience_of(A)].tokens
    assert [own.ecm_on for own in after[audience_of(B)].ground] == [True, False]
    shown = truth_view(flow.truth, flow.state.standing, (), flow.state.board)
    jammers = {piece.id: piece.ecm for piece in shown.ground if piece.side == B}
    assert jammers == {G1: None, G2: False}
    assert after[OMNI].told == before[OMNI].told


def test_the_switch_changes_the_jammer_of_its_unit_alone() -> None:
    truth = covered(on=True)
    after = apply(truth, EcmSwitched(piece=PieceId("B/G2"), on=False))
    changed = [piece for piece in truth.ground if truth.ground[piece] != after.ground[piece]]
    assert changed == ["B/G2"]
    assert after.ground[AG1].ecm is None


# Advice and words.


def plot(of: GroundView) -> View:
    """Return the view of a PLOT window with that ground unit."""
    return _replace(with_ground(space_view(Phase.PLOT)), ground=(of,))


def test_a_unit_with_a_jammer_may_switch_it_and_the_switch_is_listed() -> None:
    for on in (True, False):
        seen = plot(_replace(JAMMER, ecm_on=on))
        assert check(seen, (OFF,)) is None
        assert Power(ship=G1, on=True, ecm=not on) in legal(seen)
    aboard = plot(_replace(JAMMER, site=None, cell=None, aboard=OwnId("S1")))
    assert check(aboard, (OFF,)) is None
    assert G1 not in [order.ship for order in only(legal(plot(GUARD)), Power)]


@pytest.mark.parametrize(
    ("unit", "order", "at"),
    [
        (GUARD, OFF, "$.orders[0].ecm"),
        (JAMMER, Power(ship=G1, on=True), "$.orders[0].ecm"),
        (JAMMER, Power(ship=G1, on=False, ecm=False), "$.orders[0].on"),
    ],
    ids=["no jammer", "no jammer named", "the plant off"],
)
def test_nothing_else_of_a_unit_is_switched(unit: GroundView, order: Power, at: str) -> None:
    assert_refused(check(plot(unit), (order,)), Code.ORDER_ECM, at)


def test_a_jammer_is_switched_once_a_turn() -> None:
    assert_refused(check(plot(JAMMER), (OFF, OFF)), Code.ORDER_TWICE, "$.orders[1]")


def test_the_terminal_reads_and_writes_the_switch_of_a_unit() -> None:
    seen = plot(JAMMER)
    for line in ("ecm G1 off", "e g1 off", "power G1 on ecm off", order_text(OFF)):
        assert read_on(seen, line) == (OFF,)
    assert isinstance(parse("power G1 off", seen), Problem)


def test_the_terminal_shows_how_a_jammer_is_switched() -> None:
    on, off = (draw_ground(plot(_replace(JAMMER, ecm_on=is_on)), ()) for is_on in (True, False))
    assert "ECM" in on[1]
    assert "ecm off" not in on[1]
    assert "ecm off" in off[1]
    planned = draw_ground(plot(JAMMER), (OFF,))
    assert "     plan: power G1 on ecm off" in planned
    card = look(plot(_replace(JAMMER, ecm_on=False)), "G1")
    assert "Abilities: ECM, its jammer off." in getattr(card, "lines", ())
