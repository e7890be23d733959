"""Remote sensors on the ground: sown where a move ends, and lost to who touches them."""

import msgspec
import pytest

from builders.ground import SITE, ground_classes, ground_truth, landed, planet, seeing, unit
from builders.groundprobes import FLAT, able, closed
from builders.learned import flow_of, granted, intel_of
from builders.perceived import own, told
from builders.truths import A, B, C, applied, only, ship
from sunglare_client.text.story import notice_lines
from sunglare_protocol.geometry import Board
from sunglare_protocol.ids import OMNI, OwnId, audience_of
from sunglare_protocol.notices import (
    OwnDestroyed,
    OwnHalted,
    TokenEnd,
    TokenGone,
    TokenSeen,
    TruthGone,
)
from sunglare_protocol.orders import Launch, Move, Order
from sunglare_protocol.surface import Cell, GroundKind
from sunglare_protocol.words.armament import Launchable
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.specials import Special
from sunglare_server.match.apply.space import apply
from sunglare_server.match.events.ground import (
    PieceIdentified,
    SensorSown,
    TokenEnded,
    TokenGained,
    UnitDestroyed,
)
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve.ground_remotes import contacts, sowings
from sunglare_server.match.resolve.scoring import sides_gone
from sunglare_server.match.truth.ground import GroundTruth
from sunglare_server.match.truth.truth import Truth
from sunglare_server.match.turn.flow import Flow
from sunglare_server.match.turn.ground import look, silence

_replace = msgspec.structs.replace

G1, GR1, GR2 = OwnId("G1"), OwnId("GR1"), OwnId("GR2")
AG1, SENSOR = PieceId("A/G1"), PieceId("A/GR1")
SOW = Launch(ship=G1, what=Launchable.REMOTE)


def sower(at: tuple[int, int] | str = (0, 0), dispensers: int = 2) -> GroundTruth:
    """Return a unit of A with dispensers."""
    made = unit(A, 1, at, "sensor-sower")
    return _replace(made, type=_replace(made.type, dispensers=dispensers))


def sensor(at: tuple[int, int] = (5, 0)) -> GroundTruth:
    """Return a sensor of A that was sown there."""
    made = unit(A, 1, at, "ground-sensor")
    return _replace(made, id=SENSOR, own=GR1, launcher=AG1)


# Sown.


def plotted(truth: Truth, *orders: Order) -> Flow:
    """Return the flow of a PLOT window in which A gives these orders."""
    flow = flow_of(truth)
    look(flow)
    return closed(flow.finished(), Phase.PLOT, {A: orders})


def test_a_sensor_lies_where_the_move_of_its_unit_ends() -> None:
    move = Move(ship=G1, path=(Cell(1, 0), Cell(2, 0)))
    flow = plotted(ground_truth(sower(), unit(B, 1, (25, 2)), body=FLAT), SOW, move)
    sown = flow.truth.ground[SENSOR]
    assert (sown.site, sown.cell, sown.launcher) == (SITE, Cell(2, 0), AG1)
    assert (sown.side, sown.own, sown.name) == (A, GR1, "ground-sensor")
    assert sown.is_remote
    assert (sown.hidden, sown.type.toughness, sown.type.move) == (False, 1, 0)
    [shown] = [one for one in flow.finished().intel[audience_of(A)].ground if one.id == GR1]
    assert shown.cell == Cell(2, 0)


def test_who_sees_the_map_gets_a_blip_and_nobody_else_anything() -> None:
    truth = ground_truth(
        sower((0, 2)), unit(B, 1, (25, 0), "conscript-rifles"), ships=(ship(C),), body=FLAT
    )
    flow = plotted(truth, SOW)
    gained = [event for event in only(flow.events, TokenGained) if event.piece == SENSOR]
    assert [(event.side, event.identified) for event in gained] == [(B, False)]
    token = intel_of(flow, "B").tokens[SENSOR]
    assert token.cell == Cell(0, 2)
    assert only(intel_of(flow, "B").told, TokenSeen)[-1].label == token.label
    assert not intel_of(flow, "C").told
    sown = SensorSown(piece=SENSOR, launcher=AG1, own=GR1, site=SITE, cell=Cell(0, 2))
    assert granted(truth, sown) == []


