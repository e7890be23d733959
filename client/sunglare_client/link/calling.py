"""Calling a server as the person one is known as there."""

import argparse

from sunglare_client.link import identity
from sunglare_client.link.connection import Connection, connect


async def connected(url: str, options: argparse.Namespace) -> Connection:
    """Connect as the person known on that server, and remember who that is."""
    if options.local:
        return await connect(url, name=options.name)
    connection = await connect(url, name=options.name, token=identity.load(url))
    identity.save(url, connection.welcome.token)
    return connection
