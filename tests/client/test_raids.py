"""Raiders go home when nothing is left to do; prisoners alone keep no side in the match."""

import msgspec
import pytest

from builders.agentmatches import TOWN, high, match_of, side_of, troops, truth, who
from builders.truths import A, B
from sunglare_client.advice import Advice
from sunglare_client.bot import decide
from sunglare_client.bots import BOTS
from sunglare_client.bots.raids import embarked, goes_home, is_waited_for, way_out
from sunglare_protocol.ids import Audience, OwnId
from sunglare_protocol.orders import Thrust
from sunglare_protocol.orders.agents import OFF_MAP, GoAboard, Stand
from sunglare_protocol.surface import Site
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_server.match.data.scenario import AgentEntry, ItemEntry, Objective
from sunglare_server.match.resolve.scoring import sides_gone
from sunglare_server.match.truth.truth import Truth

FAR = Site("Ceres", 2)
GOAL = Objective(kind=ObjectiveKind.DELIVER, piece="book", at=FAR)


def raid(*agents: AgentEntry, turn: int = 2, items: tuple[ItemEntry, ...] = ()) -> View:
    """Return what the raiders see who want a book, with a ship of theirs over the planet."""
    first = side_of(*agents, ships=(high("Mother"),), objectives=(GOAL,), leaves_free=True)
    view = match_of(first, side_of(who("Pell")), items=items).view("A")
    return msgspec.structs.replace(view, stage=msgspec.structs.replace(view.stage, turn=turn))


BOOK = (ItemEntry(name="book", at=TOWN),)


@pytest.mark.parametrize(
    ("view", "goes"),
    [
        (raid(who("Fox"), items=BOOK), False),
        (raid(who("Fox"), items=BOOK, turn=13), True),
        (raid(who("Fox"), items=()), True),
        (raid(who("Old", npc=True), items=BOOK), True),
        (raid(who("Fox"), items=(), turn=1), False),
    ],
    ids=["a book to steal", "late", "nothing to steal", "nobody to steal it", "set-up"],
)
def test_raiders_go_home_when_nothing_is_left_to_do_or_it_is_late(view: View, goes: bool) -> None:
    assert goes_home(view) is goes


def test_raiders_go_home_once_the_ship_that_fetches_them_is_worn() -> None:
    view = raid(who("Fox"), items=BOOK)
    [ship] = view.own
    worn = msgspec.structs.replace(ship, damage=ship.hull - 1)
    assert goes_home(msgspec.structs.replace(view, own=(worn,)))


def test_who_may_not_leave_freely_never_goes_home() -> None:
    late = raid(who("Fox"), items=BOOK, turn=13)
    assert not goes_home(msgspec.structs.replace(late, leaves_free=False))


def test_who_wants_nothing_brought_anywhere_never_goes_home() -> None:
    guards = match_of(side_of(who("Fox")), side_of(who("Pell"))).view("B")
    late = msgspec.structs.replace(guards.stage, turn=guards.stage.turns)
    assert not goes_home(msgspec.structs.replace(guards, stage=late))


def test_a_shuttle_fetches_the_agents_and_its_ship_waits_for_them() -> None:
    view = raid(who("Fox"))
    [ship] = view.own
    assert is_waited_for(view, ship)
    orders = tuple(embarked(view))
    assert orders == (GoAboard(ship=OwnId("P1"), into=ship.id),)
    assert Advice(view).check(orders) is None


def test_a_ship_waits_for_nobody_in_the_last_quarter_of_the_match() -> None:
    view = raid(who("Fox"), turn=16)
    assert not is_waited_for(view, view.own[0])


def test_whoever_has_everybody_aboard_leaves_the_map() -> None:
    view = raid(who("Fox", "Mother"))
    [ship] = view.own
    assert not is_waited_for(view, ship)
    orders = way_out(view, Advice(view), ship)
    assert [order for order in orders if isinstance(order, Thrust)]
    assert Stand(ship=ship.id, bound_for=OFF_MAP) in orders


def test_a_searcher_with_nothing_left_to_do_is_off_the_map_before_the_turn_limit() -> None:
    course = match_of(
        side_of(who("Fox"), ships=(high("Mother"),), objectives=(GOAL,), leaves_free=True),
        side_of(who("Pell")),
    )
    bot = BOTS["searcher"](1)
    while not course.state.is_over:
        view = course.view(Audience("A"))
        if course.state.standing.takes_orders_of(A):
            course.orders(A, *decide(bot, view, strict=True))
        course.close()
    assert {ship.fate for ship in truth(course).ships_of(A)} == {Fate.ESCAPED}
    assert course.state.standing.turn < course.state.standing.turns
    assert {agent.fate for agent in truth(course).agents_of(A)} == {Fate.ESCAPED}


def without_ships(state: Truth) -> Truth:
    """Return the truth with all ships destroyed."""
    gone = {
        name: msgspec.structs.replace(ship, fate=Fate.DESTROYED)
        for name, ship in state.ships.items()
    }
    return msgspec.structs.replace(state, ships=gone)


@pytest.mark.parametrize(("captor", "out"), [(B, [A]), (None, [])], ids=["prisoner", "free"])
def test_a_prisoner_keeps_no_side_in_the_match_but_a_free_agent_does(
    captor: str | None, out: list[str]
) -> None:
    held = who("Vane", captor=B) if captor else who("Vane")
    course = match_of(side_of(held), side_of(ground=(troops("Guard"),)))
    course.close_until(Phase.ENGAGE)
    assert [event.side for event in sides_gone(without_ships(truth(course)))] == out
