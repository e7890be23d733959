"""What a review says is left undone, window by window, and when all are idle."""

from msgspec.structs import replace

from builders.agentorders import LANDER, VIEW, view_of
from builders.cases import cases
from builders.ground import planet
from builders.groundadvice import ABOARD, CARRIER, ground_view, token
from builders.orders import Written, read_on
from builders.spotting import specials
from builders.terminals import AGENT, GUARD
from builders.views import (
    C1,
    C2,
    ON_CERES,
    ON_ROCK,
    S1,
    S2,
    S3,
    contact,
    own_ship,
    view,
)
from sunglare_protocol.geometry import Board, Square
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.messages.answers import Idle
from sunglare_protocol.views import CloakRules, OwnView, View, VolleyView, WeaponView
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.review import IdleKind
from sunglare_protocol.words.scans import ScanType
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.legal.legal import shots
from sunglare_rules.advice.review.idle import all_idle, idle

G1, P1, P2 = OwnId("G1"), OwnId("P1"), OwnId("P2")
CLOAKS = CloakRules(cloaks=True)
STILL = Idle(piece=S1, kind=IdleKind.NO_ORDER)
BLIND = Idle(piece=S1, kind=IdleKind.NO_SENSOR)
FOLDED = replace(BLIND, folded=True)
UNUSED = Idle(piece=S1, kind=IdleKind.WEAPON_UNUSED, weapon="beam", at=C1)
HIDDEN = own_ship(popped_out=False)
VOLLEY = own_ship(
    kind=PieceKind.MISSILE,
    volley=VolleyView(missiles=4, aim=Square(7, 27), movements=1),
    weapons=(WeaponView(id="M1", kind=WeaponKind.SALVO, rank=4),),
)
TWO_BEAMS = (own_ship().weapons[0], replace(own_ship().weapons[0], id="beam2"))
NOVA = WeaponView(id="nova", kind=WeaponKind.NOVA)


FLOWN = replace(AGENT, site=None, aboard=S1)
ONE_PLACE = Board(planets=(replace(planet(), environs=planet().environs[:1]),))


def undone(seen: View, *orders: Written) -> tuple[Idle, ...]:
    """Return what legal orders leave undone."""
    given = read_on(seen, *orders)
    assert check(seen, given) is None
    return idle(seen, given)


# PLOT.


@cases(
    ("ship", "orders", "expected"),
    {
        "a ship that drifts": (own_ship(), (), (STILL,)),
        "one that turns": (own_ship(), ("turn S1 +1",), ()),
        "one with any other order": (own_ship(), ("rotate S1 T1 left",), ()),
        "one that stands on a body": (own_ship(landed=ON_ROCK, popped_out=False), (), ()),
        "a cloaked one": (own_ship(cloak=True, cloaked=True, popped_out=False), (), (STILL,)),
        "one without power": (
            own_ship(powered=False, popped_out=False),
            (),
            (STILL, BLIND),
        ),
        "a volley on its way": (VOLLEY, (), ()),
        "a remote sensor": (own_ship(kind=PieceKind.REMOTE), (), ()),
    },
)
def test_in_plot_a_ship_that_could_move_and_has_no_order_is_idle(
    ship: OwnView, orders: tuple[Written, ...], expected: tuple[Idle, ...]
) -> None:
    assert undone(view(Phase.PLOT, ship), *orders) == expected


@cases(
    ("ship", "orders", "expected"),
    {
        "sensors out": (own_ship(), (), ()),
        "folded": (HIDDEN, (), (FOLDED,)),
        "popped out now": (HIDDEN, ("sensors S1 out",), ()),
        "folded now": (own_ship(), ("sensors S1 in",), (FOLDED,)),
        "power off now": (own_ship(), ("power S1 off",), (BLIND,)),
        "destroyed": (own_ship(hull_sensors_work=False), (), (BLIND,)),
        "one that works folded": (own_ship(popped_out=False, sensors={ScanType.MASS: 1}), (), ()),
        "no sensor at all": (own_ship(sensors={}), (), ()),
        "under a cloak": (own_ship(cloak=True, cloaked=True, popped_out=False), (), ()),
        "landed": (own_ship(landed=ON_CERES, square=Square(14, 13), popped_out=False), (), ()),
        "a fighter's": (own_ship(kind=PieceKind.FIGHTER, popped_out=False), (), ()),
    },
)
def test_in_plot_a_ship_that_will_have_no_sensor_is_named(
    ship: OwnView, orders: tuple[Written, ...], expected: tuple[Idle, ...]
) -> None:
    found = undone(view(Phase.PLOT, ship), *orders)
    assert tuple(one for one in found if one.kind is IdleKind.NO_SENSOR) == expected


def test_a_ship_that_listens_for_cloaked_ships_is_not_without_sensors() -> None:
    seen = replace(view(Phase.PLOT, HIDDEN), cloak_rules=CLOAKS)
    assert undone(seen, "turn S1 +1") == ()
    assert undone(seen, "power S1 off") == (BLIND,)


