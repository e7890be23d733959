"""A seat's own log is compared with the match: what it was told before, sent, and told after."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from builders.truths import MATCH
from builders.verified import PLEDGED, A, B, Finished, brief, log_of, short
from sunglare_arena.matchfile import DifferenceError, UnfitError
from sunglare_arena.ownlog import OwnLog, own_log
from sunglare_arena.verify import NOT_PROVED, main, verified
from sunglare_client.link.matchlog import (
    Begun,
    Ended,
    Line,
    LogError,
    MatchLog,
    Pledged,
    Revealed,
    Seen,
    read_log,
)
from sunglare_client.link.picture import Picture
from sunglare_protocol.ids import MatchId, audience_of
from sunglare_protocol.messages.replies import Frame
from sunglare_protocol.seals import pledge
from sunglare_server.match.frames import keyframe
from sunglare_server.match.record import unpacked
from sunglare_server.match.state import MatchState
from sunglare_server.match.step import step

replace = msgspec.structs.replace


@pytest.fixture
def match() -> Finished:
    return brief()


@pytest.fixture
def lines(match: Finished, tmp_path: Path) -> list[Line]:
    return log_of(match, tmp_path / "match.log")


def difference(data: bytes, lines: Sequence[Line]) -> DifferenceError:
    """Return what is found wrong with a log."""
    with pytest.raises(DifferenceError) as caught:
        verified(data, own_log([*lines]))
    return caught.value


def test_a_log_of_what_was_sent_fits(match: Finished, lines: list[Line], tmp_path: Path) -> None:
    frames = sum(isinstance(line, Seen) for line in lines)
    *_, yours = verified(match.data, own_log(lines))
    assert f"{frames} frames of A as you were sent them" in yours
    verified(match.data, own_log(log_of(match, tmp_path / "other.log", B)))


def test_a_log_of_filled_up_frames_fits(tmp_path: Path) -> None:
    padded = short(clock="blitz")
    verified(padded.data, own_log(log_of(padded, tmp_path / "match.log")))


def test_a_log_that_ends_early_fits_as_far_as_it_goes(match: Finished, lines: list[Line]) -> None:
    *_, yours = verified(match.data, own_log(lines[:12]))
    assert yours.endswith("it stops before the end")


def test_another_frame_than_was_sent_is_named(match: Finished, tmp_path: Path) -> None:
    log, picture = MatchLog(tmp_path / "match.log"), Picture()
    frames = [post for post in match.posts(A) if isinstance(post, Frame)]
    lied = frames[6]
    _begun(log, match)
    for post in match.posts(A):
        shown = replace(lied, turn=lied.turn + 1) if post == lied else post
        picture.fold(shown)
        log.folded(shown, picture)
    with pytest.raises(DifferenceError) as caught:
        verified(match.data, _unpledged(read_log(log.path)))
    assert caught.value.where == f"frame {lied.seq} of A (window {lied.window})"


def _begun(log: MatchLog, match: Finished) -> None:
    lines = log_of(match, log.path.with_name("whole.log"))
    first = next(line for line in lines if isinstance(line, Begun))
    log.path.write_bytes(msgspec.json.encode(first) + b"\n")


def test_a_changed_link_and_a_missing_frame_are_named(match: Finished, lines: list[Line]) -> None:
    number, line = [(n, seen) for n, seen in enumerate(lines) if isinstance(seen, Seen)][9]
    changed = [*lines]
    changed[number] = replace(line, chain="00" * 16)
    found = difference(match.data, changed)
    assert found.where == f"frame {line.seq} of A (window {line.window})"
    found = difference(match.data, [*lines[:number], *lines[number + 1 :]])
    assert found.where == f"frame {line.seq} (window {line.window})"
    assert "missing from your log" in found.what


def _line(lines: list[Line], kind: type[Line]) -> int:
    return next(n for n, line in enumerate(lines) if isinstance(line, kind))


@pytest.mark.parametrize(
    ("kind", "changes", "words"),
    [
        pytest.param(Begun, {"commitment": "00" * 32}, "the commitment", id="commitment"),
        pytest.param(Revealed, {"entropy": "00" * 32}, "your entropy", id="entropy"),
        pytest.param(Revealed, {"pledges": {}}, "what A had pledged", id="no pledges"),
        pytest.param(Ended, {"seed": "00" * 32}, "the seed told at the end", id="seed"),
        pytest.param(Ended, {"head": "00" * 16}, "the head told at the end", id="head"),
    ],
)
def test_what_the_seat_was_told_otherwise_is_named_with_its_line(
    match: Finished, lines: list[Line], kind: type[Line], changes: dict[str, Any], words: str
) -> None:
    number = _line(lines, kind)
    told: Any = lines[number]
    lines[number] = replace(told, **changes)
    found = difference(match.data, lines)
    assert found.where == f"line {number + 1} of your log"
    assert words in found.what


def test_a_match_forged_as_a_whole_is_found_by_what_the_seat_was_promised(
    lines: list[Line],
) -> None:
    forged = short(seed=4).data
    verified(forged)
    assert "commitment" in difference(forged, lines).what


def test_a_pledge_that_was_exchanged_is_named(match: Finished, lines: list[Line]) -> None:
    number = _line(lines, Revealed)
    told = lines[number]
    assert isinstance(told, Revealed)
    lines[number] = replace(told, pledges={**told.pledges, B: "00" * 32})
    assert "what B had pledged" in difference(match.data, lines).what


def test_entropy_that_a_seat_did_not_reveal_is_named(match: Finished, lines: list[Line]) -> None:
    silent = [line for line in lines if not isinstance(line, Revealed)]
    found = difference(match.data, silent)
    assert (found.where, "did not reveal" in found.what) == ("record 1", True)


# --- entropy that is not in the dice


@pytest.fixture
def theirs(match: Finished, tmp_path: Path) -> list[Line]:
    """Return the log of the seat whose entropy the record leaves out, without a word of it."""
    return log_of(match, tmp_path / "theirs.log", B)


PLEDGE = Pledged(pledge=pledge(PLEDGED[B]))


@pytest.mark.parametrize("asked", [True, False])
@pytest.mark.parametrize("again", [True, False])
def test_a_match_without_the_own_entropy_is_found(
    match: Finished, theirs: list[Line], *, asked: bool, again: bool
) -> None:
    begun, *rest = theirs
    pledges = {side: pledge(entropy) for side, entropy in PLEDGED.items()}
    told = [Revealed(entropy=PLEDGED[B].hex(), pledges=pledges)] if asked else []
    line = replace(PLEDGE, again=again)
    lines = [begun, line, *told, *rest] if again else [line, begun, *told, *rest]
    found = difference(match.data, lines)
    assert found.where == f"line {lines.index(line) + 1} of your log"
    assert found.what == "the entropy that you pledged then is not in the dice of record 1"


def test_a_reveal_alone_finds_a_match_without_the_own_entropy(
    match: Finished, theirs: list[Line]
) -> None:
    begun, *rest = theirs
    lines = [begun, Revealed(entropy=PLEDGED[B].hex(), pledges={}), *rest]
    assert "your entropy" in difference(match.data, lines).what


def test_a_pledge_with_which_no_seat_was_taken_is_owed_nothing(
    match: Finished, theirs: list[Line]
) -> None:
    verified(match.data, own_log([*theirs, PLEDGE]))


def test_the_newest_pledge_counts_after_a_start_that_was_called_off(
    match: Finished, lines: list[Line]
) -> None:
    number = _line(lines, Revealed)
    before: list[Line] = [
        Pledged(pledge=pledge(b"x" * 32)),
        *(line for line in lines if isinstance(line, Begun)),
        Revealed(entropy=(b"x" * 32).hex(), pledges={}),
        Pledged(pledge=pledge(PLEDGED[A]), again=True),
    ]
    verified(match.data, own_log([*before, *lines[number:]]))


def test_nothing_is_proved_where_no_seat_had_a_part_in_the_dice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alone = short(revealed="")
    assert verified(alone.data)[3] == f"entropy  {NOT_PROVED}"
    file, log = tmp_path / "match.sgr", tmp_path / "match.log"
    file.write_bytes(alone.data)
    log_of(alone, log, B)
    assert main([str(file)]) == 0
    assert "NOT PROVED" in capsys.readouterr().out
    assert main([str(file), "--mine", str(log)]) == 1
    assert "NOT PROVED" in capsys.readouterr().out


def test_a_log_of_another_version_is_refused_with_the_one_that_is_read(
    match: Finished, lines: list[Line]
) -> None:
    begun = lines[_line(lines, Begun)]
    assert isinstance(begun, Begun)
    with pytest.raises(UnfitError, match="version 1; this program reads 2"):
        verified(match.data, own_log([replace(begun, version=1)]))


# --- a seat that came back


def _states(match: Finished) -> list[MatchState]:
    """Return the state after every record."""
    states: list[MatchState] = []
    before = b""
    for number, blob in enumerate(match.journal, 1):
        record = unpacked(blob, number, before)
        states.append(step(states[-1] if states else None, record).state)
        before = blob
    return states


def _came_back(match: Finished, path: Path, at: int, *, spoilt: bool = False) -> list[Line]:
    """Return the log of a seat that a keyframe brought back after record number `at`."""
    log, picture = MatchLog(path), Picture()
    _begun(log, match)
    key, *rest = keyframe(MATCH, _states(match)[at - 1], audience_of(A), "")
    assert isinstance(key, Frame)
    picture.expect_keyframe()
    shown = replace(key, closes_ms=key.closes_ms + 1) if spoilt else key
    later = [post for post in match.posts(A) if post.seq > key.seq]
    for post in (shown, *(rest or later)):
        picture.fold(post)
        log.folded(post, picture)
    # The end of a keyframe was made without a record to refer to.
    return [line for line in read_log(path) if isinstance(line, Begun | Seen)]


@pytest.mark.parametrize("at", [8, 14, 20])
def test_a_seat_that_came_back_is_checked_from_its_keyframe_on(
    match: Finished, tmp_path: Path, at: int
) -> None:
    lines = _came_back(match, tmp_path / "match.log", at)
    first = lines[1]
    assert isinstance(first, Seen)
    assert first.since == first.seq > 1
    verified(match.data, _unpledged(lines))


def test_a_seat_that_comes_back_after_the_end_is_checked(match: Finished, tmp_path: Path) -> None:
    last = len(match.journal)
    lines = _came_back(match, tmp_path / "match.log", last)
    assert len(lines) == 2
    verified(match.data, _unpledged(lines))


def test_a_keyframe_that_says_otherwise_is_named(match: Finished, tmp_path: Path) -> None:
    lines = _came_back(match, tmp_path / "match.log", 20, spoilt=True)
    with pytest.raises(DifferenceError, match="what you were sent"):
        verified(match.data, _unpledged(lines))


def _unpledged(lines: list[Line]) -> OwnLog:
    """Return the log of a process that took the seat with a ticket, and so heard no promise."""
    begun = lines[0]
    assert isinstance(begun, Begun)
    return own_log([replace(begun, commitment=""), *lines[1:]])


def test_a_log_goes_on_in_the_next_process(match: Finished, tmp_path: Path) -> None:
    path = tmp_path / "match.log"
    log_of(match, path)
    twice = log_of(match, path)
    assert sum(isinstance(line, Begun) for line in twice) == 2
    verified(match.data, own_log(twice))


# --- files that are no logs


def test_the_log_of_another_match_cannot_be_compared(match: Finished, lines: list[Line]) -> None:
    number = _line(lines, Begun)
    begun = lines[number]
    assert isinstance(begun, Begun)
    other = [*lines[:number], replace(begun, match=MatchId("b" * 26)), *lines[number + 1 :]]
    with pytest.raises(UnfitError, match="of match b"):
        verified(match.data, own_log(other))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param(b"", "begins with the seat", id="empty"),
        pytest.param(b"a note\n", "line 1 is no line of a match log", id="text"),
        pytest.param(
            b'{"t":"seat","version":1,"match":"m","side":"A"}\n{"t":"what"}\n', "line 2", id="kind"
        ),
    ],
)
def test_a_file_that_is_no_log_is_told_with_its_line(
    tmp_path: Path, text: bytes, words: str
) -> None:
    path = tmp_path / "match.log"
    path.write_bytes(text)
    with pytest.raises(LogError, match=words):
        read_log(path)


def test_the_program_takes_a_log_and_tells_what_differs(
    match: Finished, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, log = tmp_path / "match.sgr", tmp_path / "match.log"
    file.write_bytes(match.data)
    log_of(match, log)
    assert main([str(file), "--mine", str(log)]) == 0
    log.write_bytes(log.read_bytes().replace(match.opened.server_seed.hex().encode(), b"00" * 32))
    assert main([str(file), "--mine", str(log)]) == 1
    assert "of your log: the seed told at the end" in capsys.readouterr().out
    log.write_text("nothing")
    assert main([str(file), "--mine", str(log)]) == 2
    assert "line 1 is no line of a match log" in capsys.readouterr().err


# --- how a log is kept


def test_only_its_owner_can_read_a_log(match: Finished, tmp_path: Path) -> None:
    path = tmp_path / "logs" / "match.log"
    log_of(match, path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_a_log_holds_no_view(match: Finished, tmp_path: Path) -> None:
    path = tmp_path / "match.log"
    log_of(match, path)
    for ship in match.opened.scenario.data.sides[A].ships:
        assert ship.name.encode() not in path.read_bytes()


def test_a_log_that_cannot_be_written_stops_nothing(match: Finished, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    log, picture = MatchLog(tmp_path / "file" / "match.log"), Picture()
    post = match.posts(A)[0]
    picture.fold(post)
    log.folded(post, picture)
    assert isinstance(log.fault, OSError)
    with pytest.raises(OSError, match="file"):
        log.open()
