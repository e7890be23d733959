"""Searches, patrols and fights in a match: who is found, who goes, who is told what."""

from collections.abc import Iterator

import pytest

from builders.agentmatches import (
    MINES,
    TOWN,
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
from builders.agents import AP1, AP2, BP1
from builders.matches import Course
from builders.truths import A, B, C
from sunglare_protocol.ids import OwnId
from sunglare_protocol.notices import OwnKilled, OwnSearched, OwnStruck, SearchResult, StrikeResult
from sunglare_protocol.views import FoundAgentView
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.search import FightOutcome, Soldier
from sunglare_rules.search.search import entry
from sunglare_server.match.data.scenario import AgentEntry, GroundEntry, SideSetup
from sunglare_server.match.events.agents import AgentKilled, AgentWounded, FightFought, SearchTried

P1 = OwnId("P1")
SEEDS = range(24)
FOX = who("Fox", intelligence=2, detected=True)


def engaged(course: Course, orders: str = "search G1", stands: str = "") -> Course:
    """Let A stand so, then B search with these orders, and close the ENGAGE window."""
    plotted(course, stands).close_with(Phase.ENGAGE, {B: orders})
    return course


def hunted(
    *agents: AgentEntry,
    seed: int,
    by: SideSetup | None = None,
    order: str = "search G1",
    stands: str = "",
) -> Course:
    """Return a match in which B's troops in the town have searched for A's agents."""
    seeker = by or side_of(ground=(troops("Guard"), troops("Watch")))
    course = match_of(side_of(*agents), seeker, seed=seed)
    return engaged(course, order, stands)


def tries(*agents: AgentEntry, **wish: object) -> Iterator[tuple[Course, SearchTried]]:
    """Yield the same search with the dice of many matches."""
    for seed in SEEDS:
        course = hunted(*agents, seed=seed, **wish)  # type: ignore[arg-type]
        (tried,) = events_of(course, SearchTried)
        yield course, tried


def test_a_search_finds_by_the_table_with_forces_against_wits_and_size() -> None:
    outcomes = []
    for course, tried in tries(FOX):
        # Two units of AF 3 search in an environs of size 1 for one of intelligence 2.
        assert (tried.value, tried.hiding, tried.needed) == (6, 2, entry(2, 6))
        assert tried.found is (tried.die is not None and tried.die <= entry(2, 6))
        assert bool(events_of(course, FightFought)) is tried.found
        outcomes.append(tried.found)
    assert set(outcomes) == {True, False}


def test_a_failed_search_reads_alike_whoever_hides_and_however_well() -> None:
    seen = []
    for agents in ((FOX,), (who("Owl", intelligence=9, detected=True),)):
        for course, tried in tries(*agents):
            if not tried.found:
                seen.append((course.view("B"), tuple(notices(course, "B"))))
                break
    assert seen[0] == seen[1]


def test_a_failed_search_tells_the_searcher_its_own_value_and_the_owner_that_it_was() -> None:
    for course, tried in tries(FOX):
        if not tried.found:
            result = SearchResult(site=TOWN, side=A, value=6)
            assert result in notices(course, "B")
            assert OwnSearched(site=TOWN, side=B) in notices(course, "A")
            assert course.view("B").found == ()


def test_whoever_is_found_is_known_by_name_and_ratings_and_remembered_so() -> None:
    for course, tried in tries(FOX):
        if tried.found:
            (memory,) = course.view("B").found
            assert (memory.side, memory.site, memory.turn) == (A, TOWN, 1)
            assert memory.agents == (FoundAgentView(name="Fox", combat=2, endurance=3),)
            assert OwnSearched(site=TOWN, side=B, found=(P1,)) in notices(course, "A")


def test_third_sides_and_the_public_hear_of_no_search() -> None:
    for seed in SEEDS:
        course = match_of(side_of(FOX), side_of(ground=(troops("Guard"),)), side_of(), seed=seed)
        engaged(course)
        kinds = {SearchResult, OwnSearched, StrikeResult, OwnStruck}
        for audience in ("C", "public"):
            assert not kinds & {type(notice) for notice in notices(course, audience)}


def test_agents_who_all_stand_with_troops_are_not_found_and_nothing_is_rolled() -> None:
    first = side_of(who("Fox", stacked="Band"), ground=(troops("Band", TOWN, "irregulars"),))
    course = match_of(first, side_of(ground=(troops("Guard"),)))
    engaged(course)
    (tried,) = events_of(course, SearchTried)
    assert (tried.group, tried.needed, tried.die, tried.found) == ((), None, None, False)
    assert SearchResult(site=TOWN, side=A, value=3) in notices(course, "B")
    assert OwnSearched(site=TOWN, side=B) in notices(course, "A")


def test_a_group_hides_by_its_best_head_less_its_number_npcs_counted() -> None:
    agents = (
        FOX,
        who("Owl", intelligence=5, detected=True),
        who("Genius", intelligence=9, npc=True, detected=True),
    )
    _, tried = next(tries(*agents))
    assert tried.hiding == 5 + 1 - 3


def test_a_crowd_hides_below_nothing_in_the_first_row() -> None:
    agents = [who(f"Fox {number}", intelligence=0, detected=True) for number in range(4)]
    _, tried = next(tries(*agents))
    assert (tried.hiding, tried.needed) == (-3, entry(1, 6))


def test_the_speaker_chooses_by_whom_the_group_hides() -> None:
    agents = (FOX, who("Owl", intelligence=5, leadership=2, detected=True))
    _, tried = next(tries(*agents, stands="stand P2 hides P1"))
    assert tried.hiding == 2 + 1 - 2


def test_a_leader_and_free_agents_add_to_the_search() -> None:
    seeker = side_of(
        who("Pell", leadership=2, intelligence=9, stacked="Guard"),
        who("Rook", intelligence=4),
        ground=(troops("Guard"),),
    )
    _, tried = next(tries(FOX, by=seeker, order="search G1 leader P1"))
    assert tried.value == 3 + 2 + 4


def test_agents_alone_may_search_and_are_not_detected_by_it() -> None:
    seeker = side_of(who("Rook", intelligence=4))
    course, tried = next(tries(FOX, by=seeker, order="search P1"))
    assert tried.value == 4
    assert BP1 not in flagged(course)


def test_a_search_value_of_nothing_finds_nobody_even_if_the_troops_fell_meanwhile() -> None:
    seeker = side_of(who("Rook", intelligence=0))
    for _, tried in tries(FOX, by=seeker, order="search P1"):
        assert (tried.value, tried.found, tried.needed) == (0, False, None)


def test_one_search_is_for_the_agents_of_every_side_of_whom_alerts_stand() -> None:
    course = match_of(
        side_of(FOX), side_of(ground=(troops("Guard"),)), side_of(who("Crow", detected=True))
    )
    engaged(course)
    assert [event.owner for event in events_of(course, SearchTried)] == [A, C]


def test_only_the_environs_named_is_searched() -> None:
    agents = (FOX, who("Owl", MINES, detected=True))
    _, tried = next(tries(*agents))
    assert tried.group == (AP1,)


# Who goes.


def fights(*agents: AgentEntry, **wish: object) -> Iterator[tuple[Course, FightFought]]:
    """Yield the fights that followed from the searches of many matches."""
    for course, _ in tries(*agents, **wish):
        for fight in events_of(course, FightFought):
            yield course, fight


def test_a_patrol_has_one_to_six_soldiers_of_the_best_unit_there() -> None:
    seeker = side_of(ground=(troops("Watch", TOWN, "town-militia"), troops("Guard")))
    sizes = []
    for _, fight in fights(FOX, by=seeker):
        assert fight.soldier is Soldier.LINE
        sizes.append(fight.soldiers)
    assert set(sizes) <= set(range(1, 7))
    assert len(set(sizes)) > 2


def test_any_leader_with_the_troops_makes_a_patrol_two_soldiers_stronger() -> None:
    seeker = side_of(who("Pell", leadership=0, stacked="Guard"), ground=(troops("Guard"),))
    sizes = [fight.soldiers for _, fight in fights(FOX, by=seeker)]
    assert set(sizes) <= set(range(3, 9))
    assert max(sizes) > 6


def test_agents_go_instead_of_a_patrol_if_they_are_told_to() -> None:
    seeker = side_of(who("Rook", combat=5, intelligence=5), ground=(troops("Guard"),))
    for course, fight in fights(FOX, by=seeker, order="search G1 strike agents"):
        assert (fight.soldier, fight.sent) == (None, (BP1,))
        (told,) = heard(course, "A", OwnStruck)
        assert told.by == ("Rook",)


@pytest.mark.parametrize(
    ("ground", "strike"),
    [
        pytest.param(troops("Guard"), "none", id="told to let them go"),
        pytest.param(troops("Guard"), "agents", id="no agent there"),
        pytest.param(troops("Tank", TOWN, "battle-tank"), "patrol", id="a machine"),
    ],
)
def test_whoever_sends_nobody_only_knows_whom_it_found(ground: GroundEntry, strike: str) -> None:
    seeker = side_of(who("Pell", leadership=6, stacked=ground.name), ground=(ground,))
    found = 0
    for course, tried in tries(FOX, by=seeker, order=f"search G1 strike {strike}"):
        found += tried.found
        assert not events_of(course, FightFought)
        assert truth(course).agents[AP1].wounds == 0
    assert found > 0


# The fight.


def test_wounds_stay_and_the_dead_are_out_and_counted() -> None:
    outcomes = set()
    for course, fight in fights(who("Fox", intelligence=0, combat=0, endurance=1, detected=True)):
        dead = {event.piece for event in events_of(course, AgentKilled)}
        assert (truth(course).agents[AP1].fate is Fate.DESTROYED) is (AP1 in dead)
        assert (OwnKilled(ship=P1) in notices(course, "A")) is (AP1 in dead)
        assert truth(course).points[B] == 2 * len(dead)
        assert course.view("B").points == truth(course).points[B]
        outcomes.add(fight.outcome)
    assert {FightOutcome.DEFENDERS_GONE, FightOutcome.BROKEN_OFF} <= outcomes


def test_a_wound_that_does_not_kill_is_there_the_next_turn() -> None:
    tough = who("Fox", intelligence=0, combat=3, endurance=9, detected=True)
    wounded = 0
    for course, _ in fights(tough, stands="stand P1 fight fight"):
        hurt = [event.wounds for event in events_of(course, AgentWounded)]
        wounds = truth(course).agents[AP1].wounds
        assert wounds == (hurt[0] if hurt else 0)
        (own,) = course.view("A").agents
        assert own.wounds == wounds
        wounded += bool(hurt)
    assert wounded > 0


def test_wounds_fall_in_the_order_that_the_speaker_was_told() -> None:
    agents = (
        who("Fox", intelligence=0, combat=1, endurance=2, leadership=2, detected=True),
        who("Owl", intelligence=0, combat=1, endurance=9, detected=True),
    )
    hurt = 0
    for course, _ in fights(*agents, stands="stand P1 fight fight; stand P1 wounds P2 P1"):
        fox, owl = truth(course).agents[AP1], truth(course).agents[AP2]
        assert fox.wounds == 0 or not owl.in_play
        hurt += owl.wounds > 0
    assert hurt > 0


def test_a_screen_lets_the_others_get_away() -> None:
    agents = (
        who("Fox", intelligence=0, combat=5, endurance=9, leadership=2, detected=True),
        who("Owl", intelligence=0, combat=0, endurance=1, detected=True),
    )
    screened = fights(*agents, stands="stand P1 fight screen")
    assert any(AP2 in fight.escaped for _, fight in screened)


def test_found_agents_are_detected_but_no_longer_found_after_the_fight() -> None:
    for course, _ in fights(who("Fox", intelligence=0, endurance=9, detected=True)):
        assert AP1 in flagged(course)
        course.close_until(Phase.ENGAGE)
        assert course.view("B").alerts
        return


def test_a_patrol_costs_its_unit_nothing() -> None:
    for course, _ in fights(who("Fox", intelligence=0, combat=9, endurance=9, detected=True)):
        assert all(unit.damage == 0 and unit.in_play for unit in truth(course).ground.values())


def test_both_sides_are_told_how_a_fight_ended_and_nobody_its_dice() -> None:
    for course, fight in fights(FOX):
        (ours,), (theirs,) = heard(course, "B", StrikeResult), heard(course, "A", OwnStruck)
        assert ours.outcome is theirs.outcome is fight.outcome
        assert (ours.soldiers, ours.lost) == (theirs.soldiers, theirs.lost)
        assert not {"dice", "die", "needed", "hiding"} & set(ours.__struct_fields__)