@cases(
    ("seen", "orders", "expected"),
    {
        "troops that could march": (ground_view(), (), (Idle(piece=G1, kind=IdleKind.NO_ORDER),)),
        "troops that march": (ground_view(), ("move G1 D3",), ()),
        "troops in hiding": (ground_view(Phase.PLOT, replace(GUARD, hidden=True)), (), ()),
        "troops aboard in space": (
            replace(ground_view(Phase.PLOT, ABOARD), own=(own_ship(cloak=True),)),
            ("turn S1 +1",),
            (),
        ),
        "troops aboard a ship that stands": (
            replace(ground_view(Phase.PLOT, ABOARD), own=(CARRIER,)),
            (),
            (Idle(piece=G1, kind=IdleKind.NO_ORDER),),
        ),
        "an agent aboard in space": (
            view_of(own=(own_ship(),), ground=(), agents=(FLOWN,)),
            (),
            (STILL,),
        ),
        "one aboard a ship that stands": (
            view_of(own=(replace(LANDER, id=S1),), ground=(), agents=(FLOWN,)),
            (),
            (Idle(piece=P1, kind=IdleKind.NO_ORDER),),
        ),
        "one who has nowhere to go": (
            view_of(own=(), ground=(), agents=(AGENT,), board=ONE_PLACE),
            (),
            (Idle(piece=P1, kind=IdleKind.NO_ORDER),),
        ),
        "an agent on his own": (
            view_of(own=(), ground=(), agents=(AGENT,)),
            (),
            (Idle(piece=P1, kind=IdleKind.NO_ORDER),),
        ),
        "one who walks": (view_of(own=(), ground=(), agents=(AGENT,)), ("walk P1 2",), ()),
        "one on a mission of another": (
            view_of(own=(), ground=(), agents=(AGENT, replace(AGENT, id=P2, name="Owl"))),
            ("mission P1 spy with P2",),
            (),
        ),
        "one with troops": (
            view_of(
                own=(),
                ground=(replace(GUARD, hidden=True),),
                agents=(replace(AGENT, stacked=G1),),
            ),
            (),
            (),
        ),
    },
)
def test_in_plot_troops_on_their_feet_and_agents_on_their_own_are_idle(
    seen: View, orders: tuple[Written, ...], expected: tuple[Idle, ...]
) -> None:
    assert undone(seen, *orders) == expected


# SCAN.

THREE = (own_ship(), own_ship(id=S2), own_ship(id=S3))
SCAN = "scan S1 visual 1box B4"


@cases(
    ("seen", "orders", "expected"),
    {
        "a ship that could scan": (view(Phase.SCAN, slot="A"), (), (STILL,)),
        "one that scans": (view(Phase.SCAN, slot="A"), (SCAN,), ()),
        "one whose sensors are folded": (view(Phase.SCAN, HIDDEN, slot="A"), (), ()),
        "in the slot of others": (view(Phase.SCAN, slot="B"), (), ()),
        "one scan left": (
            view(Phase.SCAN, *THREE, slot="A"),
            (SCAN,),
            (replace(STILL, piece=S2), replace(STILL, piece=S3)),
        ),
        "no scan left": (
            view(Phase.SCAN, *THREE, slot="A"),
            (SCAN, "scan S2 visual 1box B4"),
            (),
        ),
    },
)
def test_in_scan_a_ship_is_idle_while_its_side_has_scans_left(
    seen: View, orders: tuple[Written, ...], expected: tuple[Idle, ...]
) -> None:
    assert undone(seen, *orders) == expected


# DETECT.

PROBER = own_ship(specials=specials("PRB"))
KNOWN = contact(side=Side("B"), type="frigate", square=Square(7, 26))


@cases(
    ("seen", "orders", "expected"),
    {
        "data in reach": (
            view(Phase.DETECT, PROBER, contacts=(KNOWN,)),
            (),
            (replace(STILL, at=C1),),
        ),
        "data asked for": (
            view(Phase.DETECT, PROBER, contacts=(KNOWN,)),
            ("probe S1 aaaaaa",),
            (),
        ),
        "two in reach": (
            view(Phase.DETECT, PROBER, contacts=(KNOWN, replace(KNOWN, label="C2", handle=C2))),
            (),
            (replace(STILL, at=C1),),
        ),
        "asked for by another": (
            view(Phase.DETECT, PROBER, replace(PROBER, id=S2), contacts=(KNOWN,)),
            ("probe S2 aaaaaa",),
            (),
        ),
        "a ship that sweeps": (
            view(Phase.DETECT, PROBER, contacts=(KNOWN,)),
            ("sweep S1",),
            (),
        ),
        "nothing identified": (view(Phase.DETECT, PROBER, contacts=(contact(),)), (), ()),
    },
)
def test_in_detect_a_request_for_data_is_left_undone(
    seen: View, orders: tuple[Written, ...], expected: tuple[Idle, ...]
) -> None:
    assert undone(seen, *orders) == expected


# ENGAGE.


