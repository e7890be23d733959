"""Names of a server: which values of `Host` it takes, and where it checks them."""

import socket

import pytest

from sunglare_server.config import Duty, Settings
from sunglare_server.gateway.host_names import HostNames, own_names

LISTED = ("https://play.example", "http://other.example:8080", "https://[2001:db8::7]", "http://[")
PROXY = "10.0.0.7"
MACHINE = socket.gethostname().partition(".")[0]


def refusal(*hosts: str, peer: str = "127.0.0.1", local: str = "127.0.0.1") -> str | None:
    """Return the refusal of a request to a server with some names and a proxy."""
    names = HostNames(Settings(origins=LISTED, trusted_proxy=(PROXY,)))
    return names.refusal([*hosts], peer=peer, local=local, scheme="http")


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1:8765",
        "192.168.1.5",
        "[::1]:8765",
        "[fe80::1]",
        "localhost",
        "LocalHost:8765",
        "localhost.",
        pytest.param(f"{MACHINE}:8765", id="its own name"),
        pytest.param(f"{MACHINE.upper()}.local", id="its own name in a local network"),
        "play.example",
        "Play.Example:8765",
        "other.example",
        " play.example ",
    ],
)
def test_addresses_localhost_its_own_name_and_listed_names_are_taken(host: str) -> None:
    assert refusal(host) is None


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8765",
        "play.example.evil.example",
        "127.0.0.1.evil.example",
        "notlocalhost",
        "a.localhost",
        "local",
    ],
)
def test_another_name_is_refused_with_the_setting_that_would_allow_it(host: str) -> None:
    said = refusal(host)
    assert said is not None
    assert said.endswith(f"set --origins http://{host}")
    allowed = HostNames(Settings(origins=(said.rpartition(" ")[2],)))
    assert allowed.refusal([host], peer="127.0.0.1", local="127.0.0.1", scheme="http") is None


@pytest.mark.parametrize("hosts", [("",), ("[",), ("a b",), ("<b>",), ("localhost", "localhost")])
def test_a_host_that_is_none_is_refused_and_not_repeated(hosts: tuple[str, ...]) -> None:
    said = refusal(*hosts)
    assert said is not None
    assert said.startswith("Expected is one Host header")
    assert "<" not in said


def test_a_worker_names_no_setting_that_it_does_not_have() -> None:
    names = HostNames(Settings(duty=Duty.WORKER))
    said = names.refusal(["evil.example"], peer="127.0.0.1", local="127.0.0.1", scheme="http")
    assert said is not None
    assert said.endswith("Ask for 127.0.0.1 or localhost.")


@pytest.mark.parametrize(
    ("local", "is_checked"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("192.168.1.5", True),
        ("172.17.0.2", True),
        ("100.64.0.1", True),
        ("fd00::1", True),
        ("fe80::1%eth0", True),
        ("::ffff:10.0.0.1", True),
        ("192.88.99.1", True),
        ("3fff::1", True),
        ("fec0::1", True),
        ("", True),
        ("8.8.8.8", False),
        ("::ffff:8.8.8.8", False),
        ("2600::1", False),
    ],
)
def test_names_are_checked_where_the_address_is_not_public(
    local: str, *, is_checked: bool
) -> None:
    assert (refusal("evil.example", local=local) is not None) == is_checked


def test_a_trusted_proxy_and_a_request_without_a_host_are_not_checked() -> None:
    assert refusal("evil.example", peer=PROXY) is None
    assert refusal("evil.example", peer="10.0.0.8") is not None
    assert refusal() is None


def test_names_that_are_listed_while_it_runs_are_taken_from_then_on() -> None:
    names = HostNames(Settings(origins=LISTED))
    names.take(Settings(origins=("http://new.example",)))
    found = [
        names.refusal([host], peer="127.0.0.1", local="127.0.0.1", scheme="http") is None
        for host in ("new.example", "play.example")
    ]
    assert found == [True, False]


@pytest.mark.parametrize(
    ("machine", "names"),
    [
        ("den", ("den", "den", "den.local")),
        ("Den.Home.Example", ("den.home.example", "den", "den.local")),
        ("", ()),
    ],
)
def test_a_machine_has_its_whole_name_the_first_part_and_that_in_a_local_network(
    machine: str, names: tuple[str, ...]
) -> None:
    assert own_names(machine) == names
