"""Tests of the figures of a balance: what is counted, and which bars it reaches."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from balance.bars import Bar, Played, bars, is_settled, median_turns, shares, staying
from balance.occurrences import Count, Occurrences
from balance.run import BEST, LOOKED_AT, Measured, lines_of_one, match_of, measured, missed
from balance.sequential import bounds, is_likely
from sunglare_arena.entrants import Game, games
from sunglare_arena.series import limited, scenario_called
from sunglare_arena.sprt import ERROR
from sunglare_client.bot import Bot
from sunglare_client.bots import BOTS
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.orders import Listen, Mission, Move, Stand
from sunglare_protocol.views import View
from sunglare_protocol.words.search import FightPolicy, MissionKind
from sunglare_server.base.library import load_library

A, B = Side("A"), Side("B")

ONE, OTHER = OwnId("S1"), OwnId("S2")

STREAMS, LENGTH = 200, 200
"""So many streams of so many matches are tossed."""

TINY = 1e-9
"""What is lost of a sum of fractions."""


def won(
    side: Side | None,
    occurred: dict[str, int] | None = None,
    *,
    turns: int = 12,
    early: bool = True,
) -> Played:
    return Played(side, early, turns, Counter(occurred))


def bar_of(matches: list[Played], what: str, scenario: str = "shadow-of-ceres") -> Bar:
    (bar,) = (bar for bar in bars(scenario, (A, B), matches) if bar.what == what)
    return bar


def game(scenario: str) -> Game:
    (first,) = games(scenario_called(scenario).sides, 1, 1, 1, swap=False)
    return first


@pytest.mark.parametrize(("of_a", "is_fair"), [(200, True), (252, False), (300, False)])
def test_a_share_is_fair_if_its_interval_lies_within_the_band(of_a: int, *, is_fair: bool) -> None:
    matches = [won(A)] * of_a + [won(B)] * (400 - of_a)
    assert bar_of(matches, "side A").is_reached == is_fair
    assert bar_of(matches, "side B").is_reached == is_fair


def test_matches_go_on_until_it_is_clear_of_each_side_whether_its_share_is_fair() -> None:
    assert not is_settled((A, B), [won(A), won(B)] * 50)
    assert is_settled((A, B), [won(A), won(B)] * 200)
    assert is_settled((A, B), [won(A)] * 20)
    assert not is_settled((A, B), ([won(A)] * 3 + [won(B)] * 2) * 200)
    assert not is_settled((A, B), [won(None)] * 1_000)


@given(st.integers(0, 400), st.integers(0, 400))
def test_the_bounds_of_a_share_hold_it_and_mirror_those_of_the_rest(some: int, rest: int) -> None:
    low, high = bounds(some, some + rest)
    assert 0 <= low <= high <= 1
    if some + rest:
        assert low <= some / (some + rest) <= high
    assert bounds(rest, some + rest) == pytest.approx((1 - high, 1 - low))
    for just_inside in (low + TINY, high - TINY):
        if some and rest:
            assert is_likely(just_inside, some, some + rest)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.6])
def test_the_true_share_leaves_its_bounds_at_any_time_no_more_often_than_promised(
    share: float,
) -> None:
    rng, left = Random(5), 0
    for _ in range(STREAMS):
        some = 0
        for count in range(1, LENGTH + 1):
            some += rng.random() < share
            if not is_likely(share, some, count):
                left += 1
                break
    assert left <= STREAMS * ERROR


@given(st.lists(st.sampled_from([A, B, None]), min_size=1))
def test_the_shares_of_the_sides_are_of_the_decided_matches(winners: list[Side | None]) -> None:
    found = shares((A, B), [won(winner) for winner in winners])
    total = sum(share.share for share in found.values())
    assert total == pytest.approx(1 if any(winners) else 0)
    for share in found.values():
        assert 0 <= share.low <= share.share + TINY
        assert share.share <= share.high + TINY <= 1 + TINY


def test_draws_late_ends_and_lengths_have_bars_of_their_own() -> None:
    matches = [won(None, turns=30, early=False)] * 16 + [won(A, turns=30)] * 84
    assert not bar_of(matches, "draws").is_reached
    assert not bar_of(matches, "decided before the limit").is_reached
    assert not bar_of(matches, "median length, turns").is_reached
    assert bar_of(matches, "median length, turns", "redondo").is_reached


@given(st.lists(st.integers(1, 60), min_size=1))
def test_half_of_the_matches_are_not_longer_than_the_median(turns: list[int]) -> None:
    median = median_turns([won(A, turns=length) for length in turns])
    assert 2 * sum(length <= median for length in turns) >= len(turns)
    assert 2 * sum(length >= median for length in turns) >= len(turns)


def test_a_thing_must_occur_in_so_many_matches_of_its_scenario() -> None:
    few = [won(A, {"landing": 9})] * 49 + [won(A)] * 50
    assert not bar_of(few, "matches with landing", "orlog").is_reached
    assert bar_of([won(A, {"landing": 1}), *few], "matches with landing", "orlog").is_reached


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1))
def test_no_more_tokens_stay_blips_than_were_gained(pairs: list[tuple[int, int]]) -> None:
    matches = [
        won(A, {"token": gained, "blip of a turn": min(stayed, gained)})
        for gained, stayed in pairs
    ]
    assert 0 <= staying(matches) <= 1


def test_an_order_is_counted_by_its_kind_and_by_what_is_special_about_it() -> None:
    watch = Occurrences()
    watch.ordered((Move(ship=ONE, jump=True), Listen(ship=ONE, on=False), Listen(ship=OTHER)))
    watch.ordered((Mission(ship=ONE, kind=MissionKind.SABOTAGE, silence=True),))
    watch.ordered((Stand(ship=ONE, fight=FightPolicy.FLEE, bound_for="off"),))
    special = {"jump": 1, "listen off": 1, "silence": 1, "stand fight": 1, "stand bound_for": 1}
    kinds = {"order move": 1, "order listen": 2, "order mission": 1, "order stand": 1}
    assert watch.count == Count(special | kinds)


def test_a_match_is_counted_from_its_events_and_its_orders() -> None:
    played = match_of(scenario_called("picket-line"), "hunter", game("picket-line"))
    occurred = played.occurred
    assert occurred["order sweep"] >= occurred["sweep"] > 0
    assert occurred["order fire"] >= occurred["shot"] > 0
    assert not occurred["fault"]


class Quitter(Bot):
    """Resigns as soon as it is asked, and orders nothing."""

    def gives_up(self, view: View) -> bool:  # noqa: ARG002 - whatever there is to see
        """Return that the bot resigns."""
        return True


def test_no_match_of_a_balance_is_decided_by_who_resigns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "quitter", Quitter)
    scenario = limited(scenario_called("picket-line"), 3)
    ended = match_of(scenario, "quitter", game("picket-line"))
    assert (ended.is_early, ended.turns) == (False, 3)


def test_a_balance_is_the_same_for_the_same_scenario_and_bot() -> None:
    first, again = (measured("shadow-of-ceres", "hunter", 2, 1).matches for _ in range(2))
    assert first == again


def test_every_shipped_scenario_has_bars_or_is_looked_at_alone() -> None:
    assert sorted(BEST | LOOKED_AT) == sorted(load_library().scenarios)
    assert not BEST.keys() & LOOKED_AT.keys()
    assert {*BEST.values(), *LOOKED_AT.values()} <= set(BOTS)


def test_a_scenario_without_bars_is_printed_and_misses_none() -> None:
    drawn = [won(None, {"scan": 1, "visual 1sq": 1}, turns=1, early=False)]
    looked_at = Measured(scenario_called("reference-board"), "admiral", drawn)
    barred = Measured(scenario_called("shadow-of-ceres"), "admiral", drawn)
    both, alone = list(missed([looked_at, barred])), list(missed([barred]))
    assert both == alone
    assert {"draws", "decided before the limit"} <= {bar.what for bar in both}
    lines = list(lines_of_one(looked_at))
    assert "reference-board: 1 matches of admiral" in lines
    assert not any("MISSED" in line and "draws" in line for line in lines)
