"""Large units and landed ships in the way: spotting, hiding, attacks, beams and data scans."""

import msgspec
import pytest

from builders.advice import assert_refused
from builders.ground import AG1, BG1, SITE, ground_truth, landed, planet, seeing, unit
from builders.groundprobes import able, asked, known
from builders.terminals import GUARD, KITE, stage
from builders.terminals import view as space_view
from builders.truths import DICE, A, B, C, applied, ship
from sunglare_protocol.geometry import Board, Compass, Landing
from sunglare_protocol.ids import Handle, OwnId, Side
from sunglare_protocol.orders import Fire, Probe
from sunglare_protocol.refusals import Code
from sunglare_protocol.surface import Cell
from sunglare_protocol.views import GroundView, SurfaceView, TokenView, View
from sunglare_protocol.words.dossiers import Outcome
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.pieces import BaseSize
from sunglare_protocol.words.specials import Special
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.check.probe import request_means
from sunglare_rules.blips.dossiers import Means
from sunglare_rules.blips.hiding import Shown
from sunglare_server.match.events.ground import PieceIdentified, UnitMoved
from sunglare_server.match.resolve import ground as surface
from sunglare_server.match.resolve import ground_fire
from sunglare_server.match.resolve.bombarding import Call, Designation, designations, launches
from sunglare_server.match.resolve.ground_fire import GroundAttack
from sunglare_server.match.truth.ground import GroundTruth
from sunglare_server.match.truth.truth import ShipTruth, Truth

_replace = msgspec.structs.replace

FIELD = planet(*(("." * 20,) * 5))
"""Forty inches of open ground: beyond sensors, within sight."""

MIDDLE = (9, 2)


def across(*between: GroundTruth, ships: tuple[ShipTruth, ...] = ()) -> Truth:
    """Return infantry of A and B forty inches apart, with what stands between them."""
    ends = (unit(A, at=(0, 2)), unit(B, at=(19, 2)))
    return seeing(ground_truth(*ends, *between, ships=ships, body=FIELD), A, BG1)


def sighted(truth: Truth) -> bool:
    """Return whether A's infantry identifies B's."""
    events = surface.spottings(truth)
    return any(isinstance(event, PieceIdentified) and event.piece == BG1 for event in events)


@pytest.mark.parametrize("side", [B, C])
def test_a_large_unit_of_any_enemy_hides_what_is_behind_it(side: Side) -> None:
    assert sighted(across())
    assert sighted(across(unit(side, 3, MIDDLE, "battle-tank")))
    assert not sighted(across(unit(side, 3, MIDDLE, "crawler")))
    assert sighted(across(unit(side, 3, (9, 3), "crawler")))


def test_a_large_unit_that_is_hidden_aboard_or_gone_hides_nothing() -> None:
    crawler = unit(C, 3, MIDDLE, "crawler")
    for changes in (
        {"hidden": True},
        {"site": None, "aboard": "C/S9"},
        {"fate": GUARD.fate.DESTROYED},
    ):
        assert sighted(across(_replace(crawler, **changes)))


@pytest.mark.parametrize(
    ("size", "cell", "hides"),
    [
        (BaseSize.SMALL, MIDDLE, False),
        (BaseSize.MEDIUM, MIDDLE, True),
        (BaseSize.MEDIUM, (9, 3), False),
        (BaseSize.LARGE, (9, 3), True),
        (BaseSize.LARGE, (9, 4), False),
    ],
)
def test_a_landed_ship_stands_in_the_way_by_its_base(
    size: BaseSize, cell: tuple[int, int], hides: bool
) -> None:
    made = landed(ship(C), cell)
    parked = _replace(made, type=_replace(made.type, size=size))
    assert sighted(across(ships=(parked,))) is not hides


def test_a_large_unit_screens_a_hidden_one_that_comes_out_and_not_by_itself() -> None:
    move = UnitMoved(piece=BG1, cells=(Cell(18, 2),))
    for kind, screen, shown in (
        ("first-line-rifles", (), Shown.IDENTIFIED),
        ("first-line-rifles", (unit(B, 3, MIDDLE, "crawler"),), Shown.BLIP),
        ("crawler", (), Shown.IDENTIFIED),
    ):
        ends = (unit(A, at=(0, 2)), unit(B, at=(19, 2), kind=kind, hidden=True))
        before = ground_truth(*ends, *screen, body=FIELD)
        after = applied(before, [move])
        shows = surface.uncovered(before, after, [move], frozenset({BG1}))
        assert shows == {BG1: shown}


def shot(truth: Truth, weapon: str = "C1") -> int | None:
    """Return what the dice of A's attack on B must show; None: it cannot work."""
    [fired] = ground_fire.shots(truth, (GroundAttack(AG1, weapon, BG1),), DICE)
    return fired.needed


