"""What a gateway makes of a worker that says that it can store nothing."""

from builders.remotematches import A, Gate, Person, RemoteMatches, yonder
from sunglare_protocol import messages
from sunglare_protocol.refusals import Code
from sunglare_server.transport.messages import WorkerHeartbeat, sealed_up
from sunglare_server.transport.subjects import worker_here
from sunglare_server.worker.rpc_server import HERE_MS

FAILED = "a place"


async def says(y: RemoteMatches, worker: str, unstored_ms: int | None) -> None:
    """Have another worker give a sign of life."""
    here = WorkerHeartbeat(worker, called=worker, unstored_ms=unstored_ms)
    y.carrier.publish(worker_here(worker), sealed_up(here))
    await y.rest()


async def fails(y: RemoteMatches) -> None:
    """Have the worker fail to store, and all gateways hear of it."""
    y.lobby.health.note_refusal(FAILED)
    await y.go_on(HERE_MS)


async def works(y: RemoteMatches) -> None:
    """Have it store again."""
    with y.lobby.health.writing(FAILED):
        pass
    await y.go_on(HERE_MS)


async def newcomer(y: RemoteMatches, gate: Gate) -> Code | None:
    """Return why somebody new is not let in; None if they are."""
    answer = await Person(y, gate, None).ask(messages.Hello, v=messages.PROTOCOL_VERSION)
    return Code(answer.code) if isinstance(answer, messages.Refused) else None


async def test_a_gateway_is_ready_while_its_worker_can_store() -> None:
    async with yonder() as y:
        gate = await y.gate("near")
        await y.go_on(HERE_MS)
        assert gate.service.unready() is None
        await fails(y)
        assert gate.service.unready() == "nothing can be stored"
        await works(y)
        assert gate.service.unready() is None


async def test_a_gateway_shows_its_operator_which_worker_can_store_nothing() -> None:
    async with yonder() as y:
        gate = await y.gate("near")
        await y.go_on(HERE_MS)
        assert list(gate.service.unable) == []
        await fails(y)
        assert list(gate.service.unable) == ["w"]


async def test_newcomers_are_refused_without_a_worker_being_asked() -> None:
    async with yonder() as y:
        gate = await y.gate("near")
        await fails(y)
        y.carrier.serving.clear()
        asked = y.clock.now_ms()
        assert await newcomer(y, gate) == Code.SERVER_JOURNAL
        assert y.clock.now_ms() == asked


async def test_who_is_known_comes_back_to_a_seat_all_the_same() -> None:
    async with yonder() as y:
        gate = await y.gate("near")
        ann, bob = await gate.one("ann"), await gate.one("bob")
        match = await y.duel(ann, bob)
        await fails(y)
        again = Person(y, gate, None)
        known = next(one for one in ann.peer.messages if isinstance(one, messages.Welcome))
        assert (await again.greet(token=known.token)).name == "ann"
        resumed = await again.expect(messages.Resumed, messages.Resume, match=match, have=0)
        assert resumed.side == A


async def test_one_worker_of_two_that_can_store_is_enough() -> None:
    async with yonder() as y:
        gate = await y.gate("near")
        await y.go_on(HERE_MS)
        await says(y, "v", 5_000)
        assert gate.service.unable == ("v",)
        assert gate.service.unready() is None
        assert await newcomer(y, gate) is None
        await fails(y)
        await says(y, "v", 5_500)
        assert gate.service.unready() == "nothing can be stored"


async def test_the_sign_of_life_of_a_worker_says_nothing_of_its_writes_while_all_is_well() -> None:
    heard: list[bytes] = []
    async with yonder() as y:
        await y.gate("near")
        listening = y.road.carrier("listening")
        await listening.subscribe(worker_here("w"), lambda _, data: heard.append(data))
        with y.lobby.health.writing(FAILED):
            await y.go_on(2 * HERE_MS)
    # The last one is its farewell.
    assert len(heard) > 2
    assert len({*heard[:-1]}) == 1
