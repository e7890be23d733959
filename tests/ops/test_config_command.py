"""The command that prints every setting with where it comes from, and refuses what is none."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.servers import server_process
from sunglare_server.__main__ import main
from sunglare_server.cli import read_settings
from sunglare_server.config import Duty, Settings
from sunglare_server.config_report import sourced, unknown


def sources(words: list[str], duty: Duty, environment: dict[str, str]) -> dict[str, str]:
    return {one.flag: one.source for one in sourced(words, duty, environment)}


@pytest.mark.parametrize("duty", list(Duty), ids=lambda duty: duty.value)
def test_every_setting_of_a_process_is_shown_with_its_source(
    duty: Duty, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUNGLARE_NATS", "nats://127.0.0.1:4222")
    monkeypatch.setenv("SUNGLARE_LOG_LEVEL", "debug")
    environment = {"SUNGLARE_NATS": "", "SUNGLARE_LOG_LEVEL": ""}
    found = sources(["--log-format", "json"], duty, environment)
    assert found["--log-format"] == "flag"
    assert found["--log-level"] == "SUNGLARE_LOG_LEVEL"
    assert found["--loop"] == "default"
    assert ("--nats" in found) == (duty is not Duty.WHOLE)
    fields = {name for name in Settings.__struct_fields__ if name != "duty"}
    assert {flag.removeprefix("--").replace("-", "_") for flag in found} <= fields


@given(
    st.dictionaries(
        st.sampled_from(["connections", "openings", "guesses", "matches", "bots_at_once"]),
        st.integers(1, 1_000_000),
    )
)
def test_what_is_shown_as_flags_reads_as_the_same_settings(counts: dict[str, int]) -> None:
    words = [
        word for name, n in counts.items() for word in (f"--{name}".replace("_", "-"), str(n))
    ]
    shown = list(sourced(words, Duty.WHOLE, {}))
    assert {one.flag for one in shown if one.source == "flag"} == {*words[::2]}
    again = [f"{one.flag}={one.value}" for one in shown if one.value != "none"]
    assert read_settings(again) == read_settings(words)


@pytest.fixture
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take all settings from the environment."""
    for name in [name for name in os.environ if name.startswith("SUNGLARE_")]:
        monkeypatch.delenv(name)


@pytest.mark.usefixtures("no_variables")
@pytest.mark.parametrize("duty", list(Duty), ids=lambda duty: duty.value)
def test_what_neither_a_flag_nor_a_variable_sets_is_the_default(duty: Duty) -> None:
    nats = ("nats://127.0.0.1:4222",) if duty is Duty.ARCHIVIST else ()
    words = [word for url in nats for word in ("--nats", url)]
    assert read_settings(words, duty) == Settings(duty=duty, nats=nats)


@pytest.mark.usefixtures("no_variables")
@pytest.mark.parametrize("name", ["metrics", "quick_bots_s", "copy", "log_file", "tls_cert"])
def test_an_empty_variable_leaves_unset_what_is_unset_without_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"SUNGLARE_{name.upper()}", "")
    assert getattr(read_settings([]), name) is None


@pytest.mark.usefixtures("no_variables")
def test_an_empty_variable_is_a_value_of_what_is_set_without_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SUNGLARE_BOTS", "")
    assert read_settings([]).bots == ()


def test_a_flag_with_the_default_s_value_is_still_a_flag() -> None:
    assert sources(["--port", "8765"], Duty.WHOLE, {})["--port"] == "flag"


def test_a_seed_in_the_environment_is_no_source() -> None:
    assert sources([], Duty.WHOLE, {"SUNGLARE_SEED": "7"})["--seed"] == "default"
    assert len(list(unknown({"SUNGLARE_SEED": "7"}))) == 1


@pytest.mark.parametrize("name", ["SUNGLARE_PROT", "SUNGLARE_DUTY", "SUNGLARE_port"])
def test_a_variable_that_is_no_setting_is_refused_with_what_is_near(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(name, "1")
    assert main(["config"]) == 2
    told = capsys.readouterr()
    assert f"{name}: there is no such setting" in told.err
    assert "--port" in told.out


@pytest.mark.usefixtures("no_variables")
def test_variables_of_players_programs_are_no_mistake(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SUNGLARE_TOKEN", "x")
    assert main(["config", "gateway", "--worker", "there.sock"]) == 0
    told = capsys.readouterr()
    assert not told.err
    assert any(line.split() == ["--worker", "there.sock", "flag"] for line in told.out.split("\n"))


def test_a_value_that_does_not_fit_is_refused_as_at_a_start(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["config", "--port", "x"])
    assert left.value.code == 2
    assert "a port is a number from 0 to 65535" in capsys.readouterr().err


def test_a_server_that_starts_tells_its_log_of_a_variable_that_is_no_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUNGLARE_JURNAL", "here.db")
    with server_process(tmp_path) as server:
        assert "SUNGLARE_JURNAL: there is no such setting; near it is SUNGLARE_JOURNAL" in (
            server.said()
        )
