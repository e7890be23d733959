"""The store of recorded matches: played once, read as played, and passed by where it must be."""

import multiprocessing
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

from builders import matchstore
from builders.desks import frames_of
from builders.matchplays import Counting, play_switched_off, play_together
from builders.matchstore import is_patched, prune, read_or_played, sources_hash, stored
from builders.raids import Raid, raid
from builders.verified import Finished, finished
from page.files import match_file
from sunglare_protocol.ids import Side
from sunglare_protocol.messages import Frame

PLANTED = ModuleType("planted")
"""A module in which tests put something."""

WRAPPERS: tuple[tuple[Any, object, tuple[str | int, ...]], ...] = (
    (frames_of, dict[Side, tuple[Frame, ...]], ("picket-line", 3, 12)),
    (finished, Finished, ("stalk-2",)),
    (match_file, bytes, ("picket-line",)),
    (raid, Raid, (1,)),
)
"""The functions of builders that are stored, with the types of their results and a short match."""


@pytest.mark.parametrize(
    ("wrapper", "form", "args"), WRAPPERS, ids=[row[0].__name__ for row in WRAPPERS]
)
def test_a_match_that_is_read_is_the_one_that_is_played(
    wrapper: Any, form: object, args: tuple[str | int, ...], tmp_path: Path
) -> None:
    play = wrapper.__wrapped__
    played, read = (stored(form, lambda: tmp_path)(play)(*args) for _ in range(2))
    assert read is not played
    assert type(read) is type(played)
    assert read == played
    assert msgspec.msgpack.encode(read) == msgspec.msgpack.encode(played)


@pytest.fixture
def counting(tmp_path: Path) -> Counting:
    return Counting(tmp_path)


def test_the_same_match_is_played_once_however_it_is_asked_for(counting: Counting) -> None:
    played = counting.fresh()
    found = {played("duel"), played("duel", 1), played(name="duel", seed=1)}
    assert {*found, counting.fresh()("duel")} == {"duel 1"}
    assert counting.plays == 1


def test_every_other_argument_is_another_match(counting: Counting) -> None:
    played = counting.fresh()
    assert [played("duel"), played("duel", 2), played("melee")] == ["duel 1", "duel 2", "melee 1"]
    assert counting.plays == 3


def test_what_has_no_plain_name_is_refused(counting: Counting) -> None:
    with pytest.raises(TypeError, match="no plain values"):
        counting.fresh()(object())


@pytest.mark.parametrize("at", [0, 31, 32, -1])
def test_a_damaged_file_is_played_again_and_replaced(counting: Counting, at: int) -> None:
    counting.fresh()("duel")
    (file,) = (path for path in counting.folder.iterdir() if not path.suffix)
    whole = file.read_bytes()
    for bad in (b"", whole[:at], whole[:at] + bytes([whole[at] ^ 1])):
        file.write_bytes(bad)
        plays = counting.plays
        assert counting.fresh()("duel") == "duel 1"
        assert counting.plays == plays + 1
        assert file.read_bytes() == whole


def test_what_would_be_read_as_something_else_is_not_stored(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="would not be read as it was played"):
        read_or_played(tmp_path / "match", list[int], lambda: (1, 2))
    assert not (tmp_path / "match").exists()


# --- several processes


def test_of_processes_that_want_the_same_match_at_once_one_plays_it(tmp_path: Path) -> None:
    forking = multiprocessing.get_context("spawn")
    together = forking.Barrier(2)
    both = [forking.Process(target=play_together, args=(tmp_path, together)) for _ in range(2)]
    for process in both:
        process.start()
    for process in both:
        process.join()
    assert [process.exitcode for process in both] == [0, 0]
    assert len([*tmp_path.glob("played-*")]) == 1


# --- what a match follows from


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    for path in ("server/a.py", "client/data/b.toml", "tests/builders/c.py"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("1", encoding="utf-8")
    return tmp_path


def _changed(root: Path) -> None:
    (root / "client/data/b.toml").write_text("2", encoding="utf-8")


def _added(root: Path) -> None:
    (root / "server/d.py").touch()


def _renamed(root: Path) -> None:
    (root / "server/a.py").rename(root / "server/e.py")


def _moved_on(root: Path) -> None:
    (root / "server/a.py").write_text("", encoding="utf-8")
    (root / "client/data/b.toml").write_text("11", encoding="utf-8")


@pytest.mark.parametrize("change", [_changed, _added, _renamed, _moved_on])
def test_any_change_of_the_sources_is_another_key(
    change: Callable[[Path], None], sources: Path
) -> None:
    before = sources_hash(sources)
    assert sources_hash(sources) == before
    change(sources)
    assert sources_hash(sources) != before


def test_pages_and_compiled_modules_are_no_part_of_the_key(sources: Path) -> None:
    before = sources_hash(sources)
    (sources / "server/__pycache__").mkdir()
    (sources / "server/__pycache__/a.pyc").touch()
    (sources / "server/OPERATIONS.md").touch()
    assert sources_hash(sources) == before


def test_the_key_holds_the_sources_of_this_repository() -> None:
    root = matchstore.ROOT
    assert {path.name for path in root.iterdir()} >= {
        tree.partition("/")[0] for tree in matchstore.TREES
    }
    assert all((root / tree).is_dir() for tree in matchstore.TREES)


def test_the_folders_that_were_used_last_are_kept(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / str(number)).mkdir()
        (tmp_path / str(number) / "match").touch()
        os.utime(tmp_path / str(number), (number, number))
    prune(tmp_path, 2)
    assert {path.name for path in tmp_path.iterdir()} == {"3", "4"}


# --- where the product is another one than its sources say


def _by_attribute(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(PLANTED, "fault", 1, raising=False)


def _by_name(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("sunglare_server.match.record.RULES_VERSION", 0)


def _by_item(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(vars(PLANTED), "fault", 1)


def _by_removal(patch: pytest.MonkeyPatch) -> None:
    patch.delattr("sunglare_server.match.record.RULES_VERSION")


@pytest.mark.parametrize("plant", [_by_attribute, _by_name, _by_item, _by_removal])
def test_with_a_fault_planted_nothing_is_read_or_kept(
    plant: Callable[[pytest.MonkeyPatch], None], counting: Counting
) -> None:
    played = counting.fresh()
    with pytest.MonkeyPatch.context() as patch:
        plant(patch)
        assert is_patched()
        played("duel")
        played("duel")
        assert counting.plays == 2
        assert not [*counting.folder.iterdir()]
    assert not is_patched()
    played("duel")
    with pytest.MonkeyPatch.context() as patch:
        plant(patch)
        played("duel")
    assert counting.plays == 4


def test_the_environment_and_the_streams_of_a_test_change_no_match(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SUNGLARE_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["sunglare"])
    monkeypatch.setitem(sys.modules, "PIL", None)
    assert not is_patched()


@pytest.fixture
async def is_patched_in_a_fixture() -> bool:
    return is_patched()


async def test_the_fixtures_of_async_tests_change_no_match(
    is_patched_in_a_fixture: bool,
) -> None:
    assert not is_patched_in_a_fixture


def test_a_process_with_a_mutant_plays_for_itself_and_stores_nothing(tmp_path: Path) -> None:
    process = multiprocessing.get_context("spawn").Process(
        target=play_switched_off, args=(tmp_path,)
    )
    process.start()
    process.join()
    assert process.exitcode == 0
