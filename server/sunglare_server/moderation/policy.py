"""The operator's policy: whether matches may begin, who is let in, whose chat is taken."""

import asyncio
from typing import final

from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.base.clock import Clock
from sunglare_server.ports.sanctions import ProcessSanctions, Sanction, SanctionKind, Sanctions


@final
class ModerationPolicy:
    """What holds in this process; the sanctions may be those of all workers."""

    def __init__(self, clock: Clock, sanctions: Sanctions | None = None) -> None:
        """Begin with nothing decreed, but for the `sanctions` of before; they end by `clock`."""
        self.is_draining = False
        """Whether no match is opened or started any more, since the server is about to end."""
        self._clock = clock
        self._sanctions = sanctions or ProcessSanctions()

    async def keep(
        self, kind: SanctionKind, whom: str, reason: str = "", lasts_ms: int | None = None
    ) -> bool:
        """Have a sanction hold from now on; return whether none of its kind held before.

        `whom` is an account's id, a range of addresses or a name. Raise `MediumError` if it
        can't be kept.
        """
        now_ms = self._clock.now_ms()
        is_new = not any(one.kind is kind and one.whom == whom for one in self.holding)
        await self._drop_ended(now_ms)
        until_ms = None if lasts_ms is None else now_ms + lasts_ms
        await self._sanctions.keep(
            Sanction(kind=kind, whom=whom, since_ms=now_ms, until_ms=until_ms, reason=reason)
        )
        return is_new

    async def lift(self, kind: SanctionKind, whom: str) -> bool:
        """Lift a sanction; return whether it held until now."""
        held = any(one.kind is kind and one.whom == whom for one in self.holding)
        return await self._sanctions.lift(kind, whom) and held

    @property
    def unread(self) -> int:
        """Return how many sanctions are kept and can't be read, so that they don't hold."""
        return self._sanctions.unread

    async def drop_unread(self) -> None:
        """Delete the sanctions that can't be read; raise `MediumError` if that can't be done."""
        await self._sanctions.drop_unread()

    async def bring_back(self, sanctions: tuple[Sanction, ...]) -> tuple[Sanction, ...]:
        """Keep sanctions as they were, but where there is another by now; return those kept.

        Raise `MediumError` if one can't be kept.
        """
        known = {(one.kind, one.whom): one for one in self._sanctions.book.all}
        missing = tuple([one for one in sanctions if (one.kind, one.whom) not in known])
        await asyncio.gather(*[self._sanctions.keep(one) for one in missing])
        return missing

    async def forget(self, account: str) -> None:
        """Keep nothing of an account, which is closed."""
        for kind in (SanctionKind.BAN, SanctionKind.MUTE):
            await self._sanctions.lift(kind, account)

    def banned(self, *accounts: str, address: str | None = None) -> Rejected | None:
        """Return why the server does not let any of these in: people, or who is at an address."""
        return self._refusal(SanctionKind.BAN, Code.OPERATOR_BANNED, accounts, address)

    def muted(self, *accounts: str, address: str | None = None) -> Rejected | None:
        """Return why it takes no chat of any of these: people, or who is at an address."""
        return self._refusal(SanctionKind.MUTE, Code.CHAT_MUTED, accounts, address)

    @property
    def barred_names(self) -> tuple[str, ...]:
        """Return the names that are barred."""
        return tuple([one.whom for one in self.holding if one.kind is SanctionKind.NAME])

    @property
    def holding(self) -> tuple[Sanction, ...]:
        """Return all sanctions that have not ended."""
        now_ms = self._clock.now_ms()
        return tuple([one for one in self._sanctions.book.all if one.holds(now_ms)])

    def count(self, kind: SanctionKind) -> int:
        """Return how many sanctions of a kind hold."""
        return sum(one.kind is kind for one in self.holding)

    def _refusal(
        self, kind: SanctionKind, code: Code, accounts: tuple[str, ...], address: str | None
    ) -> Rejected | None:
        found = self._sanctions.book.of(kind, accounts, address, self._clock.now_ms())
        return None if found is None else Rejected(code=code, detail=found.told)

    async def _drop_ended(self, now_ms: int) -> None:
        for one in self._sanctions.book.all:
            if not one.holds(now_ms):
                await self._sanctions.lift(one.kind, one.whom)
