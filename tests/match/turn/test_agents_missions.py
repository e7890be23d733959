"""Missions in a match: what success does, what the event brings, what objectives give."""

from collections.abc import Iterator

import pytest

from builders.agentmatches import (
    MINES,
    TOWN,
    WILDS,
    events_of,
    flagged,
    heard,
    match_of,
    notices,
    plotted,
    side_of,
    troops,
    truth,
    who,
)
from builders.agents import AP1, AP2, BG1
from builders.matches import Course
from builders.truths import A, B
from sunglare_protocol.ids import OwnId
from sunglare_protocol.notices import (
    InitiativeDrawn,
    ItemMoved,
    MissionResult,
    OwnDetected,
    OwnFreed,
    OwnSabotaged,
    OwnSearched,
    OwnStepFailed,
    SearchResult,
    SpyResult,
)
from sunglare_protocol.orders import Mission
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.search import Cause, MissionKind, StepFault, Strike
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.search.missions import MissionEvent, die_needed
from sunglare_server.match.data.scenario import AgentEntry, ItemEntry, Objective, SideSetup
from sunglare_server.match.events.agents import (
    AgentFreed,
    Delivered,
    FightFought,
    ItemTaken,
    MissionTried,
    SearchTried,
    UnitsSpied,
)
from sunglare_server.match.events.ground import UnitDestroyed
from sunglare_server.match.resolve.agents_scene import scene_of

P1, P2, G1 = OwnId("P1"), OwnId("P2"), OwnId("G1")
SEEDS = range(30)
BOOK = ItemEntry(name="book", at=TOWN)
BRING_BOOK = Objective(kind=ObjectiveKind.DELIVER, piece="book", at=MINES)
FOX = who("Fox", intelligence=4, combat=4)
TOUGH = who("Fox", intelligence=0, endurance=9, detected=True)
GARRISON = side_of(ground=(troops("Guard"),))


def tried(
    orders: str,
    agents: tuple[AgentEntry, ...] = (FOX,),
    enemy: SideSetup = GARRISON,
    goals: tuple[Objective, ...] = (),
    items: tuple[ItemEntry, ...] = (),
    seed: int = 0,
    search: str = "",
) -> Course:
    """Return a match in which A's mission of turn 1 has been tried."""
    course = match_of(side_of(*agents, objectives=goals), enemy, items=items, seed=seed)
    plotted(course, orders).close_with(Phase.ENGAGE, {B: search})
    return course


def attempts(orders: str, **wish: object) -> Iterator[tuple[Course, MissionTried]]:
    """Yield the same mission with the dice of many matches."""
    for seed in SEEDS:
        course = tried(orders, seed=seed, **wish)  # type: ignore[arg-type]
        for attempt in events_of(course, MissionTried):
            yield course, attempt


SPY, SABOTAGE, DELIVER = "mission P1 spy", "mission P1 sabotage", "mission P1 deliver"


def test_a_mission_succeeds_by_its_die_and_the_best_rating() -> None:
    outcomes = []
    for course, attempt in attempts(SPY):
        group = [scene_of(truth(course)).agent(AP1)]
        assert attempt.needed == die_needed(MissionKind.SPY, group) == 9 - 4
        assert attempt.success is (attempt.die is not None and attempt.die >= 5)
        assert bool(events_of(course, UnitsSpied)) is attempt.success
        outcomes.append(attempt.success)
    assert set(outcomes) == {True, False}


def test_spies_know_all_troops_hidden_ones_too_and_the_other_side_hears_nothing() -> None:
    for course, attempt in attempts(SPY):
        if attempt.success:
            (seen,) = course.view("A").spied
            assert [(unit.side, unit.variant) for unit in seen.units] == [(B, "first-line-rifles")]
            assert SpyResult(site=TOWN, units=1) in notices(course, "A")
        if attempt.event is MissionEvent.NOTHING:
            assert {type(notice) for notice in notices(course, "B")} <= {InitiativeDrawn}


def test_the_owner_alone_is_told_whether_a_mission_succeeded() -> None:
    for course, attempt in attempts(SPY):
        result = MissionResult(ship=P1, kind=MissionKind.SPY, success=attempt.success)
        assert result in notices(course, "A")
        assert result not in notices(course, "B")
        assert course.view("A").spied == () or attempt.success


