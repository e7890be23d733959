"""The operator's `credentials`: secrets that nobody else reads, and that nothing overwrites."""

import json
import re
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from builders.cases import cases
from builders.certificates import OPENSSL
from sunglare_server.__main__ import main
from sunglare_server.base.entropy import SystemEntropy
from sunglare_server.cluster.client.credentials import (
    CA,
    Credential,
    CredentialError,
    encode_credential,
    file_of,
    read_credential,
    system_beside,
    trust_beside,
)
from sunglare_server.cluster.client.permissions import Role
from sunglare_server.ops.cluster.certificates import CA_KEY, ENGINE_CERTIFICATE, ENGINE_KEY
from sunglare_server.ops.cluster.credentials import AUTHORIZATION, ROUTES, Plan, make_credentials

ASKED = ["--workers", "w1,w2", "--players", "g1", "--spectators", "s1", "--engines", "n1,n2:7000"]

FILES = {
    "worker-w1.json",
    "worker-w2.json",
    "players-g1.json",
    "spectators-s1.json",
    "operator.json",
    "system.json",
    AUTHORIZATION,
    ROUTES,
    CA,
    CA_KEY,
    ENGINE_CERTIFICATE,
    ENGINE_KEY,
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the credentials of a small cluster, which no test changes."""
    folder = tmp_path_factory.mktemp("credentials") / "made"
    assert main(["credentials", str(folder), *ASKED]) == 0
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """Return a copy of that folder, which is the test's own."""
    return shutil.copytree(made, tmp_path / "made")


def kept(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def secrets_of(folder: Path) -> dict[str, str]:
    read = [read_credential(path) for path in folder.glob("*.json")]
    return {credential.user: credential.password for credential in read}


def test_each_process_gets_a_file_of_its_own_and_nothing_else_is_left(made: Path) -> None:
    assert set(kept(made)) == FILES


def test_only_the_owner_can_read_or_find_them(made: Path) -> None:
    assert stat.S_IMODE(made.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in made.iterdir()} == {0o600}


def test_a_secret_has_256_bits_and_is_nobody_elses(folder: Path) -> None:
    passwords = secrets_of(folder).values()
    assert len({*passwords}) == len(passwords) == 6
    assert all(re.fullmatch(r"[\w-]{43}", password) for password in passwords)


def test_what_is_printed_names_the_files_and_tells_no_secret(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["credentials", str(tmp_path), *ASKED]) == 0
    said = capsys.readouterr()
    assert {Path(line).name for line in said.out.splitlines()} == FILES
    assert not [word for word in secrets_of(tmp_path).values() if word in said.out + said.err]
    assert "password" not in repr(read_credential(tmp_path / "worker-w1.json"))


def test_the_engine_is_told_of_all_of_them(folder: Path) -> None:
    said = (folder / AUTHORIZATION).read_text()
    for user, password in secrets_of(folder).items():
        assert f"{{ user: {json.dumps(user)}, password: {json.dumps(password)}," in said


def test_the_engines_meet_with_a_secret_of_their_own(folder: Path) -> None:
    said = (folder / ROUTES).read_text()
    (password,) = re.findall(r'password: "([\w-]{43})"', said)
    assert f"nats-route://route:{password}@n1:6222" in said
    assert f"nats-route://route:{password}@n2:7000" in said
    assert password not in secrets_of(folder).values()


def names_of(folder: Path) -> list[str]:
    """Return the hosts that the engines' certificate names."""
    shown = ("x509", "-noout", "-ext", "subjectAltName", "-in", str(folder / ENGINE_CERTIFICATE))
    done = subprocess.run([str(OPENSSL), *shown], capture_output=True, text=True, check=True)
    return re.findall(r"(?:DNS|IP Address):([^,\s]+)", done.stdout)


def is_signed(folder: Path) -> bool:
    """Return whether the CA of a folder has signed its engines' certificate."""
    files = (str(folder / CA), str(folder / ENGINE_CERTIFICATE))
    for purpose in ("sslserver", "sslclient"):
        words = ("verify", "-x509_strict", "-purpose", purpose, "-CAfile", *files)
        if subprocess.run([str(OPENSSL), *words], capture_output=True, check=False).returncode:
            return False
    return True


def test_the_engines_certificate_names_all_of_them_and_is_signed_by_the_clusters_ca(
    tmp_path: Path,
) -> None:
    engines = "n1,n2.example.org:7000,192.0.2.7,[2001:db8::1]:6222"
    assert main(["credentials", str(tmp_path), "--engines", engines]) == 0
    assert names_of(tmp_path) == ["n1", "n2.example.org", "192.0.2.7", "2001:DB8:0:0:0:0:0:1"]
    assert is_signed(tmp_path)
    trust = trust_beside(tmp_path / "operator.json")
    assert trust is not None
    assert len(trust.get_ca_certs()) == 1


def test_the_ca_stays_when_the_engines_get_another_certificate(folder: Path) -> None:
    before = kept(folder)
    assert main(["credentials", str(folder), "--engines", "n1,n2,n3", "--force"]) == 0
    after = kept(folder)
    assert (after[CA], after[CA_KEY]) == (before[CA], before[CA_KEY])
    assert after[ENGINE_KEY] != before[ENGINE_KEY]
    assert names_of(folder) == ["n1", "n2", "n3"]
    assert is_signed(folder)


def test_without_openssl_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["credentials", str(tmp_path / "made"), *ASKED]) == 2
    assert "openssl is not on the PATH" in capsys.readouterr().err
    assert not (tmp_path / "made").exists()


def test_beside_a_credential_there_may_be_no_ca_and_nothing_that_is_none(tmp_path: Path) -> None:
    assert trust_beside(tmp_path / "worker-w1.json") is None
    (tmp_path / CA).write_text("no certificate")
    with pytest.raises(CredentialError, match=r"ca\.pem: this is no certificate of a CA"):
        trust_beside(tmp_path / "worker-w1.json")


@pytest.mark.parametrize(
    "again", [["--workers", "w3,w1"], ["--spectators", "s1"], ["--engines", "n1"]], ids=str
)
def test_no_secret_that_is_there_is_replaced(
    folder: Path, again: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    before = kept(folder)
    assert main(["credentials", str(folder), *again]) == 2
    assert "exists already; --force replaces it" in capsys.readouterr().err
    assert kept(folder) == before


def test_force_replaces_what_is_named_and_nothing_else(folder: Path) -> None:
    before = secrets_of(folder)
    assert main(["credentials", str(folder), "--spectators", "s1", "--force"]) == 0
    after = secrets_of(folder)
    assert {user for user in after if after[user] != before[user]} == {"spectators-s1"}
    said = (folder / AUTHORIZATION).read_text()
    assert after["spectators-s1"] in said
    assert before["spectators-s1"] not in said


def test_a_gateway_comes_later_and_everybody_keeps_their_secret(folder: Path) -> None:
    before = secrets_of(folder)
    assert main(["credentials", str(folder), "--spectators", "s2"]) == 0
    after = secrets_of(folder)
    assert after == {**before, "spectators-s2": after["spectators-s2"]}
    assert after["spectators-s2"] in (folder / AUTHORIZATION).read_text()


def test_whose_file_is_deleted_is_let_in_no_more(folder: Path) -> None:
    stolen = folder / "spectators-s1.json"
    password = read_credential(stolen).password
    stolen.unlink()
    assert main(["credentials", str(folder)]) == 0
    said = (folder / AUTHORIZATION).read_text()
    assert password not in said
    assert "spectators-s1" not in said
    assert secrets_of(folder)["players-g1"] in said


def test_a_file_that_the_command_has_not_made_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    foreign = tmp_path / AUTHORIZATION
    foreign.write_text("users: []\n")
    assert main(["credentials", str(tmp_path), "--workers", "w1"]) == 2
    assert "was not made by this command" in capsys.readouterr().err
    assert kept(tmp_path) == {AUTHORIZATION: b"users: []\n"}


@cases(
    ("asked", "why"),
    {
        "one name for both kinds of gateway": (["--players", "a", "--spectators", "a"], "twice"),
        "the name of a worker": (["--spectators", "w1"], "twice"),
        "a word of subjects": (["--workers", "all"], "'all' is no name"),
        "the operator's name": (["--players", "operator"], "'operator' is no name"),
        "two words of a subject": (["--players", "a.b"], "'a.b' is no name"),
        "a wildcard": (["--spectators", "*"], "'*' is no name"),
        "all that follows": (["--spectators", ">"], "'>' is no name"),
        "nothing": (["--workers", ""], "'' is no name"),
        "a way out of the folder": (["--workers", "../x"], "'../x' is no name"),
        "an engine with a word too many": (["--engines", "n1 n2"], "'n1 n2' is no address"),
        "an engine that ends its text": (["--engines", 'n"'], "is no address"),
    },
)
def test_a_name_that_would_open_somebody_elses_line_is_refused(
    folder: Path, asked: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = kept(folder)
    assert main(["credentials", str(folder), *asked, "--force"]) == 2
    assert why in capsys.readouterr().err
    assert kept(folder) == before


def test_a_file_in_the_place_of_anothers_is_noticed(folder: Path) -> None:
    (folder / "players-g2.json").write_bytes((folder / "worker-w1.json").read_bytes())
    with pytest.raises(CredentialError, match="is the credential of worker-w1"):
        make_credentials(Plan(folder, ()), SystemEntropy())


@cases(
    "text",
    {
        "no text": b"\xff",
        "nothing": b"",
        "a secret alone": b'"sesame"',
        "an unknown role": b'{"role": "king", "name": "a", "password": "sesame"}',
        "a field too many": b'{"role": "worker", "name": "a", "password": "sesame", "x": 1}',
        "no name": b'{"role": "worker", "name": "a.*", "password": "sesame"}',
    },
)
def test_what_is_no_credential_is_told_without_its_words(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(text)
    with pytest.raises(CredentialError) as refused:
        read_credential(path)
    assert "sesame" not in str(refused.value)


def test_a_file_that_is_not_there_is_told() -> None:
    with pytest.raises(CredentialError, match="No such file"):
        read_credential(Path("nowhere.json"))


def test_a_folder_that_cannot_be_made_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    assert main(["credentials", str(tmp_path / "file" / "made"), "--workers", "w1"]) == 2
    assert "Not a directory" in capsys.readouterr().err


def test_the_credential_of_the_systems_account_is_found_beside_a_workers(folder: Path) -> None:
    worker = folder / "worker-w1.json"
    assert system_beside(worker).user == "system"
    (folder / "system.json").write_bytes(worker.read_bytes())
    with pytest.raises(CredentialError, match=r"system\.json is worker-w1's"):
        system_beside(worker)


@pytest.mark.parametrize("role", [Role.WORKER, Role.PLAYERS, Role.SPECTATORS], ids=str)
def test_what_was_written_is_read(tmp_path: Path, role: Role) -> None:
    credential = Credential(role=role, name="a-1", password="p")
    path = file_of(tmp_path, role, "a-1")
    path.write_bytes(encode_credential(credential))
    assert read_credential(path) == credential
    assert path.name == f"{role.value}-a-1.json"
    assert credential.inbox == "_INBOX_a-1"


@pytest.mark.parametrize("flag", [["--workers", "w1"], ["--engines", "n1"], ["--force"]])
def test_seals_are_not_renewed_by_a_command_that_makes_files(
    tmp_path: Path, flag: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["credentials", str(tmp_path / "made"), "--renew-seals", *flag]) == 2
    assert "makes no files" in capsys.readouterr().err
    assert not (tmp_path / "made").exists()


def test_seals_are_not_renewed_without_a_server(tmp_path: Path) -> None:
    journal = ["--journal", str(tmp_path / "journal.db")]
    assert main(["credentials", "--renew-seals", *journal]) == 1
