"""The example of an error is taken as it stands on that very view, and is of the same piece."""

import os
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.desks import SCENES, frames_of, view_in
from builders.randomplayer import random_orders
from builders.terminals import ship, view
from builders.views import views
from sunglare_client.command import Act, Clear, Give, Plan, Preview, Problem, Weigh
from sunglare_client.terminal.examples import piece_of, verbs_with_orders
from sunglare_client.terminal.input.parser import parse
from sunglare_client.terminal.refusal import refusal
from sunglare_client.terminal.staging import added, cleared
from sunglare_client.text.cards import card_lines
from sunglare_client.text.labels import own_ids
from sunglare_client.verbs.table import VERBS, verb_called
from sunglare_client.verbs.written import legal_text
from sunglare_protocol.ids import OwnId
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.legal.legal import legal
from sunglare_rules.advice.odds.preview import preview

VIEWS = 2000 if os.environ.get("SUNGLARE_LONG") else 10
"""Views of a match on which errors are made."""

LINES = 9
"""Wrong lines and wrong orders on each of them."""

NO_VERBS = ("sense S1", "re", "h", "de")
NONSENSE = ("", " nowhere", " S9", " 99,99", " on on", " 3box Z9")


def assert_taken(example: str, seen: View, plan: Plan) -> str:
    """Assert that the line is taken beside the plan; return its verb."""
    command = parse(example, seen, plan)
    assert not isinstance(command, Problem), (example, command)
    match command:
        case Give():
            assert check(seen, added(plan, command)) is None, example
        case Weigh():
            assert check(seen, added(plan, Give((command.order,)))) is None, example
        case Clear():
            assert check(seen, cleared(plan, command)) is None, example
        case Preview():
            assert not isinstance(preview(seen, command.scan), Rejected), example
        case Act(deed="odds", text=order):
            assert_taken(order, seen, plan)
        case _:
            pass
    verb, _, about = example.partition(" ")
    if verb in ("look", "why"):
        assert not card_lines(seen, about, reasons=False)[0].startswith("E-")
    return verb


def wrong_lines(seen: View, rng: Random) -> list[str]:
    """Return some lines with which something is wrong in most windows."""
    own = own_ids(seen) or ("S1",)
    lines = [verb.name + rng.choice(NONSENSE) for verb in VERBS]
    lines += [f"{verb.name} {rng.choice(own)}{rng.choice(NONSENSE)}" for verb in VERBS]
    lines += [f"{legal_text(order, seen)} too" for order in legal(seen)]
    return [*rng.sample(lines, LINES), *NO_VERBS]


def problems_of(seen: View, plan: Plan, rng: Random) -> Iterator[tuple[str, Problem]]:
    """Yield wrong lines and refused orders, as lines, each with its error."""
    for line in wrong_lines(seen, rng):
        problem = parse(line, seen, plan)
        if isinstance(problem, Problem):
            yield line, problem
    orders = legal(seen)
    for order in rng.sample(orders, min(len(orders), LINES)):
        rejected = check(seen, (*plan, order))
        if rejected is not None:
            yield legal_text(order, seen), refusal(rejected, (*plan, order), seen, plan)


def can_be_given(verb: str, own: OwnId, seen: View, plan: Plan) -> bool:
    """Return whether an own piece has an order that a verb writes and that fits into the plan."""
    (found,) = (each for each in VERBS if each.name == verb)
    mine = (order for order in legal(seen) if order.ship == own and found.can_write(seen, order))
    return any(check(seen, added(plan, Give((order,)))) is None for order in mine)


def assert_same_piece(line: str, problem: Problem, seen: View, plan: Plan) -> None:
    """Assert that an example is about the piece of the line, and lacks only if nothing fits."""
    verb, own = verb_called(line.split()[0]), piece_of(seen, line)
    if own is None or isinstance(verb, tuple):
        return
    assert piece_of(seen, problem.example) in (own, None), (line, problem)
    if can_be_given(verb.name, own, seen, plan) and problem.code != "E-PHASE":
        # What is tracked need not be within the reach of the ship.
        assert piece_of(seen, problem.example) == own or verb.name == "shadow", (line, problem)


def taught(seen: View, plan: Plan, rng: Random) -> Counter[str]:
    """Return how often each verb was the example of an error on a view.

    All are taken, and about the piece that the line was about.
    """
    found = Counter[str]()
    for line, problem in problems_of(seen, plan, rng):
        assert_same_piece(line, problem, seen, plan)
        if problem.example:
            found[assert_taken(problem.example, seen, plan)] += 1
    return found


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene[0])
def test_every_example_of_an_error_is_taken_in_whole_matches(scene: tuple[str, int, int]) -> None:
    rng, found = Random(scene[1]), Counter[str]()
    frames = [view_in(frame) for seat in frames_of(*scene).values() for frame in seat]
    open_windows = [seen for seen in frames if seen.stage.phase is not Phase.OVER]
    for seen in rng.sample(open_windows, min(VIEWS, len(open_windows))):
        plan = random_orders(rng, seen)
        found += taught(seen, rng.choice(((), plan, plan[:1])), rng)
    assert len(found) > 8


@given(seen=views(phases=(Phase.PLOT, Phase.SCAN, Phase.DETECT, Phase.ENGAGE)), seed=st.integers())
def test_every_example_of_an_error_is_taken_on_any_view(seen: View, seed: int) -> None:
    taught(seen, (), Random(seed))


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene[0])
def test_who_errs_about_the_window_is_told_verbs_that_do_something(
    scene: tuple[str, int, int],
) -> None:
    frames = [view_in(frame) for seat in frames_of(*scene).values() for frame in seat]
    for seen in Random(scene[1]).sample(frames, 8):
        # What is tracked need not be within the reach of any ship.
        for verb in set(verbs_with_orders(seen)) - {"shadow"}:
            problem = parse(verb, seen)
            assert not isinstance(problem, Problem) or problem.example, verb


def test_where_nothing_would_be_taken_no_example_is_given() -> None:
    seen = view(Phase.PLOT, own=(ship(thrust=0),))
    problem = parse("burn S1", seen)
    assert isinstance(problem, Problem)
    assert problem.example == ""
