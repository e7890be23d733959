"""What was sent, as a record file has it, must be what the records and the chains make."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import pytest

from builders.records import read_record
from builders.replays import FIRST, handmade, nested, packed
from builders.truths import MATCH
from builders.verified import A, B, brief
from sunglare_arena.matchfile import DifferenceError, UnfitError, read_file, with_trailer
from sunglare_arena.unfolded import NotFoldedError
from sunglare_arena.verify import verified
from sunglare_protocol.ids import OMNI, PUBLIC
from sunglare_protocol.replay.analysis import ANALYSIS
from sunglare_protocol.replay.layers import Layers, Message, read_layers, written

Change = Callable[[list[Message]], None]
"""Changes the messages of all layers in place."""

AUDIENCES = (A, B, str(PUBLIC), str(OMNI))


def own_rules() -> bytes:
    """Return a match that this program can fold."""
    return brief().data


@cache
def other_rules() -> bytes:
    """Return a match of rules that nobody knows here."""

    def older(record: dict[str, Any]) -> None:
        if record["n"] == 1:
            record["b"]["rules"] = 99

    def header(told: dict[str, Any]) -> None:
        told["rules"] = 99

    return brief().forged(header=header, record=older)


FOLDED_OR_NOT = pytest.mark.parametrize("whole", [own_rules, other_rules])


def relayered(data: bytes, change: Change) -> bytes:
    """Return a file with other messages, written as a server would write them."""
    file = read_record(data)
    layers = read_layers(file.layers)
    messages = [*layers.messages]
    change(messages)
    changed = Layers(tuple(messages), layers.names, "")
    return data[: -len(file.layers)] + written(changed)


def found(data: bytes) -> DifferenceError:
    """Return the difference that is found."""
    with pytest.raises(DifferenceError) as caught:
        verified(data)
    return caught.value


def numbered(messages: Sequence[Message], layer: str, kind: str) -> list[int]:
    """Return where messages of a kind stand."""
    return [
        place
        for place, message in enumerate(messages)
        if message.layer == layer and message.sent["t"] == kind
    ]


def altered(layer: str, kind: str, number: int, **fields: object) -> Change:
    """Return what changes fields of a message."""

    def change(messages: list[Message]) -> None:
        place = numbered(messages, layer, kind)[number]
        messages[place] = Message(layer, messages[place].sent | fields)

    return change


def without(layer: str, kind: str, number: int) -> Change:
    """Return what leaves a message out."""

    def change(messages: list[Message]) -> None:
        del messages[numbered(messages, layer, kind)[number]]

    return change


@FOLDED_OR_NOT
@pytest.mark.parametrize("layer", AUDIENCES)
def test_a_changed_frame_is_named(whole: Callable[[], bytes], layer: str) -> None:
    data = whole()
    seq, window, _ = read_record(data).trailer["chains"][layer][6]
    change = altered(layer, "frame", 6, bank_ms=1)
    difference = found(relayered(data, change))
    assert difference.where == f"frame {seq} of {layer} (window {window})"


@FOLDED_OR_NOT
@pytest.mark.parametrize(("kind", "number"), [("news", 0), ("frame", 1)])
def test_a_message_that_is_missing_is_named(
    whole: Callable[[], bytes], kind: str, number: int
) -> None:
    data = whole()
    messages = read_layers(read_record(data).layers).messages
    seq = messages[numbered(messages, A, kind)[number]].sent["seq"]
    difference = found(relayered(data, without(A, kind, number)))
    assert difference.where == f"the frames of A, message {seq}"
    assert difference.what == f"one numbered {seq + 1} stands in its place"


@FOLDED_OR_NOT
def test_two_messages_that_changed_their_places_are_named(whole: Callable[[], bytes]) -> None:
    def swapped(messages: list[Message]) -> None:
        one, other = numbered(messages, A, "news")[0], numbered(messages, A, "frame")[-1]
        messages[one], messages[other] = messages[other], messages[one]

    assert found(relayered(whole(), swapped)).where.startswith("the frames of A, message ")


@pytest.mark.parametrize("layer", AUDIENCES)
@pytest.mark.parametrize(("kind", "field"), [("news", "text"), ("over", "seed")])
def test_other_words_in_what_no_chain_holds_are_found_by_the_fold(
    layer: str, kind: str, field: str
) -> None:
    difference = found(relayered(own_rules(), altered(layer, kind, 0, **{field: "other"})))
    assert difference.where.startswith("message ")
    assert difference.where.endswith(f" of {layer}")
    assert difference.what.endswith("makes another than the file has")


@FOLDED_OR_NOT
@pytest.mark.parametrize("layer", AUDIENCES)
def test_a_tail_that_is_missing_is_named(whole: Callable[[], bytes], layer: str) -> None:
    data = whole()
    end = read_layers(read_record(data).layers).by_name[layer][-1]
    assert end["t"] == "over"
    difference = found(relayered(data, without(layer, "over", 0)))
    stops = f"it stops at message {end['seq'] - 1}, before the end of the match"
    assert (difference.where, difference.what) == (f"what was sent to {layer}", stops)


@FOLDED_OR_NOT
@pytest.mark.parametrize("is_named", [True, False], ids=["an empty layer", "no layer"])
def test_an_audience_of_which_nothing_is_there_is_named(
    whole: Callable[[], bytes], is_named: bool
) -> None:
    data = whole()
    file = read_record(data)
    layers = read_layers(file.layers)
    names = tuple(name for name in layers.names if is_named or name != B)
    left = tuple(message for message in layers.messages if message.layer != B)
    difference = found(data[: -len(file.layers)] + written(Layers(left, names, "")))
    assert difference.where == "what was sent to B"
    assert difference.what == f"nothing of it is there, its chain has {count_of(B)} frames"


@FOLDED_OR_NOT
def test_a_file_of_no_layers_at_all_is_a_difference(whole: Callable[[], bytes]) -> None:
    data = whole()
    empty = written(Layers((), (), ""))
    assert found(data[: -len(read_record(data).layers)] + empty).where == "what was sent to A"


@pytest.mark.parametrize("layer", [*AUDIENCES, "C"])
def test_a_message_that_no_record_makes_is_found_by_the_fold(layer: str) -> None:
    def added(messages: list[Message]) -> None:
        last = max((m.sent["seq"] for m in messages if m.layer == layer), default=0)
        news = {"t": "news", "match": MATCH, "seq": last + 1, "kind": "chat", "text": "a lie"}
        messages.append(Message(layer, news))

    difference = found(relayered(own_rules(), added))
    assert difference.what == "the file has it, no record makes it"


@FOLDED_OR_NOT
def test_the_oldest_messages_of_a_layer_may_not_be_kept(whole: Callable[[], bytes]) -> None:
    def newest(messages: list[Message]) -> None:
        first = numbered(messages, A, "frame")[10]
        messages[:] = [m for n, m in enumerate(messages) if n >= first or m.layer != A]

    assert [line.split(",")[0] for line in frames_line(relayered(whole(), newest))] == [
        f"frames   A {count_of(A) - 10} of {count_of(A)}"
    ]


def test_what_is_the_servers_word_alone_is_named_folded_or_not() -> None:
    said = "the server's word alone, nothing vouches for it"
    assert said_of("header", own_rules()) == [f"header   'names', 'bots': {said}"]
    fields = "'match', 'scenario', 'names', 'bots', 'winner', 'ending', 'points'"
    assert said_of("header", other_rules()) == [f"header   {fields}: {said}"]


def frames_line(data: bytes) -> list[str]:
    """Return what is said of the frames of a file in which nothing is wrong."""
    return said_of("frames", data)


def said_of(part: str, data: bytes) -> list[str]:
    """Return the lines on a part of a file in which nothing is wrong."""
    try:
        lines = verified(data)
    except NotFoldedError as unfolded:
        lines = unfolded.lines
    return [line for line in lines if line.startswith(part)]


def count_of(layer: str) -> int:
    """Return how many frames an audience was sent."""
    return len(read_record(own_rules()).trailer["chains"][layer])


@FOLDED_OR_NOT
def test_it_is_said_how_many_frames_of_each_audience_fit(whole: Callable[[], bytes]) -> None:
    counts = ", ".join(f"{name} {count_of(name)} of {count_of(name)}" for name in AUDIENCES)
    assert frames_line(whole()) == [f"frames   {counts}: as the chains have them"]


@pytest.mark.parametrize(
    "sent",
    [{"seq": "one"}, {"seq": 1, "turn": [1]}, {"seq": 1, "t": "frame", "view": [1.5, None]}],
    ids=["number", "turn", "values"],
)
@FOLDED_OR_NOT
def test_a_message_of_odd_values_is_a_difference(
    whole: Callable[[], bytes], sent: dict[str, Any]
) -> None:
    data = whole()
    layers = handmade([A, sent])
    assert read_layers(layers).fault == ""
    found(data[: -len(read_record(data).layers)] + layers)


def analysis_line(data: bytes) -> list[str]:
    """Return what is said of the analysis in a file in which nothing is wrong."""
    try:
        lines = verified(data)
    except NotFoldedError as unfolded:
        lines = unfolded.lines
    return [line for line in lines if line.startswith("analysis")]


def test_the_analysis_is_made_again_by_who_has_the_rules_and_looked_at_by_who_has_not() -> None:
    messages = read_layers(read_record(own_rules()).layers).messages
    windows = len(numbered(messages, ANALYSIS, ANALYSIS))
    assert analysis_line(own_rules()) == [
        f"analysis {windows} windows: as they follow from the records"
    ]
    assert analysis_line(other_rules()) == [f"analysis {windows} windows: whole in form"]


@pytest.mark.parametrize(
    "fields",
    [{"spots": {}}, {"scans": {A: []}}, {"turn": 9}, {"window": "9.plot"}],
    ids=lambda fields: next(iter(fields)),
)
def test_another_analysis_than_the_records_make_is_found_by_the_fold(
    fields: dict[str, object],
) -> None:
    difference = found(relayered(own_rules(), altered(ANALYSIS, ANALYSIS, 9, **fields)))
    assert difference.where == "message 10 of analysis"


@FOLDED_OR_NOT
@pytest.mark.parametrize(
    "fields", [{"t": "frame"}, {"spots": {A: 1}}, {"spots": [1]}, {"scans": {A: [1]}}]
)
def test_an_analysis_of_another_form_is_found_without_the_rules(
    whole: Callable[[], bytes], fields: dict[str, object]
) -> None:
    difference = found(relayered(whole(), altered(ANALYSIS, ANALYSIS, 4, **fields)))
    assert difference.where == "the analysis, message 5"


@FOLDED_OR_NOT
def test_a_window_that_is_missing_in_an_analysis_is_named(whole: Callable[[], bytes]) -> None:
    difference = found(relayered(whole(), without(ANALYSIS, ANALYSIS, 4)))
    assert difference.where == "the analysis, message 5"


@FOLDED_OR_NOT
def test_a_file_without_an_analysis_is_good(whole: Callable[[], bytes]) -> None:
    def bare(messages: list[Message]) -> None:
        messages[:] = [message for message in messages if message.layer != ANALYSIS]

    data = relayered(whole(), bare)
    assert frames_line(data)
    assert analysis_line(data) == []


def test_layers_that_cannot_be_read_are_a_difference_and_cut_ones_are_unfit() -> None:
    data = own_rules()
    head = data[: -len(read_record(data).layers)]
    whole = read_record(data).layers
    deep = packed([A, {"deep": nested(900)}])
    for inside in (b"\xc1", deep, packed(["B", {5: 1}])):
        with pytest.raises(DifferenceError, match="what was sent"):
            with_trailer(read_file(head + packed(FIRST) + inside + whole[len(packed(FIRST)) :]))
    with pytest.raises(UnfitError, match="was cut"):
        with_trailer(read_file(head + packed(FIRST)))


def test_layers_that_say_the_same_in_other_bytes_are_not_the_servers() -> None:
    data = own_rules()
    layers = read_record(data).layers
    again = handmade(*map(list, read_layers(layers).messages))
    assert read_layers(again) == read_layers(layers)
    unsealed = with_trailer(read_file(data[: -len(layers)] + again)).unsealed
    assert str(unsealed) == "what was sent: it is not written as the server writes it"


def test_something_behind_the_end_is_a_difference() -> None:
    assert found(own_rules() + b"\xc0").where == "what was sent"
