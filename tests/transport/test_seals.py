"""A seal is good for a line as long as its account's token is, and its key, and for an hour."""

import asyncio

from structlog.testing import capture_logs

from builders.remotematches import yonder
from sunglare_protocol import messages
from sunglare_protocol.codec import Form, encode_client
from sunglare_protocol.refusals import Code
from sunglare_server.ports.sanctions import SanctionKind
from sunglare_server.transport.messages import (
    ClaimRenewed,
    ClientContext,
    ClientRequest,
    ErrorResponse,
    RenewClaim,
    Response,
    SignedClaim,
    sealed_up,
)
from sunglare_server.transport.subjects import Trust, of_anybody
from sunglare_server.worker.rpc_server import HERE_MS
from sunglare_server.worker.signed_claims import NAME, SEAL_MS
from transport.words_of_sides import asked

MINUTE_MS = 60_000


async def test_a_seal_ends_with_the_account_the_token_a_ban_and_its_time() -> None:
    async with yonder() as y:
        gate = await y.gate("near")
        eve, zoe, ida = await gate.one("eve"), await gate.one("zoe"), await gate.one("ida")
        anywhere = of_anybody(Trust.PLAYERS, "near")

        async def renewed(context: ClientContext) -> bool:
            return isinstance(
                await asked(y, "near", anywhere, sealed_up(RenewClaim(context))), ClaimRenewed
            )

        cards = [person.talk.context for person in (eve, zoe, ida)]
        assert all([await renewed(context) for context in cards])
        await eve.accepted(messages.Forget)
        assert ida.talk.caller is not None
        await y.lobby.policy.keep(SanctionKind.BAN, ida.talk.caller.account)
        assert [await renewed(context) for context in cards] == [False, True, False]
        await y.lobby.policy.lift(SanctionKind.BAN, ida.talk.caller.account)
        y.clock.advance(SEAL_MS)
        assert [await renewed(context) for context in cards] == [False, False, False]


async def test_a_line_of_hours_has_its_seal_renewed_and_goes_on() -> None:
    async with yonder() as y:
        gate = await y.gate("near")
        ann = await gate.one("ann")
        first = ann.talk.seal
        await y.go_on(SEAL_MS + MINUTE_MS)
        assert ann.talk.seal != first
        y.reception.sessions.end_all()
        await ann.expect(messages.Matches, messages.ListMatches)


async def test_a_line_whose_seal_has_ended_says_hello_again() -> None:
    async with yonder() as y:
        gate = await y.gate("near")
        ann = await gate.one("ann")
        gate.carrier.cut()
        await y.go_on(SEAL_MS + MINUTE_MS)
        y.reception.sessions.end_all()
        gate.carrier.mend()
        await y.go_on(5_000)
        assert ann.peer.farewell is not None
        assert ann.peer.farewell[0].code is Code.SERVER_CLOSING


async def test_the_key_of_seals_is_replaced_and_the_one_before_is_good_once_more() -> None:
    async with yonder() as y:
        gate = await y.gate("near")
        ann = await gate.one("ann")
        anywhere = of_anybody(Trust.PLAYERS, "near")
        renew = sealed_up(RenewClaim(ann.talk.context))
        assert await y.seals.replace_key("first")
        assert not await y.seals.replace_key("first")
        assert isinstance(await asked(y, "near", anywhere, renew), ClaimRenewed)
        assert await y.seals.replace_key("second")
        answer = await asked(y, "near", anywhere, renew)
        assert isinstance(answer, Response)
        assert answer.close is not None


async def test_after_the_second_exchange_nobody_goes_on_by_a_seal_of_the_first_key() -> None:
    async with yonder() as y:
        gate = await y.gate("near")
        ann, bob = await gate.one("ann"), await gate.one("bob")
        await y.reception.replace_key("first")
        await y.go_on(2 * HERE_MS)
        anywhere = of_anybody(Trust.PLAYERS, "near")
        answer = await asked(y, "near", anywhere, sealed_up(RenewClaim(ann.talk.context)))
        assert isinstance(answer, ClaimRenewed)
        ann.talk.take_seal(answer.seal)
        assert ann.peer.farewell is bob.peer.farewell is None
        with capture_logs() as logs:
            await y.reception.replace_key("second")
            await y.go_on(10 * HERE_MS)
            # A line that holds nothing notices with what it asks next.
            work = asyncio.create_task(bob.ask(messages.ListMatches))
            await y.until(lambda: bob.peer.farewell is not None, "a farewell")
            work.cancel()
        assert bob.peer.farewell is not None
        assert bob.peer.farewell[0].code is Code.SERVER_CLOSING
        assert ("line_claim_expired", "info") in [(one["event"], one["log_level"]) for one in logs]
        assert "unreadable" not in str(logs)
        await ann.expect(messages.Matches, messages.ListMatches)


async def test_a_gateway_of_the_release_before_is_refused_with_a_line_in_the_log() -> None:
    async with yonder() as y:
        await y.gate("near")
        old = ClientContext("near", 1, 7, Form.PACKED)
        hello = encode_client(messages.Hello(id=1, v=messages.PROTOCOL_VERSION), Form.PACKED)
        with capture_logs() as logs:
            for _ in range(3):
                subject = of_anybody(Trust.PLAYERS, "near")
                answer = await asked(y, "near", subject, sealed_up(ClientRequest(old, hello)))
                assert answer == ErrorResponse("w")
        assert [(one["event"], one["gateway"]) for one in logs] == [
            ("gateway_version_refused", "near")
        ]


async def test_a_key_that_is_damaged_is_replaced_and_its_loss_stands_in_the_log() -> None:
    async with yonder() as y:
        gate = await y.gate("near")
        ann = await gate.one("ann")
        stored = await y.secrets.secret(NAME)
        assert await y.secrets.put_secret(NAME, b"\xc1", stored)
        with capture_logs() as logs:
            await y.seals.load()
        assert [one["event"] for one in logs] == ["claim_key_unreadable"]
        renew = sealed_up(RenewClaim(ann.talk.context))
        answer = await asked(y, "near", of_anybody(Trust.PLAYERS, "near"), renew)
        assert isinstance(answer, Response)
        assert answer.close is not None
        assert isinstance((await gate.one("bob")).talk.context.seal, SignedClaim)