def test_an_attack_past_a_large_unit_reads_like_a_miss_and_takes_a_friend_with_sight() -> None:
    def attack(*others: GroundTruth, kind: str, weapon: str) -> int | None:
        ends = (unit(A, at=(3, 2), kind=kind), unit(B, at=(13, 2)))
        return shot(ground_truth(*ends, *others, body=FIELD), weapon)

    crawler = unit(C, 3, MIDDLE, "crawler")
    assert attack(kind="battle-tank", weapon="C1") == 6
    for side in (A, B, C):
        tall = unit(side, 3, MIDDLE, "crawler")
        assert attack(tall, kind="battle-tank", weapon="C1") is None
    assert attack(crawler, kind="field-mortar", weapon="M1") is None
    friend = unit(A, 2, (13, 4))
    assert attack(crawler, friend, kind="field-mortar", weapon="M1") == 7


def test_a_beam_past_a_large_unit_is_noticed_and_guides_nothing() -> None:
    call = Call(BG1, "D1", SITE, Cell(12, 2))
    needed = {}
    for name, between in (("free", ()), ("blocked", (unit(C, 3, MIDDLE, "crawler"),))):
        beam = unit(B, 2, (4, 2), "hover-scout")
        truth = ground_truth(
            unit(A), unit(B, at=(0, 0), kind="defence-missiles"), beam, *between, body=FIELD
        )
        [point] = designations(truth, [Designation(beam.id, Cell(12, 2))])
        assert point.guides is (name == "free")
        assert AG1 in [noticed.piece for noticed in point.noticed]
        [sent] = launches(truth, [call], (point,))
        needed[name] = sent.flight.needed
    assert needed["blocked"] == needed["free"] + 2


def test_a_large_unit_in_between_leaves_only_a_probe_at_short_range() -> None:
    def asking(words: str) -> tuple[Outcome, bool]:
        units = (able(A, (8, 2), words), able(B, (10, 2)), unit(C, 3, MIDDLE, "crawler"))
        event = asked(known(ground_truth(*units, body=FIELD), BG1))
        return event.outcome, event.by_probe

    assert asking("") == (Outcome.OUT_OF_REACH, False)
    assert asking("PRB") == (Outcome.FULL, True)


# Advice: the own large units stand in the way, of others nothing is known.

G1, G2, H = OwnId("G1"), OwnId("G2"), Handle("tttttt")
RIFLES = _replace(GUARD, cell=Cell(0, 2))
CRAWLER = _replace(GUARD, id=G2, cell=Cell(5, 2), height=2, specials=(Special.LG,), weapons=())
TOKEN = TokenView(label="C1", cell=Cell(10, 2), turn=4, handle=H, side=B, type="'mech")
ATTACK = Fire(ship=G1, weapon="R1", at=H)


def seen(*units: GroundView, phase: Phase = Phase.ENGAGE, landing: Cell | None = None) -> View:
    down = Landing(body="Ceres", sector=Compass.N, environs=1, cell=landing)
    carrier = KITE if landing is None else _replace(KITE, landed=down, size=BaseSize.LARGE)
    return _replace(
        space_view(phase),
        stage=stage(phase, 4),
        board=Board(planets=(FIELD,)),
        own=(carrier,),
        ground=units,
        surfaces=(SurfaceView(site=SITE, seen=True, tokens=(TOKEN,)),),
    )


def test_an_attack_is_refused_for_an_own_large_unit_in_the_way() -> None:
    # Even the tallest target could not be seen past four inches of footprint and ten of height.
    tower = _replace(CRAWLER, height=10)
    assert check(seen(RIFLES), (ATTACK,)) is None
    assert_refused(check(seen(RIFLES, tower), (ATTACK,)), Code.ORDER_SIGHT, "$.orders[0].at")
    assert check(seen(RIFLES, _replace(tower, hidden=True)), (ATTACK,)) is None
    assert check(seen(RIFLES, _replace(tower, cell=Cell(5, 0))), (ATTACK,)) is None
    low = check(seen(RIFLES, CRAWLER), (ATTACK,))
    assert low is None, "a tall target might be seen above it"


def test_an_attack_is_refused_for_an_own_landed_ship_in_the_way() -> None:
    assert_refused(
        check(seen(RIFLES, landing=Cell(5, 2)), (ATTACK,)), Code.ORDER_SIGHT, "$.orders[0].at"
    )
    assert check(seen(RIFLES, landing=Cell(5, 0)), (ATTACK,)) is None


def test_a_beam_is_refused_for_an_own_large_unit_in_the_way() -> None:
    scout = _replace(RIFLES, specials=(Special.TAG,))
    beam = Fire(ship=G1, weapon="TAG", point=Cell(10, 2))
    assert check(seen(scout), (beam,)) is None
    assert_refused(check(seen(scout, CRAWLER), (beam,)), Code.ORDER_SIGHT, "$.orders[0].point")


def test_a_request_for_data_reckons_with_own_large_units() -> None:
    near = _replace(RIFLES, cell=Cell(8, 2), specials=(Special.PRB,))
    tower = _replace(CRAWLER, cell=Cell(9, 2), height=10)
    ask = seen(near, phase=Phase.DETECT)
    request = Probe(ship=G1, at=H)
    assert request_means(ask, request) == (Means.SHORT, Means.SHORT)
    hidden = seen(near, tower, phase=Phase.DETECT)
    assert request_means(hidden, request) == (Means.PROBE, Means.PROBE)
