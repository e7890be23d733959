"""How agents who were found were fought: who came, each die, and what decided."""

import re
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from builders.agents import AG1, AP1, AP2, BG1, BP1, IN_VAIN, PLAN, agent, agents_truth
from builders.ground import SITE, unit
from builders.hindsight import of, told
from builders.truths import A, B, C
from sunglare_arena.hindsight.fights import fight_lines
from sunglare_arena.hindsight.moments import Moments, moments_of
from sunglare_protocol.ids import Side
from sunglare_protocol.words.search import FightOutcome, FightPolicy, Strike
from sunglare_rules.search.missions import MissionEvent
from sunglare_server.match.dice import Dice
from sunglare_server.match.events.agents import FightFought, MissionTried
from sunglare_server.match.ids import PieceId
from sunglare_server.match.kinds import Stance
from sunglare_server.match.resolve.searches import SearchPlan, strike
from sunglare_server.match.truth.truth import Truth

SEEDS = [number.to_bytes(32, "big") for number in range(24)]
BG2 = PieceId("B/G2")

ROUND = re.compile(
    r"round (\d+): your (\d+) \+ (\d+) - (\d+) = (-?\d+), a wound for each 4 and (\d+) at most: "
    r"(\d+); their (\d+) \+ (\d+) - (\d+) = (-?\d+), a wound for each 4 and (\d+) at most: (\d+)"
)
AWAY = re.compile(r"before round (\d+) their (.*) (got away|stayed): (\d+), (\d) at most breaks")


def scene(policy: FightPolicy = FightPolicy.FLEE, combat: int = 2) -> Truth:
    """Return two of A's agents, found by B's guards and one of its agents, on one site."""
    stance = Stance(fight=policy)
    agents = (
        replace(agent(A, 1, combat=combat, leadership=1), stance=stance),
        agent(A, 2, combat=1),
        agent(B, 1, combat=4),
    )
    return agents_truth(*agents, units=(unit(B), unit(B, 2)))


def found_by(
    truth: Truth, seed: bytes, how: Strike = Strike.PATROL, speaker: PieceId | None = None
) -> tuple[Moments, FightFought | None]:
    """Return what happened after B had found A's two agents, and the fight if there was one."""
    group = (AP1, AP2)
    mission = None if speaker is None else 1
    hunt = SearchPlan(side=B, owner=A, site=SITE, strike=how, speaker=speaker, mission=mission)
    tried = replace(IN_VAIN, die=2, found=True, group=group, mission=mission)
    events = [tried, *strike(truth, hunt, group, Dice(seed=seed))]
    fights = [event for event in events if isinstance(event, FightFought)]
    return moments_of(truth, events), fights[0] if fights else None


def fights(
    policy: FightPolicy = FightPolicy.FLEE, how: Strike = Strike.PATROL
) -> Iterator[tuple[list[str], FightFought]]:
    """Yield what B is told of A's first and the fight itself, with the dice of many matches."""
    for seed in SEEDS:
        moments, fight = found_by(scene(policy), seed, how)
        assert fight is not None
        yield list(fight_lines(moments, B, AP1, seed)), fight


def test_a_fight_is_told_with_who_came_against_whom_and_their_orders() -> None:
    for lines, fight in fights():
        size, combat = fight.soldiers, 2 * fight.soldiers
        assert lines[0] == (
            f"fought at Ceres 1: your patrol of {size} (line), combat {combat}, against their "
            "P1 and P2, ordered to flee (search §2)"
        )


def test_agents_who_were_sent_are_told_by_name() -> None:
    for lines, _ in fights(FightPolicy.SCREEN, Strike.AGENTS):
        assert "your P1, combat 4, against their P1 and P2, ordered to screen" in lines[0]


