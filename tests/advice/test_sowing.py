"""Advice on sowing remote sensors on the ground, the terminal's words, and the ground file."""

import msgspec
import pytest

from builders.ground import planet
from builders.groundadvice import Told, told
from builders.spotting import specials
from builders.terminals import GUARD, KITE, stage
from builders.terminals import view as space_view
from sunglare_client.command import Give, Problem
from sunglare_client.terminal.owned import draw_ground
from sunglare_client.terminal.prompt import parse
from sunglare_client.verbs.written import order_text
from sunglare_protocol.geometry import Board, Compass, Landing, Square
from sunglare_protocol.ids import OwnId
from sunglare_protocol.messages.answers import Card
from sunglare_protocol.orders import Launch, Order
from sunglare_protocol.orders.ground import Move
from sunglare_protocol.refusals import Code
from sunglare_protocol.surface import Cell, Mode
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import GroundView
from sunglare_protocol.words.armament import Launchable
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.cards.why import look
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.legal.legal import legal
from sunglare_server.match.data.files import DataError
from sunglare_server.match.data.ground_files import read_ground

_replace = msgspec.structs.replace

G1, S1 = OwnId("G1"), OwnId("S1")
SOW = Launch(ship=G1, what=Launchable.REMOTE)
SOWER = _replace(GUARD, specials=specials("ECM RSD"), dispensers=2, mode=Mode.HOVER, move=14)
DOWN = Landing(body="Ceres", sector=Compass.N, environs=1, cell=Cell(2, 2))


def plot(unit: GroundView = SOWER) -> View:
    """Return a PLOT window with that unit on the drawn map, a landed ship beside it."""
    return _replace(
        space_view(Phase.PLOT),
        stage=stage(Phase.PLOT, 4),
        board=Board(planets=(planet(),)),
        own=(_replace(KITE, landed=DOWN, bays=1),),
        ground=(unit,),
    )


def code(view: View, *orders: Order) -> Code | None:
    found = check(view, orders)
    return None if found is None else found.code


def test_a_unit_sows_one_sensor_from_each_dispenser_and_moves_besides() -> None:
    move = Move(ship=G1, path=(Cell(3, 2),))
    for orders in ((SOW,), (SOW, SOW), (SOW, move, SOW), (move, SOW)):
        assert code(plot(), *orders) is None
    assert code(plot(), SOW, SOW, SOW) is Code.ORDER_LAUNCH
    assert code(plot(GUARD), SOW) is Code.ORDER_LAUNCH


@pytest.mark.parametrize(
    "order",
    [
        Launch(ship=G1, what=Launchable.FIGHTER),
        Launch(ship=G1, what=Launchable.MISSILES, weapon="M1", at=Square(1, 1)),
        Launch(ship=G1, what=Launchable.REMOTE, cold=True),
        Launch(ship=G1, what=Launchable.REMOTE, at=Square(1, 1)),
    ],
    ids=["fighters", "missiles", "cold", "at a square"],
)
def test_a_unit_launches_nothing_else(order: Launch) -> None:
    assert code(plot(), order) is Code.ORDER_LAUNCH


@pytest.mark.parametrize(
    ("unit", "orders"),
    [
        (_replace(SOWER, site=None, cell=None, aboard=S1), (SOW,)),
        (_replace(SOWER, site=None, cell=None, aboard=S1), (SOW, Move(ship=G1, unload=True))),
        (SOWER, (SOW, Move(ship=G1, load=S1))),
        (SOWER, (Move(ship=G1, load=S1), SOW)),
    ],
    ids=["aboard", "coming out", "going in", "the other way round"],
)
def test_a_unit_sows_nothing_while_it_is_aboard_or_goes_in_or_out(
    unit: GroundView, orders: tuple[Order, ...]
) -> None:
    assert code(plot(unit), *orders) is Code.ORDER_LOAD


def test_nothing_is_sown_into_water() -> None:
    shore = _replace(SOWER, cell=Cell(2, 1))
    into, past = (Cell(2, 0),), (Cell(2, 0), Cell(3, 0))
    assert code(plot(shore), SOW) is None
    assert code(plot(shore), SOW, Move(ship=G1, path=into)) is Code.ORDER_CELL
    assert code(plot(shore), SOW, Move(ship=G1, path=past)) is None
    afloat = _replace(SOWER, cell=Cell(2, 0))
    assert code(plot(afloat), SOW) is Code.ORDER_CELL


