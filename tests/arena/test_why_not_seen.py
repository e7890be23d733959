"""After the end a record says why a side did not see a piece: as the events have it."""

import re
from collections import Counter
from pathlib import Path

import pytest

from builders.hindsight import counted, of, told
from builders.sections import HEADINGS, cited
from builders.truths import MATCH
from builders.verified import A, B, short
from sunglare_arena.hindsight.tale import Inquiry
from sunglare_arena.matchfile import UnfitError
from sunglare_arena.why import explained, main
from sunglare_client.__main__ import main as client_main
from sunglare_protocol.ids import Side
from sunglare_server.archive.recordfile import frames_file
from sunglare_server.match.events.agents import SearchTried
from sunglare_server.match.events.blips import PieceSpotted
from sunglare_server.match.events.cloak import PassiveRolled, SweepRolled
from sunglare_server.match.events.space import ScanDeclared, ShipExamined

NAMES = ("duel", "gunnery", "stalk-2", "parade")
"""Short matches of random orders: with scans and planets, fire, cloaks, blips."""


@pytest.mark.parametrize("side", [A, B])
@pytest.mark.parametrize("name", NAMES)
def test_all_that_scans_found_is_told_and_nothing_else(name: str, side: Side) -> None:
    examined = [event for _, event in of(name, ShipExamined) if event.side == side]
    found = sum(bool(event.signatures) for event in examined)
    faint = sum(event.signal is not None and not event.signatures for event in examined)
    lines = [line.words for line in told(name, side) if " scanned " in line.words]
    assert sum("FOUND" in words for words in lines) == found
    assert sum("too faint" in words for words in lines) == faint
    assert sum("gave off nothing" in words for words in lines) == len(examined) - found - faint


@pytest.mark.parametrize("name", NAMES)
def test_every_scan_is_explained_for_every_foreign_ship_in_play(name: str) -> None:
    scans = Counter(state.truth.ships[event.piece].side for state, event in of(name, ScanDeclared))
    for side in (A, B):
        lines = [line for line in told(name, side) if " scanned " in line.words]
        ships = {line.piece for line in lines}
        times = Counter(line.piece for line in lines)
        assert all(count <= scans[side] for count in times.values())
        assert bool(ships) is bool(scans[side])


@pytest.mark.parametrize("side", [A, B])
@pytest.mark.parametrize("name", NAMES)
def test_a_signal_is_the_sum_of_its_terms_and_found_if_it_is_none_below_zero(
    name: str, side: Side
) -> None:
    term = re.compile(r"\w+ ([+-]\d+) and strength ([+-]\d+) give signal ([+-]\d+)")
    for line in told(name, side):
        terms = [tuple(map(int, found)) for found in term.findall(line.words)]
        assert all(given + strength == signal for given, strength, signal in terms)
        if terms:
            best = max(signal for _, _, signal in terms)
            assert (best >= 0) is ("FOUND" in line.words)


@pytest.mark.parametrize("side", [A, B])
@pytest.mark.parametrize("name", NAMES)
def test_a_sense_roll_is_told_with_the_sum_that_decided_it(name: str, side: Side) -> None:
    sums = re.compile(
        r"(TRACKED|not tracked anew): dice (\d+) \+ operator (\d) \+ signal (\d+) = (\d+)"
    )
    for line in told(name, side):
        for word, *numbers in sums.findall(line.words):
            dice, skill, signal, total = map(int, numbers)
            assert dice + skill + signal == total
            assert total >= 10 or word != "TRACKED"


@pytest.mark.parametrize("side", [A, B])
@pytest.mark.parametrize("name", NAMES)
def test_what_a_scan_did_not_reach_lay_outside_or_behind_a_body(name: str, side: Side) -> None:
    square = re.compile(r"columns (\d+) to (\d+), rows (\d+) to (\d+): it stood on (\d+),(\d+)")
    for line in told(name, side):
        for numbers in square.findall(line.words):
            west, east, north, south, x, y = map(int, numbers)
            assert not (west <= x <= east and north <= y <= south)
        assert "hidden by nothing" not in line.words
        assert "was not in play" not in line.words


@pytest.mark.parametrize("side", [A, B])
@pytest.mark.parametrize("name", ["garrison", "siege", "orlog"])
def test_no_piece_on_a_surface_map_is_said_to_see_what_is_held_as_a_token_alone(
    name: str, side: Side
) -> None:
    assert not any(line.words.startswith("identified by") for line in told(name, side))


def test_a_token_is_told_with_how_far_off_the_own_pieces_were() -> None:
    lines = [line.words for name in ("garrison", "siege", "orlog") for line in told(name, A)]
    reach = re.compile(
        r"not identified by \w+: ([\d.]+) inches away; it sees to (\d+)(.*) \(blips §2"
    )
    near = [match for words in lines if (match := reach.match(words))]
    assert near
    assert all(float(found[1]) > int(found[2]) or "in the way" in found[3] for found in near)


