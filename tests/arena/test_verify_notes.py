"""Private notes in a record and in a log: `sunglare verify` says that nothing vouches for them."""

from pathlib import Path

import pytest

from builders.verified import A, Finished, log_of, short
from sunglare_arena.matchfile import DifferenceError, UnfitError
from sunglare_arena.ownlog import own_log
from sunglare_arena.verify import verified
from sunglare_client.link.matchlog import LOG_VERSION, MatchLog, read_log
from sunglare_protocol.replay.notes import Note, with_notes

NOTES = (Note(seq=1, turn=1, window="1.plot", text="mine"), Note(seq=2, text="", at=None))


@pytest.fixture
def match() -> Finished:
    return short()


def test_a_record_with_notes_is_what_it_was_without(match: Finished) -> None:
    found = verified(with_notes(match.data, A, NOTES))
    assert found == [*verified(match.data), "notes    A 2: private, nothing vouches for them"]


def test_a_record_with_notes_is_checked_as_sharply(match: Finished) -> None:
    noted = with_notes(match.data, A, NOTES)
    place = noted.index(b"mine")
    for forged in (noted[:place] + b"M" + noted[place + 1 :], noted + b"\x00"):
        with pytest.raises(DifferenceError):
            verified(forged)


def test_a_log_with_notes_is_checked_as_one_without(match: Finished, tmp_path: Path) -> None:
    lines = log_of(match, tmp_path / "match.log")
    MatchLog(tmp_path / "match.log").noted(NOTES[0])
    noted = read_log(tmp_path / "match.log")
    assert noted == [*lines, NOTES[0]]
    assert verified(match.data, own_log(noted)) == verified(match.data, own_log(lines))


def test_a_log_of_the_version_without_notes_is_read_and_one_of_a_later_not(
    match: Finished, tmp_path: Path
) -> None:
    path = tmp_path / "match.log"
    log_of(match, path)
    now = path.read_text()
    path.write_text(now.replace(f'"version":{LOG_VERSION}', '"version":2'))
    verified(match.data, own_log(read_log(path)))
    path.write_text(now.replace(f'"version":{LOG_VERSION}', '"version":99'))
    with pytest.raises(UnfitError, match="version 99; this program reads 2 and 3"):
        own_log(read_log(path))
