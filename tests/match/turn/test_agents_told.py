"""What is told of agents and by them in the rarer cases: no search, sabotage, spies, the lost."""

import pytest
from msgspec.structs import replace

from builders.advice import refused
from builders.agentmatches import (
    AWAY,
    MINES,
    TOWN,
    events_of,
    heard,
    high,
    match_of,
    notices,
    plotted,
    side_of,
    troops,
    truth,
    who,
)
from builders.agents import AG1, AP1, AS1, BG1, BP1, PLAN, agent, agents_truth, shuttler
from builders.ground import FAR_SITE, SITE, ground_classes, seeing, unit
from builders.learned import flow_of, granted
from builders.matches import Course
from builders.sieges import above, call, engaged, rolling
from builders.truths import A, B, applied, dice_where, only
from sunglare_protocol.ids import OMNI, OwnId, audience_of
from sunglare_protocol.notices import (
    OwnDestroyed,
    OwnKilled,
    OwnSearched,
    OwnStranded,
    SearchResult,
)
from sunglare_protocol.orders import GoAboard, Station
from sunglare_protocol.refusals import Code
from sunglare_protocol.surface import Cell
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.search import MissionKind, StepFault
from sunglare_server.match.data.scenario import AreaData, GroundEntry, SideSetup
from sunglare_server.match.events.agents import MissionTried, SearchTried, StepFailed
from sunglare_server.match.events.ground import HiddenExposed, PieceIdentified, UnitDestroyed
from sunglare_server.match.events.space import Event, ShipDestroyed
from sunglare_server.match.fog.agents import items
from sunglare_server.match.intel.agents import KnownItem, SearchIntel
from sunglare_server.match.own.ground import own_agents
from sunglare_server.match.resolve.agents_steps import step
from sunglare_server.match.resolve.missions import tried
from sunglare_server.match.truth.truth import Truth

P1, P2, G1, G2, S1 = OwnId("P1"), OwnId("P2"), OwnId("G1"), OwnId("G2"), OwnId("S1")
SENSOR = GroundEntry(name="Ear", type="ground-sensor", at=TOWN, cell=Cell(5, 5))


def test_the_owner_hears_nothing_of_a_search_that_was_none_for_want_of_a_value() -> None:
    course = match_of(side_of(who("Fox", detected=True)), side_of(who("Rook", intelligence=0)))
    course.close_with(Phase.ENGAGE, {B: "search P1"})
    [tried] = events_of(course, SearchTried)
    assert tried.value == 0
    assert not heard(course, "A", OwnSearched)
    [result] = heard(course, "B", SearchResult)
    assert not result.found


# Sabotage.


def worked(kind: str, enemy: SideSetup) -> Course:
    """Return a match in which a mission of A's Fox against `enemy` has succeeded."""
    for seed in range(60):
        course = match_of(side_of(who("Fox", intelligence=6)), enemy, seed=seed)
        plotted(course, f"mission P1 {kind}").close_with(Phase.ENGAGE)
        if events_of(course, MissionTried)[0].success:
            return course
    raise AssertionError("never done")


def test_the_owner_of_a_unit_that_sabotage_destroyed_is_told_that_it_was_sabotage() -> None:
    weak = side_of(ground=(troops("Watch", TOWN, "town-militia"),))
    course = worked("sabotage", weak)
    assert len(events_of(course, UnitDestroyed)) == 1
    assert OwnDestroyed(ship=G1, cause="sabotage") in notices(course, "B")


# Spies.


def spying(seen: Truth) -> list[Event]:
    """Return the events of A's mission where it succeeds."""
    dice = dice_where(lambda rolled: len(tried(seen, PLAN, (), rolled)) > 1)
    return tried(seen, PLAN, (), dice)


def test_spies_make_the_tokens_that_their_side_holds_known_to_it_and_tell_nobody() -> None:
    fox = agent(A, 1, intelligence=9)
    held, unheld = unit(B, 1, (3, 3)), unit(B, 2, (4, 4), hidden=True)
    before = agents_truth(fox, units=(held, unheld), ships=(shuttler(B),))
    for identified in (False, True):
        seen = seeing(before, A, BG1, identified=identified)
        events = spying(seen)
        quiet = PieceIdentified(piece=BG1, side=A, is_told=False)
        assert only(events, PieceIdentified) == ([] if identified else [quiet])
        known = applied(seen, events).surface.tokens_of(A)
        assert {piece: hold.identified for piece, hold in known.items()} == {BG1: True}
        for event in only(events, PieceIdentified):
            assert {grant.audience for grant in granted(seen, event)} <= {"A", OMNI}


def test_spies_tell_all_that_a_data_scan_tells() -> None:
    course = worked("spy", side_of(ground=(troops("Tanks", TOWN, "tracked-jammer"),)))
    [seen] = course.view("A").spied
    [spied] = seen.units
    kind = ground_classes()["tracked-jammer"]
    assert (spied.variant, spied.heat, spied.damage) == ("tracked-jammer", 0, 0)
    assert (spied.move, spied.modes, spied.ecm) == (kind.move, (kind.mode.value,), True)


# Stacks.


