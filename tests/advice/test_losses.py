"""What a review says is lost by the orders of a PLOT: each kind by its case, and by a property."""

from collections.abc import Iterator
from itertools import combinations_with_replacement, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.cases import cases
from builders.groundadvice import ABOARD, ground_view
from builders.orders import Written, read
from builders.terminals import AGENT, GUARD
from builders.views import BOARD, S1, WEAPONS, own_ship, own_ships, view
from sunglare_protocol.geometry import (
    Board,
    Compass,
    Environs,
    Planet,
    PlanetSize,
    Square,
    Vector,
)
from sunglare_protocol.ids import OwnId
from sunglare_protocol.messages.answers import Loss
from sunglare_protocol.orders import OFF_MAP, Land, Launch, Thrust, Turn
from sunglare_protocol.views import (
    ObjectiveView,
    OwnView,
    View,
    VolleyView,
    WeaponView,
)
from sunglare_protocol.views.ground import AgentView, GroundView
from sunglare_protocol.words.armament import Launchable, WeaponKind
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.review import LossKind
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.odds.after import after
from sunglare_rules.advice.review.losses import losses
from sunglare_rules.advice.seen.plotting import after_plot
from sunglare_rules.turn.movement import MoveEnding, ending

N, E, S, W = Compass.N, Compass.E, Compass.S, Compass.W
LEAVES, STRIKES = LossKind.LEAVES_MAP, LossKind.STRIKES_BODY
OVER_WEST = own_ship(square=Square(1, 5), vector=Vector(-3, 0), facing=E)
"""Drifts off the map over the west edge, and stays if it thrusts."""

INTO_CERES = own_ship(square=Square(15, 20), vector=Vector(0, -8))
BY_CERES = own_ship(square=Square(14, 13))
"""At rest beside the body, into which gravity pulls it."""

TOO_FAST = own_ship(square=Square(12, 5), vector=Vector(-8, 0), facing=E)
"""Stays on the map in this turn, and cannot in the next."""

LAUNCHER = own_ship(weapons=(*WEAPONS, WeaponView(id="rack", kind=WeaponKind.SALVO)))
VOLLEY = own_ship(
    kind=PieceKind.MISSILE,
    square=Square(13, 15),
    volley=VolleyView(missiles=4, aim=Square(15, 12), movements=1),
)
GONE_WEST = Loss(piece=S1, kind=LEAVES, turn=3, square=Square(-2, 5), edge=W)
CRASHED = Loss(piece=S1, kind=STRIKES, turn=3, square=Square(15, 12), body="Ceres")
NEXT = Loss(piece=S1, kind=LossKind.LOST_NEXT_TURN, turn=4, square=Square(-4, 5), edge=W)


def lost(ship: OwnView, *orders: Written, **fields: object) -> tuple[Loss, ...]:
    """Return what legal orders lose of one ship in turn 3; the fields are those of the view."""
    seen, given = replace(view(Phase.PLOT, ship), **fields), read(*orders)
    assert check(seen, given) is None
    return losses(seen, given)


def escape(edge: Compass) -> tuple[ObjectiveView, ...]:
    return (ObjectiveView(kind=ObjectiveKind.ESCAPE, edge=edge),)


HOLD_WEST = ObjectiveView(kind=ObjectiveKind.HOLD, edge=W)


def volley(at: Square, *, cold: bool = False) -> Launch:
    return Launch(ship=S1, what=Launchable.MISSILES, weapon="rack", at=at, cold=cold)


# A move that ends off the map or in a body.


@cases(
    ("ship", "orders", "expected"),
    {
        "it drifts off the map": (OVER_WEST, (), (GONE_WEST,)),
        "thrust keeps it": (OVER_WEST, ("thrust S1 E E E",), ()),
        "it drifts into a body": (INTO_CERES, (), (CRASHED,)),
        "a well pulls it in": (BY_CERES, (), (replace(CRASHED, pulled=True),)),
        "thrust holds it": (BY_CERES, ("thrust S1 NW",), ()),
        "it flies on": (own_ship(), (), ()),
        "a lost one is no news": (replace(OVER_WEST, fate=Fate.ESCAPED), (), ()),
        "a remote sensor takes no orders": (replace(OVER_WEST, kind=PieceKind.REMOTE), (), ()),
        "a volley flies into a body": (VOLLEY, (), (CRASHED,)),
        "a volley is sent elsewhere": (VOLLEY, ("aim S1 15,15",), ()),
    },
)
def test_a_piece_whose_move_ends_off_the_map_or_in_a_body_is_lost(
    ship: OwnView, orders: tuple[Written, ...], expected: tuple[Loss, ...]
) -> None:
    assert lost(ship, *orders) == expected


