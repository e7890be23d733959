"""Remote sensors: launched where a move ends, drifting, and lost beside an enemy who knows."""

import pytest
from msgspec.structs import replace

from builders.blips import able, held, remote
from builders.learned import shot
from builders.perceived import own, told
from builders.truths import A1, B1, BOARD, A, B, applied, only, truth_of
from sunglare_protocol.geometry import Compass, Landing, Square, Vector
from sunglare_protocol.ids import OwnId
from sunglare_protocol.notices import OwnDestroyed
from sunglare_protocol.orders import Launch, Order, PlotOrder, Power
from sunglare_protocol.words.armament import Launchable
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_protocol.words.scans import Echo
from sunglare_server.match.events.blips import EcmSwitched, RemoteLaunched
from sunglare_server.match.events.space import ShipDestroyed, ShipEscaped, ShipMoved
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve.firing import heats
from sunglare_server.match.resolve.movement import movements, switches
from sunglare_server.match.resolve.remotes import contacts, launches
from sunglare_server.match.resolve.scoring import sides_gone
from sunglare_server.match.truth.truth import Truth

S1, R1 = OwnId("S1"), PieceId("A/R1")
LAUNCH = Launch(ship=S1, what=Launchable.REMOTE)


def launched(truth: Truth, *orders: PlotOrder) -> list[RemoteLaunched]:
    """Return what A's ship launches with these orders."""
    return list(launches(truth, {A1: orders}))


def test_a_remote_sensor_starts_where_its_launcher_is_with_its_vector() -> None:
    tender = replace(able(A, (10, 10), "RSD"), vector=Vector(2, -1), facing=Compass.SE)
    [event] = launched(truth_of(tender, able(B, (30, 30))), LAUNCH)
    truth = applied(truth_of(tender, able(B, (30, 30))), [event])
    piece = truth.ships[R1]
    assert (piece.square, piece.vector, piece.facing) == ((10, 10), (2, -1), Compass.SE)
    assert (piece.side, piece.own, piece.launcher) == (A, "R1", A1)
    assert piece.is_remote
    assert piece.echo is Echo.MISSILE


def test_each_dispenser_launches_one_and_names_go_on() -> None:
    truth = truth_of(able(A, (10, 10), "RSD"), remote(A, (5, 5)), able(B, (30, 30)))
    assert [event.own for event in launched(truth, LAUNCH, LAUNCH)] == ["R2", "R3"]


@pytest.mark.parametrize(
    "changes",
    [
        {"powered": False},
        {"fate": Fate.DESTROYED},
        {"landing": Landing(body="Rock", sector=Compass.N)},
    ],
    ids=["cold", "gone", "landed"],
)
def test_a_ship_that_is_cold_gone_or_landed_by_then_launches_nothing(
    changes: dict[str, object],
) -> None:
    tender = replace(able(A, (10, 10), "RSD"), **changes)
    assert launched(truth_of(tender, able(B, (30, 30))), LAUNCH) == []


def test_a_remote_sensor_drifts_without_gravity() -> None:
    # In the well of Ceres at 15,12 a ship would be pulled.
    truth = truth_of(able(A, (1, 1)), remote(A, (13, 14)), able(B, (30, 30)), board=BOARD)
    [moved] = [event for event in only(movements(truth, {}), ShipMoved) if event.piece == R1]
    assert (moved.square, moved.vector, moved.thrust_used) == ((14, 14), (1, 0), 0)


def test_a_remote_sensor_dies_in_a_body_and_leaves_over_an_edge() -> None:
    crashing = truth_of(able(A, (1, 1)), remote(A, (14, 12)), able(B, (30, 30)), board=BOARD)
    leaving = truth_of(able(A, (1, 1)), remote(A, (39, 12)), able(B, (30, 30)), board=BOARD)
    assert [event.piece for event in only(movements(crashing, {}), ShipDestroyed)] == [R1]
    assert [event.piece for event in only(movements(leaving, {}), ShipEscaped)] == [R1]


@pytest.mark.parametrize(
    ("fix", "at", "lost"),
    [
        (Fix.CONTACT, (10, 10), True),
        (Fix.TRACKED, (10, 10), True),
        (Fix.COASTING, (10, 10), False),
        (None, (10, 10), False),
        (Fix.TRACKED, (10, 11), False),
    ],
    ids=["contact", "track", "coasting", "not held", "beside"],
)
def test_an_enemy_in_its_square_that_holds_it_ends_a_remote_sensor(
    fix: Fix | None, at: tuple[int, int], lost: bool
) -> None:
    truth = truth_of(able(A, (1, 1)), remote(A, (10, 10)), able(B, at))
    if fix is not None:
        truth = held(truth, B, R1, fix)
    found = [(event.piece, event.killers) for event in contacts(truth)]
    assert found == ([(R1, (B,))] if lost else [])


def test_remote_sensors_do_not_end_each_other() -> None:
    other = replace(remote(B, (10, 10)), id=PieceId("B/R1"))
    truth = truth_of(able(A, (1, 1)), remote(A, (10, 10)), able(B, (30, 30)), other)
    assert list(contacts(held(truth, B, R1))) == []


def test_its_owner_hears_that_it_is_lost_and_not_why() -> None:
    truth = held(truth_of(able(A, (1, 1)), remote(A, (10, 10)), able(B, (10, 10))), B, R1)
    for cause in ("contact", "fire", "crash"):
        event = ShipDestroyed(piece=R1, cause=cause, killers=(B,))
        assert told(truth, event)["A"] == [own(OwnDestroyed(ship=OwnId("R1"), cause="lost"))]


def test_remote_sensors_keep_no_side_in_the_match() -> None:
    gone = replace(able(A, (1, 1)), fate=Fate.DESTROYED)
    truth = truth_of(gone, remote(A, (10, 10)), able(B, (30, 30)))
    assert [event.side for event in sides_gone(truth)] == [A]


@pytest.mark.parametrize(
    ("order", "switched"),
    [
        (Power(ship=S1, on=True, ecm=False), [False]),
        (Power(ship=S1, on=True, ecm=True), []),
        (Power(ship=S1, on=True), []),
    ],
    ids=["off", "on already", "not named"],
)
def test_a_jammer_is_switched_with_the_power_at_once(order: Order, switched: list[bool]) -> None:
    truth = truth_of(able(A, (1, 1), "ECM"), able(B, (30, 30)))
    assert isinstance(order, Power)
    events = only(switches(truth, {A1: (order,)}), EcmSwitched)
    assert [event.on for event in events] == switched
    if switched:
        assert applied(truth, events).ships[A1].ecm is False


def test_heat_counts_the_weapons_fired_in_the_last_engage_up_to_four() -> None:
    truth = truth_of(able(A, (1, 1)), replace(able(B, (30, 30)), heat=3))
    fired = tuple(shot(A1, B1) for _ in range(5))
    after = applied(truth, heats(truth, fired))
    assert (after.ships[A1].heat, after.ships[B1].heat) == (4, 0)


def test_a_remote_sensor_leaves_its_square_by_its_own_vector_only() -> None:
    truth = truth_of(able(A, (1, 1)), remote(A, (10, 10)), able(B, (30, 30)))
    after = applied(truth, movements(truth, {}))
    assert after.ships[R1].square == Square(11, 10)
