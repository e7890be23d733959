"""Why a data scan told nothing: after the end every request has its true reason, with numbers."""

import re

import pytest
from msgspec.structs import replace

from builders.blips import able as ship_with
from builders.blips import held
from builders.blips import known as known_ship
from builders.ground import BG1, ground_truth, landed, planet, seeing, unit
from builders.groundprobes import FLAT, able, asked, duel, known
from builders.hindsight import of, told
from builders.truths import A1, B1, BOARD, CORVETTE, A, B, C, ship, truth_of
from sunglare_arena.hindsight.moments import moments_of
from sunglare_arena.hindsight.probes import data_lines
from sunglare_protocol.ids import Side
from sunglare_protocol.word import spoken
from sunglare_protocol.words.dossiers import Outcome
from sunglare_protocol.words.ladder import Fix
from sunglare_server.match.events.blips import PieceProbed
from sunglare_server.match.events.ground import TokenProbed
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve.probing import Request, probes
from sunglare_server.match.truth.truth import ShipTruth, Truth

MATCHES = ("duel", "parade", "garrison", "siege", "orlog")


def line_of(truth: Truth, target: PieceId = B1) -> str:
    """Return what is said of A1's request about a ship."""
    events = probes(truth, (Request(A1, target),))
    (line,) = data_lines(moments_of(truth, events), A, target)
    return line


def in_space(
    words: str, theirs: str, at: tuple[int, int], *others: ShipTruth, fix: Fix = Fix.CONTACT
) -> Truth:
    """Return two frigates with abilities, A1 on 10,10 and B1, which A knows."""
    truth = truth_of(ship_with(A, (10, 10), words), ship_with(B, at, theirs), *others)
    return known_ship(truth, A, B1, fix)


# In space: 5 squares are 12 inches.


@pytest.mark.parametrize(
    ("words", "theirs", "at", "said"),
    [
        ("", "", (12, 10), "FULL, 4.8 inches away, in sight, at short range (6)"),
        ("PRB", "", (15, 10), "FULL, 12.0 inches away, in sight, by its PRB probe (16)"),
        ("", "", (15, 10), "OUT OF REACH, 12.0 inches away, in sight; short range is 6 in sight"),
        ("", "", (15, 10), "short range is 6 in sight, and it has no probe"),
        ("PRB", "", (20, 10), "OUT OF REACH, 24.0 inches away, in sight; short range is 6"),
        ("PRB", "", (20, 10), "its PRB probe reaches 16 (blips §3)"),
        ("", "STL", (12, 10), "INCONCLUSIVE, 4.8 inches away, in sight, at short range (6)"),
        ("", "STL", (12, 10), "which nothing jams: STL hid its data (blips §3)"),
        ("BH", "MAS", (15, 10), "which its owner noticed: MAS hid its data (blips §3)"),
        ("PRB", "ECM", (15, 10), ": the ECM of B/S1 (12 inches around) jammed the line (blips"),
        ("BH", "AECM", (15, 10), ": the Angel ECM of B/S1 (12 inches around) jammed the line"),
        ("BH", "STL AECM", (15, 10), "STL hid its data (blips §3)"),
    ],
)
def test_a_request_in_space_is_told_with_its_reason(
    words: str, theirs: str, at: tuple[int, int], said: str
) -> None:
    assert said in line_of(in_space(words, theirs, at))


def test_a_planet_in_the_way_of_a_request_is_named() -> None:
    truth = truth_of(ship_with(A, (13, 12), "BH"), ship_with(B, (17, 12)), board=BOARD)
    line = line_of(known_ship(truth, A, B1))
    assert "OUT OF REACH, 9.6 inches away, hidden by Ceres; short range is 6 in sight" in line
    assert "its BH probe reaches 26, and through nothing solid" in line


def test_a_cold_plant_is_told_as_what_made_a_ship_mimetic() -> None:
    cold = replace(ship_with(B, (12, 10)), powered=False)
    truth = known_ship(truth_of(ship_with(A, (10, 10)), cold), A, B1)
    assert "MAS hid its data, as a cold plant does" in line_of(truth)
    mimetic = replace(ship_with(B, (12, 10), "MAS"), powered=False)
    truth = known_ship(truth_of(ship_with(A, (10, 10)), mimetic), A, B1)
    assert "MAS hid its data (blips" in line_of(truth)


def test_a_jammer_on_the_line_is_told_by_its_owner_and_name_and_one_beside_it_is_not() -> None:
    on = in_space("PRB", "", (16, 10), ship_with(C, (13, 10), "LECM"))
    assert "the ECM of C/S1 (2 inches around) jammed the line" in line_of(on)
    beside = in_space("PRB", "", (16, 10), ship_with(C, (13, 12), "LECM"))
    assert "FULL, 14.4 inches away" in line_of(beside)


def test_of_two_jammers_the_stronger_is_told() -> None:
    two = in_space(
        "PRB", "", (15, 10), ship_with(C, (13, 10), "AECM"), ship_with(B, (13, 11), "ECM", 2)
    )
    line = line_of(two)
    assert "the Angel ECM of C/S1 (12 inches around) jammed the line" in line
    assert "B/S2" not in line


ASKER, TARGET = ship_with(A, (10, 10), "BH"), ship_with(B, (12, 10))

IN_VAIN = {
    "a coasting hold": in_space("BH", "", (12, 10), fix=Fix.COASTING),
    "you had a contact hold, not identified": held(truth_of(ASKER, TARGET), A, B1),
    "you had nothing": truth_of(ASKER, TARGET),
    "the asker did not work (plant off)": known_ship(
        truth_of(replace(ASKER, powered=False), TARGET), A, B1
    ),
    "the asker did not work (cloaked)": known_ship(
        truth_of(replace(ASKER, cloaked=True), TARGET), A, B1
    ),
    "the asker did not work (a jammed drone)": in_space(
        "BH DRO", "", (12, 10), ship_with(C, (9, 9), "ECM")
    ),
}
"""By what is said of it, a request that could not be made."""


