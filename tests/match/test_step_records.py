"""Replay, the chain of records, and what always holds in whole matches."""

from functools import cache

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.matches import (
    S1,
    TEST,
    TWO,
    Course,
    crowd,
    first,
    opened,
    options,
    play,
    scenario_of,
)
from builders.truths import A1, CRUISER, FRIGATE, A, B, beam, only, ship
from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.ids import PUBLIC, Audience, audience_of
from sunglare_protocol.messages import Frame
from sunglare_protocol.notices import ContactDestroyed, OwnDestroyed, ScanResult, ShotResult
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_server.match.apply.space import apply
from sunglare_server.match.events.space import PointsScored, ShipDestroyed
from sunglare_server.match.record import (
    RECORD_VERSION,
    RULES_VERSION,
    RecordError,
    chain,
    unpacked,
)
from sunglare_server.match.state import MatchState, digest
from sunglare_server.match.step import step

# Replay and the chain of records.


def test_a_match_is_a_fold_of_its_records() -> None:
    course = play(Course(crowd(3, 2)), 11, 12)
    state: MatchState | None = None
    for record in course.records:
        state = step(state, record).state
    assert state == course.state
    assert digest(course.state) == digest(step_all(course))


def step_all(course: Course) -> MatchState:
    state: MatchState | None = None
    before = b""
    for number, data in enumerate(course.journal, 1):
        state = step(state, unpacked(data, number, before)).state
        before = data
    if state is None:
        raise ValueError("no records")
    return state


def test_the_stored_records_fold_to_the_same_state() -> None:
    course = play(Course(crowd(2, 3)), 12, 14)
    assert step_all(course) == course.state


def test_events_alone_change_the_truth() -> None:
    course = play(Course(crowd(4, 2)), 13, 20)
    truth = course.steps[0].state.truth
    for stepped in course.steps[1:]:
        for event in stepped.events:
            truth = apply(truth, event)
        assert truth == stepped.state.truth


def test_two_matches_with_other_seeds_do_not_have_the_same_digest() -> None:
    one, two = Course(TWO), Course(TWO, seed=bytes(32))
    assert digest(one.state) == digest(Course(TWO).state)
    assert digest(one.state) != digest(two.state)


def stored() -> list[bytes]:
    course = Course(TWO)
    course.orders(A, "thrust S1 N")
    course.close()
    return course.journal


def test_a_record_comes_back_as_it_was_stored() -> None:
    course = play(Course(crowd(2, 3)), 2, 8)
    before = b""
    for number, (data, record) in enumerate(zip(course.journal, course.records, strict=True), 1):
        assert unpacked(data, number, before) == record
        before = data


def test_a_record_out_of_place_is_refused() -> None:
    one, two, three = stored()
    with pytest.raises(RecordError, match="record 3"):
        unpacked(two, 3, one)
    with pytest.raises(RecordError, match="follow"):
        unpacked(three, 3, one)
    with pytest.raises(RecordError, match="follow"):
        unpacked(two, 2, b"")
    assert unpacked(three, 3, two).n == 3


STORED = stored()


@given(st.integers(0, len(STORED[1]) - 1), st.integers(1, 255))
@example(20, 255)
def test_a_damaged_record_or_the_one_after_it_is_refused(at: int, change: int) -> None:
    one, two, three = STORED
    broken = bytearray(two)
    broken[at] ^= change
    refused = 0
    for number, data, before in ((2, bytes(broken), one), (3, three, bytes(broken))):
        try:
            unpacked(data, number, before)
        except RecordError:
            refused += 1
    # If the damage leaves a record, the next one no longer follows from it.
    assert refused >= 1


@given(st.binary(max_size=300))
@example(b"")
@example(b"\x80")
@example(b"\xc1")
@example(b"\x91" * 100_000)
@example(b"\xdd\xff\xff\xff\xff")
def test_bytes_that_are_no_record_are_refused(data: bytes) -> None:
    with pytest.raises(RecordError):
        unpacked(data, 1, b"")


