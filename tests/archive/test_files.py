"""Files that people save, and answers: what they say, and that the rest is what was stored."""

import msgpack  # type: ignore[import-untyped]
import pytest

from builders.truths import A, B
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages.replies import Ending, Refused, Result
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.api.refusals import busy
from sunglare_server.archive.recordfile import Played, frames_file, record_file
from sunglare_server.match.record import RECORD_VERSION, RULES_VERSION

MATCH = MatchId("m")
NAMES = {A: "anna", B: "boris"}
WON = Result(winner=B, ending=Ending.TURNS, points={A: 1, B: 2})


def values(data: bytes) -> list[object]:
    """Return the values of a stream."""
    unpacker = msgpack.Unpacker()
    unpacker.feed(data)
    return list(unpacker)


@pytest.mark.parametrize(
    ("result", "told"),
    [
        (WON, {"winner": "B", "ending": "turns", "points": {"A": 1, "B": 2}}),
        (None, {"winner": None, "ending": None, "points": {}}),
    ],
    ids=["with an end", "without one"],
)
def test_a_record_that_cannot_be_folded_is_a_head_and_what_was_stored(
    result: Result | None, told: dict[str, object]
) -> None:
    played = Played(MATCH, "rig", RULES_VERSION, NAMES, result, (Side("B"),))
    head, *rest = values(record_file(played, (b"one", b"two"), None))
    assert head == {
        "format": "sunglare-record",
        "version": 4,
        "rules": RULES_VERSION,
        "match": "m",
        "scenario": "rig",
        "names": {"A": "anna", "B": "boris"},
        "bots": ["B"],
        "records": 2,
        "trailer": False,
        **told,
    }
    assert rest == [b"one", b"two"]


def test_a_file_of_frames_says_whose_they_are_and_how_many() -> None:
    head, *rest = values(frames_file(MATCH, "A", (b"one", b"two", b"three")))
    assert head == {
        "format": "sunglare-frames",
        "version": RECORD_VERSION,
        "match": "m",
        "audience": "A",
        "frames": 3,
    }
    assert rest == [b"one", b"two", b"three"]


def test_who_comes_too_soon_is_told_how_long_to_wait() -> None:
    code = Code.MESSAGE_BUSY
    assert busy(7, 250) == Refused(id=7, code=code, text=Rejected(code=code).text, retry_ms=250)
