"""Quiet ways: what a way costs, that its moves lead where they should, and when it is silent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.bots import corvette, seen
from sunglare_client.advice import Advice
from sunglare_client.bots.cloak.quiet_ways import (
    PER_TURN,
    TURNS_MOST,
    Exit,
    Passage,
    Rest,
    quiet_way,
)
from sunglare_client.bots.movement.measures import damage_at
from sunglare_protocol.geometry import Board, Compass, Planet, PlanetSize, Square, Vector
from sunglare_protocol.views import OwnView
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.turn.movement import AT_REST, MoveEnding, edge_crossed, ending

OPEN = Board(columns=6, rows=6)
TURNS_ENOUGH = 13
"""So many turns are enough for a silent way to any square of these tests."""

PLANET = Board(
    columns=6,
    rows=6,
    planets=(Planet(name="Lethe", at=Square(15, 15), size=PlanetSize.SMALL),),
)


def ship(square: Square, vector: Vector = AT_REST) -> OwnView:
    return replace(corvette(square, vector), facing=Compass.S)


def free(_square: Square, _used: int) -> float:
    return 0.0


def loud(_square: Square, used: int) -> float:
    """Price whatever a listener can hear, more than any delay."""
    return 20.0 * max(0, used - 1)


def flown(own: OwnView, way: Passage, board: Board) -> tuple[OwnView, list[int]]:
    """Return the ship after the moves of a way, as the rules fly it, and what each has used."""
    used = []
    for move in way.moves:
        advice = Advice(seen(Phase.PLOT, (own,), board=board))
        orders = move.orders(own.id)
        assert advice.legal_part(orders) == orders
        end = advice.flight(own, orders)
        own = replace(own, square=end.square, vector=end.vector, facing=end.facing)
        used.append(move.used)
    return own, used


@given(st.floats(0, 30), st.floats(0, 30))
def test_nobody_does_more_damage_from_farther_off(first: float, second: float) -> None:
    near, far = sorted((first, second))
    assert damage_at(near) >= damage_at(far) >= 0


def test_guns_reach_fifteen_squares() -> None:
    assert damage_at(15) > 0 == damage_at(15.1)


@pytest.mark.parametrize("board", [OPEN, PLANET], ids=["open", "planet"])
@pytest.mark.parametrize("there", [Square(12, 17), Square(25, 6), Square(4, 2)])
def test_a_way_leads_to_rest_on_the_square_by_legal_orders_and_is_quiet_where_noise_is_dear(
    board: Board, there: Square
) -> None:
    heard = []
    for price in (free, loud):
        own = ship(Square(12, 2))
        way = quiet_way(board, own, Rest(there), price, TURNS_ENOUGH)
        assert way is not None
        end, used = flown(own, way, board)
        assert (end.square, end.vector) == (there, AT_REST)
        heard.append(sum(max(0, points - 1) for points in used))
    assert heard[0] > heard[1]
    assert heard[1] <= 1


def test_a_way_costs_its_turns_and_the_price_of_each() -> None:
    way = quiet_way(OPEN, ship(Square(12, 2)), Rest(Square(12, 9)), free, TURNS_MOST)
    assert way is not None
    assert way.cost == PER_TURN * len(way.moves)


def test_silence_takes_more_turns() -> None:
    own, goal = ship(Square(12, 2)), Rest(Square(12, 20))
    ways = [quiet_way(OPEN, own, goal, price, TURNS_MOST) for price in (free, loud)]
    fast, silent = (len(way.moves) for way in ways if way is not None)
    assert fast < silent


@pytest.mark.parametrize("edge", [Compass.N, Compass.E, Compass.S, Compass.W])
def test_a_way_out_leaves_over_its_edge_and_over_no_other(edge: Compass) -> None:
    own = ship(Square(14, 14), Vector(1, -1))
    way = quiet_way(OPEN, own, Exit(edge), free, TURNS_MOST)
    assert way is not None
    end, _ = flown(own, way, OPEN)
    assert ending(OPEN, end.square) is MoveEnding.ESCAPES
    assert edge_crossed(OPEN, end.square) is edge


def test_no_way_takes_more_turns_than_are_left() -> None:
    own = ship(Square(12, 2))
    assert quiet_way(OPEN, own, Rest(Square(12, 25)), free, 3) is None
    way = quiet_way(OPEN, own, Rest(Square(12, 9)), free, 6)
    assert way is not None
    assert len(way.moves) <= 6


def test_a_way_goes_round_what_is_dear() -> None:
    def toll(square: Square, _used: int) -> float:
        return 50.0 if square.distance_squared(Square(12, 12)) <= 16 else 0.0

    way = quiet_way(OPEN, ship(Square(12, 2)), Rest(Square(12, 22)), toll, TURNS_MOST)
    assert way is not None
    assert way.cost == PER_TURN * len(way.moves)
