"""Passages between two planets: who waits, who is fetched, and for where they are bound."""

import msgspec
import pytest

from builders.matches import view_of
from builders.played import rig
from builders.scenarios import scenarios
from sunglare_client.advice import Advice
from sunglare_client.bots.ground.passages import WORKS_FOR, Passages, Stop, ferry_of, next_stop
from sunglare_protocol.geometry import Compass, Landing, Square
from sunglare_protocol.ids import Audience, OwnId
from sunglare_protocol.orders import Land, Lift
from sunglare_protocol.orders.agents import OFF_MAP, GoAboard, Mission, Stand, StepOut
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.search import MissionKind

VERGE, HOLLOW = Site("Verge", 1), Site("Hollow", 1)
ARROW, ALIAS, ANNA, ABEL = OwnId("S1"), OwnId("S2"), OwnId("P1"), OwnId("P2")
OVER = {VERGE: Square(9, 16), HOLLOW: Square(29, 8)}
SECTOR = {VERGE: Compass.W, HOLLOW: Compass.E}
_replace = msgspec.structs.replace


def first(name: str = "two-planets") -> View:
    """Return what side A sees in the first PLOT."""
    return view_of(rig(scenarios()[name], 3, Audience("A")).state, Audience("A"))


def seen(
    turn: int = 5,
    *,
    anna: Site | None = VERGE,
    carried: bool = False,
    delivered: bool = False,
    landed: Site | None = None,
    over: Site = VERGE,
    lost: tuple[OwnId, ...] = (),
) -> View:
    """Return a later view: where Anna is (None: aboard), who has the ledger, where Arrow is."""
    view = first()
    item = _replace(
        view.items[0],
        site=None if carried or delivered else VERGE,
        carrier=ANNA if carried else None,
        delivered=delivered,
    )
    agents = tuple(
        _replace(agent, site=anna, aboard=ARROW if anna is None else None)
        if agent.id == ANNA
        else agent
        for agent in view.agents
    )
    down = None
    if landed is not None:
        down = Landing(body=landed.body, sector=SECTOR[landed], environs=1, cell=Cell(1, 1))
    at = OVER[landed or over]
    moved = {ARROW: {"square": at, "landed": down, "powered": True}}
    own = tuple(
        _replace(
            ship,
            **moved.get(ship.id, {}),
            fate=Fate.DESTROYED if ship.id in lost else ship.fate,
        )
        for ship in view.own
    )
    stage = _replace(view.stage, turn=turn)
    return _replace(view, stage=stage, zone=(), items=(item,), agents=agents, own=own)


def arrow(view: View) -> OwnView:
    return next(ship for ship in view.own if ship.id == ARROW)


def planned(view: View, ship: OwnId = ARROW) -> tuple[object, ...] | None:
    """Return what passages, which have seen turn 1, have a ship do."""
    passages = Passages()
    passages.see(first())
    own = next(one for one in view.own if one.id == ship)
    return passages.plan(view, Advice(view), own)


def steps(view: View) -> list[object]:
    passages = Passages()
    passages.see(first())
    return list(passages.steps(view, ()))


@pytest.mark.parametrize(
    ("name", "wanted"), [("two-planets", True), ("orlog", False), ("smugglers-moon", False)]
)
def test_passages_are_for_what_is_to_be_brought_to_another_planet(
    name: str, *, wanted: bool
) -> None:
    passages = Passages()
    passages.see(first(name))
    assert passages.are_wanted is wanted


LATE = int(WORKS_FOR * 34) + 1


@pytest.mark.parametrize(
    ("view", "stop"),
    [
        (seen(), Stop(VERGE, waits=True)),
        (seen(carried=True), Stop(VERGE)),
        (seen(carried=True, anna=None), Stop(HOLLOW)),
        (seen(delivered=True, anna=HOLLOW, over=HOLLOW), Stop(HOLLOW)),
        (seen(delivered=True, anna=None, over=HOLLOW), None),
        (seen(LATE), Stop(VERGE)),
        (seen(anna=None), Stop(VERGE)),
    ],
    ids=[
        "above those at work",
        "to who has the ledger",
        "on with the ledger",
        "for who has handed it over",
        "home",
        "late, for who has nothing",
        "with all aboard, to where it lies",
    ],
)
def test_a_ferry_goes_to_where_somebody_is_to_be_fetched_or_brought(
    view: View, stop: Stop | None
) -> None:
    assert next_stop(view, arrow(view)) == stop


def test_a_ferry_with_the_ledger_aboard_is_bound_for_the_other_planet() -> None:
    orders = planned(seen(carried=True, anna=None, landed=VERGE))
    assert orders == (Lift(ship=ARROW), Stand(ship=ARROW, bound_for="Hollow"))


def test_a_ferry_whose_standing_order_is_right_is_not_given_it_again() -> None:
    view = seen(carried=True, anna=None, landed=VERGE)
    own = tuple(
        _replace(ship, bound_for="Hollow") if ship.id == ARROW else ship for ship in view.own
    )
    assert planned(_replace(view, own=own)) == (Lift(ship=ARROW),)


def test_a_landed_ferry_stays_for_who_is_to_come_aboard_and_he_comes() -> None:
    view = seen(carried=True, landed=VERGE)
    assert planned(view) == ()
    assert steps(view) == [GoAboard(ship=ANNA, into=ARROW)]


def test_beside_the_goal_who_has_the_ledger_steps_out_and_hands_it_over() -> None:
    view = seen(carried=True, anna=None, landed=HOLLOW)
    assert steps(view) == [
        StepOut(ship=ANNA),
        Mission(ship=ANNA, kind=MissionKind.DELIVER, name="ledger"),
    ]


def test_who_is_at_work_stays_at_it_while_the_ferry_is_elsewhere() -> None:
    view = seen(over=HOLLOW)
    assert steps(view) == [Mission(ship=ANNA, kind=MissionKind.STEAL, name="ledger")]


def test_a_ferry_lands_on_an_own_area_above_whom_it_fetches() -> None:
    orders = planned(seen(carried=True))
    assert orders is not None
    (landing,) = (order for order in orders if isinstance(order, Land))
    assert (landing.body, landing.environs) == ("Verge", 1)
    assert landing.cell is not None
    assert landing.cell.column <= 5


def test_when_all_is_done_every_ship_goes_home_and_before_only_the_ferry_has_a_plan() -> None:
    over = seen(delivered=True, anna=None, over=HOLLOW)
    for ship in (ARROW, ALIAS):
        orders = planned(over, ship)
        assert orders is not None
        assert Stand(ship=ship, bound_for=OFF_MAP) in orders
    assert planned(seen(carried=True), ALIAS) is None


def test_another_ship_fetches_agents_when_theirs_is_lost() -> None:
    view = seen(carried=True, lost=(ARROW,))
    aboard = tuple(a for a in view.agents if a.id != ABEL)
    view = _replace(view, agents=aboard)
    assert ferry_of(seen()) == ARROW
    assert ferry_of(view) not in (None, ARROW)
