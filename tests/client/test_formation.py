"""The line: where ships line up in a zone, and which way they face."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from sunglare_client.bots.movement.formation import middle, place, row, straight
from sunglare_protocol.geometry import Compass, Square

ZONES = st.lists(
    st.tuples(st.sampled_from("ABCDEFGH"), st.integers(1, 8)).map(lambda box: f"{box[0]}{box[1]}"),
    min_size=1,
    max_size=6,
    unique=True,
).map(tuple)


@given(ZONES, st.sampled_from(list(Compass)))
def test_no_square_of_a_zone_lies_farther_out_than_its_row(
    zone: tuple[str, ...], towards: Compass
) -> None:
    step = towards.step

    def out(square: Square) -> int:
        return square.x * step.dx + square.y * step.dy

    found = {out(square) for square in row(zone, towards)}
    assert len(found) == 1
    assert found.pop() >= out(middle(zone))


@given(ZONES, st.integers(1, 5))
def test_ships_stand_in_their_row_in_order(zone: tuple[str, ...], count: int) -> None:
    squares = row(zone, Compass.N)
    numbers = [squares.index(place(zone, Compass.N, n, count)) for n in range(count)]
    assert all(before <= after for before, after in pairwise(numbers))
    assert len(set(numbers)) == count or len(squares) < count


@given(ZONES, ZONES)
def test_the_other_zone_lies_ahead_of_who_faces_it_straight(
    zone: tuple[str, ...], there: tuple[str, ...]
) -> None:
    way, step = middle(zone).to(middle(there)), straight(zone, there).step
    ahead, across = way.dx * step.dx + way.dy * step.dy, way.dx * step.dy - way.dy * step.dx
    assert ahead >= abs(across) or way == (0, 0)
