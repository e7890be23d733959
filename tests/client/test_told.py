"""What a bot is told by its environment: who it is, and what it pledges."""

import pytest

from sunglare_client.bots import RandomLegal
from sunglare_client.commands.bot_program import run
from sunglare_client.link.bot_credentials import BotCredentials, BotCredentialsError, as_told
from sunglare_client.link.sealing import ENTROPY_BYTES


def test_whoever_is_told_nothing_is_a_guest_with_entropy_of_its_own() -> None:
    first, second = as_told({}), as_told({})
    assert first[:2] == second[:2] == (None, None)
    assert len(first.entropy) == len(second.entropy) == ENTROPY_BYTES
    assert first.entropy != second.entropy


def test_a_server_tells_who_a_bot_is_which_seat_it_takes_again_and_what_it_pledges() -> None:
    entropy = bytes(range(ENTROPY_BYTES))
    environment = {
        "SUNGLARE_TOKEN": "token",
        "SUNGLARE_TICKET": "ticket",
        "SUNGLARE_ENTROPY": entropy.hex(),
    }
    assert as_told(environment) == BotCredentials("token", "ticket", entropy)


@pytest.mark.parametrize("text", ["zz", "0", "00", "00" * (ENTROPY_BYTES + 1)])
def test_what_is_no_pledge_is_refused_without_showing_it(text: str) -> None:
    with pytest.raises(
        BotCredentialsError, match=r"^SUNGLARE_ENTROPY is to be 64 hexadecimal digits$"
    ):
        as_told({"SUNGLARE_ENTROPY": text})


def test_the_program_of_a_bot_says_so_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUNGLARE_ENTROPY", "zz")
    with pytest.raises(SystemExit, match="random: SUNGLARE_ENTROPY is to be 64 hexadecimal"):
        run(RandomLegal, ["--match", "abc"])