@pytest.mark.parametrize("side", [A, B])
@pytest.mark.parametrize("name", NAMES)
def test_every_identification_is_told_and_no_spotter_contradicts_it(name: str, side: Side) -> None:
    spotted = [event for _, event in of(name, PieceSpotted) if event.side == side]
    assert counted(name, side, "IDENTIFIED by") == len(spotted)
    assert not any(line.words.startswith("identified by") for line in told(name, side))


@pytest.mark.parametrize("side", [A, B])
@pytest.mark.parametrize("name", ["duel", "stalk-2"])
def test_every_find_of_listening_and_sweeping_is_told(name: str, side: Side) -> None:
    heard = sum(
        len(event.found)
        for state, event in of(name, PassiveRolled)
        if state.truth.ships[event.piece].side == side
    )
    swept = sum(
        len(event.found)
        for state, event in of(name, SweepRolled)
        if state.truth.ships[event.piece].side == side
    )
    assert counted(name, side, "HEARD") == heard
    assert counted(name, side, "FOUND (cloak §4)") == swept


@pytest.mark.parametrize("side", [A, B])
def test_a_die_that_heard_nothing_is_told_against_its_value(side: Side) -> None:
    against = re.compile(r"listened with a (\d) against (\d+) - (\d+) - (\d+) = (-?\d+): (.*)")
    lines = [match for line in told("stalk-2", side) if (match := against.search(line.words))]
    assert lines
    for match in lines:
        die, used, own, loudest, value = map(int, match.groups()[:5])
        assert used - own - loudest == value
        assert (die >= value) is ("is not below it" in match[6])


@pytest.mark.parametrize("side", [A, B])
def test_a_search_that_could_find_somebody_is_told_with_its_die(side: Side) -> None:
    tried = [event for _, event in of("orlog", SearchTried) if event.side == side]
    lines = sum("your search of" in line.words for line in told("orlog", side))
    assert lines == sum(len(event.group) for event in tried)


@pytest.mark.parametrize("name", [*NAMES, "orlog"])
def test_every_line_names_a_section_of_the_rule_book(name: str) -> None:
    for line in told(name, A):
        assert cited(line.words), line
        assert cited(line.words) <= HEADINGS


def test_nothing_is_told_of_the_own_pieces() -> None:
    assert {line.piece[0] for line in told("duel", A)} == {"B"}


def test_a_piece_and_a_turn_may_be_named() -> None:
    data = short().data
    for name in ("B/S2", "B.S2", "S2"):
        lines = explained(data, Inquiry(A, 2, name))
        assert [line for line in lines if not line.startswith(" ")] == ["turn 2, B/S2"]


@pytest.mark.parametrize(
    ("asked", "right"),
    [
        pytest.param(Inquiry(Side("Z")), "there are A, B", id="no such side"),
        pytest.param(Inquiry(A, 99), "there are 1 to", id="no such turn"),
        pytest.param(Inquiry(A, None, "S99"), "there are B/S1", id="no such piece"),
    ],
)
def test_what_the_match_does_not_have_is_refused_with_what_it_has(
    asked: Inquiry, right: str
) -> None:
    with pytest.raises(UnfitError, match=right):
        explained(short().data, asked)


def test_the_frames_of_a_running_match_are_refused() -> None:
    frames = frames_file(MATCH, A, (b"",))
    with pytest.raises(UnfitError, match="before the end of the match"):
        explained(frames, Inquiry(A))


def test_the_command_of_the_client_leads_to_the_program(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "match.sgr"
    file.write_bytes(short().data)
    assert client_main(["why", str(file), "B.S1", "--side", "A", "--turn", "1"]) == 0
    said = capfd.readouterr().out
    assert said.splitlines() == explained(short().data, Inquiry(A, 1, "B.S1"))
    assert client_main(["why", str(file), "--side", "Z"]) == 2


def test_the_program_answers_and_its_exit_code_tells_how_it_went(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, match = tmp_path / "match.sgr", short()
    file.write_bytes(match.data)
    assert main([str(file), "B.S1", "--side", "A", "--turn", "1"]) == 0
    assert capsys.readouterr().out.startswith("turn 1, B/S1\n  PLOT ")
    assert main([str(file), "--side", "Z"]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.startswith("sunglare why: ")) == ("", True)
    file.write_bytes(match.forged(records=lambda records: records.pop(6)))
    assert main([str(file), "--side", "A"]) == 1
    assert capsys.readouterr().out.startswith("DIFFERENT ")
