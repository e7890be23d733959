"""Addresses of clients, behind proxies too: under which each request is counted."""

from typing import final

from websockets.http11 import Request

from sunglare_server.config import Settings
from sunglare_server.gateway.addresses import client_of, is_within, key_of, network
from sunglare_server.gateway.forwarded import FORWARDED, forwarded_for


@final
class ClientAddresses:
    """Reads the header of trusted proxies, and no one else's."""

    def __init__(self, settings: Settings) -> None:
        """Take the proxies of the settings; raise `AddressError` if one is no address."""
        self._proxies = tuple(network(proxy) for proxy in settings.trusted_proxy)
        self._header = settings.proxy_header

    def are_shared(self, peer: str) -> bool:
        """Return whether clients share this address, since it is a trusted proxy's."""
        return is_within(peer, self._proxies)

    def key(self, peer: str, request: Request) -> str:
        """Return under what a request is counted that came by a connection from `peer`."""
        named = request.headers.get_all(self._header)
        if self._header.lower() == FORWARDED.lower():
            named = forwarded_for(named)
        return key_of(client_of(peer, named, self._proxies))
