"""Burn and shadow: thrust for a facing or a change, and what the prompt says of what cannot be."""

from hypothesis import given
from hypothesis import strategies as st

from builders.prompts import given_by, problem
from builders.terminals import S1, TRACK, ship, view
from sunglare_client.command import Give
from sunglare_client.terminal.input.parser import parse
from sunglare_client.terminal.staging import added
from sunglare_client.verbs.aids import facing_planned, facings_for, thrust_for
from sunglare_protocol.geometry import Compass, Square, Vector
from sunglare_protocol.orders import Thrust, Turn
from sunglare_rules.advice.check.check import check


def test_burn_writes_the_thrust_for_the_facing_after_the_planned_turn() -> None:
    assert problem("burn S1 +2,-1").code == "E-ARG"
    (order,) = given_by("burn S1 +2,-1", plan=(Turn(ship=S1, steps=1),))
    assert isinstance(order, Thrust)
    assert sorted(to.value for to in order.to) == ["E", "NE"]


def test_a_burn_that_thrust_cannot_give_names_the_facings_that_can() -> None:
    assert "face S1 NE" in problem("burn S1 +2,-1").right


def test_a_burn_names_no_facing_that_a_thrusting_ship_cannot_turn_to() -> None:
    # From north a thrusting ship turns to NW or NE at the most; a change of (0, 2) wants S.
    wrong = problem("burn S1 0,2", own=(ship(facing=Compass.N),))
    assert wrong.right == ""
    right = problem("burn S1 +2,0", own=(ship(facing=Compass.N),)).right
    assert right == "Choices: face S1 NE."


def test_a_shadow_that_thrust_cannot_give_offers_no_other_facing() -> None:
    # C3 ends at (7, 23), facing north: a ship that must go south can't face as it does.
    above = ship(square=Square(7, 18), vector=Vector(0, 0), facing=Compass.N)
    wrong = problem("shadow S1 C3", own=(above,))
    assert "must end facing N" in wrong.wrong
    assert wrong.right == ""


def test_a_shadow_takes_a_planned_turn_back() -> None:
    close = ship(square=TRACK.square, vector=Vector(0, 2), facing=Compass.N)
    seen = view(own=(close,))
    plan = (Turn(ship=S1, steps=1),)
    command = parse("shadow S1 C3", seen, plan)
    assert isinstance(command, Give)
    whole = added(plan, command)
    assert check(seen, whole) is None
    assert facing_planned(close, whole) is Compass.N


@given(facing=st.sampled_from(Compass), dx=st.integers(-6, 6), dy=st.integers(-6, 6))
def test_thrust_for_a_change_adds_up_to_it_with_legal_headings(
    facing: Compass, dx: int, dy: int
) -> None:
    to = thrust_for(facing, Vector(dx, dy))
    assert (to is not None) == (facing in facings_for(Vector(dx, dy)))
    if to is not None:
        assert sum(heading.step.dx for heading in to) == dx
        assert sum(heading.step.dy for heading in to) == dy
        assert all(heading.apart(facing) <= 1 for heading in to)
        assert len(to) == max(abs(dx), abs(dy))  # nothing is wasted


def test_shadow_ends_where_a_track_will_drift_and_turned_as_it_is() -> None:
    close = ship(square=Square(7, 24), vector=Vector(0, 0), facing=Compass.NE)
    command = parse("shadow S1 C3", view(own=(close,)))
    assert isinstance(command, Give)
    # C3 drifts from (7, 22) to (7, 23), facing north.
    assert command.orders == (Turn(ship=S1, steps=-1), Thrust(ship=S1, to=(Compass.N,)))
    assert "another vector" in command.remark


def test_shadow_of_a_ship_in_the_same_square_matches_everything() -> None:
    close = ship(square=TRACK.square, vector=Vector(0, 2), facing=Compass.N)
    command = parse("shadow S1 C3", view(own=(close,)))
    assert isinstance(command, Give)
    assert command.orders == (Thrust(ship=S1, to=(Compass.N,)),)
    assert "another vector" not in command.remark


def test_shadow_needs_a_track() -> None:
    assert "not known" in problem("shadow S1 C5").wrong
