"""The flag by which a server keeps no secret: where it is refused, and that it is told."""

import re
from pathlib import Path

import pytest

from builders.servers import server_process
from sunglare_server.cli import read_settings
from sunglare_server.config import Duty
from sunglare_server.development import SEED_WARNING


def refusal(capsys: pytest.CaptureFixture[str], *flags: str, duty: Duty = Duty.WHOLE) -> str:
    """Return what is said of flags with which no server starts."""
    with pytest.raises(SystemExit) as left:
        read_settings([*flags], duty)
    assert left.value.code == 2
    return capsys.readouterr().err


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
def test_a_seed_goes_with_a_host_that_only_this_machine_reaches(host: str) -> None:
    assert read_settings(["--seed", "7", "--host", host]).seed == "7"


ANY = "0.0.0.0"  # noqa: S104 - what is refused


@pytest.mark.parametrize("host", [ANY, "::", "192.0.2.1", "example.org", ""])
def test_a_seed_is_refused_with_any_other_host(
    host: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "127.0.0.1 would do" in refusal(capsys, "--seed", "7", "--host", host)
    assert read_settings(["--host", host]).seed is None


def test_a_seed_is_refused_behind_a_proxy(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--trusted-proxy" in refusal(capsys, "--seed", "7", "--trusted-proxy", "127.0.0.1")


@pytest.mark.parametrize("duty", [duty for duty in Duty if duty is not Duty.WHOLE])
def test_no_part_of_a_cluster_takes_a_seed(duty: Duty, capsys: pytest.CaptureFixture[str]) -> None:
    assert re.search(r"unrecognized arguments: --seed", refusal(capsys, "--seed", "7", duty=duty))


def test_the_environment_sets_no_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUNGLARE_SEED", "7")
    assert read_settings([]).seed is None


def test_a_server_with_a_seed_warns_of_it_and_one_without_does_not(tmp_path: Path) -> None:
    with server_process(tmp_path, "--seed", "7") as seeded:
        assert SEED_WARNING in seeded.said()
    (tmp_path / "plain").mkdir()
    with server_process(tmp_path / "plain") as plain:
        assert SEED_WARNING not in plain.said()
