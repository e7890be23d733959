"""The files of tokens and tickets: where they lie, and that nobody else can read them."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from sunglare_client.link import identity
from sunglare_protocol.ids import MatchId

URL = "ws://example.org:8765/play"
MATCH = MatchId("abcdefgh")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "own"
    monkeypatch.setenv("SUNGLARE_HOME", str(folder))
    return folder


@pytest.fixture
def open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def test_a_token_comes_back_as_it_was_saved() -> None:
    identity.save(URL, "secret")
    assert identity.load(URL) == "secret"


def test_there_is_no_token_before_one_is_saved() -> None:
    assert identity.load(URL) is None


def test_a_dropped_token_is_gone_and_may_be_dropped_again() -> None:
    identity.save(URL, "secret")
    identity.drop(URL)
    identity.drop(URL)
    assert identity.load(URL) is None


def test_a_newer_token_takes_the_place_of_the_older(home: Path) -> None:
    identity.save(URL, "older")
    identity.save(URL, "newer")
    assert identity.load(URL) == "newer"
    assert [file.name for file in home.iterdir()] == ["example.org_8765.token"]


@pytest.mark.usefixtures("open_umask")
def test_file_and_folder_are_private_whatever_the_umask(home: Path) -> None:
    identity.save(URL, "secret")
    assert mode(identity.path(URL)) == 0o600
    assert mode(home) == 0o700


@pytest.mark.parametrize("wide", [0o644, 0o640, 0o666, 0o700], ids=oct)
def test_a_file_with_a_wider_mode_is_made_private_when_it_is_read(wide: int) -> None:
    identity.save(URL, "secret")
    identity.path(URL).chmod(wide)
    assert identity.load(URL) == "secret"
    assert mode(identity.path(URL)) == 0o600


def test_a_link_in_the_place_of_the_file_is_refused(tmp_path: Path) -> None:
    identity.save(URL, "secret")
    elsewhere = tmp_path / "elsewhere"
    identity.path(URL).rename(elsewhere)
    identity.path(URL).symlink_to(elsewhere)
    with pytest.raises(identity.IdentityError):
        identity.load(URL)


def test_a_folder_in_the_place_of_the_file_is_refused() -> None:
    identity.path(URL).mkdir(parents=True)
    with pytest.raises(identity.IdentityError):
        identity.load(URL)


def test_servers_and_profiles_have_tokens_of_their_own() -> None:
    identity.save(URL, "one")
    identity.save("ws://example.org:9000", "two")
    identity.save(URL, "three", profile="guest")
    assert identity.load(URL) == "one"
    assert identity.load("ws://example.org:9000") == "two"
    assert identity.load(URL, profile="guest") == "three"


@pytest.mark.parametrize("profile", ["../up", "a/b", "x" * 41, "a.b", "..", "Wächter"], ids=repr)
def test_a_profile_that_is_no_word_has_a_file_of_its_own_in_the_folder(profile: str) -> None:
    near = ["---up", "a-b", "x" * 40, "--", "W-chter", "W-achter"]
    paths = {identity.path(URL, each) for each in (profile, *near)}
    assert len(paths) == 1 + len(near)
    assert {path.parent for path in paths} == {identity.home()}
    assert all(len(path.name.encode()) < 200 for path in paths)


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("ws://127.0.0.1:8765", "127.0.0.1_8765.token"),
        ("wss://play.example.org", "play.example.org_443.token"),
        ("ws://play.example.org", "play.example.org_80.token"),
        ("ws://[::1]:7/play", "--1_7.token"),
    ],
    ids=["address", "secure default port", "plain default port", "version 6"],
)
def test_a_token_file_is_named_after_host_and_port(url: str, name: str) -> None:
    assert identity.path(url).name == name


def test_the_home_is_the_state_folder_if_no_other_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("SUNGLARE_HOME")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert identity.home() == tmp_path / "state" / "sunglare"
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert identity.home() == tmp_path / ".local" / "state" / "sunglare"


def test_a_ticket_belongs_to_one_match_and_is_private() -> None:
    identity.save_ticket(URL, MATCH, "ticket")
    assert identity.load_ticket(URL, MATCH) == "ticket"
    assert identity.load_ticket(URL, MatchId("other")) is None
    assert identity.load(URL) is None
    identity.drop_ticket(URL, MATCH)
    assert identity.load_ticket(URL, MATCH) is None
