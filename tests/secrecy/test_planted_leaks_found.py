"""Every planted leak is found by a suite, as the table in tests/README.md says."""

from pathlib import Path

import pytest

from secrecy.leaksuites import GENERAL, SUITES, found_by
from secrecy.plantedleaks import LEAKS, plant_of, sentence, written

LEAST = 20
"""So many leaks of different kinds are planted."""

BY_GENERAL = 16
"""So many of them, at least, are found by suites that are made for no one kind."""

FAULT = "server fault"
"""What a connection ends with that the server has a bug for, such as a plant that fails itself."""

WRITTEN = written()

SOON = ("chat", "prefix_of_a_code")
"""Two leaks that are found soon, by different suites: `make test` plants no others here."""


@pytest.mark.parametrize("name", [*SOON, *(name for name in LEAKS if name not in SOON)])
def test_a_planted_leak_is_found_by_the_suite_that_is_named_first(
    name: str, tmp_path: Path
) -> None:
    _, suites = WRITTEN[name]
    found = found_by(suites[0], plant_of(name), tmp_path)
    assert found, f"{suites[0]} does not find {name}"
    assert FAULT not in found, f"{name} makes the server fail instead of leaking"


def test_the_table_names_every_leak_with_what_it_does_and_suites_that_exist() -> None:
    assert list(WRITTEN) == list(LEAKS)
    for name, (text, suites) in WRITTEN.items():
        assert text == sentence(name)
        assert suites
        assert set(suites) <= set(SUITES)


def test_most_leaks_are_found_by_suites_that_know_none_of_them() -> None:
    by_general = [name for name, (_, suites) in WRITTEN.items() if set(suites) & set(GENERAL)]
    assert len(LEAKS) >= LEAST
    assert len(by_general) >= BY_GENERAL


@pytest.mark.parametrize("suite", ["served worlds", "outlet matrix", "ledger", "refused alike"])
def test_a_suite_finds_nothing_where_nothing_is_planted(suite: str, tmp_path: Path) -> None:
    assert SUITES[suite](tmp_path) is None
