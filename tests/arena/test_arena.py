"""The arena: seats, seeds, what it counts, what it makes of bad bots, and its command line."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from builders.badbots import BAD_BOTS, bad_bots
from documents.wiretables import ORDERS
from documents.wirewords import tag
from sunglare_arena.entrants import ArenaError, bot_called, games, labels
from sunglare_arena.kinds import NEEDS, offered
from sunglare_arena.player import SENSE
from sunglare_arena.playing import play
from sunglare_arena.series import Series, run, scenario_called
from sunglare_arena.tally import Tally, wilson
from sunglare_client.advice import Advice
from sunglare_client.bot import Bot, BotMatch
from sunglare_client.bots import Scout
from sunglare_protocol.ids import SIDES, Side
from sunglare_protocol.messages.replies import Over
from sunglare_protocol.notices import Notice
from sunglare_protocol.orders import Order
from sunglare_protocol.views import View

ORDNANCE = {"launch", "aim", "defend"}
CLOAKS = {"cloak", "hold", "listen", "sweep"}
GROUND = {"station", "move", "bombard"}
AGENTS = ("walk", "go_aboard", "step_out", "mission", "stand", "search")


@pytest.fixture
def bad(tmp_path: Path) -> str:
    """Return the path of a file with bad bots."""
    return bad_bots(tmp_path)


def tally(*bots: str, matches: int = 1, turns: int = 2, seed: int = 0, jobs: int = 1) -> Tally:
    scenario = scenario_called("shadow-of-ceres")
    wanted = Series(scenario=scenario, bots=bots, matches=matches, turns=turns, seed=seed)
    return run(wanted, jobs)


def test_the_same_seed_plays_the_same_matches_in_one_process_or_two() -> None:
    alone = tally("scout", "random", matches=3, turns=2)
    assert alone == tally("scout", "random", matches=3, turns=2)
    assert alone == tally("scout", "random", matches=3, turns=2, jobs=2)


def test_another_seed_plays_other_matches() -> None:
    first, other = (tally("random", "random", matches=2, seed=seed) for seed in (0, 1))
    assert first.scores != other.scores


def test_every_match_has_dice_of_its_own() -> None:
    drawn = games(SIDES[:2], 2, 50, 0, swap=False)
    assert len({game.seed for game in drawn}) == 50
    assert len({game.bot_seed(side) for game in drawn for side, _ in game.seats}) == 100


def test_swapped_seats_give_everybody_the_other_seat_with_the_same_dice() -> None:
    first, second, third, fourth = games(SIDES[:2], 2, 4, 0, swap=True)
    assert first.seats == ((Side("A"), 0), (Side("B"), 1)) == third.seats
    assert second.seats == ((Side("A"), 1), (Side("B"), 0)) == fourth.seats
    assert first.seed == second.seed != third.seed == fourth.seed


@pytest.mark.parametrize("entrants", [1, 2, 3, 4])
def test_with_swapped_seats_every_entrant_sits_in_every_seat_equally_often(entrants: int) -> None:
    sides = SIDES[:4]
    seats = Counter(
        seat for game in games(sides, entrants, 8, 0, swap=True) for seat in game.seats
    )
    for entrant in range(entrants):
        counts = {seats[side, entrant] for side in sides}
        assert len(counts) == 1
    assert {entrant for _, entrant in seats} == set(range(entrants))


@pytest.mark.parametrize(("seats", "entrants"), [(2, 1), (2, 2), (3, 2), (4, 1), (4, 2), (4, 3)])
def test_no_match_of_a_series_is_played_twice(seats: int, entrants: int) -> None:
    drawn = games(SIDES[:seats], entrants, 24, 0, swap=True)
    assert len({(game.seed, game.seats) for game in drawn}) == 24


def test_without_swapping_everybody_keeps_the_seat() -> None:
    drawn = games(SIDES[:2], 2, 3, 0, swap=False)
    assert {game.seats for game in drawn} == {((Side("A"), 0), (Side("B"), 1))}


def test_fewer_bots_than_seats_take_turns_around_the_table() -> None:
    (game,) = games(SIDES[:4], 2, 1, 0, swap=False)
    assert [entrant for _, entrant in game.seats] == [0, 1, 0, 1]


def test_more_bots_than_seats_are_refused() -> None:
    with pytest.raises(ArenaError, match="3 bots are too many for 2 seats"):
        games(SIDES[:2], 3, 1, 0, swap=False)


def test_a_match_of_an_entrant_counts_once_however_many_seats_it_has() -> None:
    series = Series(scenario=scenario_called("four-corners"), bots=("random",), matches=1, turns=1)
    (score,) = run(series).scores
    assert score.matches == 1
    assert score.used["deploy"] == 4


def test_wins_draws_and_losses_add_up() -> None:
    found = tally("random", "random", matches=3)
    for score in found.scores:
        assert score.wins + score.draws + score.losses == score.matches == 3
    assert sum(score.wins for score in found.scores) == 3 - found.draws


@pytest.mark.parametrize(
    ("bot", "refused", "crashes", "words"),
    [
        ("Greedy", 4, 0, "The drive gives 3"),
        ("Garbled", 16, 0, "orders"),
        ("Clumsy", 0, 2, "ValueError: out of shells"),
        ("Forgetful", 0, 8, "BotError: on_window returned None"),
        ("Deaf", 0, 1, "KeyError: 'who?'"),
        ("Torn", 0, 8, "LookupError: to be or not to be"),
        ("Stillborn", 0, 1, "RuntimeError: not today"),
        ("Quitting", 0, 8, "SystemExit: 0 ("),
        ("Interrupting", 0, 8, "KeyboardInterrupt ("),
        ("Cancelling", 0, 8, "CancelledError ("),
        ("Unborn", 0, 1, "SystemExit: 0 ("),
    ],
)
def test_a_bad_bot_is_reported(bad: str, bot: str, refused: int, crashes: int, words: str) -> None:
    found = tally(f"{bad}:{bot}", "random")
    guilty, other = found.scores
    assert guilty.refused == refused
    assert (guilty.crashes >= crashes) if crashes else (guilty.crashes == 0)
    assert (other.refused, other.crashes) == (0, 0)
    assert words in found.faults[0].text
    assert {fault.entrant for fault in found.faults} == {0}


def test_a_bot_that_gives_up_loses_at_once(bad: str) -> None:
    found = tally(f"{bad}:Faint", "random", turns=5)
    assert [(score.wins, score.losses) for score in found.scores] == [(0, 1), (1, 0)]
    assert (found.turns, found.early_share, found.faults) == (1, 1.0, ())


def test_the_others_play_on_without_one_that_gives_up(bad: str) -> None:
    scenario = scenario_called("four-corners")
    bots = (f"{bad}:Faint", "random", "random", "random")
    found = run(Series(scenario=scenario, bots=bots, matches=1, turns=3), 1)
    assert found.turns == 3
    assert set(found.scores[0].used) == set()
    assert found.scores[0].losses + found.draws == 1


def test_what_fits_together_of_refused_orders_is_carried_out(bad: str) -> None:
    guilty, _ = tally(f"{bad}:Greedy", "random").scores
    assert guilty.used == {"sensors": 4}


def test_a_crash_names_the_line_that_raised_it(bad: str) -> None:
    (fault, *_) = tally(f"{bad}:Clumsy", "random").faults
    line = 1 + BAD_BOTS.splitlines().index('            raise ValueError("out of shells")')
    assert f"({bad}:{line})" in fault.text
    assert fault.window == "1.engage"


def test_a_bot_is_told_everything_that_a_seat_is_sent() -> None:
    heard: list[str] = []

    class Listener(Bot):
        def on_start(self, match: BotMatch) -> None:
            heard.append(f"start {match.side}")

        def on_notice(self, notice: Notice) -> None:
            heard.append(type(notice).__name__)

        def on_end(self, over: Over) -> None:
            heard.append(f"end {over.result.ending.value}")

    scenario = scenario_called("shadow-of-ceres")
    (game,) = games(scenario.sides, 1, 1, 0, swap=False)
    outcome = play(
        Series(scenario=scenario, bots=(), matches=1, turns=1).played, game, (Listener,)
    )
    assert heard[:2] == ["start A", "start B"]
    assert heard.count("InitiativeDrawn") == 2
    assert heard[-2:] == ["end turns", "end turns"]
    assert (outcome.turn, outcome.winner, outcome.is_decided_early) == (1, None, False)


def test_a_bot_is_asked_in_the_windows_that_take_something_from_it() -> None:
    asked: list[tuple[str, str]] = []

    class Asked(Bot):
        def on_window(self, view: View, advice: Advice) -> Iterable[Order]:
            asked.append((view.audience, view.stage.window))
            return advice.legal_part(())

    scenario = scenario_called("shadow-of-ceres")
    (game,) = games(scenario.sides, 1, 1, 0, swap=False)
    play(Series(scenario=scenario, bots=(), matches=1, turns=1).played, game, (Asked,))
    by_window = Counter(window for _, window in asked)
    windows = {"1.plot": 2, "1.scan.1": 1, "1.scan.2": 1, "1.detect": 2, "1.engage": 2}
    assert by_window == windows


@pytest.mark.parametrize(
    ("wins", "matches", "low", "high"),
    [(0, 0, 0.0, 1.0), (50, 100, 0.404, 0.596), (0, 10, 0.0, 0.278), (10, 10, 0.722, 1.0)],
)
def test_the_interval_is_that_of_wilson(wins: int, matches: int, low: float, high: float) -> None:
    assert wilson(wins, matches) == pytest.approx((low, high), abs=0.0005)


def test_every_kind_with_a_need_is_a_kind_of_order() -> None:
    assert set(NEEDS) < {tag(kind) for kind in ORDERS}


@pytest.mark.parametrize(
    ("scenario", "without"),
    [
        ("orlog", {*ORDNANCE, *CLOAKS} - {"defend", "launch"}),
        ("proving-ground", {*GROUND, *CLOAKS, *AGENTS}),
        ("shadow-of-ceres", {*ORDNANCE, *GROUND, *CLOAKS, *AGENTS}),
        ("four-corners", {*ORDNANCE, *GROUND, *CLOAKS, *AGENTS}),
        ("reference-board", {*ORDNANCE, *GROUND, *CLOAKS, *AGENTS, "deploy", "land", "lift"}),
        ("picket-line", {*ORDNANCE, *GROUND, *AGENTS}),
    ],
)
def test_a_scenario_offers_the_kinds_that_it_has_a_use_for(
    scenario: str, without: set[str]
) -> None:
    everything = {tag(kind) for kind in ORDERS} | {SENSE}
    assert everything - set(offered(scenario_called(scenario))) == without


def test_a_bot_is_found_by_name_or_in_a_file(bad: str) -> None:
    assert bot_called("scout") is Scout
    assert bot_called(f"{bad}:Clumsy").__name__ == "Clumsy"


def test_a_file_with_one_bot_needs_no_class(tmp_path: Path) -> None:
    path = tmp_path / "alone.py"
    path.write_text(
        "from sunglare_client import Bot\nfrom sunglare_client.bots import Scout\n"
        "class Alone(Scout): pass\n"
    )
    assert bot_called(str(path)).__name__ == "Alone"


def test_bots_of_files_are_called_without_their_folders_and_twice_the_same_by_number() -> None:
    names = ("a/one.py", "b/two.py:Two", "scout", "c/scout.py")
    assert labels(names) == ("one", "two:Two", "scout #1", "scout #2")