@cases(
    ("start", "order", "expected"),
    {
        "into a body": (
            own_ship(weapons=LAUNCHER.weapons, square=Square(15, 18)),
            volley(Square(15, 12)),
            (replace(CRASHED, weapon="rack"),),
        ),
        "cold it drifts off": (
            own_ship(weapons=LAUNCHER.weapons, square=Square(3, 5), vector=Vector(-2, 0)),
            volley(Square(5, 5), cold=True),
            (replace(GONE_WEST, square=Square(-1, 5), weapon="rack"),),
        ),
        "burning it stays": (
            own_ship(weapons=LAUNCHER.weapons, square=Square(3, 5), vector=Vector(-2, 0)),
            volley(Square(5, 5)),
            (),
        ),
    },
)
def test_a_volley_that_is_lost_as_it_is_launched_is_named_by_its_launcher(
    start: OwnView, order: Launch, expected: tuple[Loss, ...]
) -> None:
    assert lost(start, order) == expected


@cases(
    ("ship", "fields", "is_lost"),
    {
        "without a goal": (OVER_WEST, {}, True),
        "over the edge of an escape": (OVER_WEST, {"objectives": escape(W)}, False),
        "over another edge": (OVER_WEST, {"objectives": escape(N)}, True),
        "worth one point": (replace(OVER_WEST, points=1), {"objectives": escape(W)}, False),
        "of another goal there": (OVER_WEST, {"objectives": (HOLD_WEST,)}, True),
        "worth no points": (replace(OVER_WEST, points=0), {"objectives": escape(W)}, True),
        "bound off the map": (replace(OVER_WEST, bound_for=OFF_MAP), {}, False),
        "bound for a planet": (replace(OVER_WEST, bound_for="Ceres"), {}, True),
        "bound off into a body": (replace(INTO_CERES, bound_for=OFF_MAP), {}, True),
    },
)
def test_a_ship_that_leaves_as_it_is_meant_to_is_no_loss(
    ship: OwnView, fields: dict[str, object], is_lost: bool
) -> None:
    assert bool(lost(ship, **fields)) is is_lost


def test_a_standing_order_of_the_same_plot_lets_a_ship_leave() -> None:
    assert not lost(OVER_WEST, "stand S1 bound off", agents=(AGENT,))


def test_those_aboard_a_lost_ship_are_named_units_first() -> None:
    units: tuple[GroundView, ...] = (GUARD, replace(ABOARD, id=OwnId("G2")))
    dead = replace(AGENT, id=OwnId("P2"), site=None, aboard=S1, fate=Fate.DESTROYED)
    agents: tuple[AgentView, ...] = (replace(AGENT, site=None, aboard=S1), dead)
    (found,) = lost(OVER_WEST, ground=units, agents=agents)
    assert found == replace(GONE_WEST, aboard=(OwnId("G2"), OwnId("P1")))


# A move after which the next one is lost.

JUNO = Planet(
    name="Juno",
    at=Square(15, 12),
    size=PlanetSize.LARGE,
    environs=(Environs(number=1, sector=S), Environs(number=2, sector=N)),
)
AT_JUNO = own_ship(square=Square(15, 15), thrust=1, popped_out=False)
"""Is pulled to the square that touches the body, and next turn into it, however it thrusts."""


@cases(
    ("ship", "fields", "expected"),
    {
        "too fast to stay": (TOO_FAST, {}, (NEXT,)),
        "slow enough": (replace(TOO_FAST, square=Square(19, 5)), {}, ()),
        "faced so that thrust brakes": (replace(TOO_FAST, thrust=4), {}, ()),
        "without power": (replace(TOO_FAST, thrust=4, powered=False), {}, (NEXT,)),
        "with a plant that starts": (
            replace(TOO_FAST, thrust=4, powered=False, starting=True),
            {},
            (),
        ),
        "on its way to an escape": (TOO_FAST, {"objectives": escape(W)}, ()),
        "bound off the map": (replace(TOO_FAST, bound_for=OFF_MAP), {}, ()),
    },
)
def test_a_ship_that_no_order_can_keep_in_the_next_turn_is_named(
    ship: OwnView, fields: dict[str, object], expected: tuple[Loss, ...]
) -> None:
    assert lost(ship, **fields) == expected


@pytest.mark.parametrize(("turns", "expected"), [(3, ()), (4, (NEXT,))])
def test_after_the_last_turn_nothing_is_lost(turns: int, expected: tuple[Loss, ...]) -> None:
    now = view(Phase.PLOT, TOO_FAST)
    assert losses(replace(now, stage=replace(now.stage, turns=turns)), ()) == expected


@cases(
    ("here", "there", "pulled"),
    {
        "beside its well it would pass": ((13, 14), (0, 0), True),
        "on its way west of it": ((11, 10), (2, 2), True),
        "on its way north of it": ((11, 10), (4, 0), True),
        "straight at it": ((13, 10), (2, 2), False),
    },
)
def test_a_loss_is_gravitys_where_the_same_move_without_it_ends_in_space(
    here: tuple[int, int], there: tuple[int, int], pulled: bool
) -> None:
    ship = own_ship(square=Square(*here), vector=Vector(*there))
    (found,) = lost(ship, board=Board(planets=(JUNO,)))
    assert (found.kind, found.body, found.pulled) == (STRIKES, "Juno", pulled)


