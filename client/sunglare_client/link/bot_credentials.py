"""A bot's credentials in its environment, where a server puts those of the bots that it seats."""

import os
import secrets
from collections.abc import Mapping
from typing import NamedTuple, final

from sunglare_client.link.sealing import ENTROPY_BYTES
from sunglare_protocol.errors import SunglareError

TOKEN_VARIABLE = "SUNGLARE_TOKEN"  # noqa: S105 - the name of a variable
"""The environment variable with the token of the account that a bot plays under."""

TICKET_VARIABLE = "SUNGLARE_TICKET"
"""The environment variable with the ticket of a seat that a bot is to take again."""

ENTROPY_VARIABLE = "SUNGLARE_ENTROPY"
"""The environment variable with what a server's own bot is to pledge, so that its seed decides."""


class BotCredentialsError(SunglareError):
    """The environment has a malformed token, ticket or entropy."""

    def __init__(self) -> None:
        """Say what would be right, and nothing of what was there."""
        super().__init__(f"{ENTROPY_VARIABLE} is to be {2 * ENTROPY_BYTES} hexadecimal digits")


@final
class BotCredentials(NamedTuple):
    """The token or the ticket of a bot, if it has one, and what it pledges for the dice."""

    token: str | None
    ticket: str | None
    entropy: bytes


def as_told(environment: Mapping[str, str] = os.environ) -> BotCredentials:
    """Return a bot's credentials from the environment; entropy of its own if there is none.

    Raise `BotCredentialsError` if the entropy given is malformed.
    """
    token, ticket = environment.get(TOKEN_VARIABLE), environment.get(TICKET_VARIABLE)
    text = environment.get(ENTROPY_VARIABLE)
    if not text:
        return BotCredentials(token, ticket, secrets.token_bytes(ENTROPY_BYTES))
    try:
        entropy = bytes.fromhex(text)
    except ValueError:
        raise BotCredentialsError from None
    if len(entropy) != ENTROPY_BYTES:
        raise BotCredentialsError
    return BotCredentials(token, ticket, entropy)
