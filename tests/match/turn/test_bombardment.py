"""Fire from above at points of a surface map: reach, misses, blasts, and who learns of them."""

import pytest

from builders.advice import refused
from builders.ground import AG1, BG1, BG2, FAR_SITE, SITE, ground_truth, landed, seeing, unit
from builders.sieges import (
    BEYOND,
    CENTRAL,
    G1,
    GUNBOAT,
    INNER,
    MONITOR,
    OPEN,
    OUTER,
    above,
    call,
    engaged,
    handle,
    heard,
    refusal,
    rolling,
    struck,
    told,
    view,
    with_air,
)
from builders.truths import A, B, C, dice_where, only, ship
from sunglare_protocol.ids import PUBLIC
from sunglare_protocol.notices import BlastSeen, BombardResult, OwnBlasted
from sunglare_protocol.orders import Order
from sunglare_protocol.refusals import Code
from sunglare_protocol.surface import Cell, Pressure, Site
from sunglare_rules.ground.plane import centre
from sunglare_server.match.data.scenario import ShipClass
from sunglare_server.match.dice import Dice, Purpose
from sunglare_server.match.events.ground import (
    AttackerRevealed,
    HiddenExposed,
    UnitDamaged,
    UnitDestroyed,
)
from sunglare_server.match.events.space import PointsScored

GUN = "A/S1/C1"


def hitting(key: str = GUN) -> Dice:
    return rolling(key, 12)


def missing(sums: range, *ways: int) -> Dice:
    """Return dice by which A's gun misses with one of these sums, and scatters these ways."""

    def good(dice: Dice) -> bool:
        shown = [dice.d6(1, Purpose.SCATTER, GUN, index) for index in range(len(ways))]
        return sum(dice.two_d6(1, Purpose.FIRE, GUN)) in sums and shown == [*ways]

    return dice_where(good)


@pytest.mark.parametrize(
    ("at", "needed"),
    [(CENTRAL, 4), (INNER, 7), ((14, 10), 7), (OUTER, 7)],
    ids=["central", "inner", "middle", "outer"],
)
def test_from_the_central_zone_fire_has_no_modifier_and_from_any_other_3(
    at: tuple[int, int], needed: int
) -> None:
    flow = engaged(above(at=at), {A: (call("M1"),)})
    assert struck(flow).needed == needed


def test_the_thickest_air_adds_nothing_to_fire_from_above() -> None:
    assert struck(engaged(above(body=with_air(Pressure.HIGH)), {A: (call(),)})).needed == 4


def test_fire_from_above_comes_down_in_the_turn_in_which_it_is_fired() -> None:
    flow = engaged(above(unit(B, at=(5, 2))), {A: (call(),)}, hitting())
    assert struck(flow).impact == centre(Cell(5, 2))
    assert not flow.truth.missiles


def test_beyond_the_well_nothing_reaches_the_ground() -> None:
    assert refusal(above(at=BEYOND), call("M1")) is Code.ORDER_RANGE


@pytest.mark.parametrize(("weapon", "code"), [("C1", Code.ORDER_LINE), ("M1", None)])
def test_guns_need_a_line_of_sight_to_the_map_and_missiles_curve(
    weapon: str, code: Code | None
) -> None:
    assert refusal(above(at=(15, 13)), call(weapon)) is code


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (call(cell=(12, 2)), Code.ORDER_CELL),
        (call(site=Site("Ceres", 9)), Code.ORDER_BODY),
        (call(site=Site("Nowhere", 1)), Code.ORDER_BODY),
        (call("B1"), Code.ORDER_WEAPON),
        (call("Z9"), Code.ORDER_WEAPON),
    ],
    ids=["off the map", "no environs", "no planet", "no capital weapon", "no weapon"],
)
def test_what_is_no_point_and_no_capital_weapon_is_refused(order: Order, code: Code) -> None:
    assert refusal(above(), order) is code


def test_a_weapon_fires_at_a_point_or_at_a_piece_but_others_fire_besides() -> None:
    seen = view(above(), A)
    assert refused(seen, call(), call(cell=(1, 1))) is Code.ORDER_TWICE
    assert refused(seen, call("C1"), call("M1")) is None


# Misses.


def test_a_miss_from_above_scatters_by_a_die_of_two_inches_clockwise_from_north() -> None:
    event = struck(engaged(above(), {A: (call(),)}, missing(range(4), 1, 2)))
    assert event.scatter == (1, 2)
    east, north = centre(Cell(5, 2))
    assert event.impact == (east, north + 4000)


def test_a_miss_from_elsewhere_scatters_by_how_far_the_dice_fell_short() -> None:
    event = struck(engaged(above(at=INNER), {A: (call(),)}, missing(range(6, 7), 4)))
    east, north = centre(Cell(5, 2))
    assert event.impact == (east, north - 2000)


