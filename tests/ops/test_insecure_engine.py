"""`--insecure-engine`: without it no part of a cluster reaches another machine in clear."""

import pytest

from sunglare_server.cli import read_settings
from sunglare_server.config import Duty

PARTS = (Duty.WORKER, Duty.GATEWAY, Duty.ARCHIVIST)


@pytest.mark.parametrize("duty", PARTS, ids=lambda duty: duty.value)
@pytest.mark.parametrize(
    "urls",
    [
        "nats://n1",
        "n1:4222",
        "10.0.0.7",
        "nats://worker:sesame@192.0.2.7:4222",
        "nats://[2001:db8::1]:4222",
        "ws://n1",
        "tls://n1,n2",
        "nats://127.0.0.1,nats://n1",
        "nats://127.0.0.1.example.org",
        "nats://[",
    ],
)
def test_an_engine_on_another_machine_is_not_reached_in_clear(
    duty: Duty, urls: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        read_settings(["--nats", urls], duty)
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert "--insecure-engine" in said
    assert "tls://" in said
    assert "sesame" not in said
    words = ["--nats", urls, "--insecure-engine"]
    assert read_settings(words, duty).nats == tuple(urls.split(","))


@pytest.mark.parametrize("duty", PARTS, ids=lambda duty: duty.value)
@pytest.mark.parametrize(
    "urls",
    [
        "tls://n1,tls://n2:4222",
        "wss://n1",
        "nats://127.0.0.1:4222",
        "127.0.0.2",
        "nats://localhost",
        "nats://a:b@[::1]:4222",
    ],
)
def test_encrypted_addresses_and_those_of_this_machine_are_taken(duty: Duty, urls: str) -> None:
    assert read_settings(["--nats", urls], duty).nats == tuple(urls.split(","))
