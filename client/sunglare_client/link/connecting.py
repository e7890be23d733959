"""Calling a server as the person one is known as there."""

import argparse
import asyncio
import contextlib
import sys
from urllib.parse import urlsplit

from sunglare_client.errors import RefusedError
from sunglare_client.link import identity
from sunglare_client.link.connection import Connection, connect
from sunglare_client.link.identity import IdentityError
from sunglare_client.link.renewing import renew
from sunglare_protocol.refusals import Code


async def connected(url: str, options: argparse.Namespace) -> Connection:
    """Connect as the account known on that server, and keep its token, else say that it is lost.

    Raise `IdentityError`, before anything is asked, for a new name whose token could not be kept.
    """
    if options.local:
        return await connect(url, name=options.name)
    if identity.load_next(url) is not None:
        # An exchange of tokens was cut off: either may be good.
        await renew(url)
    token = identity.load(url)
    if token is None and options.name is not None:
        identity.check_writable()
    try:
        connection = await connect(url, name=options.name, token=token)
    except RefusedError as refusal:
        if token is None or refusal.code is not Code.HELLO_TOKEN:
            raise
        raise IdentityError(
            f"{url} does not know the token in {identity.path(url)}: import another token of"
            " yours with sunglare account import, or remove that file to begin as a new player"
        ) from refusal
    try:
        identity.save(url, connection.welcome.token)
    except OSError as fault:
        if connection.welcome.token != token:
            sys.stderr.write(f"sunglare: {_unkept(fault)}\n")
    return connection


def _unkept(fault: OSError) -> str:
    return (
        f"{identity.home()} cannot be written ({fault.strerror}): you are a guest until this ends;"
        " SUNGLARE_HOME may name another folder"
    )


async def is_listening(url: str, within_s: float = 1.0) -> bool:
    """Return whether anybody takes calls at an address."""
    parts = urlsplit(url)
    try:
        async with asyncio.timeout(within_s):
            _, writer = await asyncio.open_connection(parts.hostname, parts.port or 80)
    except (OSError, TimeoutError):
        return False
    writer.close()
    with contextlib.suppress(OSError):  # the peer may hang up first
        await writer.wait_closed()
    return True
