"""The verdict on clocks: what was told and when windows closed, against the model of the page."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from itertools import pairwise

from simulation.clockmodel import FIGURES, GRACE_MS, ClockModel
from simulation.diary import Diary, Evidence, Play
from simulation.folding import Folded
from sunglare_protocol.ids import Side, audience_of
from sunglare_protocol.messages import Frame, News
from sunglare_server.match.record import Body, LineChanged, Opened, Owned, WindowDue

LATE_MS = 30_000
"""How much later than it is due a window may close on a server that runs and has a slow disk."""

SHOWN_STEP_MS = 5_000
"""In steps of this the banks of others are shown."""


def wrong_clocks(evidence: Evidence, play: Play, folded: tuple[Folded, ...]) -> Iterator[str]:
    """Find windows that closed at a wrong time, and clocks that were told wrongly."""
    after: list[ClockModel] = []
    for step in folded:
        clock = deepcopy(after[-1]) if after else _begun(play, step)
        if step.before is not None:
            yield from _wrong_close(step, clock)
            clock.take(step.record, step.before, step.after)
        after.append(clock)
    yield from _wrong_restarts(evidence, folded, after)
    yield from _lines_down_early(folded)
    for diary in play.diaries:
        yield from _wrongly_told(diary, folded, after)


def charges(play: Play, folded: tuple[Folded, ...]) -> int:
    """Return how often a window cost a bank something."""
    banks = [step.after.clocks for step in folded]
    pairs = pairwise(banks)
    sides = [diary.side for diary in play.diaries]
    return sum(new[s].bank_ms < old[s].bank_ms for old, new in pairs for s in sides)


def _begun(play: Play, first: Folded) -> ClockModel:
    assert isinstance(first.record.b, Opened)
    options = first.record.b.options
    clock = ClockModel(FIGURES[play.clock], options.allowance_beats)
    clock.begin(tuple(seat.side for seat in first.record.b.seats), first.record.t)
    return clock


def _wrong_close(step: Folded, clock: ClockModel) -> Iterator[str]:
    if not isinstance(step.record.b, WindowDue) or step.before is None:
        return
    due, at_ms = clock.due(step.before), step.record.t
    window = step.before.standing.window
    if clock.still is not None:
        yield f"window {window} closed while the match stood still"
    elif at_ms < due:
        yield f"window {window} closed {due - at_ms} ms before it was due"
    elif at_ms > max(due, step.clocks[0][1]) + LATE_MS:
        yield f"window {window} closed {at_ms - due} ms after it was due"


def _wrong_restarts(
    evidence: Evidence, folded: tuple[Folded, ...], after: list[ClockModel]
) -> Iterator[str]:
    """Find lives of the server that write before `own`, and outages that it does not tell."""
    told = {step.lives for step in folded[:1]}
    for before, step in pairwise(folded):
        body, is_new = step.record.b, step.lives not in told
        if isinstance(body, Owned) and not is_new:
            yield f"record {step.record.n} takes over a match that the server did not leave"
        elif is_new and not isinstance(body, Owned):
            yield f"record {step.record.n} is of a server that has not taken the match over"
        elif _is_untold(body) and _is_owed(evidence, before, step, after):
            yield f"record {step.record.n} does not say that the server was away"
        told.add(step.lives)


def _is_untold(body: Body) -> bool:
    return isinstance(body, Owned) and not body.outage_ms


def _is_owed(evidence: Evidence, before: Folded, step: Folded, after: list[ClockModel]) -> bool:
    """Return whether a window is to be told of: a deadline fell into the outage, or soon after."""
    clock = after[before.record.n - 1]
    if clock.still is not None or before.after.is_over:
        return False
    return clock.due(before.after) <= evidence.lives[step.lives - 1].began_ms + GRACE_MS


def _lines_down_early(folded: tuple[Folded, ...]) -> Iterator[str]:
    for step in folded:
        body, began_ms = step.record.b, step.clocks[0][1]
        is_down = isinstance(body, LineChanged) and not body.up
        if is_down and step.lives > 1 and step.record.t < began_ms + GRACE_MS:
            yield f"a line counts as down {step.record.t - began_ms} ms after a restart"


def _wrongly_told(
    diary: Diary, folded: tuple[Folded, ...], after: list[ClockModel]
) -> Iterator[str]:
    audience = audience_of(diary.side)
    told: Mapping[int, tuple[Folded, ClockModel]] = {
        post.seq: (step, clock)
        for step, clock in zip(folded, after, strict=True)
        for post in step.posts[audience]
    }
    for link in diary.links:
        for number, heard in enumerate(link.heard):
            post = heard.post
            if post.seq in told and not (number == 0 and link.kind is not None):
                yield from _wrong_post(diary, post, *told[post.seq])


def _wrong_post(diary: Diary, post: object, step: Folded, clock: ClockModel) -> Iterator[str]:
    side, state = diary.side, step.after
    if isinstance(post, Frame):
        if post.bank_ms != clock.banks[side]:
            wrong = f"told a bank of {post.bank_ms} ms, not {clock.banks[side]}"
            yield f"{diary.name}: window {post.window}: {wrong}"
        if not state.is_over and state.has_say(side):
            yield from _wrong_deadline(diary, post.closes_ms, clock.opens, step, clock)
        if step.before is not None and state.standing.turn != step.before.standing.turn:
            yield from _wrong_banks(diary, post, clock)
    elif isinstance(post, News) and post.closes_ms is not None and state.has_say(side):
        # News of a window whose frame still waits for its beat is shown after the frame.
        told_ms = max(clock.opens, step.record.t)
        yield from _wrong_deadline(diary, post.closes_ms, told_ms, step, clock)


def _wrong_deadline(
    diary: Diary, closes_ms: int, told_ms: int, step: Folded, clock: ClockModel
) -> Iterator[str]:
    right = clock.opens + clock.stood + clock.allowed(step.after, diary.side) - told_ms
    if closes_ms != right:
        window = step.after.standing.window
        yield f"{diary.name}: window {window}: told that it closes in {closes_ms} ms, not {right}"


def _wrong_banks(diary: Diary, post: Frame, clock: ClockModel) -> Iterator[str]:
    steps: dict[Side, int] = {
        side: -(-bank // SHOWN_STEP_MS) * SHOWN_STEP_MS for side, bank in clock.banks.items()
    }
    if clock.figures.bank and post.banks != steps:
        yield f"{diary.name}: window {post.window}: told banks of {post.banks}, not {steps}"
