"""The checker of the dice alone: it needs Python and nothing else, and agrees with the server."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from builders.records import read_record
from builders.verified import PLEDGED, A, B, finished, played_further, short
from sunglare_protocol.seals import commitment, pledge

PROGRAM = Path(__file__).parents[2] / "protocol" / "verify_dice.py"
LINES_MOST = 165


def ran(*arguments: str | Path) -> tuple[int, str]:
    """Return the exit code of the program and all that it said."""
    # Isolated: neither our packages nor a virtual environment's are in its path.
    command = [sys.executable, "-I", "-S", PROGRAM, *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=30)
    return done.returncode, done.stdout + done.stderr


def saved(folder: Path, data: bytes) -> Path:
    """Return the file in which `data` is saved."""
    file = folder / "match.sgr"
    file.write_bytes(data)
    return file


def test_the_checker_is_short_enough_to_be_read() -> None:
    assert len(PROGRAM.read_text().splitlines()) <= LINES_MOST


@pytest.mark.parametrize("name", ["duel", "gunnery", "siege", "stalk-2"])
def test_every_die_of_a_match_follows_from_its_seed(tmp_path: Path, name: str) -> None:
    match = finished(name)
    rolls = len(read_record(match.data).trailer["rolls"])
    told = commitment(match.opened.server_seed)
    assert ran(saved(tmp_path, match.data), told) == (0, f"{rolls} rolls, all as the seed gives\n")


@pytest.mark.parametrize(("name", "turn"), [("duel", 3), ("siege", 2), ("stalk-2", 2)])
def test_the_dice_of_a_match_that_is_played_on_follow_from_its_own_seed(
    tmp_path: Path, name: str, turn: int
) -> None:
    match = played_further(name, turn)
    rolls = len(read_record(match.data).trailer["rolls"])
    told = commitment(match.opened.server_seed)
    said = f"{rolls} rolls, all as the seed gives\n"
    assert rolls > 0
    assert ran(saved(tmp_path, match.data), told, "--pledge", pledge(PLEDGED[A])) == (0, said)
    assert ran(saved(tmp_path, match.data), commitment(finished(name).opened.server_seed))[0] == 1


def test_the_own_entropy_must_be_in_the_dice(tmp_path: Path) -> None:
    file = saved(tmp_path, short().data)
    told = commitment(short().opened.server_seed)
    for words in ((), (told,)):
        assert ran(file, *words, "--pledge", pledge(PLEDGED[A]))[0] == 0
        code, said = ran(file, *words, "--pledge", pledge(PLEDGED[B]))
        assert (code, "NOT PROVED: the entropy pledged by" in said) == (1, True)


def test_without_any_entropy_nothing_is_proved(tmp_path: Path) -> None:
    file = saved(tmp_path, short(revealed="").data)
    code, said = ran(file)
    assert (code, "NOT PROVED: no seat's entropy" in said) == (0, True)
    assert ran(file, "--pledge", pledge(PLEDGED[A]))[0] == 1


def _other_die(roll: list[Any]) -> None:
    roll[6] = roll[6] % 6 + 1


def _other_text(roll: list[Any]) -> None:
    roll[6] = roll[6][1:] + roll[6][0]


def _other_key(roll: list[Any]) -> None:
    roll[2] += "x"


@pytest.mark.parametrize(
    ("purpose", "spoil"),
    [
        ("fire", _other_die),
        ("initiative", _other_die),
        ("handle", _other_text),
        ("tie", _other_text),
        ("tie", _other_key),
    ],
)
def test_a_changed_roll_is_told_with_its_key(
    tmp_path: Path, purpose: str, spoil: Callable[[list[Any]], None]
) -> None:
    def forgery(trailer: dict[str, Any]) -> None:
        spoil(next(roll for roll in trailer["rolls"] if roll[0] == purpose))

    code, said = ran(saved(tmp_path, finished("siege").forged(trailer=forgery)))
    assert code == 1
    assert said.startswith(f"the roll ['{purpose}', ")


def test_another_commitment_or_seed_is_told(tmp_path: Path) -> None:
    match = short()
    code, said = ran(saved(tmp_path, match.data), "00" * 32)
    assert (code, said.startswith(f"the commitment {'00' * 32} is not")) == (1, True)
    other = match.forged(trailer=lambda trailer: trailer.update(seed=bytes(32)))
    code, said = ran(saved(tmp_path, other))
    assert (code, "match seed" in said) == (1, True)


def test_a_file_without_a_trailer_is_told_as_that(tmp_path: Path) -> None:
    for data in (b"", b"a text", short().data[:9000]):
        code, said = ran(saved(tmp_path, data))
        assert (code, "no record with a trailer" in said) == (2, True)


def test_without_a_file_the_checker_says_what_it_takes() -> None:
    code, said = ran()
    assert (code, "verify_dice.py FILE" in said) == (2, True)
