"""The values of many keys at once: one request, however many keys, and the answers in a row."""

from collections.abc import Sequence
from typing import Final

import nats.errors
from nats.aio.subscription import Subscription

from sunglare_server.cluster.client.connection import told_in_our_words
from sunglare_server.cluster.client.consumer import HEARTBEAT_S, Beat, Delivery, begin, read
from sunglare_server.cluster.client.kv_bucket import KeyState, KeyValues, told_as_store_error

KEYS_AT_ONCE: Final = 100
"""OWN: more keys by name are asked for in several requests."""

_SILENCE_S: Final = 3 * HEARTBEAT_S


async def gathered(
    bucket: KeyValues, filters: Sequence[str], *, headers_only: bool = False
) -> tuple[KeyState, ...]:
    """Return what the keys that fit these patterns have, marks as well, by revision.

    It may be a moment old: what was written meanwhile may be missing. StoreError if the engine
    refuses or can't be asked.
    """
    with told_as_store_error():
        return await bucket.engine.patiently(lambda: _gathered(bucket, filters, headers_only))


async def values_of(bucket: KeyValues, keys: Sequence[str]) -> dict[str, bytes]:
    """Return the values of those of these keys that have one."""
    found: dict[str, bytes] = {}
    for start in range(0, len(keys), KEYS_AT_ONCE):
        part = keys[start : start + KEYS_AT_ONCE]
        told = {stored.key: stored for stored in await gathered(bucket, part)}
        for key in part:
            # The server that answered may not know of it yet; the leader of the bucket does.
            stored = told[key] if key in told else await bucket.look(key)
            if stored.value is not None:
                found[key] = stored.value
    return found


async def _gathered(
    bucket: KeyValues, filters: Sequence[str], headers_only: bool
) -> tuple[KeyState, ...]:
    client = bucket.engine.connection.client
    inbox = client.new_inbox()
    with told_in_our_words():
        subscription = await client.subscribe(inbox)
        try:
            if await begin(bucket, inbox, filters, headers_only=headers_only):
                return ()
            return await _told(bucket, subscription)
        finally:
            if not client.is_closed:
                await subscription.unsubscribe()


async def _told(bucket: KeyValues, subscription: Subscription) -> tuple[KeyState, ...]:
    """Return what comes, to its end; TimeoutError of the client if some of it is lost."""
    found: list[KeyState] = []
    while True:
        told = read(bucket, await subscription.next_msg(_SILENCE_S))
        match told:
            case Delivery(stored=stored, number=number) if number == len(found) + 1:
                found.append(stored)
                if not told.pending:
                    return tuple(found)
            case Beat(answer=str(answer)):
                await bucket.engine.connection.client.publish(answer)
            case Beat(sent=sent) if sent == len(found):
                # Nothing more is to be sent: what was counted as pending is there no more.
                return tuple(found)
            case _:
                raise nats.errors.TimeoutError
