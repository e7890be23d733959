"""Orders as the lines that players type, read by the terminal's own grammar.

The grammar takes only names of the view before it. `read_on` is told which; for `read` and
`typed` that view names everything that the tests of refusals do, whether the view under test has
it or not.
"""

from functools import cache
from typing import Any

from msgspec.structs import replace

from builders.terminals import AGENT, CONTACT, GUARD, stage
from builders.views import CERES, ROCK, own_ship, view
from sunglare_client.command import Give
from sunglare_client.terminal.input.parser import parse, split_line
from sunglare_client.verbs.table import verb_called
from sunglare_client.verbs.verb import Verb
from sunglare_protocol.geometry import Board, Environs
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.orders import Order
from sunglare_protocol.surface import Arm, Site
from sunglare_protocol.views import TurretView, View, WeaponView
from sunglare_protocol.views.agents import ItemView
from sunglare_protocol.views.ground import ArmView, SurfaceView, TokenView
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.pieces import Arc, TurretKind
from sunglare_protocol.words.specials import Special

Written = Order | str
"""An order, or the line that gives it."""

_WEAPONS = ("beam", "torpedo", "wreck", "cannon", "missile", "needle", "B1", "C1", "M1")
_HANDLES = ("aaaaaa", "bbbbbb", "cccccc", "zzzzzz", "tt1tt1", "tt2tt2", "tt4tt4", "ff5ff5")
_ARMS = {"D": Arm.SDS_CM, "R": Arm.DIRECT, "X": Arm.DIRECT}
_SHIP = own_ship(
    weapons=(
        *(WeaponView(id=name, kind=WeaponKind.BEAM) for name in _WEAPONS),
        *(WeaponView(id=name, kind=WeaponKind.SALVO) for name in ("rack", "old rack")),
        WeaponView(id="nova", kind=WeaponKind.NOVA),
    ),
    turrets=tuple(
        TurretView(id=name, kind=TurretKind.SINGLE, arcs=(Arc.FRONT,))
        for name in ("T1", "T2", "T9")
    ),
    dispensers=6,
    flights=6,
)
_UNIT = replace(
    GUARD,
    weapons=tuple(
        ArmView(id=name, kind=_ARMS[name[0]], damage=(1, 1, 1, 1))
        for name in ("D0", "D1", "D2", "D3", "R1", "X9")
    ),
    specials=(Special.TAG, Special.LTAG),
    dispensers=6,
)
"""A unit with batteries, D0 to D3, for what is in space, and weapons for tokens."""


def _environs(*sectored: Environs) -> tuple[Environs, ...]:
    more = range(len(sectored) + 1, 10)
    return (*sectored, *(replace(sectored[0], number=number) for number in more))


BODIES = Board(
    columns=26,
    rows=26,
    planets=tuple(
        replace(CERES, name=name, environs=_environs(*CERES.environs))
        for name in ("Ceres", "Vesta")
    ),
    asteroids=(ROCK, replace(ROCK, name="Moon")),
)


@cache
def everything(phase: Phase = Phase.ENGAGE) -> View:
    """Return a view of that window in which everything has a name."""
    return replace(
        view(phase, *(replace(_SHIP, id=OwnId(f"S{number}")) for number in range(1, 10))),
        stage=stage(phase),
        board=BODIES,
        contacts=tuple(replace(CONTACT, label=name, handle=Handle(name)) for name in _HANDLES),
        ground=tuple(replace(_UNIT, id=OwnId(f"G{number}")) for number in range(1, 10)),
        agents=tuple(replace(AGENT, id=OwnId(f"P{number}")) for number in range(1, 10)),
        items=tuple(ItemView(name=name) for name in ("book", "cup", "Ant", "Owl", "Agent", "P4")),
        surfaces=(
            SurfaceView(
                site=Site("Ceres", 1),
                tokens=tuple(
                    TokenView(label=name, cell=GUARD.cell, turn=1, handle=Handle(name))
                    for name in _HANDLES
                    if GUARD.cell
                ),
            ),
        ),
    )


def typed(line: str) -> Any:
    """Return the one order that a line gives, of whatever kind it is."""
    (order,) = read(line)
    return order


def read(*written: Written) -> tuple[Order, ...]:
    """Return orders, each of them written as itself or in a line, which may hold several."""
    return tuple(
        order for one in written for order in (_orders(one) if isinstance(one, str) else (one,))
    )


def _orders(line: str) -> tuple[Order, ...]:
    found: tuple[Order, ...] = ()
    for command in split_line(line):
        verb = verb_called(command.split()[0])
        assert isinstance(verb, Verb), command
        found += _given(command, everything(*verb.windows[:1]))
    return found


def read_on(seen: View, *written: Written) -> tuple[Order, ...]:
    """Return the orders that these mean in the open window of a view, by the names that it has."""
    orders: tuple[Order, ...] = ()
    for one in written:
        for command in split_line(one) if isinstance(one, str) else ():
            orders += _given(command, seen, orders)
        orders += () if isinstance(one, str) else (one,)
    return orders


def _given(command: str, seen: View, before: tuple[Order, ...] = ()) -> tuple[Order, ...]:
    found = parse(command, seen, before)
    assert isinstance(found, Give), found
    return found.orders