def test_it_spots_in_the_turn_in_which_it_is_sown() -> None:
    # A hill hides the rifles from the sower; the sensor hears them from eight inches.
    hill = planet("..............", "......c.......", "......c.......")
    tank = sower((3, 0))
    blind = _replace(tank, type=_replace(tank.type, kind=GroundKind.INFANTRY))
    truth = ground_truth(blind, unit(B, 1, (9, 0)), body=hill)
    move = Move(ship=G1, path=(Cell(4, 0), Cell(5, 0)))
    assert not only(plotted(truth, move).events, PieceIdentified)
    found = only(plotted(truth, move, SOW).events, PieceIdentified)
    assert ("B/G1", A) in [(event.piece, event.side) for event in found]


def test_each_dispenser_sows_one_a_turn_and_names_go_on() -> None:
    truth = ground_truth(sower(), sensor(), body=FLAT)
    assert [sowing.own for sowing in sowings(truth, {AG1: (SOW, SOW)})] == [GR2, "GR3"]
    assert [sowing.own for sowing in sowings(ground_truth(sower()), {AG1: (SOW,)})] == [GR1]


POND = planet("~...", "....")


@pytest.mark.parametrize(
    "truth",
    [
        ground_truth(_replace(sower(), fate=Fate.DESTROYED), body=FLAT),
        ground_truth(sower("A/S1"), ships=(ship(A),), body=FLAT),
        ground_truth(sower((0, 1)), body=POND),
        ground_truth(unit(A, 1, (0, 0), "hover-scout"), body=FLAT),
    ],
    ids=["gone", "aboard", "in water", "without dispensers"],
)
def test_nothing_is_sown_by_what_is_gone_aboard_in_water_or_without_dispensers(
    truth: Truth,
) -> None:
    assert list(sowings(truth, {AG1: (SOW,)})) == []


def test_a_unit_that_is_halted_sows_where_it_has_come_to() -> None:
    # The sower is aboard by its orders, but the ship that it goes into is gone.
    flow = plotted(
        ground_truth(sower(), ships=(ship(A),), body=FLAT), Move(ship=G1, load=OwnId("S1")), SOW
    )
    assert [type(notice) for notice in intel_of(flow, "A").told].count(OwnHalted) == 1
    assert [event.cell for event in only(flow.events, SensorSown)] == [Cell(0, 0)]


# Lost.


@pytest.mark.parametrize(
    ("enemy", "ends"),
    [
        (unit(B, 1, (5, 0)), True),
        (unit(B, 1, (5, 0), "battle-tank"), True),
        (unit(B, 1, (6, 0), "battle-tank"), False),
        (unit(B, 1, (6, 0), "crawler"), True),
        (unit(B, 1, (5, 0), "ground-sensor"), False),
        (unit(B, 1, (5, 0), hidden=True), False),
        (unit(A, 2, (5, 0)), False),
        (_replace(unit(B, 1, (5, 0)), fate=Fate.DESTROYED), False),
    ],
    ids=["infantry", "a tank", "beside", "large, beside", "a sensor", "hidden", "own", "gone"],
)
def test_a_sensor_ends_the_turn_with_an_enemy_who_touches_it(
    enemy: GroundTruth, ends: bool
) -> None:
    truth = seeing(ground_truth(sensor(), enemy, body=FLAT), B, SENSOR)
    found = [(event.piece, event.killers) for event in contacts(truth)]
    assert found == ([(SENSOR, (B,))] if ends else [])


def test_a_landed_ship_ends_it_as_well() -> None:
    truth = ground_truth(sensor(), ships=(landed(ship(B), (5, 0)),), body=FLAT)
    assert [event.killers for event in contacts(seeing(truth, B, SENSOR))] == [(B,)]


