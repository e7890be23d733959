"""Sieges: fire at maps that are not seen, beams that guide it, and ships that come over a map."""

import msgspec
import pytest

from builders.ground import (
    BG1,
    FAR_SITE,
    SITE,
    ground_classes,
    ground_truth,
    planet,
    seeing,
    unit,
)
from builders.sieges import MONITOR, view
from builders.truths import B1, CRUISER, A, B, holding, ship
from sunglare_client.advice import Advice
from sunglare_client.bots.fire.sieges import beams, siege_course, sieges, silenced
from sunglare_client.bots.movement.hunting import Quarry, quarries
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Bombard, Fire
from sunglare_protocol.orders.agents import Mission
from sunglare_protocol.surface import Cell
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import AgentView
from sunglare_protocol.words.capital import RadarZone
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_protocol.words.search import MissionKind
from sunglare_rules.capital.zones import radar_zone
from sunglare_server.match.data.scenario import ShipClass
from sunglare_server.match.truth.ground import GroundTruth
from sunglare_server.match.truth.truth import Truth

OPEN = planet(*(["............"] * 6))
SPY = AgentView(
    id=OwnId("P1"), name="Fox", combat=2, endurance=3, intelligence=4, leadership=0, site=SITE
)
SCOUT = unit(A, 1, (2, 2), "hover-scout")


def above(*units: GroundTruth, at: tuple[int, int] = (15, 11), kind: ShipClass = MONITOR) -> Truth:
    """Return a truth in which A has a ship on a square by the planet."""
    return ground_truth(*units, ships=(ship(A, 1, at, kind),), body=OPEN)


def shelled(seen: View, *busy: str) -> list[Bombard]:
    ships = {own.id for own in seen.own}
    found = list(sieges(Advice(seen), [(own, gun) for own in ships for gun in busy]))
    assert Advice(seen).check(found) is None
    return found


def test_each_capital_weapon_fires_once_at_a_map_that_is_not_seen() -> None:
    guns = [order.weapon for order in shelled(view(above(), A))]
    assert sorted(guns) == ["C1", "M1"]


def test_a_weapon_that_fires_at_something_else_shells_nothing() -> None:
    assert [order.weapon for order in shelled(view(above(), A), "M1")] == ["C1"]


def test_a_map_with_own_troops_is_not_shelled_blindly() -> None:
    assert {order.at for order in shelled(view(above(SCOUT), A))} <= {FAR_SITE}


def test_a_ship_without_capital_weapons_shells_nothing() -> None:
    assert shelled(view(above(kind=CRUISER), A)) == []


def test_a_designator_in_sight_guides_the_fire_of_a_ship_above() -> None:
    seen = view(seeing(above(SCOUT, unit(B, 1, (5, 4))), A, BG1), A)
    fire = Bombard(ship=seen.own[0].id, weapon="C1", at=SITE, cell=Cell(5, 4))
    found = list(beams(Advice(seen), [fire]))
    assert found == [Fire(ship=seen.ground[0].id, weapon="TAG", point=Cell(5, 4))]
    assert Advice(seen).check([fire, *found]) is None


def test_no_beam_guides_fire_at_another_map() -> None:
    seen = view(above(SCOUT), A)
    fire = Bombard(ship=seen.own[0].id, weapon="C1", at=FAR_SITE, cell=Cell(5, 2))
    assert list(beams(Advice(seen), [fire])) == []


def known(kind: str) -> View:
    """Return what A sees with an agent where it has identified a unit of B's of this class."""
    seen = view(seeing(above(SCOUT, unit(B, 1, (5, 4), kind)), A, BG1), A)
    [surface] = seen.surfaces
    tokens = tuple(
        msgspec.structs.replace(token, side=B, type=ground_classes()[kind].type)
        for token in surface.tokens
    )
    surfaces = (msgspec.structs.replace(surface, tokens=tokens),)
    return msgspec.structs.replace(seen, agents=(SPY,), surfaces=surfaces)


def sabotaged(seen: View) -> Mission:
    [order] = silenced(seen, [Mission(ship=SPY.id, kind=MissionKind.SABOTAGE)])
    assert isinstance(order, Mission)
    return order


@pytest.mark.parametrize("kind", ["defence-cannon", "defence-laser", "defence-missiles"])
def test_sabotage_takes_the_fire_of_a_battery_of_any_class(kind: str) -> None:
    seen = known(kind)
    order = sabotaged(seen)
    assert (order.silence, order.at) == (True, seen.surfaces[0].tokens[0].handle)


def test_sabotage_hurts_what_is_no_battery() -> None:
    assert not sabotaged(known("first-line-rifles")).silence


def test_what_is_no_sabotage_stays_as_it_is() -> None:
    seen = view(seeing(above(SCOUT, unit(B, 1, (5, 4), "defence-missiles")), A, BG1), A)
    spying = Mission(ship=SPY.id, kind=MissionKind.SPY)
    assert list(silenced(seen, [spying])) == [spying]


def plotting(truth: Truth) -> View:
    """Return what A sees in PLOT."""
    seen = view(truth, A)
    return msgspec.structs.replace(
        seen, stage=msgspec.structs.replace(seen.stage, phase=Phase.PLOT)
    )


def test_a_ship_with_capital_weapons_comes_into_the_central_zone_over_tokens_and_stays() -> None:
    seen = plotting(seeing(above(SCOUT, unit(B, 1, (5, 4)), at=(15, 3)), A, BG1))
    visited = []
    for _ in range(16):
        [own] = [one for one in seen.own if one.kind.value == "starship"]
        course = siege_course(Advice(seen), own, ())
        assert course is not None
        flight = Advice(seen).flight(own, course)
        own = msgspec.structs.replace(
            own, square=flight.square, vector=flight.vector, facing=flight.facing
        )
        seen = msgspec.structs.replace(seen, own=(own,))
        visited.append(radar_zone(OPEN, OPEN.environs[0].sector, flight.square))
        assert flight.square != OPEN.at
    assert visited[-3:] == [RadarZone.CENTRAL] * 3


def near() -> tuple[Quarry, ...]:
    """Return an enemy ship held near the place from which a map is shelled."""
    truth = holding(ground_truth(ships=(ship(B, 1, (15, 6)),), body=OPEN), A, B1, Fix.TRACKED)
    return quarries(view(truth, A))


def test_no_ship_goes_over_a_map_while_an_enemy_ship_is_near() -> None:
    seen = plotting(seeing(above(SCOUT, unit(B, 1, (5, 4)), at=(15, 3)), A, BG1))
    foes = near()
    assert foes[0].contact.square == Square(15, 6)
    assert siege_course(Advice(seen), seen.own[0], foes) is None


@pytest.mark.parametrize("tokens", [True, False], ids=["a cruiser", "no tokens"])
def test_no_ship_goes_over_a_map_that_cannot_shell_it_or_without_tokens(tokens: bool) -> None:
    kind = CRUISER if tokens else MONITOR
    truth = above(SCOUT, unit(B, 1, (5, 4)), at=(15, 3), kind=kind)
    seen = plotting(seeing(truth, A, *([BG1] if tokens else [])))
    assert siege_course(Advice(seen), seen.own[0], ()) is None