def test_a_remote_sensor_is_no_troop_to_stand_with() -> None:
    course = match_of(side_of(who("Fox"), ground=(troops("Guard"), SENSOR)), side_of())
    assert refused(course.view("A"), GoAboard(ship=P1, into=G2)) is Code.ORDER_STEP
    assert refused(course.view("A"), GoAboard(ship=P1, into=G1)) is None
    failed = list(step(truth(course), A, GoAboard(ship=P1, into=G2)))
    assert failed == [StepFailed(piece=AP1, why=StepFault.NO_TROOPS)]


# Lost with a ship.


def test_the_owner_is_told_who_died_aboard_a_destroyed_ship() -> None:
    marine = unit(A, at=AS1)
    lost = agents_truth(agent(A, 1, at=AS1), units=(marine,), ships=(shuttler(A),))
    flow = flow_of(lost, ShipDestroyed(piece=AS1, cause="crash", killers=()))
    told_to = {name: flow.intel[audience_of(name)].told for name in (A, B)}
    assert OwnKilled(ship=P1) in told_to[A]
    assert OwnDestroyed(ship=G1, cause="with its ship") in told_to[A]
    assert told_to[B] == ()
    assert {flow.truth.agents[AP1].fate, flow.truth.ground[AG1].fate} == {Fate.DESTROYED}


# Fire at the ground.


def test_a_blast_harms_nobody_without_a_place_on_the_map_but_may_leave_him_alone() -> None:
    rook = agent(B, 1, stacked=1)
    frail = replace(unit(B, 1, (5, 2)), damage=unit(B).type.toughness - 1)
    truth = replace(above(frail), agents={BP1: rook})
    flow = engaged(truth, {A: (call(),)}, rolling("A/S1/C1", 12))
    assert flow.truth.ground[BG1].fate is Fate.DESTROYED
    after = flow.truth.agents[BP1]
    assert (after.fate, after.wounds, after.stacked, after.site) == (Fate.IN_PLAY, 0, None, SITE)
    assert OwnStranded(ship=P1) in flow.intel[audience_of(B)].told


# Stationing.


def stationing(*orders: Station) -> Code | None:
    """Return how A's orders of turn 1 are refused; its agents and troops start in the town."""
    ours = SideSetup(
        ships=(high("Distant", AWAY),),
        ground=(troops("Guard"),),
        agents=(who("Fox"), who("Owl", captor=B)),
        areas=(AreaData(at=MINES, cells=(0, 0, 5, 3)),),
    )
    return refused(match_of(ours, side_of()).view("A"), *orders)


AWAY_WITH_IT = Station(ship=G1, at=MINES, cell=Cell(1, 1))


def test_a_prisoner_is_stationed_by_nobody() -> None:
    assert stationing(Station(ship=P1, at=MINES)) is None
    assert stationing(Station(ship=P2, at=MINES)) is Code.ORDER_CELL


def test_an_agent_joins_the_stack_of_troops_where_the_same_orders_station_them() -> None:
    assert stationing(AWAY_WITH_IT, Station(ship=P1, at=MINES, stacked=G1)) is None
    assert stationing(Station(ship=P1, at=MINES, stacked=G1), AWAY_WITH_IT) is None
    assert stationing(AWAY_WITH_IT, Station(ship=P1, at=TOWN, stacked=G1)) is Code.ORDER_CELL
    assert stationing(Station(ship=P1, at=TOWN, stacked=G1)) is None


def test_an_agent_whose_troops_are_stationed_elsewhere_stands_alone_and_undetected() -> None:
    ours = side_of(who("Fox", stacked="Guard"), ground=(troops("Guard"),))
    for orders, detected in (((), True), ((AWAY_WITH_IT,), False)):
        course = match_of(ours, side_of())
        course.orders(A, *orders)
        course.close()
        fox = truth(course).agents[AP1]
        assert (fox.stacked is not None, fox.detected) == (detected, detected)


# Hidden units.


@pytest.mark.parametrize("silence", [False, True], ids=["damage", "silence"])
@pytest.mark.parametrize("watched", [True, False], ids=["in sight", "out of sight"])
def test_sabotage_that_hurts_a_hidden_unit_exposes_it_to_who_has_it_in_sight(
    silence: bool, watched: bool
) -> None:
    hides = unit(B, 1, (3, 3), "battle-tank", hidden=True)
    watcher = unit(A, 2, (5, 3)) if watched else unit(A, 2, (5, 3), site=FAR_SITE)
    seen = agents_truth(agent(A, 1, intelligence=9), units=(watcher, hides), ships=(shuttler(B),))
    seen = seeing(seen, A) if watched else seen
    plan = replace(PLAN, kind=MissionKind.SABOTAGE, silence=silence)
    dice = dice_where(lambda rolled: len(tried(seen, plan, (), rolled)) > 1)
    exposed = only(tried(seen, plan, (), dice), HiddenExposed)
    assert exposed == ([HiddenExposed(piece=BG1, side=A)] if watched and not silence else [])


def test_an_item_is_lost_with_a_carrier_who_is_lost_with_his_ship() -> None:
    known = KnownItem(name="book", carrier=P1)
    for fate, carrier in ((Fate.IN_PLAY, P1), (Fate.DESTROYED, None), (Fate.ESCAPED, None)):
        fox = own_agents(agents_truth(replace(agent(A, 1), fate=fate)), A)
        [item] = items(SearchIntel(items=(known,)), fox)
        assert (item.carrier, item.site) == (carrier, None)
