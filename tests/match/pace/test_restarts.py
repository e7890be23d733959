"""Restarts at any time: no deadline comes before a seat's due, and thought is charged once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.absences import course_of
from builders.truths import A, B
from sunglare_server.match.clock.presets import BEAT_MS, PRESETS, RESTART_MS
from sunglare_server.match.record import Kind, Owned, Restarted

BASE_MS, EXTRA_MS = PRESETS["blitz"].plot_ms, PRESETS["blitz"].extra_ms
WHOLE_MS = BASE_MS + EXTRA_MS

MOMENTS = st.lists(
    st.tuples(st.integers(0, 9_000), st.integers(1, 10_000_000)), min_size=1, max_size=6
)
"""Restarts: how long the server lives before each, and how long it is away."""


@pytest.mark.parametrize(
    ("kind", "told"), [(Kind.OWN, Owned), (Kind.TICK, Restarted)], ids=["own", "without epochs"]
)
@given(MOMENTS, st.integers(0, 9_000), st.integers(0, 5))
def test_each_restart_puts_the_deadline_off_by_its_outage_and_20_s_and_charges_nothing(
    kind: Kind,
    told: type[Owned | Restarted],
    restarts: list[tuple[int, int]],
    last_ms: int,
    locks_after: int,
) -> None:
    course = course_of("blitz")
    opened_ms = course.state.opened_ms
    course.now = opened_ms
    thought_ms, frozen_ms, put_off_ms = 0, 0, 0
    locked_ms: int | None = None
    for index, (lives_ms, outage_ms) in enumerate([*restarts, (last_ms, None)]):
        lives_ms = min(lives_ms, frozen_ms + WHOLE_MS - thought_ms)
        course.now += lives_ms
        ran_ms = max(0, lives_ms - frozen_ms)
        thought_ms, frozen_ms = thought_ms + ran_ms, max(0, frozen_ms - lives_ms)
        assert course.state.elapsed_ms(course.now) == thought_ms
        if index == locks_after:
            course.orders(A)
            locked_ms = thought_ms
        if outage_ms is not None:
            course.now += outage_ms
            course.put(told(outage_ms=outage_ms), kind=kind)
            put_off_ms += outage_ms + RESTART_MS
            frozen_ms += RESTART_MS
        # The other seat never locks: its deadline is the window's, on the beat.
        assert 0 <= course.due_ms - (opened_ms + WHOLE_MS + put_off_ms) < BEAT_MS
        assert course.state.closes_ms == opened_ms + WHOLE_MS + put_off_ms
    course.now = course.due_ms
    course.close()
    used_ms = {A: WHOLE_MS if locked_ms is None else locked_ms, B: WHOLE_MS}
    for side, clock in course.state.clocks.items():
        assert clock.bank_ms == 60_000 - max(0, used_ms[side] - BASE_MS)
