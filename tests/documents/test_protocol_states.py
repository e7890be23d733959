"""The picture of a connection's states on the protocol page: what it says is so."""

import re
from typing import get_args

from documents.doctables import PROTOCOL, fenced, text_of
from documents.wirewords import tag
from sunglare_protocol.messages import ClientMessage, ServerMessage

(PICTURE,) = fenced(PROTOCOL, "states")

PAIRS = sorted(set(re.findall(r"(\w+)(?:, lock)? -> (\w+)", PICTURE)))
"""What is said in the picture, with what answers it."""

SAID = set(map(tag, get_args(ClientMessage)))
HEARD = set(map(tag, get_args(ServerMessage)))

ANSWERS = text_of(PROTOCOL).partition("### What answers what")[2].partition("\n###")[0]
ROWS = [line.split("|")[1:3] for line in ANSWERS.splitlines() if line.startswith("| `")]
TABLE = {
    kind: set(re.findall(r"`(\w+)`", answers))
    for kinds, answers in ROWS
    for kind in re.findall(r"`(\w+)`", kinds)
}
"""The answers to each kind of message, by the table on the same page."""


def test_the_picture_has_every_state_and_what_leads_to_it() -> None:
    for state in ("A STRANGER", "KNOWN", "SEATED", "PLAYING", "OVER"):
        assert state in PICTURE
    for kind in ("hello", "join", "ready", "reveal", "resume", "orders", "leave", "rematch"):
        assert kind in {said for said, _ in PAIRS}
    assert {"frame", "over", "refused"} <= set(re.findall(r"\w+", PICTURE))


def test_an_answer_in_the_picture_is_one_that_the_table_has() -> None:
    pairs = [pair for pair in PAIRS if pair[0] != "else"]
    assert {said for said, _ in pairs} <= SAID
    assert {heard for _, heard in pairs} <= HEARD
    assert not [(said, heard) for said, heard in pairs if heard not in TABLE[said] | {"refused"}]


def test_the_picture_fits_a_terminal() -> None:
    assert max(map(len, PICTURE.splitlines())) <= 100
