"""The levels of the bots: each goes without what its row says, and plays by the same code."""

from functools import partial

import pytest
from msgspec.structs import replace

from builders.bots import contact, corvette, seen
from builders.wrappedbots import PlayingOn
from sunglare_arena.entrants import bot_called, games
from sunglare_arena.minds import minded
from sunglare_arena.playing import Outcome, played
from sunglare_arena.series import limited, scenario_called
from sunglare_client.abilities import Ability
from sunglare_client.bots import BOTS, shipped
from sunglare_client.bots.levels import LEVELS, levelled, seen_at
from sunglare_client.commands.arguments import command_line
from sunglare_protocol.botnames import LEVEL_MOST, LEVELLED, SHIPPED, at_level, split_name
from sunglare_protocol.geometry import Square, Vector
from sunglare_protocol.words.ladder import Fix, Phase

STYLES = tuple(name for name in SHIPPED if name != "random")

LOST = contact(Square(20, 20), Fix.MEMORY, 4)
HELD = replace(contact(Square(13, 9), Fix.TRACKED), vector=Vector(1, 0))
VIEW = seen(Phase.PLOT, (corvette(Square(9, 9)),), (LOST, HELD))


def match(scenario: str, *bots: str, turns: int | None = None) -> Outcome:
    """Return a match between bots, from side A on, none of which resigns."""
    found = limited(scenario_called(scenario), turns)
    (game,) = games(found.sides, len(bots), 1, seed=3, swap=False)
    makers = (partial(minded, partial(PlayingOn, bot_called(bot))) for bot in bots)
    return played(found, game, tuple(makers))


def test_each_level_has_all_that_the_one_below_has_and_the_highest_has_all() -> None:
    assert list(LEVELS) == list(range(1, LEVEL_MOST + 1))
    for level in range(1, LEVEL_MOST):
        lower, higher = LEVELS[level], LEVELS[level + 1]
        assert set(higher.without) <= set(lower.without)
        assert higher.remembers >= lower.remembers
        assert lower != higher
    assert LEVELS[LEVEL_MOST].without == ()


@pytest.mark.parametrize("name", LEVELLED)
def test_a_name_with_a_level_is_that_bot_at_that_level(name: str) -> None:
    bot, level = split_name(name)
    kind = shipped(name)
    assert kind is not None
    assert (kind.name, at_level(bot, level)) == (name, name)


@pytest.mark.parametrize("name", ["hunter-0", "hunter-5", "random-1", "nobody-2", "hunter-"])
def test_no_other_name_is_one(name: str) -> None:
    assert shipped(name) is None


def test_at_the_highest_level_a_bot_is_itself() -> None:
    assert all(levelled(kind, LEVEL_MOST) is kind for kind in BOTS.values())


def test_a_level_sees_no_vector_without_a_turn_ahead_and_no_memory_without_one() -> None:
    assert [c.vector for c in seen_at(VIEW, LEVELS[4]).contacts] == [None, None]
    assert [c.fix for c in seen_at(VIEW, LEVELS[4]).contacts] == [Fix.MEMORY, Fix.TRACKED]
    assert [c.fix for c in seen_at(VIEW, LEVELS[1]).contacts] == [Fix.TRACKED]
    assert seen_at(VIEW, LEVELS[5]) == VIEW


@pytest.mark.parametrize(
    ("bot", "turns"), [(bot, None if bot == STYLES[0] else 4) for bot in STYLES], ids=STYLES
)
def test_level_1_plays_legally_and_gives_no_order_that_it_goes_without(
    bot: str, turns: int | None
) -> None:
    outcome = match("shadow-of-ceres", f"{bot}-1", "random", turns=turns)
    assert outcome.faults == ()
    assert {"scan", "thrust"} <= set(outcome.used[0])
    assert not {"sense", "rotate", "probe"} & set(outcome.used[0])


@pytest.mark.parametrize(
    ("scenario", "bot", "turns"),
    [
        ("two-harbours", "raider-1", None),
        ("picket-line", "lurker-1", 6),
        ("orlog", "admiral-1", 3),
    ],
)
def test_level_1_lands_nobody_sweeps_never_and_sends_nobody_on_missions(
    scenario: str, bot: str, turns: int
) -> None:
    outcome = match(scenario, bot, bot, turns=turns)
    assert outcome.faults == ()
    assert not {"land", "sweep", "mission", "bombard"} & set(outcome.used[0])


def test_a_bot_of_a_level_goes_by_the_rules_of_its_own_side_alone() -> None:
    assert Ability.SENSE in LEVELS[3].without
    used = match("shadow-of-ceres", "scout-3", "scout", turns=3).used
    assert "sense" not in used[0]
    assert "sense" in used[1]


@pytest.mark.parametrize(
    "words", [("bot", "run", "hunter"), ("play", "--local", "--bot", "hunter")]
)
def test_a_level_is_an_option_where_a_person_names_a_bot(words: tuple[str, ...]) -> None:
    match_of = ("--match", "a" * 26) if words[0] == "bot" else ()
    read = command_line().parse_args([*words, *match_of, "--level", "2"])
    assert read.level == 2
    assert command_line().parse_args([*words, *match_of]).level == LEVEL_MOST
