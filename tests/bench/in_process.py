"""Windows per second of `step` and views in one process, and what each part takes of it.

House bots, one in each seat, play a few matches; their records are then folded again under the
clock, and every side's frames are made and encoded, as the server does it.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, final
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parents[1]))

from builders.matches import Course
from builders.truths import MATCH, seed_of
from sunglare_client.bot import Bot, BotMatch, decide
from sunglare_client.bots.admiral import Admiral
from sunglare_client.bots.lurker import Lurker
from sunglare_client.bots.scout import Scout
from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.ids import Audience, Side, audience_of
from sunglare_protocol.messages.replies import Frame
from sunglare_rules.advice.check.check import check
from sunglare_server.base.library import load_library
from sunglare_server.match import frames
from sunglare_server.match.absorb.perceived import perceived
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.match.fog import view as fog
from sunglare_server.match.learn.learns import learns
from sunglare_server.match.ledger.ledger import checked
from sunglare_server.match.record import OrdersGiven, Record, WindowDue, chain, packed, unpacked
from sunglare_server.match.state import MatchState, Stepped
from sunglare_server.match.step import step
from sunglare_server.match.turn import flow
from sunglare_server.ports.cards import class_cards, scenario_card

OPTIONS = MatchOptions(clock="test")
SCENARIOS = {"shadow-of-ceres": 4, "four-corners": 2, "redondo": 1}
"""What is played, and how many matches of it."""

PLAYERS: dict[str, tuple[type[Bot], ...]] = {"redondo": (Admiral,)}
"""Who plays it; elsewhere scout and lurker take turns."""

ROUNDS = 3
"""Every figure is the median of so many rounds."""

AGAIN = 5
"""So many of the longest steps are timed again."""

Arguments = tuple[Any, ...]


@final
class Step(NamedTuple):
    """One record with the state before it, and what it came to."""

    before: MatchState | None
    record: Record
    blob: bytes
    after: Stepped


@final
class Part(NamedTuple):
    """How long a part takes: the CPU seconds of all windows together."""

    name: str
    cpu_s: float


@final
class Figures(NamedTuple):
    """What the matches of one scenario came to."""

    scenario: str
    matches: int
    windows: int
    frames: int
    parts: tuple[Part, ...]
    longest: Part


def played(
    scenario: Scenario,
    seed: int,
    most: int,
    options: MatchOptions = OPTIONS,
    players: tuple[type[Bot], ...] = (),
) -> list[bytes]:
    """Return the records of a match between house bots, or of its first `most` windows."""
    course = Course(scenario, options, seed_of(seed))
    bots = _bots(scenario, seed, players or PLAYERS.get(scenario.name, (Scout, Lurker)))
    for _ in range(most):
        if course.state.is_over:
            break
        for side, bot in bots.items():
            if course.state.awaits(side):
                course.orders(side, *decide(bot, course.view(side), strict=True))
        course.close()
    return course.journal


def _bots(scenario: Scenario, seed: int, kinds: tuple[type[Bot], ...]) -> dict[Side, Bot]:
    bots = {side: kinds[i % len(kinds)](seed + i) for i, side in enumerate(scenario.sides)}
    card = scenario_card(scenario, OPTIONS)
    for side, bot in bots.items():
        classes = class_cards(scenario, side)
        bot.on_start(BotMatch(match=MATCH, side=side, card=card, classes=classes))
    return bots


def folded(journal: list[bytes]) -> Iterator[Step]:
    """Yield the steps of a journal."""
    state, before = None, b""
    for number, blob in enumerate(journal, 1):
        record = unpacked(blob, number, before)
        after = step(state, record)
        yield Step(state, record, blob, after)
        state, before = after.state, blob


def frames_of(stepped: Step) -> Iterator[frames.Posted]:
    """Yield what a step gives out to the sides."""
    head = chain(stepped.blob).hex()
    for side in stepped.after.state.standing.sides:
        yield from frames.posted(MATCH, stepped.after, audience_of(side), head)


def measured(scenario: Scenario, matches: int, most: int) -> Figures:
    """Return how long each part takes on so many matches of `most` windows or fewer."""
    journals = [played(scenario, 1 + seed, most) for seed in range(matches)]
    steps = [stepped for journal in journals for stepped in folded(journal)]
    messages = [message for stepped in steps for message in frames_of(stepped)]
    return Figures(
        scenario=scenario.name,
        matches=matches,
        windows=sum(isinstance(stepped.record.b, WindowDue) for stepped in steps),
        frames=sum(isinstance(message, Frame) for message in messages),
        parts=tuple(Part(name, timed(part)) for name, part in _parts(steps, messages)),
        longest=_longest(steps),
    )


def _longest(steps: list[Step]) -> Part:
    """Return the longest step, and the window in which it is taken.

    It is one call, in which nothing else is answered: so late may a pong be. Whichever took
    longest once is timed again, since anything may have come between.
    """
    took_s = []
    for number, stepped in enumerate(steps):
        began = time.process_time()
        step(stepped.before, stepped.record)
        took_s.append((time.process_time() - began, number))
    found = [steps[number] for _, number in sorted(took_s)[-AGAIN:]]
    return max(map(_alone, found), key=lambda part: part.cpu_s)


def _alone(stepped: Step) -> Part:
    window = "the opening" if stepped.before is None else stepped.before.standing.window
    return Part(window, timed(lambda: step(stepped.before, stepped.record)))


def timed(part: Callable[[], object]) -> float:
    """Return the CPU seconds of a part, the median of a few rounds."""
    rounds = []
    for _ in range(ROUNDS):
        began = time.process_time()
        part()
        rounds.append(time.process_time() - began)
    return statistics.median(rounds)


def _parts(
    steps: list[Step], messages: list[frames.Posted]
) -> Iterator[tuple[str, Callable[[], None]]]:
    learned, absorbed = _perceptions(steps)
    yield "step and views", lambda: _each(_step_and_views, ((stepped,) for stepped in steps))
    yield "step", lambda: _each(step, ((stepped.before, stepped.record) for stepped in steps))
    yield "  perceive: who learns", lambda: _each(_grants, learned)
    yield "  perceive: taken in", lambda: _each(perceived, absorbed)
    yield "fog", lambda: _each(fog.view, _views(steps))
    yield "encode", lambda: _each(encode_server, ((message, Form.PACKED) for message in messages))
    yield "check of orders", lambda: _each(check, _checks(steps))
    yield "record and chain", lambda: _each(_packed, ((stepped,) for stepped in steps))


def _each(function: Callable[..., object], calls: Iterable[Arguments]) -> None:
    for arguments in calls:
        function(*arguments)


def _step_and_views(stepped: Step) -> None:
    # `frames_of` reads the step that was kept, which is equal to the one made here.
    step(stepped.before, stepped.record)
    for message in frames_of(stepped):
        encode_server(message, Form.PACKED)


def _perceptions(steps: list[Step]) -> tuple[list[Arguments], list[Arguments]]:
    """Return the arguments with which a fold calls `learns` and `perceived`."""
    learned, absorbed = list[Arguments](), list[Arguments]()
    with (
        patch.object(flow, "learns", _noting(learns, learned)),
        patch.object(flow, "perceived", _noting(perceived, absorbed)),
    ):
        _each(step, ((stepped.before, stepped.record) for stepped in steps))
    return learned, absorbed


def _noting(function: Callable[..., Any], calls: list[Arguments]) -> Callable[..., Any]:
    def noting(*arguments: Any) -> Any:
        calls.append(arguments)
        return function(*arguments)

    return noting


def _grants(*arguments: Any) -> None:
    for grant in learns(*arguments):
        checked(arguments[0], grant)


def _views(steps: list[Step]) -> Iterator[Arguments]:
    for stepped in steps:
        state = stepped.after.state
        if stepped.after.posts:
            for side in state.standing.sides:
                yield _view_arguments(state, audience_of(side))


def _view_arguments(state: MatchState, audience: Audience) -> Arguments:
    return state.intel[audience], state.standing, state.board


def _checks(steps: list[Step]) -> list[Arguments]:
    found: list[Arguments] = []
    for stepped in steps:
        if isinstance(stepped.record.b, OrdersGiven) and stepped.before and stepped.record.s:
            view = fog.view(*_view_arguments(stepped.before, audience_of(stepped.record.s)))
            found.append((view, stepped.record.b.orders))
    return found


def _packed(stepped: Step) -> None:
    chain(packed(stepped.record))


def shown(figures: Figures) -> None:
    """Print the figures of one scenario."""
    whole = figures.parts[0].cpu_s
    print(
        f"{figures.scenario}: {figures.windows / whole:.0f} windows/s of step and views"
        f" ({figures.matches} matches, {figures.windows} windows, {figures.frames} frames)"
    )
    for name, cpu_s in figures.parts:
        print(f"  {name:26}{cpu_s / figures.windows * 1e6:8.0f} us a window")
    window, cpu_s = figures.longest
    print(f"  {'the longest step':26}{cpu_s * 1e6:8.0f} us, in {window}")


def main() -> None:
    """Print the figures of every scenario."""
    parser = argparse.ArgumentParser(description="Measure step and views without a socket.")
    parser.add_argument("--matches", type=int, help="how many of each scenario")
    parser.add_argument("--windows", type=int, default=1000, help="end each match after so many")
    given = parser.parse_args()
    scenarios = load_library().scenarios
    for name, matches in SCENARIOS.items():
        shown(measured(scenarios[name], given.matches or matches, given.windows))


if __name__ == "__main__":
    main()
