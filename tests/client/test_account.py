"""The account as a file: written once and privately, taken up elsewhere, never lost by that."""

import asyncio
import stat
from pathlib import Path

import pytest

from builders.servers import running_app
from sunglare_client.__main__ import LOST, OK, main
from sunglare_client.cli.streams import FAILED
from sunglare_client.errors import RefusedError
from sunglare_client.link import identity
from sunglare_client.link.account_file import export_account, import_account
from sunglare_client.link.connection import connect
from sunglare_client.link.identity import IdentityError
from sunglare_protocol import messages
from sunglare_server.app import App
from sunglare_server.ports.store import hash_of

URL = "ws://127.0.0.1:8765"
TOKEN = "A-b_" * 10 + "xyz"
OTHER = "z" * 43

Capsys = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SUNGLARE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Go to another machine, where nothing is known."""
    monkeypatch.setenv("SUNGLARE_HOME", str(tmp_path / "elsewhere"))


def test_what_was_exported_is_imported_on_another_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    identity.save(URL, TOKEN)
    export_account(URL, tmp_path / "anna.token")
    elsewhere(monkeypatch, tmp_path)
    import_account(URL, tmp_path / "anna.token")
    assert identity.load(URL) == TOKEN
    import_account(URL, tmp_path / "anna.token")
    assert identity.load("ws://other.example") is None


def test_the_token_file_itself_is_the_account(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    identity.save(URL, TOKEN)
    file = identity.path(URL)
    export_account(URL, tmp_path / "anna.token")
    assert (tmp_path / "anna.token").read_bytes() == file.read_bytes()
    elsewhere(monkeypatch, tmp_path)
    import_account(URL, file)
    assert identity.load(URL) == TOKEN


def test_an_exported_account_can_be_read_by_its_owner_alone(tmp_path: Path) -> None:
    identity.save(URL, TOKEN)
    export_account(URL, tmp_path / "anna.token")
    assert stat.S_IMODE((tmp_path / "anna.token").stat().st_mode) == 0o600


def test_nothing_is_exported_over_a_file_that_is_there(tmp_path: Path) -> None:
    identity.save(URL, TOKEN)
    file = tmp_path / "anna.token"
    file.write_text("precious")
    with pytest.raises(IdentityError, match=r"anna\.token is there already; name another file"):
        export_account(URL, file)
    assert file.read_text() == "precious"


def test_without_an_account_there_is_nothing_to_export(tmp_path: Path) -> None:
    with pytest.raises(IdentityError, match=f"no account for {URL} here"):
        export_account(URL, tmp_path / "anna.token")
    assert not (tmp_path / "anna.token").exists()


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    identity.save(URL, TOKEN)
    with pytest.raises(IdentityError, match=r"nowhere/anna\.token cannot be written: No such"):
        export_account(URL, tmp_path / "nowhere" / "anna.token")


def test_another_account_that_is_kept_is_replaced_only_if_that_is_said(tmp_path: Path) -> None:
    identity.save(URL, OTHER)
    file = tmp_path / "anna.token"
    file.write_text(f"{TOKEN}\n")
    with pytest.raises(IdentityError, match=r"another account .*--replace"):
        import_account(URL, file)
    assert identity.load(URL) == OTHER
    import_account(URL, file, replace=True)
    assert identity.load(URL) == TOKEN


@pytest.mark.parametrize(
    "text", ["", "short", "two words of twenty letters", "ü" * 43, "x" * 129, f"{TOKEN}\n{TOKEN}"]
)
def test_a_file_that_holds_no_token_is_refused(tmp_path: Path, text: str) -> None:
    identity.save(URL, OTHER)
    file = tmp_path / "anna.token"
    file.write_text(text)
    with pytest.raises(IdentityError, match=r"anna\.token holds no account: it should be one"):
        import_account(URL, file, replace=True)
    assert identity.load(URL) == OTHER


@pytest.mark.parametrize(("name", "why"), [("gone", "No such file"), (".", "Is a directory")])
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, name: str, why: str) -> None:
    with pytest.raises(IdentityError, match=f"cannot be read: {why}"):
        import_account(URL, tmp_path / name)


def test_the_command_line_exports_and_imports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capsys
) -> None:
    identity.save(URL, TOKEN)
    file = str(tmp_path / "anna.token")
    assert main(["account", "export", file]) == OK
    assert main(["account", "export", file]) == FAILED
    assert f"sunglare: {file} is there already" in capsys.readouterr().err
    elsewhere(monkeypatch, tmp_path)
    assert main(["account", "import", file]) == OK
    identity.save(URL, OTHER)
    assert main(["account", "import", file]) == FAILED
    assert main(["account", "import", file, "--replace"]) == OK
    assert identity.load(URL) == TOKEN
    assert TOKEN not in "".join(capsys.readouterr())


async def named(app: App, name: str) -> str:
    """Make an account on a server, be it here, and return its token."""
    async with await connect(app.url, name=name) as connection:
        identity.save(app.url, connection.welcome.token)
        return connection.welcome.token


async def is_anna(app: App) -> None:
    """Check that the token that is kept is the account, and none other is on its way."""
    assert identity.load_next(app.url) is None
    async with await connect(app.url, token=identity.load(app.url)) as connection:
        assert connection.welcome.name == "anna"


async def test_the_command_line_exchanges_the_token_and_keeps_it_privately(
    tmp_path: Path, capsys: Capsys
) -> None:
    async with running_app(tmp_path) as app:
        old = await named(app, "anna")
        assert await asyncio.to_thread(main, ["account", "renew", "--url", app.url]) == OK
        assert identity.load(app.url) not in (None, old)
        assert stat.S_IMODE(identity.path(app.url).stat().st_mode) == 0o600
        await is_anna(app)
        with pytest.raises(RefusedError):
            await connect(app.url, token=old)
        said = "".join(capsys.readouterr())
        assert old not in said
        assert (identity.load(app.url) or old) not in said


@pytest.mark.parametrize("has_been_asked", [False, True])
@pytest.mark.parametrize("command", ["account", "matches"])
async def test_an_exchange_that_was_cut_off_is_finished_by_the_next_command(
    tmp_path: Path, command: str, has_been_asked: bool
) -> None:
    words = {"account": ["account", "renew"], "matches": ["matches"]}[command]
    async with running_app(tmp_path) as app:
        old = await named(app, "anna")
        identity.save_next(app.url, OTHER)
        if has_been_asked:
            # And the answer was lost.
            async with await connect(app.url, token=old) as connection:
                proof = hash_of(OTHER)
                await connection.expect(messages.Accepted, messages.Renew, token_hash=proof)
        assert await asyncio.to_thread(main, [*words, "--url", app.url]) == OK
        assert identity.load(app.url) == OTHER
        await is_anna(app)


async def test_a_server_that_does_not_answer_leaves_both_tokens_for_the_next_try(
    tmp_path: Path, capsys: Capsys
) -> None:
    async with running_app(tmp_path) as app:
        old = await named(app, "anna")
    assert await asyncio.to_thread(main, ["account", "renew", "--url", app.url]) == LOST
    assert identity.load(app.url) == old
    assert identity.load_next(app.url) is not None
    assert old not in "".join(capsys.readouterr())


def test_while_an_exchange_is_cut_off_the_account_is_not_taken_elsewhere(tmp_path: Path) -> None:
    identity.save(URL, TOKEN)
    identity.save_next(URL, OTHER)
    with pytest.raises(IdentityError, match=r"finish it: sunglare account renew --url"):
        export_account(URL, tmp_path / "anna.token")
    file = tmp_path / "anna.token"
    file.write_text(f"{'y' * 43}\n")
    import_account(URL, file, replace=True)
    assert identity.load_next(URL) is None


def test_without_an_account_there_is_no_token_to_exchange(capsys: Capsys) -> None:
    assert main(["account", "renew", "--url", URL]) == FAILED
    assert f"no account for {URL} here" in capsys.readouterr().err


async def test_who_imports_an_account_is_the_same_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running_app(tmp_path) as app:
        async with await connect(app.url, name="anna") as connection:
            identity.save(app.url, connection.welcome.token)
        export_account(app.url, tmp_path / "anna.token")
        elsewhere(monkeypatch, tmp_path)
        import_account(app.url, tmp_path / "anna.token")
        async with await connect(app.url, token=identity.load(app.url)) as connection:
            assert connection.welcome.name == "anna"


async def test_a_token_that_the_server_does_not_know_is_named_with_its_file(
    tmp_path: Path, capsys: Capsys
) -> None:
    async with running_app(tmp_path) as app:
        identity.save(app.url, OTHER)
        assert await asyncio.to_thread(main, ["matches", "--url", app.url]) == FAILED
        said = capsys.readouterr().err
        assert f"does not know the token in {identity.path(app.url)}" in said
        assert OTHER not in said
        assert identity.load(app.url) == OTHER
