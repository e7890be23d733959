"""Capital missiles over the ground: who sends them, when they land, who learns of them."""

import pytest
from msgspec.structs import replace

from builders.ground import AG1, BG1, FAR_SITE, SITE, ground_truth, landed, planet, unit
from builders.sieges import (
    CENTRAL,
    G1,
    GUNBOAT,
    MONITOR,
    OPEN,
    S1,
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
from builders.truths import A, B, only, ship
from sunglare_protocol.geometry import Planet, Square
from sunglare_protocol.ids import OwnId
from sunglare_protocol.notices import BlastSeen, OwnBlasted, OwnMissileSent, OwnNoticed
from sunglare_protocol.orders import Bombard, Fire
from sunglare_protocol.refusals import Code
from sunglare_protocol.surface import Cell, Pressure, Site
from sunglare_protocol.words.ladder import Fate
from sunglare_rules.ground.plane import centre
from sunglare_server.match.events.capital import MissileSent, PointStruck
from sunglare_server.match.events.ground import AttackerRevealed, UnitDamaged
from sunglare_server.match.truth.ground import GroundTruth
from sunglare_server.match.truth.truth import Truth
from sunglare_server.match.turn.flow import Flow

# Missiles over the ground.


def battery(
    *others: GroundTruth, kind: str = "defence-missiles", body: Planet = OPEN
) -> tuple[Truth, Bombard]:
    truth = ground_truth(unit(A, at=(1, 1), kind=kind), *others, body=body)
    return truth, Bombard(ship=G1, weapon="D1", at=SITE, cell=Cell(5, 2))


def sent(flow: Flow) -> MissileSent:
    (event,) = only(flow.events, MissileSent)
    return event


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
    assert [missile.lands for missile in flow.truth.missiles] == [lands]
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
    assert [event.damage for event in only(flow.events, UnitDamaged)] == [4]
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
    noticed = heard(flow, "B", OwnNoticed)
    assert OwnNoticed(ship=G1, bearing=180) in noticed
    assert {notice.ship for notice in noticed} <= {"G1", "G2"}
    assert not only(flow.events, AttackerRevealed)


def test_who_does_not_see_the_point_and_is_not_hit_hears_nothing_of_a_missile() -> None:
    truth = flown(unit(B, at=(5, 2), site=FAR_SITE))
    flow = engaged(truth, {}, rolling("A/G1/D1/1", 12, turn=2))
    assert not {BlastSeen, OwnBlasted} & {type(notice) for notice in told(flow, "B")}


def test_the_owner_sees_its_missiles_under_way() -> None:
    truth = flown()
    assert [(missile.ship, missile.lands) for missile in view(truth, A).missiles] == [("G1", 2)]
    assert view(truth, B).missiles == ()


def test_missiles_heat_the_unit_that_fires_them() -> None:
    truth, order = battery()
    assert engaged(truth, {A: (order,)}).truth.ground[AG1].heat == 1
