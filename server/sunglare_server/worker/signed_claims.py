"""Signed claims: workers' proofs of the account of a gateway's line, and of the feeds it has held.

Theory of operation. The holder of a gateway's credential can publish anything on its subjects, so
what it says of its lines proves nothing. A line says hello with a token, to a worker, which
answers with a seal: that this line of this gateway is that account's. The gateway shows the seal
with every request, to any worker, and can make none: the key lies in the store, where workers
alone may read. A seal is of one line, so another gateway has no use for it. It expires, and a
line that lasts has it renewed; it ends with the token that was shown, which `forget` erases and
an exchange replaces, and banned accounts are refused whatever the seal says.

A key is replaced at the operator's wish; what the one before has sealed stays good until the next
time, so that no line is closed by it. A seal names its key: a worker that does not know that one
looks into the store, as another worker may have replaced it. A line whose seal is of a void key
has to say hello again; when a key becomes void, workers end all the lines they know, and gateways
bring these back by the seals they have.

What remains: a gateway can misuse the lines that pass through it, for as long as a seal lasts.
"""

import hashlib
import hmac
from typing import Final, final

import msgspec
import structlog

from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import Audience, MatchId
from sunglare_server.accounts.accounts import Caller
from sunglare_server.base.clock import Clock
from sunglare_server.base.entropy import Entropy
from sunglare_server.ports.secret_store import SecretStore
from sunglare_server.ports.store import Store
from sunglare_server.transport.messages import ClientContext, SignedClaim
from sunglare_server.transport.transport import TransportError

NAME: Final = "seals"
"""The name of the key among the server's secrets."""

SEAL_MS: Final = 3_600_000
"""OWN: how long a seal is good."""

AHEAD_MS: Final = 60_000
"""OWN: by how much the clock of the worker that made a seal may be ahead."""

AGAIN_MS: Final = 1_000
"""OWN: how long after the last look the store is asked again for a key."""

_KEY_BYTES: Final = 32
_MAC_BYTES: Final = 16
_NAME_BYTES: Final = 4


class ClaimExpiredError(SunglareError):
    """A seal was good and is so no more: the line has to say hello again."""


@final
class _Keys(msgspec.Struct, frozen=True, array_like=True):
    """The key that seals, the one before, and at whose wish that was replaced."""

    newest: bytes
    before: bytes = b""
    wish: str = ""

    @property
    def good(self) -> tuple[bytes, ...]:
        """The keys whose seals are good."""
        return tuple(key for key in (self.newest, self.before) if key)

    def named(self, name: bytes) -> bytes | None:
        """Return the good key with a name, if there is one."""
        return next((key for key in self.good if _name_of(key) == name), None)


_keys: Final = msgspec.msgpack.Decoder(_Keys)


