"""What a player or a spectator of a server is offered at the end of a match: to see it again."""

import pytest

from sunglare_client.commands.arguments import command_line
from sunglare_client.spectating.see_again import page_address, see_again_lines
from sunglare_protocol.ids import MatchId

MATCH = MatchId("2bprcyupioedzx46w6kn5rdsnm")


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("ws://192.0.2.7:8765", "http://192.0.2.7:8765/"),
        ("ws://192.0.2.7:8765/play", "http://192.0.2.7:8765/"),
        ("192.0.2.7:8765", "http://192.0.2.7:8765/"),
        ("wss://games.example/sunglare/play", "https://games.example/sunglare/"),
        ("ws://[2001:db8::7]:8765/", "http://[2001:db8::7]:8765/"),
    ],
)
def test_the_page_is_where_the_server_is(url: str, address: str) -> None:
    assert page_address(url, MATCH) == f"{address}#m={MATCH}"


@pytest.mark.parametrize("url", ["ws://192.0.2.7:8765", "wss://games.example/sunglare/play"])
def test_the_page_that_is_offered_names_its_server_on_the_command_line(url: str) -> None:
    page = page_address(url, MATCH)
    assert page is not None
    assert command_line().parse_args(["lobby", "--url", page]).url == url


def test_a_socket_file_has_no_page() -> None:
    assert page_address("unix:///run/game", MATCH) is None
    (line,) = see_again_lines("unix:///run/game", MATCH)
    assert line.startswith("to see it again: sunglare replay")


def test_a_private_match_is_seen_again_with_its_code() -> None:
    replay, page = see_again_lines("ws://192.0.2.7", MATCH, "abcdef23")
    assert replay.endswith(f"sunglare replay {MATCH} --url ws://192.0.2.7 --code abcdef23")
    assert page.endswith(f"http://192.0.2.7/#m={MATCH}&c=abcdef23")


def test_the_command_that_is_offered_is_one_that_the_command_line_takes() -> None:
    line, _ = see_again_lines("ws://192.0.2.7", MATCH, "abcdef23")
    _, _, command = line.partition(": sunglare ")
    options = command_line().parse_args(command.split())
    assert (options.replay, options.url, options.code) == (MATCH, "ws://192.0.2.7", "abcdef23")