@pytest.mark.parametrize(("said", "truth"), IN_VAIN.items(), ids=IN_VAIN)
def test_a_request_that_could_not_be_made_is_told_with_what_it_takes(
    said: str, truth: Truth
) -> None:
    line = line_of(truth)
    assert "S1 asked for its data: ILLEGAL, " in line
    assert said in line


def test_requests_of_others_and_about_others_are_left_out() -> None:
    truth = in_space("BH", "", (12, 10))
    moments = moments_of(truth, probes(truth, (Request(A1, B1),)))
    assert list(data_lines(moments, B, B1)) == []
    assert list(data_lines(moments, A, PieceId("B/S2"))) == []


# On surface maps: a cell is two inches wide.


def on_map(truth: Truth, target: PieceId = BG1) -> str:
    """Return what is said of G1's request about a token."""
    (line,) = data_lines(moments_of(truth, [asked(truth, target=target)]), A, target)
    return line


@pytest.mark.parametrize(
    ("words", "theirs", "apart", "said"),
    [
        ("", "", 3, "FULL, 6.0 inches away, in sight, at short range (6), which nothing jams"),
        ("", "", 4, "OUT OF REACH, 8.0 inches away, in sight; short range is 6 in sight, and it"),
        ("PRB", "", 8, "FULL, 16.0 inches away, in sight, by its PRB probe (16), which its"),
        ("PRB", "ECM", 8, ": the ECM of B/G1 (12 inches around) jammed the line"),
        ("BH", "AECM", 8, ": the Angel ECM of B/G1 (12 inches around) jammed the line"),
        ("", "MAS", 3, ": MAS hid its data (blips §3)"),
        ("PRB", "STL AECM", 8, ": STL hid its data (blips §3)"),
    ],
)
def test_a_request_on_a_map_is_told_with_its_reason(
    words: str, theirs: str, apart: int, said: str
) -> None:
    assert said in on_map(duel(words, theirs, apart))


HILL = planet("......a.........", "......w.........", "................")


@pytest.mark.parametrize(
    ("row", "words", "said"),
    [
        (2, "PRB", "solid terrain in the way; short range is 6 in sight, its PRB probe reaches"),
        (1, "", "woods in the way; short range is 6 in sight, and it has no probe"),
        (1, "PRB", "FULL, 6.0 inches away, woods in the way, by its PRB probe (16)"),
    ],
)
def test_what_stands_in_the_way_on_a_map_is_told(row: int, words: str, said: str) -> None:
    units = (able(A, (5, row), words), able(B, (8, row)))
    assert said in on_map(known(ground_truth(*units, body=HILL), BG1))


def test_a_large_unit_in_the_way_is_told() -> None:
    units = (able(A, (0, 1)), able(B, (3, 1)), able(C, (1, 1), "VLG"))
    line = on_map(known(ground_truth(*units, body=FLAT), BG1))
    assert "OUT OF REACH, 6.0 inches away, a large unit in the way" in line


def facing(words: str = "BH", theirs: str = "") -> Truth:
    """Return two tanks with abilities, four inches apart."""
    return ground_truth(able(A, (0, 0), words), able(B, (2, 0), theirs), body=FLAT)


IN_VAIN_ON_MAP = {
    "takes an identified token, and you had a token that you had not": seeing(facing(), A, BG1),
    "and you had nothing": seeing(facing(), A),
    "the asker did not work": known(facing("BH DRO", "ECM"), BG1),
    "the asker did not stand on its map": known(
        ground_truth(unit(A, at="A/S1"), able(B, (2, 0)), ships=(ship(A),)), BG1
    ),
}
"""By what is said of it, a request on a map that could not be made."""


@pytest.mark.parametrize(("said", "truth"), IN_VAIN_ON_MAP.items(), ids=IN_VAIN_ON_MAP)
def test_a_request_on_a_map_that_could_not_be_made_is_told_with_what_it_takes(
    said: str, truth: Truth
) -> None:
    line = on_map(truth)
    assert "G1 asked for its data: ILLEGAL, " in line
    assert said in line


def test_a_landed_ship_is_asked_about_as_a_token() -> None:
    down = replace(landed(ship(B, 1, kind=CORVETTE), (2, 0)), powered=False)
    truth = known(ground_truth(able(A, (0, 0)), ships=(down,), body=FLAT), B1)
    assert "MAS hid its data, as a cold plant does" in on_map(truth, B1)


# Whole matches.


@pytest.mark.parametrize("side", [A, B])
@pytest.mark.parametrize("name", MATCHES)
def test_every_request_of_a_match_is_told_with_its_outcome(name: str, side: Side) -> None:
    asked_for = [
        event
        for kind in (PieceProbed, TokenProbed)
        for state, event in of(name, kind)
        if state.truth.side_of(event.piece) == side and state.truth.side_of(event.target) != side
    ]
    lines = [line.words for line in told(name, side) if "asked for its data" in line.words]
    for outcome in Outcome:
        said = sum(f"data: {spoken(outcome).upper()}, " in words for words in lines)
        assert said == sum(event.outcome is outcome for event in asked_for)


@pytest.mark.parametrize("name", MATCHES)
def test_an_inconclusive_answer_of_a_match_has_a_reason_and_a_full_one_none(name: str) -> None:
    reason = re.compile(r": .*(hid its data|jammed the line)")
    for line in told(name, A):
        if "asked for its data" in line.words:
            answer = line.words.partition("data: ")[2]
            assert bool(reason.search(answer)) is answer.startswith("INCONCLUSIVE")
