"""Frames come on the beat, whatever the work was; one that cannot slips by whole beats."""

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from builders.beats import START_MS, Ear, Hall, rated
from builders.data import SIDES, read, scenario
from builders.feeds import noted_encodings
from builders.matches import TWO, scenario_of
from builders.played import refold
from builders.truths import A, B, ship
from sunglare_protocol.codec import Form
from sunglare_protocol.ids import OMNI, PUBLIC
from sunglare_protocol.messages import Frame, News, Over
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.match.clock.presets import BEAT_MS, PRESETS, RESTART_MS
from sunglare_server.match.data.options import MatchOptions, chosen
from sunglare_server.match.record import ChatSaid, OrdersGiven, Slipped, unpacked
from sunglare_server.match.state import Taken, digest
from sunglare_server.runtime.inbox import Pending
from sunglare_server.runtime.scheduler import LATE_MS

PLOT_MS = 12_000
SENSE_MS = 6_000
OPENS_MS = BEAT_MS
"""When the opening frame of a match is released that was started on the beat."""

CLOSES_MS = OPENS_MS + PLOT_MS
ONE_TURN = scenario_of(ship(A, at=(5, 30)), ship(B, at=(30, 5)), turns=1)


@pytest.fixture(autouse=True)
def _nobody_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the clock its windows alone: no banks, and nobody is missed who gives no orders."""
    bare = replace(PRESETS["blitz"], bank_ms=0, extra_ms=0, counts_misses=False)
    monkeypatch.setitem(PRESETS, "blitz", bare)
    # With the times of a rated clock, for there is no truth feed by those.
    monkeypatch.setitem(PRESETS, "friendly", replace(bare, is_rated=False))


def bodies(blobs: tuple[bytes, ...]) -> list[object]:
    """Return the bodies of records."""
    before = (b"", *blobs)
    return [unpacked(blob, n, before[n - 1]).b for n, blob in enumerate(blobs, 1)]


# On the beat


@pytest.mark.parametrize("allowance", [1, 3, 12])
@pytest.mark.parametrize("work_ms", [0, 1, 120, 249])
async def test_frames_come_at_the_allowance_after_the_close_whatever_the_work_was(
    allowance: int, work_ms: int
) -> None:
    hall = await Hall.opened(rated(allowance), audiences=(PUBLIC,))
    hall.journal.takes_ms = work_ms
    await hall.clock.run_for(40_000)
    opens_ms = allowance * BEAT_MS
    shown_ms = opens_ms + PLOT_MS + allowance * BEAT_MS
    for subscriber in hall.ears.values():
        assert subscriber.times(Frame)[:2] == [opens_ms, shown_ms]
    assert (
        hall.runner.slips
        == hall.scheduler.release_lag.slips
        == hall.scheduler.release_lag.latest_ms
        == 0
    )


async def test_all_audiences_get_one_frame_for_each_window_on_the_same_beat() -> None:
    hall = await Hall.opened(
        rated(clock="friendly", truth_feed="yes", omni_delay_turns=0), audiences=(PUBLIC, OMNI)
    )
    await hall.clock.run_for(80_000)
    times = {audience: subscriber.times(Frame) for audience, subscriber in hall.ears.items()}
    windows = {(frame.turn, frame.window) for frame in _frames(hall.subscriber(A))}
    assert len(set(map(tuple, times.values()))) == 1
    assert len(windows) == len(times[PUBLIC]) > 5
    assert all(time % BEAT_MS == 0 for time in times[PUBLIC])


def _frames(subscriber: Ear) -> list[Frame]:
    return [came.message for came in subscriber.came if isinstance(came.message, Frame)]


async def test_the_last_frame_and_the_end_come_on_the_beat_as_well() -> None:
    hall = await Hall.opened(rated(3), ONE_TURN, audiences=(PUBLIC, OMNI))
    await hall.clock.run_for(60_000)
    assert hall.runner.over.is_set()
    ends = {audience: subscriber.times(Over) for audience, subscriber in hall.ears.items()}
    last = {audience: subscriber.times(Frame)[-1:] for audience, subscriber in hall.ears.items()}
    assert ends == last
    assert ends[PUBLIC][0] % BEAT_MS == 0


async def test_nobody_finds_out_that_a_match_is_over_before_all_are_told() -> None:
    hall = await Hall.opened(rated(4), ONE_TURN)
    await hall.clock.run_for(60_000)
    (over_ms,) = hall.subscriber(A).times(Over)
    again = Hall()
    await again.open(rated(4), ONE_TURN)
    await again.clock.run_for(over_ms - 2 * BEAT_MS)
    again.command(A, ChatSaid(text="is it over?"))
    await again.clock.run_for(2 * BEAT_MS - 1)
    assert again.runner.state.is_over
    assert not again.runner.is_told_over
    assert not again.runner.over.is_set()
    assert again.answers == []
    await again.clock.run_for(1)
    assert again.answers == [(over_ms, Rejected(code=Code.MATCH_OVER))]
    assert again.runner.over.is_set()


@pytest.mark.parametrize("id_", [1, 2])
async def test_a_command_repeated_before_the_end_is_shown_gets_its_first_answer(id_: int) -> None:
    hall = await Hall.opened(rated(4), ONE_TURN)
    for text in ("one", "two"):
        hall.command(A, ChatSaid(text=text))
    await hall.clock.run_for(4 * BEAT_MS)
    first = [given for _, given in hall.answers]
    while not hall.runner.state.is_over:
        await hall.clock.run_for(BEAT_MS)
    assert not hall.runner.is_told_over
    again: list[Taken | Rejected] = []
    hall.runner.command(Pending(A, id_, ChatSaid(text="again"), again.append))
    await hall.clock.run_for(5 * BEAT_MS)
    assert again == [first[id_ - 1]] == [Taken(id=id_)]


@pytest.mark.parametrize("form", list(Form), ids=["packed", "json", "compact"])
async def test_the_bytes_of_a_frame_are_made_before_its_beat(
    form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall, made_ms = Hall(PUBLIC, form=form), list[int]()

    def note(_: object, used: Form) -> None:
        if used is form:
            made_ms.append(hall.clock.now_ms() - START_MS)

    noted_encodings(monkeypatch, note)
    await hall.open(rated())
    await hall.clock.run_for(40_000)
    shown = [shown_ms for subscriber in hall.ears.values() for shown_ms in subscriber.times(Frame)]
    assert len(shown) > len(hall.ears)
    assert made_ms == [shown_ms - BEAT_MS for shown_ms in sorted(shown)]


async def test_a_delayed_truth_feed_goes_on_with_the_beat_that_shows_the_movement() -> None:
    hall = await Hall.opened(
        rated(clock="friendly", truth_feed="yes", omni_delay_turns=1), audiences=(OMNI,)
    )
    hall.journal.takes_ms = 100
    await hall.clock.run_for(80_000)
    truth = hall.ears[OMNI].times(Frame)
    shown = zip(hall.subscriber(A).times(Frame), _frames(hall.subscriber(A)), strict=True)
    moved = [at_ms for at_ms, frame in shown if frame.window.endswith(".scan.1")]
    assert sorted(set(truth)) == moved[1:]


@pytest.mark.parametrize("work_ms", [0, 3, 200])
async def test_a_command_between_a_close_and_its_frame_is_answered_after_the_frame(
    work_ms: int,
) -> None:
    hall = await Hall.opened(rated())
    await hall.clock.run_for(CLOSES_MS - 1)
    window = hall.runner.state.standing.window
    hall.journal.takes_ms = work_ms
    await hall.clock.run_for(2)
    hall.command(A, OrdersGiven(window=window, rev=1, orders=(), lock=True))
    await hall.clock.run_for(BEAT_MS - 2)
    assert hall.answers == []
    await hall.clock.run_for(1_000)
    refusal = Rejected(code=Code.WINDOW_CLOSED, at="$.window")
    assert hall.answers == [(CLOSES_MS + BEAT_MS, refusal)]


async def test_a_command_that_comes_with_the_close_is_answered_after_the_frame() -> None:
    hall = await Hall.opened(rated())
    await hall.clock.run_for(CLOSES_MS - 1)
    window = hall.runner.state.standing.window
    hall.journal.takes_ms = 100
    hall.clock.advance(1)
    hall.command(A, OrdersGiven(window=window, rev=1, orders=(), lock=True))
    await hall.clock.run_for(1_000)
    assert hall.runner.state.standing.window != window
    taken = Taken(1, window, 1)
    assert hall.answers == [(CLOSES_MS + BEAT_MS, taken)]


async def test_what_is_said_between_a_close_and_its_frame_follows_the_frame() -> None:
    hall = await Hall.opened(rated(2), TWO)
    await hall.clock.run_for(2 * BEAT_MS + PLOT_MS + 10)
    hall.command(B, ChatSaid(text="now"))
    await hall.clock.run_for(1_000)
    kinds = [type(came.message) for came in hall.subscriber(A).came]
    assert kinds == [Frame, Frame, News]
    assert hall.subscriber(A).times(News) == hall.subscriber(A).times(Frame)[1:]


async def test_without_a_beat_frames_come_at_once() -> None:
    hall = await Hall.opened(rated(clock="demo"))
    await hall.clock.run_for(4_000)
    assert hall.subscriber(A).times(Frame) == [0, 1_000, 2_000, 3_000, 4_000]
    assert hall.scheduler.release_lag.releases == 0


# The allowance


def test_a_scenario_file_sets_the_allowance() -> None:
    data = read(scenario("options = { allowance_beats = 4 }", SIDES))
    found = chosen(data.data.options, {})
    assert isinstance(found, MatchOptions)
    assert found.allowance_beats == 4
    assert MatchOptions().allowance_beats == 1


@pytest.mark.parametrize("value", [0, -1, 13, "2", True])
def test_an_impossible_allowance_is_refused(value: int | str) -> None:
    found = chosen({}, {"allowance_beats": value})
    assert isinstance(found, Rejected)
    assert found.at == "$.options.allowance_beats"
    assert "1 ... 12" in found.text


# Slips


@pytest.mark.parametrize(("work_ms", "slip"), [(250, 0), (251, 1), (499, 1), (501, 2), (1_100, 4)])
async def test_frames_that_are_not_ready_on_their_beat_slip_by_whole_beats(
    work_ms: int, slip: int
) -> None:
    hall = await Hall.opened(rated(), audiences=(PUBLIC,))
    await hall.clock.run_for(PLOT_MS)
    hall.journal.takes_ms = work_ms
    await hall.clock.run_for(5_000)
    for subscriber in hall.ears.values():
        assert subscriber.times(Frame) == [OPENS_MS, CLOSES_MS + BEAT_MS + slip * BEAT_MS]
    assert hall.runner.slips == hall.scheduler.release_lag.slips == bool(slip)


async def test_a_longer_allowance_covers_longer_work() -> None:
    hall = await Hall.opened(rated(5))
    hall.journal.takes_ms = 1_100
    await hall.clock.run_for(20_000)
    assert hall.runner.slips == 0


async def test_a_window_whose_opening_slipped_has_its_whole_time() -> None:
    hall = await Hall.opened(rated())
    await hall.clock.run_for(PLOT_MS)
    hall.journal.takes_ms = 300
    await hall.clock.run_for(1_000)
    hall.journal.takes_ms = 0
    slipped_ms = CLOSES_MS + 2 * BEAT_MS
    await hall.clock.run_for(20_000)
    assert hall.subscriber(A).times(Frame)[1:3] == [slipped_ms, slipped_ms + SENSE_MS + BEAT_MS]
    assert _frames(hall.subscriber(A))[1].closes_ms == SENSE_MS


async def test_a_slip_is_recorded_and_the_record_folds_to_the_same_state() -> None:
    hall = await Hall.opened(rated(), ONE_TURN)
    await hall.clock.run_for(PLOT_MS)
    hall.journal.takes_ms = 300
    await hall.clock.run_for(60_000)
    blobs = await hall.runner.archiving.records()
    slips = [body for body in bodies(blobs) if isinstance(body, Slipped)]
    assert slips
    assert {slip.by_ms for slip in slips} == {BEAT_MS}
    folded = refold(list(blobs), hall.ears)
    assert folded.digest == digest(hall.runner.state)


async def test_a_slip_changes_no_byte_that_a_player_gets() -> None:
    halls = Hall(PUBLIC), Hall(PUBLIC)
    for hall, work_ms in zip(halls, (0, 300), strict=True):
        await hall.open(rated(), ONE_TURN)
        hall.journal.takes_ms = work_ms
        await hall.clock.run_for(60_000)
    quick, slow = halls
    assert (quick.runner.slips, slow.runner.slips > 0) == (0, True)
    for audience, subscriber in quick.ears.items():
        frames = [came.data for came in subscriber.came if isinstance(came.message, Frame)]
        late = [came.data for came in slow.ears[audience].came if isinstance(came.message, Frame)]
        assert frames == late


async def test_the_count_of_slips_stands_in_the_log_and_nowhere_else() -> None:
    hall = Hall()
    with capture_logs() as lines:
        await hall.open(rated(), ONE_TURN)
        hall.journal.takes_ms = 300
        await hall.clock.run_for(60_000)
    assert hall.runner.slips > 1
    told = [line for line in lines if line["event"] == "release_slipped"]
    over = [line for line in lines if line["event"] == "match_over"]
    assert [line["by_ms"] for line in told] == [BEAT_MS]
    assert [line["slips"] for line in over] == [hall.runner.slips]
    assert {type(came.message) for came in hall.subscriber(A).came} == {Frame, Over}


# A loop that comes late


@pytest.mark.parametrize(
    ("late_ms", "shown_ms"),
    [(0, 0), (LATE_MS, LATE_MS), (LATE_MS + 1, BEAT_MS), (BEAT_MS + 1, 2 * BEAT_MS)],
)
async def test_frames_that_the_loop_reaches_too_late_wait_for_the_next_beat(
    late_ms: int, shown_ms: int
) -> None:
    hall = await Hall.opened(rated())
    await hall.clock.run_for(CLOSES_MS + BEAT_MS - 1)
    hall.clock.advance(1 + late_ms)
    await hall.clock.run_for(1_000)
    assert hall.subscriber(A).times(Frame) == [OPENS_MS, CLOSES_MS + BEAT_MS + shown_ms]
    assert hall.runner.slips == (late_ms > LATE_MS)


async def test_a_loop_that_is_always_late_lets_frames_slip_once_only() -> None:
    hall = await Hall.opened(rated())
    await hall.clock.run_for(CLOSES_MS + BEAT_MS - 1)
    hall.clock.advance(1 + 100)
    await hall.clock.run_for(149)
    hall.clock.advance(101)
    await hall.clock.run_for(0)
    assert hall.subscriber(A).times(Frame) == [OPENS_MS, CLOSES_MS + 2 * BEAT_MS + 100]
    assert (hall.runner.slips, hall.scheduler.release_lag.latest_ms) == (1, 100)


async def test_a_window_that_nobody_was_shown_does_not_close() -> None:
    hall = await Hall.opened(rated())
    await hall.clock.run_for(CLOSES_MS + 10)
    hall.clock.advance(10 * SENSE_MS)
    await hall.clock.run_for(BEAT_MS)
    first_ms = hall.subscriber(A).times(Frame)[1]
    assert first_ms > CLOSES_MS + 10 * SENSE_MS
    await hall.clock.run_for(SENSE_MS + BEAT_MS)
    assert hall.subscriber(A).times(Frame)[2] == first_ms + SENSE_MS + BEAT_MS


# Restarts


async def test_a_restart_between_a_close_and_its_frame_keeps_the_beat() -> None:
    hall = await Hall.opened(rated(3))
    closes_ms = 3 * BEAT_MS + PLOT_MS
    await hall.clock.run_for(closes_ms + 10)
    assert hall.subscriber(A).times(Frame) == [3 * BEAT_MS]
    await hall.restart()
    await hall.clock.run_for(3 * BEAT_MS)
    assert hall.subscriber(A).times(Frame)[-1] == closes_ms + 3 * BEAT_MS
    await hall.clock.run_for(SENSE_MS + 3 * BEAT_MS)
    # It was away for no time, which counts as some: it ends a beat later.
    await hall.clock.run_for(RESTART_MS + BEAT_MS)
    assert hall.subscriber(A).times(Frame)[-1] == closes_ms + RESTART_MS + SENSE_MS + 7 * BEAT_MS


async def test_a_restart_before_the_last_frame_is_out_loses_nothing() -> None:
    hall = await Hall.opened(rated(12), ONE_TURN)
    while not hall.runner.state.is_over:
        await hall.clock.run_for(BEAT_MS)
    assert hall.subscriber(A).times(Over) == []
    await hall.restart()
    await hall.clock.run_for(12 * BEAT_MS)
    assert hall.runner.over.is_set()
    assert len(hall.subscriber(A).times(Over)) == 1
    assert await hall.journal.matches() == ()
