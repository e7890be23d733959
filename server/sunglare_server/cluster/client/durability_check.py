"""Checks whether an engine keeps what it acknowledges: the requirements, and their messages.

What a worker may ask for itself does not include when a server writes to disk. So a second login,
of the engine's own account for its operators, asks every server how it is set up.
"""

import asyncio
import json
import re
import ssl
from collections.abc import Iterable
from typing import Any, Final, final

import structlog
from nats.aio.msg import Msg

from sunglare_server.cluster.client.connection import (
    START_S,
    Connection,
    EngineError,
    Login,
    told_in_our_words,
)

OLDEST: Final = (2, 10, 23)
"""Servers before this one lose whole streams."""

REPLICAS: Final = 3
"""So many copies survive the loss of any one."""

PAYLOAD_BYTES: Final = 8 * 1024 * 1024
"""OWN: what one message must be able to hold: the longest records, in one append."""

_ASK: Final = "$SYS.REQ.SERVER.PING.VARZ"
_FIRST_ANSWER_S = 5.0
_NEXT_ANSWER_S = 0.5


@final
class UnsafeEngineError(EngineError):
    """The engine may lose what it acknowledged: `faults` says what is to be changed, each."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        """Keep what was found."""
        super().__init__("the engine is not safe: " + "; ".join(faults))
        self.faults = faults


async def require_safety(
    urls: tuple[str, ...],
    system: Login | None,
    tls: ssl.SSLContext | None = None,
    *,
    is_development: bool = False,
    within_s: float = START_S,
) -> None:
    """Raise `UnsafeEngineError` unless every server of the engine keeps what it acknowledges.

    `system` is a login of the engine's system account. In development it is said and no more.
    """
    faults = await _faults(urls, system, tls, within_s)
    if not faults:
        return
    if not is_development:
        raise UnsafeEngineError(faults)
    log = structlog.get_logger()
    for fault in faults:
        log.warning("nats_durability_doubtful", fault=fault)


def faults_of(answers: Iterable[dict[str, Any]]) -> tuple[str, ...]:
    """Return what is to be changed, given what every server says of itself; () if nothing."""
    told = list(answers)
    if not told:
        return ("no server tells how it is set up: give a login of the system account",)
    faults = [fault for answer in told for fault in _faults_of_server(answer)]
    members = max([_members(answer) for answer in told])
    if members < REPLICAS:
        faults.append(
            f"{members} of its servers keep streams, {REPLICAS} are needed: "
            "put more of them into the cluster"
        )
    return tuple(faults)


async def _faults(
    urls: tuple[str, ...], system: Login | None, tls: ssl.SSLContext | None, within_s: float
) -> tuple[str, ...]:
    if system is None:
        return faults_of(())
    connection = await Connection.open(urls, "sunglare safety", system, tls, within_s)
    try:
        with told_in_our_words():
            return faults_of(await _answers(connection))
    finally:
        await connection.close()


async def _answers(connection: Connection) -> list[dict[str, Any]]:
    """Return what each server says of itself, once no more of them answers."""
    answers: asyncio.Queue[bytes] = asyncio.Queue()

    async def take(message: Msg) -> None:
        # Without data it says that such a question from this login has no responder.
        answers.put_nowait(message.data)

    client = connection.client
    inbox = client.new_inbox()
    await client.subscribe(inbox, cb=take)
    await client.publish(_ASK, b"", reply=inbox)
    found: list[dict[str, Any]] = []
    wait_s = _FIRST_ANSWER_S
    try:
        while data := await asyncio.wait_for(answers.get(), wait_s):
            found.append(json.loads(data)["data"])
            wait_s = _NEXT_ANSWER_S
    except TimeoutError:
        return found
    return found


def _faults_of_server(answer: dict[str, Any]) -> list[str]:
    name = f"server {answer.get('server_name')}"
    stores = answer.get("jetstream", {}).get("config")
    if not stores:
        # It may carry, and keeps nothing.
        return []
    faults = []
    version = str(answer.get("version"))
    if _numbers(version) < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        faults.append(f"{name} is of version {version}: run at least {oldest}")
    if not stores.get("sync_always"):
        faults.append(
            f"{name} acknowledges before it writes to disk: "
            "set `sync_interval: always` in its `jetstream` block"
        )
    if answer.get("max_payload", 0) < PAYLOAD_BYTES:
        faults.append(f"{name} takes only small messages: set `max_payload: 8MB`")
    return faults


def _members(answer: dict[str, Any]) -> int:
    """Return how many servers share the streams, as one of them knows; those away count too."""
    jetstream = answer.get("jetstream", {})
    if not jetstream.get("config"):
        return 0
    return int(jetstream.get("meta", {}).get("cluster_size", 1))


def _numbers(version: str) -> tuple[int, ...]:
    return tuple([int(number) for number in re.findall(r"\d+", version.partition("-")[0])])