@final
class SignedClaims:
    """Makes seals and reads them, with the key that all workers share."""

    def __init__(self, secrets: SecretStore, store: Store, clock: Clock, entropy: Entropy) -> None:
        """Find the key among `secrets`, once it is loaded, and tokens in `store`.

        `voided` counts the keys whose seals were good here and are so no more.
        """
        self.voided = 0
        self._secrets = secrets
        self._store = store
        self._clock = clock
        self._entropy = entropy
        self._keys = _Keys(b"")
        self._learnt_ms = 0

    async def load(self) -> None:
        """Learn the key, which is drawn at the first start; StoreError if it can't be."""
        await self._learnt()

    async def seal(self, caller: Caller, context: ClientContext) -> SignedClaim:
        """Return the seal of a line whose caller has shown a token; StoreError if it can't be."""
        holder = await self._holder(caller.account)
        if holder is None:
            raise ClaimExpiredError("the account is forgotten")
        bare = SignedClaim(
            caller.account,
            caller.name,
            caller.is_bot,
            caller.mark,
            holder,
            _name_of(self._keys.newest),
            self._clock.now_ms(),
            b"",
        )
        return msgspec.structs.replace(bare, mac=_mac_of(self._keys.newest, bare, context))

    async def opened(self, context: ClientContext) -> Caller:
        """Return whose a line is by its seal.

        TransportError for a seal that no worker has made for that line; ClaimExpiredError for one
        that is good no more.
        """
        seal = context.seal
        if seal is None:
            raise TransportError("a line without a seal")
        key = self._keys.named(seal.key)
        if key is None and self._is_due:
            key = (await self._learnt()).named(seal.key)
        if key is None:
            raise ClaimExpiredError("the key that made it is void")
        if not hmac.compare_digest(seal.mac, _mac_of(key, seal, context)):
            raise TransportError("a seal that no worker has made for that line")
        age_ms = self._clock.now_ms() - seal.sealed_ms
        if not -AHEAD_MS <= age_ms < SEAL_MS:
            raise ClaimExpiredError("the seal has expired")
        if await self._holder(seal.account) != seal.holder:
            raise ClaimExpiredError("the token that was shown is no longer good")
        return Caller(seal.account, seal.name, "", seal.is_bot, seal.mark)

    def feed_proof(self, context: ClientContext, match: MatchId, feed: Audience) -> bytes:
        """Return by what a line shows another worker that it held a feed."""
        return _feed_mac(self._keys.newest, context, match, feed)

    async def has_held(
        self, context: ClientContext, match: MatchId, feed: Audience, proof: bytes
    ) -> bool:
        """Return whether a worker has given a line this proof that it held a feed."""

        def is_good() -> bool:
            made = [_feed_mac(key, context, match, feed) for key in self._keys.good]
            return any(hmac.compare_digest(proof, one) for one in made)

        if not is_good() and self._is_due:
            await self._learnt()
        return is_good()

    async def replace_key(self, wish: str) -> bool:
        """Seal with another key from now on; False if that was done for the same `wish` before.

        What the key of now has sealed stays good until the next time.
        """
        while True:
            keys = await self._learnt()
            if keys.wish == wish:
                return False
            after = _Keys(self._drawn(), keys.newest, wish)
            if await self._secrets.put_secret(NAME, _packed(after), _packed(keys)):
                self._take(after)
                return True

    def _take(self, keys: _Keys) -> None:
        self.voided += sum(key not in keys.good for key in self._keys.good)
        self._keys = keys

    @property
    def _is_due(self) -> bool:
        # Another worker may have replaced the key; who sends what is wrong has no more looked up.
        return self._clock.now_ms() - self._learnt_ms >= AGAIN_MS

    async def _learnt(self) -> _Keys:
        """Return the keys as they are stored, drawn now if there are none."""
        while (stored := await self._secrets.secret(NAME)) is None:
            await self._secrets.put_secret(NAME, _packed(_Keys(self._drawn())), None)
        self._learnt_ms = self._clock.now_ms()
        try:
            self._take(_keys.decode(stored))
        except msgspec.DecodeError as error:
            # Lines have to say hello again; a damaged key must not keep players out.
            structlog.get_logger().error("claim_key_unreadable", why=str(error))
            await self._secrets.put_secret(NAME, _packed(_Keys(self._drawn())), stored)
            return await self._learnt()
        return self._keys

    def _drawn(self) -> bytes:
        return self._entropy.token(_KEY_BYTES)

    async def _holder(self, account: str) -> bytes | None:
        """Return what stands for an account's token; None for one that is forgotten."""
        known = await self._store.token_hash(account)
        return None if known is None else _digest(b"holder", known.encode())


def _name_of(key: bytes) -> bytes:
    return _digest(b"key", key)[:_NAME_BYTES]


def _packed(keys: _Keys) -> bytes:
    return msgspec.msgpack.encode(keys)


def _mac_of(key: bytes, seal: SignedClaim, context: ClientContext) -> bytes:
    bare = msgspec.structs.replace(seal, mac=b"")
    said = msgspec.msgpack.encode((bare, context.gateway, context.number))
    return _digest(b"seal", said, key)


def _feed_mac(key: bytes, context: ClientContext, match: MatchId, feed: Audience) -> bytes:
    # A line is one account's from its hello to its end.
    said = msgspec.msgpack.encode((context.gateway, context.number, match, feed))
    return _digest(b"feed", said, key)


def _digest(what: bytes, data: bytes, key: bytes = b"") -> bytes:
    return hashlib.blake2b(data, digest_size=_MAC_BYTES, key=key, person=what).digest()