def test_gravity_is_named_for_a_loss_of_the_next_turn_too() -> None:
    (found,) = lost(own_ship(square=Square(12, 9), thrust=0, popped_out=False))
    assert (found.kind, found.pulled) == (LossKind.LOST_NEXT_TURN, True)


@cases(("number", "is_lost"), {"a place to land": (1, False), "none in its sector": (2, True)})
def test_a_landing_saves_a_ship_that_is_pulled_down(number: int, is_lost: bool) -> None:
    environs = tuple(place for place in JUNO.environs if place.number == number)
    board = Board(planets=(replace(JUNO, environs=environs),))
    for ship in (AT_JUNO, replace(AT_JUNO, cloak=True, cloaked=True)):
        found = lost(ship, board=board)
        assert [one.kind for one in found] == [LossKind.LOST_NEXT_TURN] * is_lost


@st.composite
def fast_ships(draw: st.DrawFn) -> OwnView:
    """Draw a ship near the corner of the map or the planet, mostly fast."""
    near = draw(st.sampled_from([Square(0, 0), Square(15, 12)]))
    far, speed = st.integers(-4, 9), st.integers(-6, 6)
    square = Square(max(0, near.x + draw(far)), max(0, near.y + draw(far)))
    fields = {"square": square, "landed": None, "fate": Fate.IN_PLAY}
    vector = Vector(draw(speed), draw(speed))
    return replace(draw(own_ships(S1)), **fields, vector=vector, thrust=draw(st.integers(0, 2)))


def every_move(seen: View, ship: OwnView) -> Iterator[Square]:
    """Yield where each legal move of a ship in a PLOT ends: every turn with every thrust."""
    burns = [
        burn for points in range(3) for burn in combinations_with_replacement(Compass, points)
    ]
    for steps, to in product(range(-3, 4), burns):
        orders = (Turn(ship=ship.id, steps=steps), Thrust(ship=ship.id, to=to))
        if check(seen, orders) is None:
            yield after_plot(seen, ship, orders).square
    for landing in (
        *(Land(ship=ship.id, body="Ceres", environs=number) for number in (1, 2)),
        *(Land(ship=ship.id, body="Rock", sector=sector) for sector in Compass),
    ):
        if check(seen, (landing,)) is None:
            yield ship.square


@given(fast_ships())
def test_a_ship_is_lost_next_turn_exactly_if_no_legal_move_keeps_it(ship: OwnView) -> None:
    now = view(Phase.PLOT, ship)
    then = after(now, ())
    coming = replace(then, stage=replace(then.stage, phase=Phase.PLOT, turn=4))
    (moved,) = coming.own
    kinds = [one.kind for one in losses(now, ())]
    if moved.fate is not Fate.IN_PLAY:
        assert kinds in ([LEAVES], [STRIKES])
        return
    ends = [ending(BOARD, square) for square in every_move(coming, moved)]
    is_lost = MoveEnding.FLIES not in ends
    assert kinds == [LossKind.LOST_NEXT_TURN] * is_lost


# Places that this window alone takes.

FIRST = view(Phase.PLOT, turn=1, zone=("A6",))
PLACED = Loss(piece=S1, kind=LossKind.NOT_DEPLOYED, turn=1, square=Square(7, 27))
STANDING = Loss(piece=OwnId("G1"), kind=LossKind.NOT_STATIONED, turn=1)


@cases(
    ("seen", "orders", "expected"),
    {
        "where the dice put it": (FIRST, (), (PLACED,)),
        "deployed": (FIRST, ("deploy S1 3,27",), ()),
        "with a plan for its move alone": (FIRST, ("turn S1 +1",), (PLACED,)),
        "of fixed places": (replace(FIRST, zone=()), (), ()),
        "after turn 1": (view(Phase.PLOT, zone=("A6",)), (), ()),
        "troops that march": (ground_view(turn=1), ("move G1 D3",), (STANDING,)),
        "troops as they stand": (ground_view(turn=1), (), (STANDING,)),
        "troops stationed": (ground_view(turn=1), ("station G1 Ceres 1 B2",), ()),
        "troops aboard": (ground_view(Phase.PLOT, ABOARD, turn=1, own=(own_ship(),)), (), ()),
        "agents": (ground_view(turn=1, ground=(), agents=(AGENT,)), (), ()),
        "troops later": (ground_view(turn=2), (), ()),
    },
)
def test_a_piece_that_is_not_given_its_place_in_turn_1_is_named(
    seen: View, orders: tuple[Written, ...], expected: tuple[Loss, ...]
) -> None:
    given = read(*orders)
    assert check(seen, given) is None
    assert losses(seen, given) == expected


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase is not Phase.PLOT])
def test_no_other_window_loses_anything(phase: Phase) -> None:
    assert losses(view(phase, OVER_WEST, turn=1, zone=("A6",)), ()) == ()
