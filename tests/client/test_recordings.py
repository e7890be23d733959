"""A replay as it is shown: its windows, eyes and moments, up to where it can be read."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.replays import handmade, packed, values_of
from builders.terminals import KITE, frame, over, ship, view
from page.files import match_file
from sunglare_client.replays.moments import moments_of, next_moment
from sunglare_client.replays.recording import NONSENSE, read_recording, sensible
from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.messages import Frame, Over, ServerMessage
from sunglare_protocol.replay.values import CUT, ReplayError

Sent = dict[str, Any]

NAME = "shadow-of-ceres"


def sent(message: ServerMessage, **changes: object) -> Sent:
    """Return a message as it is read from a file, with some fields changed."""
    (plain,) = values_of(encode_server(message, Form.PACKED))
    return {**plain, **changes}


def file_of(*messages: tuple[str, Sent]) -> bytes:
    """Return a record file with these messages, and nothing that the rules would need."""
    header = {"format": "sunglare-record", "version": 4, "match": "a" * 26, "records": 0}
    return packed(header, None, b"") + handmade(*map(list, messages))


def test_a_record_has_the_truth_first_then_the_sides_then_the_public() -> None:
    recording = read_recording(match_file(NAME))
    assert recording.eyes == ("omni", "A", "B", "public")
    assert recording.title == "shadow of ceres"
    assert recording.fault == ""
    assert isinstance(recording.end(), Over)


def test_the_windows_stand_in_the_order_in_which_they_were_played() -> None:
    recording = read_recording(match_file(NAME))
    shown = [recording.frame("A", at) for at in range(len(recording.steps))]
    numbers = [one.seq for one in shown if one is not None]
    assert numbers == sorted(numbers)
    assert [step.turn for step in recording.steps] == sorted(step.turn for step in recording.steps)


def test_every_audience_is_shown_what_it_was_sent() -> None:
    recording = read_recording(match_file(NAME))
    for eyes in recording.eyes:
        shown = recording.frame(eyes, 3)
        assert shown is not None
        assert getattr(shown.view, "audience", "omni") == eyes


def _shown_from(data: bytes) -> int:
    """Return how many bytes of a file show something: some messages are among them."""
    return data.index(b"sunglare-layers") + 20_000


@given(st.data())
def test_a_file_that_was_cut_is_shown_up_to_its_last_whole_frame(data: st.DataObject) -> None:
    whole = match_file(NAME)
    cut = data.draw(st.integers(_shown_from(whole), len(whole) - 1))
    left = read_recording(whole[:cut])
    assert left.fault == CUT
    for step, full in zip(left.steps, read_recording(whole).steps, strict=False):
        assert step.window == full.window
        assert all(full.frames[eyes] == told for eyes, told in step.frames.items())


@given(st.binary(max_size=200))
def test_bytes_that_are_no_replay_are_told_in_one_sentence(data: bytes) -> None:
    with pytest.raises(ReplayError, match=r"^[A-Z].*\.$"):
        read_recording(data)


def test_a_file_in_which_nothing_was_sent_has_nothing_to_show() -> None:
    with pytest.raises(ReplayError, match="nothing in this file"):
        read_recording(file_of())


def test_a_layer_that_this_program_does_not_know_is_passed_over() -> None:
    made = file_of(("analysis", {"t": "best", "turn": 1}), ("A", sent(frame(1, view()))))
    assert read_recording(made).eyes == ("A",)


HOSTILE: dict[str, Callable[[Sent], object]] = {
    "no view": lambda sent: sent.pop("view"),
    "a view of nothing": lambda sent: sent.update(view={"t": "side"}),
    "a board as large as the sea": lambda sent: sent["view"]["board"].update(columns=10**9),
    "a board of no box": lambda sent: sent["view"]["board"].update(rows=0),
    "a surface as large as the sea": lambda sent: sent["view"]["board"]["planets"][0]["environs"][
        0
    ].update(width=10**9),
    "a word for a number": lambda sent: sent.update(seq="one"),
    "another kind of message": lambda sent: sent.update(t="frame", notices=[{"t": "nobody"}]),
}


@pytest.mark.parametrize("change", HOSTILE.values(), ids=HOSTILE)
def test_a_message_that_makes_no_sense_is_told_in_one_sentence_when_it_is_shown(
    change: Callable[[Sent], object],
) -> None:
    good, bad = sent(frame(1, view())), sent(frame(2, view(turn=5)))
    change(bad)
    recording = read_recording(file_of(("A", good), ("A", bad)))
    assert isinstance(recording.frame("A", 0), Frame)
    with pytest.raises(ReplayError, match=NONSENSE):
        recording.frame("A", 1)


def test_what_cannot_be_drawn_is_told_in_the_same_sentence() -> None:
    with pytest.raises(ReplayError, match=NONSENSE), sensible():
        raise IndexError


def test_labels_are_those_that_the_eyes_were_told() -> None:
    recording = read_recording(file_of(("A", sent(frame(1, view()))), ("A", sent(over(2)))))
    assert recording.labels("A").in_words("kq7xab fires") == "C3 fires"
    assert recording.labels("B").in_words("kq7xab fires") == "kq7xab fires"


def test_a_turn_is_found_by_the_window_that_opens_it() -> None:
    recording = read_recording(match_file(NAME))
    index = recording.index_of_turn(2)
    assert index is not None
    assert recording.steps[index].window == "2.plot"
    assert recording.index_of_turn(99) is None


def test_one_goes_from_moment_to_moment_and_not_beyond_the_last() -> None:
    moments = moments_of(read_recording(match_file(NAME)))
    assert len(moments) > 1
    assert next_moment(moments, -1, 1) == moments[0]
    assert next_moment(moments, moments[0].at, 1) == moments[1]
    assert next_moment(moments, moments[1].at, -1) == moments[0]
    assert next_moment(moments, moments[-1].at, 1) is None


def test_fire_that_harms_several_pieces_is_a_moment_of_damage() -> None:
    fire = {"t": "bombardment", "harmed": ["T1", "T2"]}
    for damage, kinds in (([0, 2], [("damage",)]), ([4, 1], [("damage",)]), ([0, 0], [])):
        shown = sent(frame(1, view(own=(ship(KITE),))), notices=[{**fire, "damage": damage}])
        found = moments_of(read_recording(file_of(("A", shown))))
        assert [moment.kinds for moment in found] == kinds


def test_moments_are_found_in_whatever_a_file_holds() -> None:
    odd = [7, {"t": []}, {"damage": "much"}, {"damage": [{}]}]
    bad = sent(frame(1, view(own=(ship(KITE),))), notices=odd)
    assert moments_of(read_recording(file_of(("A", bad)))) == ()
