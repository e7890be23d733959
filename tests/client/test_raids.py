"""Ships that go home are bound off the map; prisoners alone keep no side in the match."""

import msgspec
import pytest

from builders.agentmatches import high, match_of, side_of, troops, truth, who
from builders.truths import A, B
from sunglare_client.advice import Advice
from sunglare_client.bots.cloak.prowling import way_out
from sunglare_protocol.orders import Thrust
from sunglare_protocol.orders.agents import OFF_MAP, Stand
from sunglare_protocol.surface import Site
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_server.match.data.scenario import Objective
from sunglare_server.match.resolve.scoring import sides_gone
from sunglare_server.match.truth.truth import Truth

FAR = Site("Ceres", 2)
GOAL = Objective(kind=ObjectiveKind.DELIVER, piece="book", at=FAR)


def test_a_ship_that_goes_home_thrusts_towards_an_edge_and_is_bound_off_the_map() -> None:
    first = side_of(who("Fox", "Mother"), ships=(high("Mother"),), objectives=(GOAL,))
    seen = match_of(first, side_of(who("Pell"))).view("A")
    view = msgspec.structs.replace(seen, stage=msgspec.structs.replace(seen.stage, turn=2))
    [ship] = view.own
    orders = way_out(Advice(view), ship)
    assert [order for order in orders if isinstance(order, Thrust)]
    assert Stand(ship=ship.id, bound_for=OFF_MAP) in orders


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