@pytest.mark.parametrize(
    ("unit", "orders", "refusal"),
    [
        (
            SOWER,
            (Launch(ship=G1, what=Launchable.FIGHTER),),
            Told(Code.ORDER_LAUNCH, ".what"),
        ),
        (_replace(SOWER, site=None, cell=None), (SOW,), Told(Code.ORDER_LOAD, ".ship")),
        (_replace(SOWER, cell=Cell(2, 0)), (SOW,), Told(Code.ORDER_CELL, ".ship")),
    ],
    ids=["a fighter", "aboard", "into water"],
)
def test_a_refused_launch_names_what_is_wrong_with_it(
    unit: GroundView, orders: tuple[Order, ...], refusal: Told
) -> None:
    assert told(plot(unit), *orders) == refusal


def test_every_unit_sows_from_its_own_dispensers_where_its_own_move_ends() -> None:
    other = OwnId("G2")
    both = _replace(plot(), ground=(SOWER, _replace(SOWER, id=other, cell=Cell(3, 1))))
    swims = Move(ship=other, path=(Cell(3, 0), Cell(2, 0)))
    sows = _replace(SOW, ship=other)
    assert code(both, sows, sows, SOW, SOW) is None
    assert code(both, swims, SOW) is None
    assert code(both, swims, sows) is Code.ORDER_CELL


def test_sowing_is_among_the_legal_orders_of_a_sower_alone() -> None:
    assert SOW in legal(plot())
    assert SOW not in legal(plot(GUARD))


def test_the_terminal_reads_and_writes_the_order() -> None:
    for line, number in (("launch G1 remote", 1), ("ln g1 remote 2", 2), (order_text(SOW), 1)):
        command = parse(line, plot())
        assert isinstance(command, Give), command
        assert command.orders == (SOW,) * number
    assert isinstance(parse("launch G1 fighter", plot()), Problem)
    assert isinstance(parse("launch G1 remote 3", plot()), Problem)


def test_lists_and_cards_say_how_many_sensors_a_unit_sows() -> None:
    listed = draw_ground(plot(), (SOW,))
    assert "ECM RSD 2" in listed[1]
    assert "     plan: launch G1 remote" in listed
    card = look(plot(), "G1")
    assert isinstance(card, Card)
    assert "Abilities: ECM RSD 2." in card.lines


BUD = '[bud]\ntype = "bud"\nkind = "remote"\ntoughness = 1\nspecials = ["RSD 1"]\n'
SENSOR = '[ear]\ntype = "ear"\nkind = "remote"\ntoughness = 1\n'
CART = '[cart]\ntype = "cart"\nkind = "vehicle"\ntoughness = 2\n'


def test_a_file_names_what_its_dispensers_sow_or_a_file_before_it() -> None:
    ears = read_ground(SENSOR, "first.toml")
    sowing = CART + 'specials = ["PRB", "RSD 3"]\nremote = "ear"\n'
    for found in (
        read_ground(SENSOR + sowing, "one.toml"),
        read_ground(sowing, "next.toml", ears),
    ):
        cart = found["cart"]
        assert (cart.specials, cart.dispensers) == (specials("PRB RSD"), 3)
        assert cart.remote == ears["ear"]
    assert ears["ear"].remote is None


@pytest.mark.parametrize(
    ("text", "key", "why"),
    [
        (CART + 'specials = ["RSD 1"]', "cart.remote", "known are ear"),
        (CART + 'specials = ["RSD 1"]\nremote = "cart"', "cart.remote", "known are ear"),
        (CART + 'remote = "ear"', "cart.remote", "RSD n among its specials"),
        (CART + 'specials = ["RSD"]', "cart.specials[0]", "known are"),
        (CART + 'specials = ["RSD 0"]', "cart.specials[0]", "1 to 6"),
        (CART + 'specials = ["ECM", "ECM"]', "cart.specials[1]", "named twice"),
        (BUD + 'remote = "ear"', "bud.specials", "no RSD of its own"),
    ],
)
def test_what_is_wrong_with_dispensers_is_told_by_file_and_key(
    text: str, key: str, why: str
) -> None:
    with pytest.raises(DataError) as caught:
        read_ground(SENSOR + text + "\n", "mine.toml")
    assert (caught.value.file, caught.value.key) == ("mine.toml", key)
    assert why in caught.value.why