def test_a_record_of_another_format_or_other_rules_is_refused() -> None:
    assert unpacked(first(), 1, b"").n == 1
    with pytest.raises(RecordError, match="format"):
        unpacked(first(v=RECORD_VERSION + 1), 1, b"")
    other = replace(opened(TWO, TEST), rules=RULES_VERSION + 1)
    with pytest.raises(RecordError, match="rules"):
        unpacked(first(b=other), 1, b"")


def test_a_record_of_an_unknown_kind_is_refused() -> None:
    raw = msgspec.msgpack.decode(first())
    raw["b"] = {"t": "teleport"}
    with pytest.raises(RecordError):
        unpacked(msgspec.msgpack.encode(raw), 1, b"")


def test_the_chain_is_over_the_stored_bytes() -> None:
    one, two, _ = stored()
    assert unpacked(two, 2, one).p == chain(one)
    assert len(chain(one)) == 16
    assert chain(one) != chain(two)


# What always holds, in matches of random legal orders.

RANDOM = pytest.mark.parametrize(
    "course",
    [
        (2, 3, "sequential", 21),
        (2, 3, "sealed", 22),
        (3, 2, "sequential", 23),
        (3, 2, "sealed", 24),
        (4, 2, "sequential", 25),
        (4, 2, "sealed", 26),
    ],
    indirect=True,
    ids=lambda match: "-".join(map(str, match)),
)


@pytest.fixture
def course(request: pytest.FixtureRequest) -> Course:
    """Return a match of random orders that is over."""
    return played(*request.param)


@cache
def played(sides: int, ships: int, slots: str, seed: int) -> Course:
    chosen = options(scan_slots=slots)
    course = play(Course(crowd(sides, ships), chosen, seed=bytes([seed]) * 32), seed, 80)
    while not course.state.is_over:
        course.close()
    return course


@RANDOM
def test_a_side_holds_in_its_intel_what_it_holds_in_truth(course: Course) -> None:
    for stepped in course.steps:
        truth = stepped.state.truth
        for side in truth.sides:
            held = stepped.state.intel[audience_of(side)].held
            fixes = {piece: hold.fix for piece, hold in truth.holds[side].items()}
            assert {piece: one.fix for piece, one in held.items()} == fixes


@RANDOM
def test_a_live_track_shows_where_the_ship_is_and_how_it_moves(course: Course) -> None:
    seen = 0
    for stepped in course.steps:
        truth = stepped.state.truth
        for side in truth.sides:
            for piece, held in stepped.state.intel[audience_of(side)].held.items():
                one = truth.ships[piece]
                if held.fix is Fix.TRACKED:
                    seen += 1
                    shown = (held.square, held.vector, held.facing, held.size)
                    assert shown == (one.square, one.vector, one.facing, one.echo)
                elif held.fix is Fix.CONTACT:
                    assert held.square == one.square
    assert seen


@RANDOM
def test_an_owner_knows_which_of_its_ships_are_held_but_not_that_a_track_coasts(
    course: Course,
) -> None:
    for stepped in course.steps:
        truth = stepped.state.truth
        for one in truth.in_play():
            known = stepped.state.intel[audience_of(one.side)].exposed.get(one.own, {})
            held = {
                side: Fix.CONTACT if hold.fix is Fix.CONTACT else Fix.TRACKED
                for side in truth.others(one.side)
                if (hold := truth.holds[side].get(one.id)) is not None
            }
            assert known == held


@RANDOM
def test_no_viewer_is_given_a_handle_or_a_label_twice(course: Course) -> None:
    for audience in course.state.intel:
        by_handle: dict[str, set[str]] = {}
        for stepped in course.steps:
            for held in stepped.state.intel[audience].held.values():
                by_handle.setdefault(held.handle, set()).add(held.label)
        labels = [label for labels in by_handle.values() for label in labels]
        assert len(set(labels)) == len(labels) == len(by_handle)