def test_what_scatters_off_the_map_is_lost() -> None:
    truth = above(unit(B, at=(5, 5)))
    flow = engaged(truth, {A: (call(cell=(5, 5)),)}, missing(range(4), 1))
    assert struck(flow).impact is None
    assert struck(flow).heard == ()
    (result,) = heard(flow, "A", BombardResult)
    assert result.point is None


# Blasts.


@pytest.mark.parametrize(
    ("weapon", "kind", "cell", "damage"),
    [
        ("C1", MONITOR, (5, 2), 6),
        ("C1", MONITOR, (6, 2), 6),
        ("C1", MONITOR, (6, 3), 3),
        ("C1", MONITOR, (8, 2), 3),
        ("C1", MONITOR, (9, 2), 0),
        ("C1", GUNBOAT, (6, 2), 4),
        ("C1", GUNBOAT, (7, 2), 2),
        ("C1", GUNBOAT, (8, 2), 0),
        ("M1", MONITOR, (7, 2), 2),
        ("M1", MONITOR, (8, 2), 0),
    ],
)
def test_a_blast_is_full_to_2_inches_and_half_to_6_of_a_cap_and_to_4_of_the_others(
    weapon: str, kind: ShipClass, cell: tuple[int, int], damage: int
) -> None:
    truth = above(unit(B, at=cell, kind="crawler"), kind=kind)
    flow = engaged(truth, {A: (call(weapon),)}, hitting(f"A/S1/{weapon}"))
    hurt = [event.damage for event in only(flow.events, UnitDamaged)]
    assert hurt == ([damage] if damage else [])


def test_a_blast_hurts_friend_and_foe_and_what_stands_hidden() -> None:
    truth = above(
        unit(A, at=(5, 2), kind="crawler"),
        unit(B, 1, (5, 3), "crawler"),
        unit(B, 2, (4, 2), "crawler", hidden=True),
    )
    flow = engaged(truth, {A: (call(),)}, hitting())
    assert {event.piece for event in only(flow.events, UnitDamaged)} == {AG1, BG1, BG2}


def test_a_landed_ship_takes_hull_damage_from_a_blast() -> None:
    down = landed(ship(B, 1, CENTRAL), (5, 2))
    truth = ground_truth(ships=(ship(A, 1, CENTRAL, MONITOR), down), body=OPEN)
    flow = engaged(truth, {A: (call(),)}, hitting())
    assert flow.truth.ships[down.id].damage == 6


def test_a_hidden_unit_that_a_blast_hurts_is_exposed_to_all_who_see_it() -> None:
    truth = above(unit(A, at=(8, 5)), unit(B, at=(5, 2), kind="crawler", hidden=True))
    flow = engaged(seeing(truth, A), {A: (call(),)}, hitting())
    assert only(flow.events, HiddenExposed) == [HiddenExposed(piece=BG1, side=A)]


def test_a_bombarder_that_does_not_see_the_map_learns_the_impact_and_no_effect() -> None:
    truth = above(unit(B, at=(5, 2)), unit(C, at=(11, 5)))
    flow = engaged(seeing(truth, C, BG1), {A: (call(),)}, hitting())
    (result,) = told(flow, "A")[:1]
    assert isinstance(result, BombardResult)
    assert (result.point, result.harmed) == (centre(Cell(5, 2)), ())
    (gone,) = only(flow.events, UnitDestroyed)
    assert (gone.killers, gone.unaware) == ((), (A,))
    (points,) = only(flow.events, PointsScored)
    assert (points.side, points.is_known) == (A, False)


def test_a_bombarder_learns_the_damage_to_the_tokens_it_holds() -> None:
    units = (unit(A, at=(11, 5)), unit(B, 1, (5, 2), "crawler"), unit(B, 2, (5, 3), hidden=True))
    truth = seeing(above(*units), A, BG1)
    flow = engaged(truth, {A: (call(),)}, hitting())
    (result,) = heard(flow, "A", BombardResult)
    assert (result.harmed, result.damage) == ((handle(BG1),), (6,))


def test_all_who_see_the_map_learn_the_impact_and_nobody_learns_who_fired() -> None:
    truth = above(unit(B, at=(5, 2), kind="crawler"), unit(C, at=(11, 5)))
    truth = seeing(seeing(truth, B), C, BG1)
    flow = engaged(truth, {A: (call(),)}, hitting())
    point = centre(Cell(5, 2))
    assert told(flow, "C")[0] == BlastSeen(site=SITE, point=point)
    blasted = OwnBlasted(ship=G1, damage=6, site=SITE, point=point)
    assert set(told(flow, "B")[:2]) == {BlastSeen(site=SITE, point=point), blasted}
    assert "S1" not in str(told(flow, "B"))
    assert not only(flow.events, AttackerRevealed)


def test_whoever_is_in_space_alone_and_the_public_learn_nothing() -> None:
    truth = above(unit(B, at=(5, 2), kind="crawler"), unit(C, at=(0, 0), site=FAR_SITE))
    flow = engaged(truth, {A: (call(),)}, hitting())
    for audience in ("C", PUBLIC):
        assert not heard(flow, audience, BlastSeen)
