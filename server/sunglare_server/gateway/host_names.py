"""Names of this server, and the refusal of requests that ask for another one (DNS rebinding).

A page on the internet can have its own name resolve to 127.0.0.1 or to an address of the visitor's
network. For the browser, this server is then of the page's origin, so that the page may read its
answers; but `Host` still has the page's name. A server whose address is public has nothing to
lose by that: the author of the page reaches it without a browser.
"""

import re
import socket
from typing import Final, final

from sunglare_server.config import Duty, Settings
from sunglare_server.gateway.addresses import is_address, is_within, network, unmapped
from sunglare_server.gateway.special_networks import is_public

LOCALHOST: Final = "localhost"

ASK_ADDRESS: Final = "Ask for 127.0.0.1 or localhost."

_HOST: Final = re.compile(
    r"(?:\[(?P<literal>[0-9a-f:.]+)\]|(?P<name>[a-z0-9._-]{1,253}))(?::[0-9]*)?"
)
"""What `Host` has: an IPv6 address in brackets, or a name or IPv4 address; and perhaps a port."""


@final
class HostNames:
    """The names that a server takes where it is reached at an address that is not public.

    Those are all literal addresses, `localhost`, the name of its machine, and the hosts of
    `--origins`. Requests from a `--trusted-proxy` are not checked: it has chosen among names.
    """

    def __init__(self, settings: Settings) -> None:
        """Take the settings; raise `AddressError` if they name no proxy."""
        self._proxies = tuple(network(proxy) for proxy in settings.trusted_proxy)
        self._own = own_names(socket.gethostname())
        # A worker has figures alone, on 127.0.0.1, and no list of names.
        self._has_list = settings.duty is not Duty.WORKER
        self.take(settings)

    def take(self, settings: Settings) -> None:
        """Take the names of the origins in these settings, in place of earlier ones."""
        listed = (_name(origin.rpartition("://")[2]) for origin in settings.origins)
        self._listed = tuple(name for name in listed if name is not None)

    def refusal(self, hosts: list[str], *, peer: str, local: str, scheme: str) -> str | None:
        """Return the line that refuses a request with these values of `Host`; None admits it.

        `peer` and `local` are the addresses of both ends of its connection; the line names the
        setting that would admit it. Browsers always send one `Host`; without any it is admitted.
        """
        if not hosts or _is_public(local) or is_within(peer, self._proxies):
            return None
        name = _name(hosts[0]) if len(hosts) == 1 else None
        if name is None:
            return "Expected is one Host header, with a name or an address and perhaps a port."
        if is_address(name) or name in (LOCALHOST, *self._own, *self._listed):
            return None
        origin = f"{scheme}://{hosts[0].strip().lower()}"
        remedy = f"To allow that name, set --origins {origin}"
        return f"This server is not known as {name}. {remedy if self._has_list else ASK_ADDRESS}"


def own_names(machine: str) -> tuple[str, ...]:
    """Return the names of a machine that calls itself `machine`, in a local network too."""
    whole = machine.lower().rstrip(".")
    first = whole.partition(".")[0]
    return (whole, first, f"{first}.local") if first else ()


def _is_public(local: str) -> bool:
    """Return whether this end of a connection is public; on a Unix socket it is no address."""
    address = unmapped(local)
    return address is not None and is_public(address)


def _name(host: str) -> str | None:
    """Return the name or the address in a host with or without a port; None if it has neither."""
    found = _HOST.fullmatch(host.strip().lower())
    return None if found is None else found["literal"] or found["name"].removesuffix(".")
