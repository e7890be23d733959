"""What is dropped is gone from the engine, and what is left of it goes when it is swept."""

import asyncio
import base64
from collections.abc import AsyncIterator

import nats
import pytest
from nats.js import JetStreamContext
from nats.js.errors import NotFoundError

from builders.engines import Engines, empty
from builders.natsstores import nats_store
from builders.steps_of_work import Dying
from builders.stores import ALPHA, BETA, A, ended, give
from sunglare_server.cluster.client.tombstone_gc import OLD_MS
from sunglare_server.cluster.store.store import NatsStore
from sunglare_server.ports.store import Account, hash_of

pytestmark = pytest.mark.needs_nats

BUCKETS = ("accounts", "rooms", "over", "tickets", "reports")


@pytest.fixture
async def store(node_of_all: Engines) -> AsyncIterator[NatsStore]:
    """Give a test the store of a worker, on an engine that keeps nothing yet."""
    await empty(node_of_all)
    async with nats_store(node_of_all) as store:
        yield store


def person(number: int, name: str) -> Account:
    return Account(
        id=f"{number:032x}",
        token_hash=hash_of(f"token {number}"),
        name=name,
        name_key=name.casefold(),
    )


async def messages(engines: Engines) -> list[bytes]:
    """Return all that is stored: subject, headers and bytes of every message of every bucket."""
    client = await nats.connect(list(engines.urls))
    try:
        streams = client.jetstream()
        return [one for bucket in BUCKETS async for one in _messages_of(streams, f"KV_{bucket}")]
    finally:
        await client.close()


async def _messages_of(streams: JetStreamContext, name: str) -> AsyncIterator[bytes]:
    info = await streams.stream_info(name)
    for seq in range(max(info.state.first_seq, 1), info.state.last_seq + 1):
        try:
            told = await streams.get_msg(name, seq=seq)
        except NotFoundError:
            continue
        assert told.subject is not None
        headers = base64.b64decode(told.hdrs or b"")
        yield told.subject.encode() + b"\n" + headers + b"\n" + (told.data or b"")


async def test_no_byte_of_a_forgotten_name_is_left_in_any_message(
    store: NatsStore, node_of_all: Engines
) -> None:
    gone, stays = person(7, "Philippa-Xanthe"), person(8, "Ann")
    for account in (gone, stays):
        await store.add_account(account)
        await store.put_webhook(account.id, f"https://{account.name_key}.example.org/hook")
    await store.rename(gone.id, "Xanthe-Philippa", "xanthe-philippa")
    await store.rename(gone.id, gone.name, gone.name_key)
    secrets = (b"philippa", b"xanthe", gone.token_hash.encode())
    before = b"\n".join(await messages(node_of_all)).lower()
    assert all(secret in before for secret in secrets)
    await store.forget(gone.id)
    after = b"\n".join(await messages(node_of_all)).lower()
    assert not any(secret in after for secret in secrets)
    assert b"ann.example.org" in after


async def test_no_key_shows_a_name_or_a_token(store: NatsStore, node_of_all: Engines) -> None:
    account = person(7, "philippa")
    await store.add_account(account)
    await give(store, "T1")
    subjects = b"\n".join(message.partition(b"\n")[0] for message in await messages(node_of_all))
    assert account.id.encode() in subjects
    for secret in ("philippa", account.token_hash, hash_of("T1"), "T1"):
        assert secret.encode() not in subjects


async def test_marks_go_an_hour_after_they_were_seen_and_what_is_kept_stays(
    store: NatsStore, node_of_all: Engines
) -> None:
    await store.add_account(person(1, "Ann"))
    await store.add_account(person(2, "Ben"))
    await store.forget(person(1, "").id)
    await store.put_room(ALPHA, b"room")
    await store.put_room(BETA, b"dropped")
    await give(store, "T1")
    await give(store, "T2", match=BETA)
    await store.drop_room(BETA)
    before = await messages(node_of_all)
    assert await store.sweep(5) == 0
    assert await store.sweep(4 + OLD_MS) == 0
    assert await messages(node_of_all) == before
    marks = sum(b"KV-Operation" in message for message in before)
    assert await store.sweep(5 + OLD_MS) == marks > 0
    after = await messages(node_of_all)
    assert after == [message for message in before if b"KV-Operation" not in message]
    assert await store.rooms() == ((ALPHA, b"room"),)
    assert await store.every_name() == ((person(2, "").id, "Ben"),)
    assert len(await store.tickets_of(ALPHA, A)) == 1


async def test_a_mark_that_was_written_over_since_is_not_taken_for_old(store: NatsStore) -> None:
    await store.put_room(ALPHA, b"room")
    await store.drop_room(ALPHA)
    await store.sweep(0)
    await store.put_room(ALPHA, b"again")
    await store.drop_room(ALPHA)
    assert await store.sweep(OLD_MS) == 0
    await store.put_room(ALPHA, b"anew")
    assert await store.sweep(2 * OLD_MS) == 0
    assert await store.rooms() == ((ALPHA, b"anew"),)


@pytest.mark.parametrize("steps", range(1, 8))
async def test_what_a_worker_that_died_has_left_goes_with_the_sweep(
    store: NatsStore, node_of_all: Engines, steps: int
) -> None:
    await store.add_account(person(1, "Ann"))
    await store.add_account(person(2, "Ben"))
    async with nats_store(node_of_all) as dying:
        await Dying(dying.add_account(person(3, "Cat")), steps)
        await Dying(dying.rename(person(1, "").id, "Zoe", "zoe"), steps)
        await Dying(dying.forget(person(2, "").id), steps)
        await Dying(dying.give_ticket(hash_of("T1"), ALPHA, A, 1_000), steps)
        await dying.put_room(ALPHA, b"room")
        await dying.add_account(person(4, "Dan"))
        await give(dying, "T2")
    for hours in range(4):
        await store.sweep(hours * OLD_MS)
    assert await store.sweep(4 * OLD_MS) == 0
    people = len(await store.every_name())
    claims = [message for message in await messages(node_of_all) if _is_of(message, "accounts")]
    # Each has a key, and claims a name and a token.
    assert len(claims) == 3 * people
    tickets = [message for message in await messages(node_of_all) if _is_of(message, "tickets")]
    assert len(tickets) == 1 + len(await store.tickets_of(ALPHA, A))


async def test_tickets_of_a_match_without_a_room_go_with_the_sweep(store: NatsStore) -> None:
    await give(store, "T1")
    await give(store, "T2", match=BETA)
    await store.end_room(BETA, b"over", ended(7))
    await store.sweep(0)
    await store.sweep(OLD_MS)
    assert await store.ticket(hash_of("T1")) is None
    assert await store.ticket(hash_of("T2")) is not None


async def test_a_sweep_takes_no_claim_from_somebody_who_lives(
    store: NatsStore, node_of_all: Engines
) -> None:
    async with nats_store(node_of_all) as other:
        for number in range(10):
            await asyncio.gather(
                other.add_account(person(number, f"Ann {number}")), store.sweep(number)
            )
        assert len(await other.every_name()) == 10


def _is_of(message: bytes, bucket: str) -> bool:
    return message.startswith(f"$KV.{bucket}.".encode())
