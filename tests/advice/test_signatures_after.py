"""What a ship will give off when its orders are carried out, as far as its owner can tell."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.desks import SCENES, frames_of, view_in
from builders.terminals import KITE, S1, frame, ship, view
from sunglare_client.terminal.turn_session import TurnSession
from sunglare_protocol.geometry import Compass, Landing, Square, Vector
from sunglare_protocol.ids import Side
from sunglare_protocol.orders import Cloak, Order, Power, Sensors, Thrust
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.scans import Drive, Signature
from sunglare_rules.advice.odds.after import after as foreseen
from sunglare_rules.advice.seen.emissions import own_signatures, signatures_after
from sunglare_rules.advice.seen.plotting import after_plot


@cache
def plots() -> list[View]:
    """Return what side A saw in the PLOT windows of random matches."""
    seen = (view_in(sent) for scene in SCENES for sent in frames_of(*scene)[Side("A")])
    return [one for one in seen if one.stage.phase is Phase.PLOT]


BURN = Thrust(ship=S1, to=(Compass.N, Compass.N))


def after(*orders: Order, **fields: object) -> dict[Signature, int]:
    """Return what the ship gives off after these orders."""
    seen = view(own=(ship(KITE, **fields),))
    return signatures_after(seen, seen.own[0], orders)


def test_a_ship_that_burns_shows_its_plume() -> None:
    assert Signature.VISUAL_THRUST not in after()
    assert Signature.VISUAL_THRUST in after(BURN)
    assert Signature.IR_THRUST in after(BURN)


def test_a_ship_whose_plant_is_cut_gives_no_power_away() -> None:
    assert Signature.IR_POWER in after()
    dark = after(Power(ship=S1, on=False))
    assert not {Signature.IR_POWER, Signature.NEUTRINO_POWER} & {*dark}


def test_sensors_that_are_folded_change_what_is_seen_of_the_hull() -> None:
    assert after(Sensors(ship=S1, out=False)) != after()


def test_a_shadow_column_dims_the_hull() -> None:
    lit = after(square=Square(5, 30), vector=Vector(0, 0))
    dark = after(square=Square(15, 30), vector=Vector(0, 0))
    assert dark[Signature.VISUAL_HULL] < lit[Signature.VISUAL_HULL]


def test_under_a_cloak_nothing_is_given_off() -> None:
    assert after(Cloak(ship=S1, on=True), cloak=True) == {}


def test_of_a_ship_on_a_body_nothing_is_said() -> None:
    assert after(landed=Landing(body="Old Rock", sector=Compass.N)) == {}


@given(st.deferred(lambda: st.sampled_from(plots())))
def test_a_ship_will_give_off_what_one_that_stands_there_then_does(seen: View) -> None:
    for own in seen.own:
        if own.fate is not Fate.IN_PLAY or own.kind is PieceKind.REMOTE:
            continue
        foreseen = signatures_after(seen, own, ())
        if foreseen:
            end = after_plot(seen, own, ())
            there = replace(
                own,
                square=end.square,
                vector=end.vector,
                thrust_spent=0,
                powered=own.powered or own.starting,
            )
            alone = replace(seen, own=(there,), contacts=())
            assert foreseen == own_signatures(alone, there)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("burn S1 +0,-1", ["S1 -> 7,25", "there it gives off", "visual thrust"]),
        ("power S1 off", ["S1 -> 7,26", "there it gives off"]),
        ("burn S1 +9,+9", ["E-ARG"]),
        ("scan S1 visual 1box C3", ["E-PHASE"]),
    ],
)
def test_any_order_may_be_weighed_before_it_is_given(line: str, told: list[str]) -> None:
    session = TurnSession(frame(1, view()), view())
    text = "\n".join(session.tried(line))
    assert all(part in text for part in told)
    assert session.plan == ()


@pytest.mark.parametrize("orders", [(), (Thrust(ship=S1, to=(Compass.N,)),), (BURN,)], ids=len)
@pytest.mark.parametrize("drive", Drive)
def test_a_ship_will_give_off_what_its_drive_and_its_burn_do(
    drive: Drive, orders: tuple[Order, ...]
) -> None:
    seen = view(own=(ship(KITE, square=Square(5, 30), vector=Vector(0, 0), drive=drive),))
    then = foreseen(seen, orders)
    assert signatures_after(seen, seen.own[0], orders) == own_signatures(then, then.own[0])
