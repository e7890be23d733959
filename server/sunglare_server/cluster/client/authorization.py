"""The part of an engine's configuration that says who may connect, and what each may do."""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from sunglare_server.cluster.client.credentials import Credential
from sunglare_server.cluster.client.permissions import Rights, Role, rights_of

MADE: Final = "# Made by `sunglare-server credentials`"
"""How a file begins that may be written again."""

ROUTE_PORT: Final = 6222
"""The port on which engines of a cluster meet, unless an address names one."""

_FRAME = """\
{made}: who may connect to the engine, and what each may do.
# It holds secrets: its readers may read and write everything that the engine stores.
accounts {{
  PLAY {{
    jetstream: enabled
    # Who is added by hand and given no rights has none.
    default_permissions {{ publish {{ deny: ">" }}, subscribe {{ deny: ">" }} }}
    users: [
{users}
    ]
  }}
  SYS {{
    users: [
{system}
    ]
  }}
}}
system_account: SYS
"""

_ROUTES = """\
{made}: how the engines of a cluster know each other.
# It holds a secret: its readers may join the cluster, and then read everything.
authorization {{ user: "route", password: {password}, timeout: 5 }}
routes: {routes}
"""


def authorization(
    credentials: Iterable[Credential], rights: Callable[[Role, str], Rights] = rights_of
) -> str:
    """Return what lets in exactly these, each with the rights of role and name."""
    users: dict[bool, list[str]] = {True: [], False: []}
    for credential in sorted(credentials, key=lambda one: one.user):
        allowed = rights(credential.role, credential.name)
        users[credential.role is Role.SYSTEM].append(_user(credential, allowed))
    return _FRAME.format(made=MADE, users="\n".join(users[False]), system="\n".join(users[True]))


def routes(engines: Sequence[str], password: str) -> str:
    """Return what has engines meet at these addresses, each a host or `host:port`."""
    addresses = (engine if ":" in engine else f"{engine}:{ROUTE_PORT}" for engine in engines)
    urls = [f"nats-route://route:{password}@{address}" for address in addresses]
    return _ROUTES.format(made=MADE, password=json.dumps(password), routes=json.dumps(urls))


def _user(credential: Credential, rights: Rights) -> str:
    name, password = json.dumps(credential.user), json.dumps(credential.password)
    publish, subscribe = (
        f"{{ allow: {json.dumps(subjects)} }}" for subjects in (rights.publish, rights.subscribe)
    )
    permissions = f"{{ publish: {publish}, subscribe: {subscribe} }}"
    return f"      {{ user: {name}, password: {password},\n        permissions: {permissions} }}"
