"""Connects a process to its engine, and makes the transport that every process has over it."""

import ssl
from pathlib import Path
from typing import final

import msgspec

from sunglare_server.base.clock import Clock
from sunglare_server.cluster.client.connection import Connection, Login
from sunglare_server.cluster.client.credentials import (
    CredentialError,
    read_credential,
    trust_beside,
)
from sunglare_server.cluster.nats_transport import NatsTransport


@final
class Reach(msgspec.Struct, frozen=True, kw_only=True):
    """How a process reaches its engine: its servers, and the file that lets it in, if one does.

    `is_development` takes an engine that may lose what it acknowledged.
    """

    urls: tuple[str, ...]
    credentials: Path | None = None
    is_development: bool = False

    def named(self, name: str) -> str:
        """Return by which name the engine knows this process: that of its credential, if any.

        Raise `CredentialError` if it is to be called something else.
        """
        if self.credentials is None:
            return name
        known = read_credential(self.credentials).name
        if name and name != known:
            why = f"{self.credentials}: it is made for {known}, not for {name}; leave --name out"
            raise CredentialError(why)
        return known

    @property
    def login(self) -> Login | None:
        """Return what is shown to be let in; raise `CredentialError` if the file is none."""
        return None if self.credentials is None else read_credential(self.credentials)

    @property
    def trust(self) -> ssl.SSLContext | None:
        """Return what trusts the engines; None leaves that to this machine's own list of CAs.

        Raise `CredentialError` if the file of the CA is none.
        """
        return None if self.credentials is None else trust_beside(self.credentials)


async def open_transport(reach: Reach, name: str, clock: Clock) -> NatsTransport:
    """Return a transport over a line of its own; raise `EngineError` if there is none."""
    return NatsTransport(await Connection.open(reach.urls, name, reach.login, reach.trust), clock)