def test_who_ends_it_without_holding_it_is_not_told() -> None:
    drone = able(B, (5, 0), "DRO")
    jammer = able(C, (5, 1), "ECM")
    truth = seeing(ground_truth(sensor(), drone, jammer, body=FLAT), C, SENSOR)
    [event] = contacts(truth)
    assert (event.killers, event.unaware) == ((), (B,))


def test_nothing_but_a_remote_sensor_is_lost_to_a_touch() -> None:
    truth = ground_truth(unit(A, 1, (5, 0)), unit(B, 1, (5, 0)), body=FLAT)
    assert list(contacts(seeing(truth, B, AG1))) == []


def walked_over() -> Flow:
    """Return a flow in which B's infantry stands on a sensor that it holds."""
    flow = flow_of(ground_truth(sensor(), unit(A, 1, (0, 0)), unit(B, 1, (5, 0)), body=FLAT))
    look(flow)
    return flow


def lost() -> Flow:
    """Return the flow in which B's infantry has just walked over a sensor that it holds."""
    later = Flow(walked_over().finished())
    silence(later)
    look(later)
    return later


def test_its_owner_hears_that_it_is_silent_and_whoever_holds_it_sees_it_end() -> None:
    flow = lost()
    assert intel_of(flow, "A").told == (OwnDestroyed(ship=GR1, cause="lost"),)
    [gone] = only(intel_of(flow, "B").told, TokenGone)
    assert gone.how is TokenEnd.DESTROYED
    assert [event.piece for event in only(flow.events, TokenEnded)] == [SENSOR]
    assert flow.truth.ground[SENSOR].fate is Fate.DESTROYED
    assert TruthGone(side=A, piece=GR1, cause="contact") in flow.intel[OMNI].told


def test_the_end_of_engage_ends_it() -> None:
    done = closed(walked_over().finished(), Phase.ENGAGE, {})
    assert [event.piece for event in only(done.events, UnitDestroyed)] == [SENSOR]
    assert SENSOR not in intel_of(done, "B").tokens


def test_its_owner_hears_no_cause_whatever_it_was() -> None:
    truth = ground_truth(sensor(), unit(A, 1, (0, 0)), body=FLAT)
    for cause in ("fire", "contact"):
        event = UnitDestroyed(piece=SENSOR, killers=(B,), cause=cause)
        assert told(truth, event)["A"] == [own(OwnDestroyed(ship=GR1, cause="lost"))]
    other = told(truth, UnitDestroyed(piece=AG1, killers=(B,)))["A"]
    assert other == [own(OwnDestroyed(ship=G1, cause="fire"))]


def test_the_terminal_says_so_in_words_of_its_own() -> None:
    [line] = notice_lines(OwnDestroyed(ship=GR1, cause="lost"), Board())
    assert "your sensor GR1 is silent" in line
    assert "DESTROYED" not in line


def test_sown_sensors_keep_no_side_in_the_match() -> None:
    truth = ground_truth(sensor(), unit(B), body=FLAT)
    gone = {one_ship.id: _replace(one_ship, fate=Fate.DESTROYED) for one_ship in truth.ships_of(A)}
    truth = _replace(truth, ships={**truth.ships, **gone})
    assert [event.side for event in sides_gone(truth)] == [A]


def test_a_sensor_is_sown_of_the_class_that_its_file_names() -> None:
    kind = ground_classes()["sensor-sower"]
    assert (kind.dispensers, kind.specials) == (1, (Special.RSD,))
    assert kind.remote == ground_classes()["ground-sensor"]
    truth = ground_truth(unit(A, 1, (0, 0)))
    sown = SensorSown(piece=SENSOR, launcher=AG1, own=GR1, site=SITE, cell=Cell(0, 0))
    with pytest.raises(ValueError, match="first-line-rifles has no remote sensors"):
        apply(truth, sown)
    assert SENSOR in applied(ground_truth(sower()), [sown]).ground