def test_sabotage_hurts_a_unit_and_its_owner_learns_the_result_alone() -> None:
    done = 0
    for course, attempt in attempts(SABOTAGE):
        if attempt.success:
            done += 1
            assert truth(course).ground[BG1].damage == 2
            assert OwnSabotaged(ship=G1, damage=2) in notices(course, "B")
    assert done > 0


def test_sabotage_may_silence_weapons_for_the_turn_that_follows() -> None:
    for course, attempt in attempts(f"{SABOTAGE} silence"):
        if attempt.success:
            assert truth(course).ground[BG1].silent_turn == 2
            (unit,) = course.view("B").ground
            assert unit.silent
            return
    pytest.fail("no sabotage succeeded")


def test_a_sabotaged_unit_is_destroyed_at_its_toughness_for_a_point() -> None:
    weak = side_of(ground=(troops("Watch", TOWN, "town-militia"),))
    killed = 0
    for course, attempt in attempts(SABOTAGE, enemy=weak):
        assert bool(events_of(course, UnitDestroyed)) is attempt.success
        assert truth(course).points[A] == attempt.success
        killed += attempt.success
    assert killed > 0


def test_sabotage_with_nobody_to_hurt_fails() -> None:
    for _, attempt in attempts(SABOTAGE, enemy=side_of()):
        assert not attempt.success


def test_an_item_is_stolen_and_goes_with_its_thief() -> None:
    taken = 0
    for course, attempt in attempts("mission P1 steal book", goals=(BRING_BOOK,), items=(BOOK,)):
        (item,) = course.view("A").items
        assert item.goal == MINES
        assert (item.carrier == P1) is attempt.success
        assert bool(events_of(course, ItemTaken)) is attempt.success
        assert (ItemMoved(name="book", carrier=P1) in notices(course, "A")) is attempt.success
        assert course.view("B").items == ()
        taken += attempt.success
    assert taken > 0


def test_what_is_delivered_at_its_goal_gives_five_points_once() -> None:
    goal = Objective(kind=ObjectiveKind.DELIVER, piece="Fox", at=MINES)
    course = tried(f"walk P1 2; {DELIVER}", goals=(goal,))
    assert [event.name for event in events_of(course, Delivered)] == ["Fox"]
    assert truth(course).points[A] == course.view("A").points == 5
    assert ItemMoved(name="Fox", site=MINES, delivered=True) in notices(course, "A")
    plotted(course, DELIVER).close_with(Phase.ENGAGE)
    assert truth(course).points[A] == 5


def test_a_prisoner_takes_part_in_nothing_until_he_is_freed() -> None:
    agents = (FOX, who("Vane", TOWN, captor=B))
    freed = 0
    for course, attempt in attempts("mission P1 free", agents=agents):
        assert bool(events_of(course, AgentFreed)) is attempt.success
        assert (truth(course).agents[AP2].captor is None) is attempt.success
        assert (OwnFreed(ship=P2) in notices(course, "A")) is attempt.success
        freed += attempt.success
    assert freed > 0


def test_three_on_a_mission_do_better_by_one() -> None:
    agents = (FOX, who("Owl", intelligence=1), who("Mole", intelligence=1))
    _, attempt = next(attempts(f"{SPY} with P2 P3", agents=agents))
    assert attempt.needed == 9 - 4 - 1


def test_a_group_that_stands_apart_in_the_end_goes_on_no_mission() -> None:
    course = match_of(side_of(FOX, who("Owl", MINES)), GARRISON)
    course.orders(A, Mission(ship=P1, kind=MissionKind.SPY, others=(P2,)))
    course.close()
    assert OwnStepFailed(ship=P1, why=StepFault.APART) in notices(course, "A")


# Events.


def test_one_or_two_of_the_event_die_detects_the_group_and_its_company() -> None:
    agents = (FOX, who("Owl", TOWN), who("Mole", WILDS))
    happened = set()
    for course, attempt in attempts(SPY, agents=agents, enemy=side_of()):
        happened.add(attempt.event)
        if attempt.event is MissionEvent.DETECTED:
            assert flagged(course) == [AP1, AP2]
            assert OwnDetected(ship=P1, cause=Cause.MISSION) in notices(course, "A")
            assert OwnDetected(ship=P2, cause=Cause.COMPANY) in notices(course, "A")
            assert [alert.environs for alert in course.view("B").alerts] == [1]
        else:
            assert flagged(course) == []
    assert happened == {MissionEvent.DETECTED, MissionEvent.NOTHING}


