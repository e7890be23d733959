"""Webhooks: an address of an account that is called when a match by correspondence waits for it.

Theory of operation. A match that has shown its seats a window says for whom it waits; the accounts
of these seats are due. At each whole minute all that are due are notified, each by a post of its
own: so an account is notified once a minute at most, however many of its matches wait, and the
moment says nothing of how long the work of a window took. What is posted is the same each time and
for every account; which match waits the account finds in its list.

Notification is no promise: it is not kept over a restart, and what fails is not repeated, since
the next window notifies again. An address that always fails is set aside until the account names
one again. The log never has an address, which may be a secret.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import final

import structlog

from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.accounts.webhookurl import Target, target_of
from sunglare_server.base.clock import Clock
from sunglare_server.ports.store import Store, StoreError

TELL_MS = 60_000
"""OWN: accounts are notified at whole minutes."""

FAILURES_MOST = 20
"""OWN: an address that has failed so often in a row is set aside."""

Post = Callable[[Target], Awaitable[bool]]
"""Post to an address; return whether it has taken the post. It raises nothing and ends within
`TELL_MS`.
"""


@final
class Webhooks:
    """The accounts that are due, and the addresses, which are kept in the store."""

    def __init__(self, store: Store, clock: Clock, post: Post | None) -> None:
        """Notify by `post`; None if the operator does not allow webhooks."""
        self._store = store
        self._clock = clock
        self._post = post
        self._due: dict[str, None] = {}
        self._failures: dict[str, int] = {}
        self._log = structlog.get_logger()

    async def put(self, account: str, url: str | None) -> Rejected | None:
        """Keep the address of an account, or None for none, which is always allowed."""
        if url is not None and self._post is None:
            return Rejected(code=Code.WEBHOOK_CLOSED)
        if url is not None and target_of(url) is None:
            return Rejected(code=Code.WEBHOOK_URL, at="$.url")
        await self._store.put_webhook(account, url)
        self._failures.pop(account, None)
        return None

    async def of(self, account: str) -> str | None:
        """Return the address of an account, if it has named one."""
        return await self._store.webhook(account)

    def note(self, account: str) -> None:
        """Note that a match waits for an account."""
        if self._post is not None:
            self._due[account] = None

    async def run(self) -> None:
        """Notify the accounts that are due at each whole minute, for ever."""
        if (post := self._post) is None:
            return
        while True:
            await self._clock.sleep_until_ms((self._clock.now_ms() // TELL_MS + 1) * TELL_MS)
            due, self._due = self._due, {}
            await asyncio.gather(*(self._tell(account, post) for account in due))

    async def _tell(self, account: str, post: Post) -> None:
        """Notify one account, if it has an address that is not set aside."""
        if self._failures.get(account, 0) >= FAILURES_MOST:
            return
        try:
            url = await self._store.webhook(account)
        except StoreError as error:
            self._log.warning("webhook_unreadable", account=account, why=error.why)
            return
        # What is kept may be damaged, or of a version that took others.
        target = None if url is None else target_of(url)
        if target is not None:
            self._count(account, is_told=await post(target))

    def _count(self, account: str, *, is_told: bool) -> None:
        if is_told:
            self._failures.pop(account, None)
            return
        self._failures[account] = self._failures.get(account, 0) + 1
        if self._failures[account] == FAILURES_MOST:
            self._log.warning("webhook_suspended", account=account, failures=FAILURES_MOST)
