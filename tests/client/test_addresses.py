"""The address of a server on the command line: as typed, and as a browser's bar shows it."""

import pytest

from sunglare_client.commands.arguments import command_line

ADDRESSES = {
    "ws://127.0.0.1:8765": "ws://127.0.0.1:8765",
    "wss://play.example.org/games/play": "wss://play.example.org/games/play",
    "unix:///run/sunglare.sock": "unix:///run/sunglare.sock",
    "127.0.0.1:8765": "ws://127.0.0.1:8765",
    "127.0.0.1:8765/": "ws://127.0.0.1:8765/",
    "play.example.org": "ws://play.example.org",
    "http://127.0.0.1:8765/": "ws://127.0.0.1:8765",
    "https://play.example.org/": "wss://play.example.org",
    "https://play.example.org/tv": "wss://play.example.org",
    "https://play.example.org/play": "wss://play.example.org",
    "https://play.example.org/replay/2bprcyupioedzx46w6kn5rdsnm.sgr": "wss://play.example.org",
    "https://play.example.org/games/": "wss://play.example.org/games/play",
    "https://play.example.org/games": "wss://play.example.org/games/play",
    "https://play.example.org/games/tv": "wss://play.example.org/games/play",
    "https://play.example.org/games/play": "wss://play.example.org/games/play",
    "https://play.example.org/games/#m=2bprcyup": "wss://play.example.org/games/play",
    "http://127.0.0.1:8765/#m=2bprcyup&c=obx7iy": "ws://127.0.0.1:8765",
    "HTTP://127.0.0.1:8765/?eyes=A#t=3": "ws://127.0.0.1:8765",
    "127.0.0.1:8765/#m=2bprcyup": "ws://127.0.0.1:8765/",
    "[::1]": "ws://[::1]",
    "[::1]:8765": "ws://[::1]:8765",
    "http://[::1]:8765/": "ws://[::1]:8765",
    "::1": "ws://[::1]",
}
"""What is typed, and the address that is called."""

WRONG = (
    "",
    "ws://",
    "http:///",
    "ftp://example.org",
    "ws://[::1",
    "ws://host:http",
    "ws://h:99999",
)


@pytest.mark.parametrize("text", ADDRESSES)
def test_the_address_of_a_page_is_that_of_its_server(text: str) -> None:
    assert command_line().parse_args(["lobby", "--url", text]).url == ADDRESSES[text]


@pytest.mark.parametrize("text", WRONG)
def test_what_is_no_address_is_wrong_usage(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command_line().parse_args(["play", "--url", text])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert f"argument --url: {text!r} is no address" in said


@pytest.mark.parametrize(
    "words",
    [
        ("play",),
        ("host",),
        ("lobby",),
        ("watch",),
        ("matches",),
        ("ladder",),
        ("doctor",),
        ("demo",),
        ("forget",),
        ("record", "x", "--out", "x.sgr"),
        ("replay", "x"),
        ("grant", "x", "Anna"),
        ("report", "x", "A", "rude"),
        ("account", "renew"),
        ("account", "export", "x.token"),
        ("bot", "run", "lurker"),
    ],
    ids=" ".join,
)
def test_every_command_takes_the_address_of_a_page(words: tuple[str, ...]) -> None:
    options = command_line().parse_args([*words, "--url", "http://127.0.0.1:8765/#m=abc"])
    assert options.url == "ws://127.0.0.1:8765"
