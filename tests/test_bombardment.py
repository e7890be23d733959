"""Fire at points of a surface map: from above, over the ground, with a beam on the point."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from groundrigs import AG1, BG1, BG2, FAR_SITE, SITE, ground_truth, landed, planet, seeing, unit
from siegerigs import GUNBOAT, MONITOR, engaged, handle, rolling, told, view
from sunglare_protocol.capital_notices import (
    BlastSeen,
    BombardResult,
    OwnBlasted,
    OwnDesignated,
    OwnMissileSent,
    OwnNoticed,
)
from sunglare_protocol.geometry import Environs, Planet, Square
from sunglare_protocol.ids import PUBLIC, OwnId
from sunglare_protocol.ladder import Fate
from sunglare_protocol.orders import Bombard, Fire, Order
from sunglare_protocol.refusals import Code
from sunglare_protocol.surface import Cell, Pressure, Site
from sunglare_rules.advice.check import check
from sunglare_rules.surface.plane import centre
from sunglare_server.match.capital_events import MissileSent, PointDesignated, PointStruck
from sunglare_server.match.dice import Dice, Purpose
from sunglare_server.match.events import PointsScored
from sunglare_server.match.flow import Flow
from sunglare_server.match.ground_events import (
    AttackerRevealed,
    HiddenExposed,
    UnitDamaged,
    UnitDestroyed,
)
from sunglare_server.match.scenario import ShipClass
from sunglare_server.match.truth import Truth
from sunglare_server.match.truth_ground import GroundTruth
from truthrigs import A, B, C, dice_where, only, ship

S1, G1 = OwnId("S1"), OwnId("G1")
OPEN = planet(*(["............"] * 6))
CENTRAL, INNER, OUTER, BEYOND = (15, 11), (15, 10), (17, 14), (15, 25)


def above(
    *units: GroundTruth,
    at: tuple[int, int] = CENTRAL,
    kind: ShipClass = MONITOR,
    body: Planet = OPEN,
) -> Truth:
    """Return a truth in which A has a ship above the planet."""
    return ground_truth(*units, ships=(ship(A, 1, at, kind),), body=body)


def call(weapon: str = "C1", cell: tuple[int, int] = (5, 2), site: Site = SITE) -> Bombard:
    return Bombard(ship=S1, weapon=weapon, at=site, cell=Cell(*cell))


def struck(flow: Flow) -> PointStruck:
    (event,) = only(flow.events, PointStruck)
    return event


def hitting(key: str = "A/S1/C1") -> Dice:
    return rolling(key, 12)


def refusal(truth: Truth, order: Order) -> Code | None:
    found = check(view(truth, A), (order,))
    return None if found is None else found.code


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
    first = replace(OPEN.environs[0], pressure=Pressure.HIGH)
    body = replace(OPEN, environs=(first, OPEN.environs[1]))
    assert struck(engaged(above(body=body), {A: (call(),)})).needed == 4


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
    twice = check(seen, (call(), call(cell=(1, 1))))
    assert twice is not None
    assert twice.code is Code.ORDER_TWICE
    assert check(seen, (call("C1"), call("M1"))) is None


# Misses.


def test_a_miss_from_above_scatters_by_a_die_of_two_inches_clockwise_from_north() -> None:
    def good(dice: Dice) -> bool:
        misses = sum(dice.two_d6(1, Purpose.FIRE, "A/S1/C1")) < 4
        ways = [dice.d6(1, Purpose.SCATTER, "A/S1/C1", index) for index in (0, 1)]
        return misses and ways == [1, 2]

    event = struck(engaged(above(), {A: (call(),)}, dice_where(good)))
    assert event.scatter == (1, 2)
    east, north = centre(Cell(5, 2))
    assert event.impact == (east, north + 4000)


def test_a_miss_from_elsewhere_scatters_by_how_far_the_dice_fell_short() -> None:
    def good(dice: Dice) -> bool:
        falls = sum(dice.two_d6(1, Purpose.FIRE, "A/S1/C1")) == 6
        return falls and dice.d6(1, Purpose.SCATTER, "A/S1/C1") == 4

    event = struck(engaged(above(at=INNER), {A: (call(),)}, dice_where(good)))
    east, north = centre(Cell(5, 2))
    assert event.impact == (east, north - 2000)


def test_what_scatters_off_the_map_is_lost() -> None:
    def good(dice: Dice) -> bool:
        misses = sum(dice.two_d6(1, Purpose.FIRE, "A/S1/C1")) < 4
        return misses and dice.d6(1, Purpose.SCATTER, "A/S1/C1") == 1

    truth = above(unit(B, at=(5, 5)))
    flow = engaged(truth, {A: (call(cell=(5, 5)),)}, dice_where(good))
    assert struck(flow).impact is None
    assert struck(flow).heard == ()
    (result,) = [each for each in told(flow, "A") if isinstance(each, BombardResult)]
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
    assert [each.damage for each in only(flow.events, UnitDamaged)] == ([damage] if damage else [])


def test_a_blast_hurts_friend_and_foe_and_what_stands_hidden() -> None:
    truth = above(
        unit(A, at=(5, 2), kind="crawler"),
        unit(B, 1, (5, 3), "crawler"),
        unit(B, 2, (4, 2), "crawler", hidden=True),
    )
    flow = engaged(truth, {A: (call(),)}, hitting())
    assert {each.piece for each in only(flow.events, UnitDamaged)} == {AG1, BG1, BG2}


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
    (result,) = [each for each in told(flow, "A") if isinstance(each, BombardResult)]
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
        assert not [each for each in told(flow, audience) if isinstance(each, BlastSeen)]


# TAG.


def tagging(
    scout: tuple[int, int] = (4, 2), point: tuple[int, int] = (5, 2), kind: str = "hover-scout"
) -> tuple[Truth, Fire]:
    return above(unit(A, at=scout, kind=kind)), Fire(ship=G1, weapon="TAG", point=Cell(*point))


@pytest.mark.parametrize(
    ("point", "needed"), [((5, 2), 2), ((6, 2), 2), ((7, 2), 4)], ids=["on it", "2 in", "4 in"]
)
def test_a_friendly_beam_within_2_inches_of_the_point_takes_2_off(
    point: tuple[int, int], needed: int
) -> None:
    truth, beam = tagging(point=point)
    assert struck(engaged(truth, {A: (call(), beam)})).needed == needed


def test_a_beam_of_another_side_guides_nothing() -> None:
    truth = above(unit(B, at=(4, 2), kind="hover-scout"))
    beam = Fire(ship=G1, weapon="TAG", point=Cell(5, 2))
    assert struck(engaged(truth, {A: (call(),), B: (beam,)})).needed == 4


def test_a_beam_gives_enemies_within_24_inches_a_bearing_and_reveals_nobody() -> None:
    wide = replace(OPEN.environs[0], width=52, terrain=())
    body = replace(OPEN, environs=(wide, OPEN.environs[1]))
    near = unit(B, 1, (4, 4))
    units = (unit(A, at=(4, 2), kind="hover-scout"), near, unit(B, 2, (17, 2)))
    beam = Fire(ship=G1, weapon="TAG", point=Cell(5, 2))
    flow = engaged(above(*units, body=body), {A: (beam,)})
    assert [each for each in told(flow, "B") if isinstance(each, OwnNoticed)] == [
        OwnNoticed(ship=G1, bearing=180)
    ]
    assert OwnDesignated(ship=G1, site=SITE, cell=Cell(5, 2)) in told(flow, "A")
    assert not only(flow.events, AttackerRevealed)
    assert only(flow.events, PointDesignated)


def test_a_hidden_unit_that_designates_stays_hidden() -> None:
    truth = above(unit(A, at=(4, 2), kind="hover-scout", hidden=True), unit(B, at=(6, 2)))
    beam = Fire(ship=G1, weapon="TAG", point=Cell(5, 2))
    flow = engaged(seeing(truth, B), {A: (beam,)})
    assert flow.truth.ground[AG1].hidden
    assert AG1 not in flow.truth.surface.tokens_of(B)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda beam: replace(beam, point=Cell(5, 9)), Code.ORDER_CELL),
        (lambda beam: replace(beam, point=None), Code.ORDER_CELL),
        (lambda beam: replace(beam, weapon="LTAG"), Code.ORDER_WEAPON),
        (lambda beam: replace(beam, weapon="G1"), Code.ORDER_WEAPON),
    ],
    ids=["off the map", "no point", "no such designator", "a gun at a point"],
)
def test_a_beam_takes_a_designator_and_a_point_of_the_map(
    change: Callable[[Fire], Fire], code: Code
) -> None:
    truth, beam = tagging()
    assert refusal(truth, beam) is None
    assert refusal(truth, change(beam)) is code


def test_a_beam_reaches_medium_range_and_needs_sight() -> None:
    wide = replace(OPEN.environs[0], width=52, terrain=())
    body = replace(OPEN, environs=(wide, OPEN.environs[1]))
    truth = above(unit(A, at=(0, 2), kind="hover-scout"), body=body)
    assert refusal(truth, Fire(ship=G1, weapon="TAG", point=Cell(12, 2))) is None
    assert refusal(truth, Fire(ship=G1, weapon="TAG", point=Cell(13, 2))) is Code.ORDER_RANGE
    walled = above(unit(A, at=(4, 3), kind="hover-scout"), body=planet())
    assert refusal(walled, Fire(ship=G1, weapon="TAG", point=Cell(9, 3))) is Code.ORDER_SIGHT


# Missiles over the ground.


def battery(
    *others: GroundTruth, kind: str = "defence-missiles", body: Planet = OPEN
) -> tuple[Truth, Bombard]:
    truth = ground_truth(unit(A, at=(1, 1), kind=kind), *others, body=body)
    return truth, Bombard(ship=G1, weapon="D1", at=SITE, cell=Cell(5, 2))


def sent(flow: Flow) -> MissileSent:
    (event,) = only(flow.events, MissileSent)
    return event


def with_air(pressure: Pressure) -> Planet:
    first: Environs = replace(OPEN.environs[0], pressure=pressure)
    return replace(OPEN, environs=(first, OPEN.environs[1]))


@pytest.mark.parametrize(
    ("pressure", "needed"),
    [(Pressure.STANDARD, 13), (Pressure.HIGH, 13), (Pressure.THIN, 11), (Pressure.VACUUM, 11)],
)
def test_a_missile_over_the_ground_needs_7_more_and_2_in_the_air(
    pressure: Pressure, needed: int
) -> None:
    truth, order = battery(body=with_air(pressure))
    assert sent(engaged(truth, {A: (order,)})).flight.needed == needed


def test_a_launcher_that_can_move_needs_2_more_whether_it_has_moved_or_not() -> None:
    down = landed(ship(A, 1, CENTRAL, GUNBOAT), (1, 1))
    truth = ground_truth(ships=(down,), body=with_air(Pressure.THIN))
    assert sent(engaged(truth, {A: (call("M1"),)})).flight.needed == 13


def test_a_landed_ship_fires_only_missiles_and_only_at_the_surface() -> None:
    truth = ground_truth(ships=(landed(ship(A, 1, CENTRAL, MONITOR), (1, 1)),), body=OPEN)
    assert refusal(truth, call("C1")) is Code.ORDER_LANDED
    assert refusal(truth, call("M1")) is None
    shot = Fire(ship=S1, weapon="M1", at=handle(BG1))
    assert refusal(truth, shot) is Code.ORDER_LANDED


def test_ground_units_send_only_missiles_over_the_ground() -> None:
    truth, order = battery(kind="defence-cannon")
    assert refusal(truth, order) is Code.ORDER_WEAPON


@pytest.mark.parametrize(("site", "lands"), [(SITE, 2), (FAR_SITE, 3)], ids=["same", "another"])
def test_on_its_map_a_missile_lands_in_the_next_engage_on_another_in_the_one_after(
    site: Site, lands: int
) -> None:
    truth, order = battery()
    flow = engaged(truth, {A: (replace(order, at=site),)})
    assert not only(flow.events, PointStruck)
    assert [each.lands for each in flow.truth.missiles] == [lands]
    notice = OwnMissileSent(ship=G1, weapon="D1", at=site, cell=Cell(5, 2), lands=lands)
    assert notice in told(flow, "A")


def test_a_missile_cannot_leave_its_planet() -> None:
    truth, order = battery()
    second = replace(OPEN, name="Vesta", at=Square(30, 30))
    truth = replace(truth, board=replace(truth.board, planets=(OPEN, second)))
    assert refusal(truth, replace(order, at=Site("Vesta", 1))) is Code.ORDER_RANGE


def flown(*others: GroundTruth) -> Truth:
    """Return the truth a turn after a missile was sent at the cell E3 beside it."""
    truth, order = battery(*others, body=with_air(Pressure.THIN))
    flow = engaged(truth, {A: (order,)})
    return replace(flow.truth, turn=2)


def test_a_missile_comes_down_although_its_launcher_is_destroyed() -> None:
    truth = flown(unit(B, at=(5, 2), kind="crawler"))
    dead = replace(truth.ground[AG1], fate=Fate.DESTROYED)
    truth = replace(truth, ground={**truth.ground, AG1: dead})
    flow = engaged(truth, {}, rolling("A/G1/D1/1", 12, turn=2))
    assert struck(flow).impact == centre(Cell(5, 2))
    assert [each.damage for each in only(flow.events, UnitDamaged)] == [4]
    assert flow.truth.missiles == ()


def test_a_beam_counts_at_the_launch_and_not_at_the_impact() -> None:
    truth, order = battery(unit(A, 2, (4, 2), "hover-scout"))
    beam = Fire(ship=OwnId("G2"), weapon="TAG", point=Cell(5, 2))
    assert sent(engaged(truth, {A: (order, beam)})).flight.needed == 11
    unguided = replace(engaged(truth, {A: (order,)}).truth, turn=2)
    assert struck(engaged(unguided, {A: (beam,)})).needed == 13


def test_a_launch_gives_a_bearing_to_enemies_in_sight_of_the_launcher() -> None:
    body = planet()
    units = (unit(B, 1, (1, 4)), unit(B, 2, (11, 3)))
    truth = ground_truth(unit(A, at=(1, 3), kind="defence-missiles"), *units, body=body)
    order = Bombard(ship=G1, weapon="D1", at=SITE, cell=Cell(5, 2))
    flow = engaged(truth, {A: (order,)})
    noticed = [each for each in told(flow, "B") if isinstance(each, OwnNoticed)]
    assert OwnNoticed(ship=G1, bearing=180) in noticed
    assert {each.ship for each in noticed} <= {"G1", "G2"}
    assert not only(flow.events, AttackerRevealed)


def test_who_does_not_see_the_point_and_is_not_hit_hears_nothing_of_a_missile() -> None:
    truth = flown(unit(B, at=(5, 2), site=FAR_SITE))
    flow = engaged(truth, {}, rolling("A/G1/D1/1", 12, turn=2))
    assert not [each for each in told(flow, "B") if isinstance(each, BlastSeen | OwnBlasted)]


def test_the_owner_sees_its_missiles_under_way() -> None:
    truth = flown()
    assert [(each.ship, each.lands) for each in view(truth, A).missiles] == [("G1", 2)]
    assert view(truth, B).missiles == ()


def test_missiles_heat_the_unit_that_fires_them() -> None:
    truth, order = battery()
    flow = engaged(truth, {A: (order,)})
    assert flow.truth.ground[AG1].heat == 1