@pytest.mark.parametrize("policy", FightPolicy)
@pytest.mark.parametrize("how", [Strike.PATROL, Strike.AGENTS])
def test_every_round_is_told_with_the_dice_that_were_rolled_and_what_they_made(
    policy: FightPolicy, how: Strike
) -> None:
    rounds = 0
    for lines, fight in fights(policy, how):
        rows = [list(map(int, match.groups())) for line in lines if (match := ROUND.match(line))]
        assert tuple((row[1], row[7]) for row in rows) == fight.dice
        assert [row[0] for row in rows] == list(range(1, len(rows) + 1))
        for _, die, own, other, margin, most, made, *theirs in rows:
            assert (margin, most) == (die + own - other, own)
            assert made == min(max(margin // 4, 0), most)
            back, defence, attack, less, least, dealt = theirs
            assert (defence, attack) == (other, own)
            assert (less, least) == (back + other - own, other)
            assert dealt == min(max(less // 4, 0), least)
        rounds += len(rows)
    assert rounds > 0


def test_the_dice_that_let_agents_away_are_told_with_what_was_needed() -> None:
    said = []
    for policy in FightPolicy:
        for lines, fight in fights(policy):
            tries = [match.groups() for line in lines if (match := AWAY.match(line))]
            for _, who, did, die, most in tries:
                assert int(most) == (5 if who == "fighters" else 8)
                assert (did == "got away") is (int(die) <= int(most))
            assert any(attempt[2] == "got away" for attempt in tries) is bool(fight.escaped)
            assert not (policy is FightPolicy.FIGHT and tries)
            said += tries
    assert {(who, did) for _, who, did, _, _ in said} == {
        (who, did) for who in ("fighters", "agents behind them") for did in ("got away", "stayed")
    }


def test_the_end_of_a_fight_is_told_with_all_who_fell_or_got_away() -> None:
    endings = set()
    for lines, fight in fights(FightPolicy.SCREEN):
        end = lines[-1]
        assert end.startswith(f"the fight was over: {fight.outcome.value.replace('_', ' ')}")
        assert (f"{fight.lost} of the patrol fell" in end) is bool(fight.lost)
        for piece in (AP1, AP2):
            fell = re.search(rf"{piece[2:]}( and P\d)? fell", end)
            left = re.search(rf"{piece[2:]}( and P\d)? got away", end)
            assert bool(fell) is (piece in fight.fallen)
            assert bool(left) is (piece in fight.escaped)
        endings.add(fight.outcome)
    assert len(endings) > 1
    assert endings <= set(FightOutcome)


def test_who_was_found_is_told_the_same_fight_under_who_came() -> None:
    for seed in SEEDS:
        moments, fight = found_by(scene(), seed, Strike.AGENTS)
        assert fight is not None
        lines = list(fight_lines(moments, A, BP1, seed))
        assert "their P1, combat 4, against your P1 and P2" in lines[0]
        mirrored = [
            line.replace("your", "*").replace("their", "your").replace("*", "their")
            for line in fight_lines(moments, B, AP1, seed)
        ]
        assert lines == mirrored


def test_a_patrol_is_told_under_the_first_of_the_troops_that_it_came_from() -> None:
    seed = SEEDS[0]
    moments, _ = found_by(scene(), seed)
    assert list(fight_lines(moments, A, BG1, seed))
    for piece in (BG2, BP1):
        assert not list(fight_lines(moments, A, piece, seed))


def test_a_third_side_is_told_nothing_of_a_fight() -> None:
    moments, _ = found_by(scene(), SEEDS[0])
    for piece in (AP1, BG1, BP1):
        assert not list(fight_lines(moments, C, piece, SEEDS[0]))


def test_a_search_that_a_mission_called_for_has_dice_of_its_own() -> None:
    plan = replace(PLAN, members=(AP2,))
    search = MissionEvent.SEARCH
    tried = MissionTried(
        plan=plan, site=SITE, die=4, needed=6, success=False, event_die=3, event=search
    )
    differ = 0
    for seed in SEEDS:
        moments, fight = found_by(scene(FightPolicy.FIGHT), seed, speaker=AP2)
        assert fight is not None
        called = ((moments[0][0], tried), *moments)
        lines = list(fight_lines(called, B, AP1, seed))
        rows = [match for line in lines if (match := ROUND.match(line))]
        assert tuple((int(row[2]), int(row[8])) for row in rows) == fight.dice
        _, other = found_by(scene(FightPolicy.FIGHT), seed)
        assert other is not None
        differ += other.dice != fight.dice
    assert differ > 0


def test_where_nobody_went_against_those_who_were_found_that_is_told() -> None:
    moments, fight = found_by(scene(), SEEDS[0], Strike.NONE)
    assert fight is None
    (line,) = fight_lines(moments, B, AP1, SEEDS[0])
    assert line == "found, and nobody of yours went against them (search §2)"
    assert not list(fight_lines(moments, A, BP1, SEEDS[0]))
    assert not list(fight_lines(moments, B, AG1, SEEDS[0]))


# Whole matches.


@pytest.mark.parametrize("side", [A, B])
@pytest.mark.parametrize("name", ["siege", "orlog"])
def test_every_fight_of_a_match_is_told_for_each_who_was_found(name: str, side: Side) -> None:
    mine = [event for _, event in of(name, FightFought) if event.side == side]
    lines = [line.words for line in told(name, side)]
    heads = [words for words in lines if words.startswith("fought at ") and ": your " in words]
    assert len(heads) == sum(len(event.found) for event in mine)
    pairs = [(int(match[2]), int(match[8])) for words in lines if (match := ROUND.match(words))]
    assert pairs == [dice for event in mine for _ in event.found for dice in event.dice]
