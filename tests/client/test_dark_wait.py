"""Dark waits: when a lone ship lies with its plant off, and when it starts."""

import pytest
from msgspec.structs import replace

from builders.bots import contact, corvette, frigate, seen
from builders.fakeserver import SIDE
from sunglare_client.abilities import Ability
from sunglare_client.advice import Advice
from sunglare_client.bots.battle import BattleFleet
from sunglare_client.bots.movement.dark_wait import lies_dark
from sunglare_client.bots.movement.hunting import quarries
from sunglare_client.bots.seeker import switched_off
from sunglare_protocol.geometry import Square, Vector
from sunglare_protocol.ids import Side
from sunglare_protocol.orders import Power, Sensors, Thrust
from sunglare_protocol.views import Exposure, OwnView, View
from sunglare_protocol.words.ladder import Fix, Phase

HERE = Square(9, 9)
SHIP = corvette(HERE)
B, C = Side("B"), Side("C")


def among(*sides: Side, own: tuple[OwnView, ...] = (SHIP,), foe: int = 30, turn: int = 2) -> View:
    """Return a view of a side among others, with a foe so far east and 60 turns to play."""
    there = contact(Square(foe, 9), turn=turn)
    view = seen(Phase.PLOT, own, (there,), turn=turn)
    return replace(view, stage=replace(view.stage, turns=60, sides=(SIDE, *sides)))


def is_dark(view: View, *without: Ability) -> bool:
    return lies_dark(Advice(view, without), view.own[0], quarries(view))


def test_a_lone_ship_among_several_enemies_lies_dark() -> None:
    assert is_dark(among(B, C))


@pytest.mark.parametrize(
    "view",
    [
        among(B),
        among(B, C, own=(SHIP, frigate(Square(12, 9)))),
        among(B, C, own=(corvette(HERE, Vector(1, 0)),)),
        among(B, C, own=(corvette(Square(20, 16)),)),
        among(B, C, own=(replace(SHIP, exposed=(Exposure(side=B, fix=Fix.CONTACT),)),)),
        among(B, C, foe=27),
        among(B, C, turn=3),
    ],
    ids=[
        "one enemy",
        "a comrade",
        "under way",
        "pulled by a planet",
        "found",
        "a foe within reach in a few turns",
        "late",
    ],
)
def test_other_ships_keep_their_plants_on(view: View) -> None:
    assert not is_dark(view)


def test_of_two_enemies_of_which_one_is_out_only_one_is_left() -> None:
    view = among(B, C)
    assert not is_dark(replace(view, stage=replace(view.stage, out=(C,))))


def test_a_side_that_may_not_switch_off_does_not_wait_for_others() -> None:
    assert not is_dark(among(B, C), Ability.POWER_OFF)


def test_a_fleet_of_one_switches_off_folds_its_sensors_and_starts_for_a_foe() -> None:
    bot = BattleFleet(0)
    view = among(B, C)
    assert tuple(bot.on_window(view, Advice(view))) == (
        Power(ship=SHIP.id, on=False),
        Sensors(ship=SHIP.id, out=False),
    )
    dark = replace(SHIP, powered=False, popped_out=False)
    assert switched_off(dark) == ()
    near = among(B, C, own=(dark,), foe=24)
    orders = tuple(bot.on_window(near, Advice(near)))
    assert Power(ship=SHIP.id, on=True) in orders
    assert not any(isinstance(order, Thrust) for order in orders)
