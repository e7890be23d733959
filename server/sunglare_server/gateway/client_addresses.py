"""Addresses of clients, behind proxies too: under which each request is counted."""

from typing import Final, final

import structlog
from websockets.http11 import Request

from sunglare_server.config import Settings
from sunglare_server.gateway.addresses import client_of, is_within, key_of, network
from sunglare_server.gateway.forwarded import FORWARDED, forwarded_for

PROXY_HEADERS: Final = ("X-Forwarded-For", FORWARDED)
"""The headers by which a proxy says that it passes on what others have asked."""

UNTRUSTED: Final = (
    "if a proxy stands before this server, name its address in --trusted-proxy: until then its"
    " clients share the limits of one address, and no match between them is rated"
)
"""What the log says to set, and why."""


@final
class ClientAddresses:
    """Reads the header of trusted proxies, and no one else's."""

    def __init__(self, settings: Settings) -> None:
        """Take the proxies of the settings; raise `AddressError` if one is no address."""
        self._proxies = tuple(network(proxy) for proxy in settings.trusted_proxy)
        self._header = settings.proxy_header
        self._is_warned = False
        self._log = structlog.get_logger()

    def are_shared(self, peer: str) -> bool:
        """Return whether clients share this address, since it is a trusted proxy's."""
        return is_within(peer, self._proxies)

    def key(self, peer: str, request: Request) -> str:
        """Return under what a request is counted that came by a connection from `peer`."""
        if not self._proxies and not self._is_warned:
            self._warn_of_proxy(request)
        named = request.headers.get_all(self._header)
        if self._header.lower() == FORWARDED.lower():
            named = forwarded_for(named)
        return key_of(client_of(peer, named, self._proxies))

    def _warn_of_proxy(self, request: Request) -> None:
        """Warn once of a header that proxies send, where no proxy is trusted."""
        for header in (self._header, *PROXY_HEADERS):
            if header in request.headers:
                self._is_warned = True
                self._log.warning("proxy_header_ignored", header=header, why=UNTRUSTED)
                return


def is_forwarded(request: Request | None) -> bool:
    """Return whether a request carries a header by which a proxy names its client."""
    return request is not None and any(header in request.headers for header in PROXY_HEADERS)
