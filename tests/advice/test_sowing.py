"""Advice on sowing remote sensors on the ground, the terminal's words, and the ground file."""

import pytest
from msgspec.structs import replace

from builders.groundadvice import CARRIER, G1, G2, S1, code, ground_view, told
from builders.orders import Written
from builders.spotting import specials
from builders.terminals import GUARD
from sunglare_client.command import Give, Problem
from sunglare_client.terminal.input.parser import parse
from sunglare_client.terminal.owned import draw_ground
from sunglare_client.verbs.written import order_text
from sunglare_protocol.geometry import Square
from sunglare_protocol.messages.answers import Card
from sunglare_protocol.orders import Launch
from sunglare_protocol.surface import Cell, Mode
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import GroundView
from sunglare_protocol.words.armament import Launchable
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.cards.why import look
from sunglare_rules.advice.legal.legal import legal
from sunglare_server.match.data.files import DataError
from sunglare_server.match.data.ground_files import read_ground

SOW = "launch G1 remote"
SOWN = Launch(ship=G1, what=Launchable.REMOTE)
SOWER = replace(GUARD, specials=specials("ECM RSD"), dispensers=2, mode=Mode.HOVER, move=14)


ABOARD = replace(SOWER, site=None, cell=None, aboard=S1)
AFLOAT = replace(SOWER, cell=Cell(2, 0))


def plot(unit: GroundView = SOWER) -> View:
    """Return a PLOT window with that unit on the drawn map, a landed ship beside it."""
    return ground_view(Phase.PLOT, unit, own=(CARRIER,))


def test_a_unit_sows_one_sensor_from_each_dispenser_and_moves_besides() -> None:
    move = "move G1 D3"
    for orders in ((SOW,), (SOW, SOW), (SOW, move, SOW), (move, SOW)):
        assert code(plot(), *orders) is None
    assert code(plot(), SOW, SOW, SOW) == "order/launch"
    assert code(plot(GUARD), SOW) == "order/launch"


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
    assert code(plot(), order) == "order/launch"


@pytest.mark.parametrize(
    ("unit", "orders"),
    [
        (ABOARD, (SOW,)),
        (ABOARD, (SOW, "move G1 unload")),
        (SOWER, (SOW, "move G1 load S1")),
        (SOWER, ("move G1 load S1", SOW)),
    ],
    ids=["aboard", "coming out", "going in", "the other way round"],
)
def test_a_unit_sows_nothing_while_it_is_aboard_or_goes_in_or_out(
    unit: GroundView, orders: tuple[str, ...]
) -> None:
    assert code(plot(unit), *orders) == "order/load"


def test_nothing_is_sown_into_water() -> None:
    shore = replace(SOWER, cell=Cell(2, 1))
    assert code(plot(shore), SOW) is None
    assert code(plot(shore), SOW, "move G1 C1") == "order/cell"
    assert code(plot(shore), SOW, "move G1 C1 D1") is None


@pytest.mark.parametrize(
    ("unit", "order", "refused"),
    [
        (SOWER, Launch(ship=G1, what=Launchable.FIGHTER), "order/launch .what"),
        (replace(SOWER, site=None, cell=None), SOW, "order/load .ship"),
        (AFLOAT, SOW, "order/cell .ship"),
    ],
    ids=["a fighter", "aboard", "into water"],
)
def test_a_refused_launch_names_what_is_wrong_with_it(
    unit: GroundView, order: Written, refused: str
) -> None:
    assert told(plot(unit), order) == refused


def test_every_unit_sows_from_its_own_dispensers_where_its_own_move_ends() -> None:
    both = replace(plot(), ground=(SOWER, replace(SOWER, id=G2, cell=Cell(3, 1))))
    swims, sows = "move G2 D1 C1", "launch G2 remote"
    assert code(both, sows, sows, SOW, SOW) is None
    assert code(both, swims, SOW) is None
    assert code(both, swims, sows) == "order/cell"


def test_sowing_is_among_the_legal_orders_of_a_sower_alone() -> None:
    assert SOWN in legal(plot())
    assert SOWN not in legal(plot(GUARD))


def test_the_terminal_reads_and_writes_the_order() -> None:
    for line, number in (("launch G1 remote", 1), ("ln g1 remote 2", 2), (order_text(SOWN), 1)):
        command = parse(line, plot())
        assert isinstance(command, Give), command
        assert command.orders == (SOWN,) * number
    assert isinstance(parse("launch G1 fighter", plot()), Problem)
    assert isinstance(parse("launch G1 remote 3", plot()), Problem)


def test_lists_and_cards_say_how_many_sensors_a_unit_sows() -> None:
    listed = draw_ground(plot(), (SOWN,))
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
