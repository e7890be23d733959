"""Whatever line an error gives as its example is taken as it stands on that very view."""

import os
from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.desks import SCENES, frames_of, view_in
from builders.randomplayer import random_orders
from builders.terminals import ship, view
from builders.views import views
from sunglare_client.command import Clear, Give, Preview, Problem, Weigh
from sunglare_client.terminal.examples import verbs_with_orders
from sunglare_client.terminal.prompt import parse
from sunglare_client.terminal.refusal import refusal
from sunglare_client.terminal.staging import added, cleared
from sunglare_client.text.cards import card_lines
from sunglare_client.text.labels import own_ids
from sunglare_client.verbs.table import VERBS
from sunglare_client.verbs.written import legal_text
from sunglare_protocol.orders import Order
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


def assert_taken(example: str, seen: View, plan: tuple[Order, ...]) -> str:
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


def taught(seen: View, plan: tuple[Order, ...], rng: Random) -> Counter[str]:
    """Return how often each verb was the example of an error on a view; all are taken."""
    problems = [parse(line, seen, plan) for line in wrong_lines(seen, rng)]
    orders = legal(seen)
    for order in rng.sample(orders, min(len(orders), LINES)):
        rejected = check(seen, (*plan, order))
        if rejected is not None:
            problems.append(refusal(rejected, (*plan, order), seen, plan))
    given_out = [
        problem.example for problem in problems if isinstance(problem, Problem) and problem.example
    ]
    return Counter(assert_taken(example, seen, plan) for example in given_out)


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
