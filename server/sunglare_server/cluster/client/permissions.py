"""Rights to publish and subscribe in the engine: the fog, kept by another program than ours.

Theory of operation. The engine refuses connections without a credential, and a credential has a
role. What its role does not list here is refused by the engine itself. So a thief of a gateway for
spectators, or an exploiter of its fault, reads what any spectator may see and nothing else: no
log, no room, no seed, no side. Spectators' delays are kept by the owner of a match before it
publishes, so no subject that they may read ever carries a present secret.

A players' gateway may hear no more than that. What a side sees, and every feed that takes a grant
or a code, goes to those gateways alone that have a line which holds it: each gateway has a name of
its own, and with it a line (`line.<name>`) and an inbox (`_INBOX_<name>`) that no other one can
read; two of one name would read each other's. The name also ends every subject on which it asks
or gives signs of life, so that a worker knows who does. Workers ask each other, and say that they
are there, on subjects where no gateway may publish.

The engine does not look at the subject to which a request wants its answer. So who answers must
see that it lies in the asker's inbox: else an asker could have a worker publish for it, with the
worker's rights.
"""

from enum import StrEnum
from typing import NamedTuple, assert_never, final


@final
class Role(StrEnum):
    """The purpose of a connection to the engine."""

    WORKER = "worker"
    """Holds matches: logs, rooms, accounts, leases."""

    PLAYERS = "players"
    """A gateway that lets players in, and spectators."""

    SPECTATORS = "spectators"
    """A gateway that lets only spectators in."""

    OPERATOR = "operator"
    """Gives the operator's commands."""

    SYSTEM = "system"
    """Asks the engine itself how safely it stores, in an account of its own."""


@final
class Rights(NamedTuple):
    """The subjects, with wildcards, that a credential may publish and subscribe; no others."""

    publish: tuple[str, ...]
    subscribe: tuple[str, ...]


OPEN_FEEDS = ("view.*.public", "view.*.omni")
"""The feeds that may leave for anybody: the truth in the second is late already."""

_SAFETY = ("VARZ", "JSZ")
"""The requests for the engine's version, and how and when it writes to disk."""


def inbox_of(name: str) -> str:
    """Return the prefix of the subjects on which `name` gets its answers."""
    return f"_INBOX_{name}"


def _asking(trust: str, name: str) -> tuple[str, ...]:
    """Return where a gateway asks and gives signs of life: nowhere but under its own name."""
    return (
        f"{trust}.*.talk.{name}",
        f"{trust}.worker.*.talk.{name}",
        f"here.gateway.{name}",
    )


def _hearing(name: str) -> tuple[str, ...]:
    """Return what a gateway hears: what anybody may see, workers, and its own."""
    return (*OPEN_FEEDS, f"line.{name}", "here.worker.*", f"{inbox_of(name)}.>")


def rights_of(role: Role, name: str) -> Rights:
    """Return the rights of a user of this role and name."""
    inbox = f"{inbox_of(name)}.>"
    match role:
        case Role.WORKER:
            return Rights((">",), (">",))
        case Role.PLAYERS:
            return Rights(_asking("req", name), _hearing(name))
        case Role.SPECTATORS:
            return Rights(_asking("look", name), _hearing(name))
        case Role.OPERATOR:
            return Rights(("ctl.>",), (inbox,))
        case Role.SYSTEM:
            return Rights(tuple(f"$SYS.REQ.SERVER.*.{what}" for what in _SAFETY), (inbox,))
        case _:
            assert_never(role)
