"""Values that are kept in order while some come and go."""

from hypothesis import given
from hypothesis import strategies as st

from sunglare_server.cluster.client.ordered_values import Ordered

NUMBERS = st.integers(0, 200)


@given(
    first=st.lists(NUMBERS, unique=True),
    then=st.lists(st.tuples(st.booleans(), NUMBERS)),
    start=st.none() | NUMBERS,
    most=st.integers(0, 20),
)
def test_values_are_told_in_order_from_any_place_on(
    first: list[int], then: list[tuple[bool, int]], start: int | None, most: int
) -> None:
    ordered: Ordered[int] = Ordered()
    there = sorted(first)
    for value in first:
        ordered.add(value)
    for comes, value in then:
        if comes and value not in there:
            ordered.add(value)
            there = sorted([*there, value])
        if not comes and value in there:
            ordered.drop(value)
            there.remove(value)
        rest = [one for one in there if start is None or one > start]
        assert ordered.after(start, most) == rest[:most]
        assert ordered.not_before(value, most) == [one for one in there if one >= value][:most]
