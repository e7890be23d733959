"""Nobody finds a secret out piece by piece: a guess that is nearly right is like any other."""

from pathlib import Path

from secrecy.guessedsecrets import guessed_secrets


async def test_a_guess_that_is_nearly_a_code_a_ticket_or_a_token_is_refused_like_any_other(
    tmp_path: Path,
) -> None:
    assert await guessed_secrets(tmp_path) > 60