@RANDOM
def test_every_match_ends_and_its_points_are_those_of_its_events(course: Course) -> None:
    assert course.state.result is not None
    scored = dict.fromkeys(course.state.standing.sides, 0)
    for stepped in course.steps:
        for event in only(stepped.events, PointsScored):
            scored[event.side] += event.points
    assert course.state.result.points == scored


@pytest.mark.parametrize(
    ("clock", "pad", "is_padded"),
    [
        ("friendly", "auto", True),
        ("test", "auto", False),
        ("friendly", "no", False),
        ("test", "yes", True),
    ],
)
def test_frames_are_padded_in_rated_matches_or_as_the_option_says(
    clock: str, pad: str, is_padded: bool
) -> None:
    course = play(Course(crowd(2, 3), options(clock=clock, pad_frames=pad)), 1, 6)
    for sent in course.sent.values():
        frames = [post for post in sent if isinstance(post, Frame)]
        lengths = [len(encode_server(frame, Form.PACKED)) for frame in frames]
        # A frame that fills its step by itself has an empty pad.
        assert any(frame.pad for frame in frames) is is_padded
        assert not is_padded or all(length % 256 == 0 for length in lengths)


# A whole fight, through records and views.


def fight() -> Course:
    """Return a match after ENGAGE of turn 1, in which B fires on a ship known by its radar."""
    weak = replace(FRIGATE, hull=1, name="tug")
    guns = tuple(beam(f"B{number}", 3) for number in range(1, 9))
    armed = replace(CRUISER, weapons=guns)
    hunted = replace(ship(A, at=(10, 10), kind=weak), popped_out=True)
    hunter = ship(B, at=(10, 14), kind=armed)
    course = Course(scenario_of(hunted, ship(A, 2, (30, 30)), hunter))
    course.close_until(Phase.SCAN, A)
    course.orders(A, "scan S1 radar 1box H8 nosense")
    course.close_until(Phase.ENGAGE)
    [seen] = course.view(B).contacts
    assert seen.handle is not None
    assert (seen.fix, seen.square, seen.signatures) == (Fix.CONTACT, (10, 10), ("radar",))
    course.orders(B, *(f"fire S1.{gun.id} {seen.handle}" for gun in guns))
    return course


def test_a_ship_that_its_radar_gave_away_is_fired_on_and_destroyed() -> None:
    course = fight()
    events = course.close().events
    assert [event.killers for event in only(events, ShipDestroyed)] == [(B,)]
    assert course.state.truth.ships[A1].fate is Fate.DESTROYED
    assert course.state.truth.points == {A: 0, B: 4}
    told = {
        audience: {type(notice) for notice in course.state.intel[Audience(audience)].told}
        for audience in (A, B, PUBLIC)
    }
    assert OwnDestroyed in told[A]
    assert {ShotResult, ContactDestroyed} <= told[B]
    assert ShotResult not in told[A] | told[PUBLIC]
    assert course.view(B).points == 4
    assert course.view(A).own[0].fate is Fate.DESTROYED
    assert [contact.fate for contact in course.view(B).contacts] == [Fate.DESTROYED]


def test_a_scan_has_one_result_in_the_frame_of_its_slot_and_nobody_elses() -> None:
    course = Course(TWO)
    course.close_until(Phase.SCAN, A)
    course.orders(A, "scan S1 mass 1box H8 nosense")
    course.close()
    for audience, intel in course.state.intel.items():
        results = [ScanResult(ship=S1)] if audience == audience_of(A) else []
        assert only(intel.told, ScanResult) == results


def test_notices_are_those_of_the_window_that_closed() -> None:
    course = fight()
    course.close()
    assert course.state.intel[Audience("B")].told
    course.close()
    assert course.state.intel[Audience("B")].told == ()


def test_a_view_shows_what_its_side_knows_and_no_more() -> None:
    course = fight()
    for audience in (PUBLIC, "A", "B"):
        seen = course.view(audience)
        assert [own.id for own in seen.own] == {"A": ["S1", "S2"], "B": ["S1"]}.get(audience, [])
