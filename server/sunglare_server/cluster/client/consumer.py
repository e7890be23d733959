"""Reads many keys of a bucket as the engine sends them: in order, each counted."""

import functools
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, final

from nats.aio.msg import Msg
from nats.js.api import AckPolicy, ConsumerConfig, ConsumerInfo, DeliverPolicy

from sunglare_server.cluster.client.connection import told_in_our_words
from sunglare_server.cluster.client.kv_bucket import (
    KeyState,
    KeyValues,
    is_mark,
    told_as_store_error,
)

HEARTBEAT_S = 1.0
"""OWN: so often the engine says that nothing is new."""

_IDLE_END_S = 30.0

_NAME_BYTES = 16

_STATUS: Final = "Status"

_ALIVE: Final = "100"

_NEVER: Final = "-1"
"""No count is this, so the counter begins again: the engine sends no more."""

_LAST: Final = "Nats-Last-Consumer"

_STALLED: Final = "Nats-Consumer-Stalled"


@final
class Delivery(NamedTuple):
    """One message about a key: the how manieth of its consumer, and how many are still to come."""

    stored: KeyState
    number: int
    pending: int


@final
class Beat(NamedTuple):
    """A sign of life: how many messages were sent so far, and where to answer it, if anywhere."""

    sent: int | None
    answer: str | None


async def begin(
    bucket: KeyValues,
    inbox: str,
    filters: Sequence[str],
    *,
    after: int | None = None,
    headers_only: bool = False,
) -> bool:
    """Have the engine send what keys have to an inbox, and then every change.

    Return whether there is nothing so far.

    `filters` are keys, or patterns of keys. With `after` it begins after that revision. Raise
    StoreError if the engine refuses or can't be asked.
    """
    policy = DeliverPolicy.LAST_PER_SUBJECT if after is None else DeliverPolicy.BY_START_SEQUENCE
    config = ConsumerConfig(
        # By its name a request that is repeated makes no second one.
        name=bucket.engine.entropy.token(_NAME_BYTES).hex(),
        deliver_subject=inbox,
        deliver_policy=policy,
        opt_start_seq=None if after is None else after + 1,
        ack_policy=AckPolicy.NONE,
        max_deliver=1,
        filter_subjects=[bucket.prefix + key for key in filters],
        flow_control=True,
        idle_heartbeat=HEARTBEAT_S,
        headers_only=headers_only,
        inactive_threshold=_IDLE_END_S,
        mem_storage=True,
        num_replicas=1,
    )
    with told_as_store_error():
        made = await bucket.engine.patiently(functools.partial(_made, bucket, config))
    sent = made.delivered.consumer_seq if made.delivered else 0
    return not made.num_pending and not sent


async def _made(bucket: KeyValues, config: ConsumerConfig) -> ConsumerInfo:
    with told_in_our_words():
        return await bucket.engine.streams.add_consumer(bucket.stream, config)


def read(bucket: KeyValues, message: Msg) -> Delivery | Beat:
    """Return what a message that came to the inbox says."""
    headers: Mapping[str, str] = message.headers or {}
    if _STATUS in headers:
        sent = headers.get(_LAST) if headers[_STATUS] == _ALIVE else _NEVER
        return Beat(None if sent is None else int(sent), message.reply or headers.get(_STALLED))
    told = message.metadata
    key = message.subject.removeprefix(bucket.prefix)
    value = None if is_mark(headers) else message.data
    stored = KeyState(key, value, told.sequence.stream, headers)
    return Delivery(stored, told.sequence.consumer, told.num_pending)