def searched_by_event(**wish: object) -> Iterator[tuple[Course, MissionTried]]:
    """Yield the missions of a detected group whose event called for a search."""
    for course, attempt in attempts(SPY, agents=(TOUGH,), **wish):
        if attempt.event is MissionEvent.SEARCH:
            yield course, attempt


def test_an_event_lets_every_enemy_there_search_for_the_group() -> None:
    searched = 0
    for course, _ in searched_by_event():
        (search,) = events_of(course, SearchTried)
        searched += 1
        assert (search.group, search.mission) == ((AP1,), 1)
        result = SearchResult(site=TOWN, side=A, value=3, found=search.found, event=True)
        assert result in notices(course, "B")
        assert heard(course, "A", OwnSearched)[0].event
    assert searched > 0


def test_an_enemy_without_a_search_value_there_does_not_search_by_event() -> None:
    for course, _ in searched_by_event(enemy=side_of(who("Rook", TOWN, intelligence=0))):
        assert not events_of(course, SearchTried)


@pytest.mark.parametrize("strike", [Strike.PATROL, Strike.NONE])
def test_the_standing_order_says_who_goes_after_a_search_by_event(strike: Strike) -> None:
    found = 0
    for seed in range(60, 105):
        enemy = side_of(ground=(troops("Guard"), troops("Watch"), troops("Post")))
        course = match_of(side_of(TOUGH), enemy, seed=seed)
        course.close_with(Phase.PLOT, {A: SPY, B: f"stand side strike {strike.value}"})
        course.close_with(Phase.ENGAGE)
        hits = [event.found for event in events_of(course, SearchTried)]
        found += sum(hits)
        fought = bool(events_of(course, FightFought))
        assert fought is (any(hits) and strike is Strike.PATROL)
    assert found > 0


def test_only_one_mission_group_is_affected_by_an_event() -> None:
    agents = (TOUGH, who("Owl", intelligence=0, endurance=9, detected=True))
    groups = set()
    for seed in range(40):
        course = tried(f"{SPY}; mission P2 spy", agents=agents, seed=seed)
        for search in events_of(course, SearchTried):
            assert len(search.group) == 1
            assert search.hiding == 0 + 1 - 1
            groups.add(search.mission)
    assert groups == {1, 2}


def test_a_group_that_had_to_fight_does_not_do_its_mission() -> None:
    seen = set()
    for seed in SEEDS:
        course = tried(SPY, agents=(TOUGH,), search="search G1", seed=seed)
        fought, went = events_of(course, FightFought), events_of(course, MissionTried)
        kinds = [type(event) for event in course.steps[-1].events]
        if fought and MissionTried not in kinds[: kinds.index(FightFought)]:
            assert not went
            seen.add("fought")
        elif went:
            seen.add("went")
    assert seen == {"fought", "went"}


def test_mission_groups_end_with_the_turn() -> None:
    course = tried(SPY)
    assert truth(course).agents[AP1].group is None
    assert truth(course).search.plans == ()


# Objectives at the end.


def test_holding_an_environs_takes_own_troops_and_no_enemy_ones() -> None:
    hold = tuple(Objective(kind=ObjectiveKind.HOLD, at=site) for site in (TOWN, MINES, WILDS))
    first = side_of(FOX, ground=(troops("Band", MINES), troops("Post", WILDS)), objectives=hold)
    second = side_of(ground=(troops("Guard", TOWN), troops("Watch", WILDS)))
    course = match_of(first, second)
    assert points_in_the_end(course) == 3


def points_in_the_end(course: Course) -> int:
    """Let nobody do anything more, and return what A has scored."""
    while not course.state.is_over:
        course.close()
    return truth(course).points[A]


def test_an_agent_named_by_an_objective_scores_if_he_lives() -> None:
    survive = Objective(kind=ObjectiveKind.SURVIVE, piece="Fox")
    assert points_in_the_end(match_of(side_of(FOX, objectives=(survive,)), GARRISON)) == 3