def engage(*ships: OwnView, at: tuple[Square, ...] = (Square(7, 22),)) -> View:
    """Return the view of an ENGAGE with contacts on these squares."""
    held = tuple(
        contact(label=f"C{number}", handle=handle, square=square)
        for number, (handle, square) in enumerate(zip((C1, C2), at, strict=False), 1)
    )
    return replace(view(Phase.ENGAGE, *ships, contacts=held), cloak_rules=CLOAKS)


@cases(
    ("seen", "orders", "expected"),
    {
        "a weapon in reach": (engage(), (), (UNUSED,)),
        "one that fires": (engage(), ("fire S1.beam C1",), ()),
        "one that is held": (engage(), ("hold S1.beam",), ()),
        "nothing in reach": (
            engage(at=(Square(7, 35),)),
            (),
            (replace(UNUSED, weapon="torpedo"),),
        ),
        "nothing held": (engage(at=()), (), ()),
        "two in reach": (engage(at=(Square(7, 20), Square(7, 22))), (), (UNUSED,)),
        "two of the ship": (
            engage(own_ship(weapons=TWO_BEAMS)),
            (),
            (UNUSED, replace(UNUSED, weapon="beam2")),
        ),
        "another one of the ship": (
            engage(own_ship(weapons=TWO_BEAMS)),
            ("fire S1.beam C1",),
            (replace(UNUSED, weapon="beam2"),),
        ),
        "the same one of another ship": (
            engage(own_ship(weapons=TWO_BEAMS), own_ship(id=S2, weapons=TWO_BEAMS[:1])),
            ("fire S1.beam2 C1",),
            (UNUSED, replace(UNUSED, piece=S2)),
        ),
        "a nova gun": (engage(own_ship(weapons=(NOVA,))), (), ()),
        "beside a nova gun": (
            engage(own_ship(weapons=(*own_ship().weapons[:1], NOVA))),
            ("fire S1.nova",),
            (),
        ),
        "a volley": (replace(engage(VOLLEY), contacts=(contact(),)), (), ()),
        "troops": (
            ground_view(Phase.ENGAGE, surfaces=(token((3, 3)),)),
            (),
            (
                Idle(
                    piece=G1,
                    kind=IdleKind.WEAPON_UNUSED,
                    weapon="R1",
                    at=token((3, 3)).tokens[0].handle,
                ),
            ),
        ),
    },
)
def test_in_engage_a_weapon_that_bears_on_something_held_is_unused(
    seen: View, orders: tuple[Written, ...], expected: tuple[Idle, ...]
) -> None:
    assert undone(seen, *orders) == expected


def test_in_engage_a_search_where_an_alert_stands_is_left_undone() -> None:
    seen = replace(view_of(Phase.ENGAGE), surfaces=())
    assert undone(seen) == (Idle(piece=G1, kind=IdleKind.NO_ORDER),)
    assert undone(seen, "search P1") == ()


def test_fire_of_a_unit_is_no_search_of_its_environs() -> None:
    seen = view_of(Phase.ENGAGE)
    fire = next(shot for shot in shots(seen) if shot.ship == G1)
    assert Idle(piece=G1, kind=IdleKind.NO_ORDER) in idle(seen, (fire,))


def test_when_the_match_is_over_nothing_is_left_undone() -> None:
    assert undone(view(Phase.OVER)) == ()


# All of them.


@cases(
    ("seen", "orders", "expected"),
    {
        "no ship has an order": (view(Phase.PLOT, *THREE), (), True),
        "one has": (view(Phase.PLOT, *THREE), ("turn S2 +1",), False),
        "no ship could act": (view(Phase.SCAN, HIDDEN, slot="A"), (), False),
        "the slot of others": (view(Phase.SCAN, slot="B"), (), False),
        "a scan": (view(Phase.SCAN, *THREE, slot="A"), (SCAN,), False),
        "a weapon in reach": (engage(), (), True),
        "another one fires": (
            engage(own_ship(), own_ship(id=S2)),
            ("fire S2.beam C1",),
            False,
        ),
        "point defence alone": (engage(own_ship(point_defence=1)), ("defend S1 hold",), False),
        "troops without ships": (ground_view(), (), True),
        "troops that march": (ground_view(), ("move G1 D3",), False),
        "ships stand by while an agent acts": (VIEW, ("walk P1 2",), True),
    },
)
def test_all_are_idle_if_no_ship_that_could_act_has_an_order(
    seen: View, orders: tuple[Written, ...], expected: bool
) -> None:
    given = read_on(seen, *orders)
    assert check(seen, given) is None
    assert all_idle(seen, idle(seen, given), given) is expected


def test_a_ship_that_will_have_no_sensor_is_not_idle_for_that() -> None:
    assert not all_idle(view(Phase.PLOT), (BLIND,), ())


def test_a_ship_is_idle_whatever_troops_and_agents_do() -> None:
    assert all_idle(VIEW, (replace(STILL, piece=VIEW.own[0].id),), read_on(VIEW, "walk P1 2"))
