"""The account as a file: written once and privately, taken up elsewhere, never lost by that."""

import stat
from pathlib import Path

import pytest

from builders.servers import running_app
from sunglare_client.__main__ import FAILED, OK, main
from sunglare_client.link import identity
from sunglare_client.link.account import export_account, import_account
from sunglare_client.link.connection import connect
from sunglare_client.link.identity import IdentityError

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
