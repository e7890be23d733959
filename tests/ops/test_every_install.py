"""Every subcommand, with each extra alone and without any: it works or is refused."""

from pathlib import Path
from subprocess import CompletedProcess
from typing import Final

import pytest

from builders.installs import built, linked_environment, said_by
from builders.verified import short
from sunglare_client.__main__ import LOST
from sunglare_client.cli.streams import FAILED
from sunglare_client.commands.arguments import SUBCOMMANDS
from sunglare_protocol.extras import MODULES

NOBODY: Final = ("--url", "ws://127.0.0.1:1")
"""A server that does not answer."""

WORK: Final = {
    "play": ("--local", "--plain", "--quit-on-eof"),
    "learn": ("--list",),
    "bots": (),
    "bot": ("moment", "match.sgr", "--turn", "1", "--side", "A"),
    "arena": ("random", "lurker", "--games", "2", "--turns", "1", "--html", "report.html"),
    "replay": ("match.sgr", "--plain"),
    "export": ("match.sgr", "--as", "png"),
    "verify": ("match.sgr",),
    "why": ("match.sgr", "--side", "A"),
    "completion": ("bash",),
    "forget": NOBODY,
    "demo": (),
}
"""The words after each subcommand that needs no server but the one that it starts."""

REFUSED: Final = {
    "host": NOBODY,
    "lobby": NOBODY,
    "watch": NOBODY,
    "matches": NOBODY,
    "ladder": NOBODY,
    "record": ("aaaa", "--out", "record.sgr", *NOBODY),
    "account": ("export", "anna.token"),
    "grant": ("aaaa", "Anna", *NOBODY),
    "revoke": ("aaaa", "Anna", *NOBODY),
    "report": ("aaaa", "B", "insults", *NOBODY),
    "conformance": ("ws://127.0.0.1:1",),
}
"""Those that end in a sentence without one, whatever is installed."""

NEEDED: Final = {
    "play": ("server",),
    "demo": ("server",),
    "arena": ("server",),
    "export": ("export",),
    "completion": ("server", "tui"),
}
"""The extras without one of which a subcommand is refused."""

OF_SERVERS: Final = (
    ("--version",),
    ("--help",),
    ("config",),
    ("completion", "bash"),
    ("credentials", "cluster"),
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel once for all installs."""
    return built(tmp_path_factory.mktemp("dist"))[0]


@pytest.mark.parametrize("extra", ["", *MODULES])
def test_every_subcommand_works_or_is_refused_in_one_sentence(
    extra: str, wheel: Path, tmp_path: Path
) -> None:
    programs = linked_environment(tmp_path / "env", wheel, extra)
    home = tmp_path / "home"
    home.mkdir()
    (home / "match.sgr").write_bytes(short().data)
    for name in SUBCOMMANDS:
        if name == "doctor":
            continue
        words = WORK[name] if name in WORK else REFUSED[name]
        done = said_by(programs / "sunglare", name, *words, home=home)
        if name in REFUSED or extra not in NEEDED.get(name, (extra,)):
            assert_refused(done, "sunglare")
        else:
            assert done.returncode == 0, (name, done.stderr)
    for words in OF_SERVERS:
        done = said_by(programs / "sunglare-server", *words, home=home)
        if extra == "server":
            assert done.returncode == 0, (words, done.stderr)
        else:
            assert_refused(done, "sunglare-server")
    assert_doctor_is_right(said_by(programs / "sunglare", "doctor", *NOBODY, home=home), extra)


def assert_refused(done: CompletedProcess[str], program: str) -> None:
    """Check that a program ended with one sentence that says why."""
    assert done.returncode in {FAILED, LOST}, done
    [sentence] = done.stderr.splitlines()
    assert sentence.startswith(f"{program}: "), sentence


def assert_doctor_is_right(done: CompletedProcess[str], extra: str) -> None:
    """Check that the doctor counts as missing all extras but the one that is installed."""
    lines = [line for line in done.stdout.splitlines() if line.startswith("  extra ")]
    missing = [line for line in lines if " missing " in line]
    there = {"tui", "export", "server", "arena"} & {extra}
    assert len(lines) - len(missing) == len(there), done.stdout
    assert not [line for line in missing if f"[{extra}]" in line]
