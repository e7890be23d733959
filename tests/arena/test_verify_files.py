"""Files that are no whole record of a match by these rules are told as what they are."""

from typing import Any

import pytest

from builders.records import read_record
from builders.truths import MATCH
from builders.verified import A, packed, short
from sunglare_arena.matchfile import DifferenceError, UnfitError
from sunglare_arena.verify import verified
from sunglare_server.archive.recordfile import frames_file


def _stream(*values: object) -> bytes:
    return b"".join(map(packed, values))


def test_an_old_file_without_a_trailer_is_told_as_that() -> None:
    file = read_record(short().data)
    with pytest.raises(UnfitError, match="older server and has no trailer"):
        verified(_stream({**file.header, "version": 1}, *file.blobs))


def test_a_new_file_whose_trailer_is_gone_was_cut() -> None:
    file = read_record(short().data)
    for tail in ((), (file.trailer,)):
        with pytest.raises(UnfitError, match="was cut"):
            verified(_stream(file.header, *file.blobs, *tail))


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        pytest.param(b"", "no record of a match", id="empty"),
        pytest.param(b"# a text", "no record of a match", id="text"),
        pytest.param(_stream({"format": "other"}), "its header says 'other'", id="other"),
        pytest.param(frames_file(MATCH, A, (b"",)), "before the end of the match", id="frames"),
        pytest.param(
            _stream({"format": "sunglare-record", "version": 5}), "version 5", id="newer"
        ),
    ],
)
def test_a_file_of_another_kind_is_told_as_what_it_is(data: bytes, sentence: str) -> None:
    with pytest.raises(UnfitError, match=sentence):
        verified(data)


def _of_rules_99(header: dict[str, Any]) -> None:
    header["rules"] = 99


def test_a_match_under_other_rules_is_left_to_its_own_version() -> None:
    def older(record: dict[str, Any]) -> None:
        if record["n"] == 1:
            record["b"]["rules"] = 99

    with pytest.raises(UnfitError, match="version 99 of the rules"):
        verified(short().forged(record=older, header=_of_rules_99))


def test_a_header_may_not_name_other_rules_than_its_first_record() -> None:
    with pytest.raises(DifferenceError, match="rules"):
        verified(short().forged(header=_of_rules_99))
