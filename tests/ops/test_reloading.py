"""Settings that are read again on SIGHUP while people are connected, and files of settings."""

import os
import re
import signal
import ssl
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import InvalidStatus

from builders.certificates import OPENSSL, made
from builders.servers import ServerProcess, server_process
from builders.wires import WAIT_S, met
from documents.doctables import OPERATIONS, fenced
from sunglare_protocol.messages import Ping, Pong
from sunglare_server.base.library import SHIPPED
from sunglare_server.cli import settings_of
from sunglare_server.config import Duty, Settings
from sunglare_server.config_report import sourced
from sunglare_server.settingsfile import SettingsError


def written(folder: Path, text: str) -> Path:
    path = folder / "settings.toml"
    path.write_text(text, encoding="utf-8")
    return path


def hang_up(server: ServerProcess, until: str) -> None:
    """Send SIGHUP, and wait until the log says what came of it."""
    before = server.said().count(until)
    os.kill(server.pid, signal.SIGHUP)
    awaited(lambda: server.said().count(until) > before)


def awaited(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT_S
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_flag_wins_over_the_environment_and_that_over_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = "port = 1\nguesses = 1\nopenings = 1\nwebhooks = true\nbots = ['x']\n"
    path = written(tmp_path, some)
    monkeypatch.setenv("SUNGLARE_PORT", "2")
    monkeypatch.setenv("SUNGLARE_GUESSES", "2")
    words = ["--settings", str(path), "--port", "3"]
    found = settings_of(words)
    assert (found.port, found.guesses, found.openings) == (3, 2, 1)
    assert (found.webhooks, found.bots) == (True, ("x",))
    sources = {one.flag: one.source for one in sourced(words, Duty.WHOLE, os.environ)}
    assert sources["--port"] == "flag"
    assert sources["--guesses"] == "SUNGLARE_GUESSES"
    assert sources["--openings"] == str(path)
    assert sources["--matches"] == "default"


def test_processes_may_share_a_file_though_a_setting_is_not_of_each(tmp_path: Path) -> None:
    path = written(tmp_path, "port = 9000\nmatches = 7\nlease-ms = 900\n")
    assert settings_of(["--settings", str(path)], Duty.GATEWAY).port == 9000
    worker = settings_of(["--settings", str(path)], Duty.WORKER)
    assert (worker.matches, worker.lease_ms) == (7, 900)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("prot = 1", "prot: there is no such setting; near it is port"),
        ("seed = '7'", "seed: there is no such setting"),
        ("settings = 'x'", "settings: there is no such setting"),
        ("port = ", "no TOML: "),
        ("port = 1.5", "port: it is a text, a whole number, true or false, or a list of texts"),
        ("port = 'x'", "'x': a port is a number from 0 to 65535"),
        ("[port]\na = 1", "port: it is a text, a whole number"),
        ("bots = [1]", "bots: it is a text"),
        ("connections = 0", "a number from 1 to 1000000"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(SettingsError, match=re.escape(why)):
        settings_of(["--settings", str(written(tmp_path, text))])


def test_a_file_that_is_not_there_is_said() -> None:
    with pytest.raises(SettingsError, match=r"nowhere\.toml: No such file"):
        settings_of(["--settings", "nowhere.toml"])


def test_without_a_file_the_settings_are_the_defaults() -> None:
    assert settings_of([]) == Settings()


def test_the_settings_file_of_the_operators_page_is_one(tmp_path: Path) -> None:
    text, _ = fenced(OPERATIONS, "toml")
    path = tmp_path / "settings.toml"
    path.write_text(text, encoding="utf-8")
    found = settings_of(["--settings", str(path)])
    assert (found.port, found.webhooks, found.bots) == (9000, True, ("hunter", "admiral"))


async def test_limits_are_read_again_and_nobody_who_plays_notices(tmp_path: Path) -> None:
    path = written(tmp_path, "connections-per-address = 2\n")
    with server_process(tmp_path, "--settings", str(path)) as server:
        async with met(server.url) as one, met(server.url):
            with pytest.raises(InvalidStatus, match="429"):
                await joined(server.url)
            written(tmp_path, "connections-per-address = 3\nquick-bots-s = 7\n")
            hang_up(server, "settings_reloaded")
            await joined(server.url)
            assert "settings_need_restart" in server.said()
            # A lower limit puts nobody out.
            written(tmp_path, "connections-per-address = 1\n")
            hang_up(server, "settings_reloaded")
            await one.expect(Pong, Ping)


def test_scenarios_are_read_again_as_well_and_a_broken_one_is_named(tmp_path: Path) -> None:
    data = tmp_path / "data"
    (data / "scenarios").mkdir(parents=True)
    with server_process(tmp_path, "--data", str(data)) as server:
        (data / "scenarios" / "mine.toml").write_text("turns = 0\n", encoding="utf-8")
        hang_up(server, "settings_reload_failed")
        assert "mine.toml: " in server.said()
        text = (SHIPPED / "scenarios" / "shadow-of-ceres.toml").read_text(encoding="utf-8")
        (data / "scenarios" / "mine.toml").write_text(text, encoding="utf-8")
        hang_up(server, "settings_reloaded")
        assert "scenario mine (new)" in server.said()


async def joined(url: str) -> None:
    async with met(url) as line:
        await line.expect(Pong, Ping)


async def test_a_file_with_a_fault_changes_nothing_and_is_told_in_the_log(tmp_path: Path) -> None:
    path = written(tmp_path, "connections-per-address = 2\n")
    with server_process(tmp_path, "--settings", str(path)) as server:
        written(tmp_path, "connections-per-address = 1\nprot = 1\n")
        hang_up(server, "settings_reload_failed")
        assert "prot: there is no such setting; near it is port" in server.said()
        async with met(server.url), met(server.url) as other:
            await other.expect(Pong, Ping)


@pytest.mark.skipif(OPENSSL is None, reason="openssl makes the certificate")
def test_a_certificate_that_was_renewed_is_shown_after_it(tmp_path: Path) -> None:
    files = made(tmp_path)
    flags = ("--tls-cert", str(files.certificate), "--tls-key", str(files.key))
    with server_process(tmp_path, *flags) as server:
        before = shown(server.url)
        assert before == files.certificate.read_text(encoding="ascii")
        made(tmp_path)
        renewed = files.certificate.read_text(encoding="ascii")
        assert shown(server.url) == before != renewed
        hang_up(server, "settings_reloaded")
        assert shown(server.url) == renewed
        files.key.write_text("junk", encoding="ascii")
        hang_up(server, "settings_reload_failed")
        assert shown(server.url) == renewed


def shown(url: str) -> str:
    """Return the certificate that a server shows, in PEM."""
    where = urlsplit(url)
    assert where.hostname is not None
    return ssl.get_server_certificate((where.hostname, where.port or 0))
