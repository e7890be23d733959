"""The marks by which access logs name accounts: another one each day, which the server can read.

Theory of operation. An account's id opens nothing, but it would tie all lines of a log together,
for years, and to the operators' log. So a line has a mark in its place: a keyed hash of the id and
the day. Only the server has the key; it is made once and stays among its secrets, so marks are the
same after a restart and at every worker. No mark is stored. Whose one is, is found by trying all
accounts that there are for each of the last days: an account that was forgotten is not found, nor
is a mark that is older.
"""

import asyncio
import hashlib
from typing import Final, final

import structlog

from sunglare_server.base.clock import Clock
from sunglare_server.base.entropy import Entropy
from sunglare_server.ports.secret_store import SecretStore
from sunglare_server.ports.store import Store, StoreError

DAYS_KEPT: Final = 30
"""For how many days it is found whose a mark is, the one on which it was made not counted."""

NAME: Final = "marks"
"""The name of the key among the server's secrets."""

KEY_BYTES: Final = 32

MARK_BYTES: Final = 8
"""OWN: a mark has 64 bits: two accounts of a day share one by chance among billions alone."""

DAY_MS: Final = 86_400_000

AT_ONCE: Final = 1_000
"""OWN: so many marks are tried before others have their turn."""


def mark_of(key: bytes, account: str, day: int) -> str:
    """Return the mark of an account on a day, counted from 1970: 16 hexadecimal digits."""
    told = f"{day} {account}".encode()
    made = hashlib.blake2b(told, digest_size=MARK_BYTES, key=key, person=b"sunglare mark")
    return made.hexdigest()


@final
class Pseudonyms:
    """The marks of a server's accounts."""

    def __init__(self, secrets: SecretStore, store: Store, clock: Clock, entropy: Entropy) -> None:
        """Keep the key among `secrets`, made of `entropy`; a day is one of `clock`, in UTC."""
        self._secrets = secrets
        self._store = store
        self._clock = clock
        self._entropy = entropy
        self._key: bytes | None = None

    async def load(self) -> None:
        """Have the key, as far as the store has it or takes it; try again if it does not."""
        if self._key is not None:
            return
        try:
            self._key = await self._stored_key()
        except StoreError as error:
            # No account is kept out for that: lines of the log have no mark meanwhile.
            structlog.get_logger().warning("pseudonym_key_missing", why=error.why)

    def of(self, account: str) -> str:
        """Return the mark of an account today; an empty text without a key."""
        return "" if self._key is None else mark_of(self._key, account, self._today)

    async def whose(self, mark: str) -> str | None:
        """Return the account of a mark of the last days; None if there is none.

        Raise `StoreError` if the accounts or the key can't be read.
        """
        key = self._key or await self._stored_key()
        accounts = [account for account, _ in await self._store.every_name()]
        for number, account in enumerate(accounts):
            if number % (AT_ONCE // (DAYS_KEPT + 1)) == 0:
                await asyncio.sleep(0)
            for day in range(self._today, self._today - DAYS_KEPT - 1, -1):
                if mark_of(key, account, day) == mark:
                    return account
        return None

    async def _stored_key(self) -> bytes:
        """Return the key that is stored, drawn now if there is none."""
        while (stored := await self._secrets.secret(NAME)) is None:
            await self._secrets.put_secret(NAME, self._entropy.token(KEY_BYTES), None)
        return stored

    @property
    def _today(self) -> int:
        return self._clock.now_ms() // DAY_MS
