"""What a map fixes, laid out as masks: each has the squares for which the rules say so of one."""

from collections.abc import Callable, Iterable

from hypothesis import given
from hypothesis import strategies as st

from sunglare_protocol.geometry import (
    Area,
    Asteroid,
    Board,
    Compass,
    Landing,
    Place,
    Planet,
    PlanetSize,
    Square,
)
from sunglare_protocol.words.scans import ScanSize
from sunglare_rules.sensors.areas import scan_area, scan_place_allowed
from sunglare_rules.sensors.masks import (
    Stride,
    area_mask,
    mask_of,
    masks_of,
    numbers_in,
    seen_from,
    shadow_squares,
    squares_in,
    swept,
)
from sunglare_rules.sensors.questions import answers, candidate_squares, candidate_steps
from sunglare_rules.sensors.sectors import (
    Zone,
    in_body,
    in_well,
    line_of_sight,
    sector,
    zone,
)
from sunglare_rules.sensors.sunlight import in_shadow

MOST = 4
"""The boards are at most so many boxes wide and high."""

STEPS = st.integers(0, 5 * MOST - 1)
SQUARES = st.builds(Square, STEPS, STEPS)
PLANETS = st.lists(
    st.tuples(SQUARES, st.sampled_from(PlanetSize)), max_size=3, unique_by=lambda body: body[0]
).map(
    lambda bodies: tuple(
        Planet(name=f"P{number}", at=at, size=size) for number, (at, size) in enumerate(bodies)
    )
)
ASTEROIDS = st.lists(SQUARES, max_size=3, unique=True).map(
    lambda places: tuple(Asteroid(name=f"A{number}", at=at) for number, at in enumerate(places))
)
BOARDS = st.builds(
    Board,
    columns=st.integers(1, MOST),
    rows=st.integers(1, MOST),
    planets=PLANETS,
    asteroids=ASTEROIDS,
)
AREAS = st.builds(Area, *(st.integers(-3, 5 * MOST + 3),) * 4)


def due(board: Board, says: Callable[[Square], bool]) -> tuple[Square, ...]:
    return tuple(square for square in board.area.squares() if says(square))


@given(board=BOARDS)
def test_the_parts_around_a_planet_are_its_body_and_each_sector_near_and_far(
    board: Board,
) -> None:
    for planet, parts in zip(board.planets, masks_of(board).around, strict=True):
        assert squares_in(board, parts.body) == due(board, lies(planet, Zone.BODY))
        for k in Compass:
            for where, masks in ((Zone.NEAR, parts.near), (Zone.FAR, parts.far)):
                assert squares_in(board, masks[k.index]) == due(board, lies(planet, where, k))


def lies(planet: Planet, where: Zone, k: Compass | None = None) -> Callable[[Square], bool]:
    return lambda square: (
        zone(planet, square) is where and (k is None or sector(planet.at, square) is k)
    )


@given(board=BOARDS)
def test_wells_and_shadow_and_open_space_are_masks_of_the_squares_that_lie_in_them(
    board: Board,
) -> None:
    masks = masks_of(board)
    assert squares_in(board, masks.every) == masks.squares == tuple(board.area.squares())
    assert squares_in(board, masks.wells) == due(board, lambda at: in_well(board, at))
    assert squares_in(board, masks.space) == due(board, lambda at: not in_body(board, at))
    assert shadow_squares(board) == due(board, lambda at: in_shadow(board, at))


@given(board=BOARDS, area=AREAS)
def test_the_mask_of_an_area_has_its_squares_that_are_on_the_map(board: Board, area: Area) -> None:
    mask = area_mask(board, area)
    assert squares_in(board, mask) == due(board, area.covers)
    assert mask.bit_count() == len(numbers_in(mask))
    assert [masks_of(board).squares[number] for number in numbers_in(mask)] == list(
        squares_in(board, mask)
    )


@given(board=BOARDS, squares=st.lists(SQUARES))
def test_a_mask_has_the_squares_of_which_it_is_made_but_none_off_the_map(
    board: Board, squares: Iterable[Square]
) -> None:
    kept = frozenset(squares)
    assert squares_in(board, mask_of(board, squares)) == due(board, kept.__contains__)


@given(board=BOARDS, here=SQUARES, k=st.sampled_from(Compass), data=st.data())
def test_what_is_seen_from_a_place_is_all_to_which_there_is_a_line_of_sight(
    board: Board, here: Square, k: Compass, data: st.DataObject
) -> None:
    planets = [planet.name for planet in board.planets]
    bodies = [None, *planets, *(asteroid.name for asteroid in board.asteroids)]
    body = data.draw(st.sampled_from(bodies))
    place = Place(here, None if body is None else Landing(body=body, sector=k))
    assert squares_in(board, seen_from(board, place)) == due(
        board, lambda square: line_of_sight(board, place, Place(square))
    )


@given(board=BOARDS, size=st.sampled_from(ScanSize), data=st.data())
def test_who_may_have_scanned_stands_where_one_would_give_the_same_answers(
    board: Board, size: ScanSize, data: st.DataObject
) -> None:
    places = st.sampled_from(list(board.area.squares()))
    ship, at = data.draw(places), data.draw(places)
    area = scan_area(board, size, at)
    said = answers(board, Place(ship), area)

    def would(square: Square) -> bool:
        fits = not in_body(board, square) and scan_place_allowed(size, at, square)
        return fits and answers(board, Place(square), area) == said

    found = candidate_squares(board, area, said, size, at)
    assert found == due(board, would)
    assert candidate_steps(board, area, said, size, at).after_blocked == len(found)


STRIDES = st.tuples(st.integers(-25, 25), st.integers(0, 25)).map(
    lambda stride: Stride(stride[0], stride[0] + stride[1])
)


@given(BOARDS, st.lists(SQUARES, max_size=4), STRIDES, STRIDES)
def test_a_mask_is_swept_to_all_that_lies_a_move_away_and_on_the_map(
    board: Board, squares: list[Square], east: Stride, south: Stride
) -> None:
    starts = [square for square in squares if square in board]
    due = [
        end
        for end in board.area.squares()
        if any(
            east.least <= end.x - start.x <= east.most
            and south.least <= end.y - start.y <= south.most
            for start in starts
        )
    ]
    found = swept(board, mask_of(board, starts), east, south)
    assert squares_in(board, found) == tuple(due)
    assert found == mask_of(board, due)


@given(STRIDES, STRIDES, st.integers(0, 9))
def test_a_stride_grows_at_both_ends_and_takes_in_others(
    one: Stride, other: Stride, more: int
) -> None:
    both = one.joined(other)
    assert both == other.joined(one)
    assert {both.least, both.most} <= {*one, *other}
    assert both.least <= min(one.least, other.least) <= max(one.most, other.most) <= both.most
    assert one.wider(more) == Stride(one.least - more, one.most + more)
