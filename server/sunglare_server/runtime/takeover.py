"""Taking a match over: its records are loaded, and its owner's first one is stored, before all.

Theory of operation. The worker that has claimed a match loads it and appends `own`, which holds
the epoch of the claim, the digest of what was found, and for how long the match was not served.
From then on every append of an owner before finds its number taken, and that owner is fenced. One
that comes in between is a record like others: the match is loaded once more, with it. Only then is
anything shown, and deadlines are put off by the outage as by no other record.

An owner that has only put it away finds its own epoch and writes nothing. Nor does a load of a
match that is closed.

Where no other owner can ever come, the match is shown although `own` can't be stored now, as on a
full disk: it stands still until that is stored, before anything else.
"""

import structlog
from msgspec.structs import replace

from sunglare_protocol.ids import MatchId
from sunglare_server.base.clock import MatchClock
from sunglare_server.base.heartbeat import Outage, lost_ms
from sunglare_server.match.record import Owned
from sunglare_server.ports.journal import Journal, JournalError
from sunglare_server.runtime.batch import Batch
from sunglare_server.runtime.fold_history import WaitIdle
from sunglare_server.runtime.journal_writer import DuplicateAppendError, FencedError, JournalWriter
from sunglare_server.runtime.recovery import Loaded, load

LOADS_MOST = 4
"""OWN: so often a match is loaded in one go because others write to it, then a while later."""


async def taken_over(
    match: MatchId,
    journal: Journal,
    journal_writer: JournalWriter,
    clock: MatchClock,
    outage: Outage | None,
    wait_idle: WaitIdle,
) -> Loaded:
    """Return a match from its records, `own` of the writer's owner among them; `clock` goes on.

    Raise `FencedError` if a later owner has written, `RecordError` if its records can't be used,
    and `JournalError` if they can't be read or `own` can't be stored: it may be tried again.
    An owner who is alone gets the match without `own`, and owes that.
    """
    for _ in range(LOADS_MOST):
        loaded = await load(match, journal, wait_idle)
        clock.begin_at(loaded.sealed[-1].at_ms)
        if (
            loaded.sealed[-1].stepped.state.is_closed
            or loaded.epoch == journal_writer.ownership.epoch
        ):
            return loaded
        if loaded.epoch > journal_writer.ownership.epoch:
            raise FencedError(loaded.number, loaded.epoch)
        try:
            return await _owned(match, loaded, journal_writer, clock, outage)
        except (FencedError, DuplicateAppendError):
            # By an owner before who has written once more, a later one, or ourselves.
            continue
        except JournalError as error:
            is_over = loaded.sealed[-1].stepped.state.is_over
            if error.fatal or is_over or not journal_writer.ownership.is_alone:
                raise
            structlog.get_logger().error(
                "append_refused", match=match, why=error.why, fatal=error.fatal
            )
            return replace(loaded, is_owing=True)
    raise JournalError("others go on writing to the match")


async def _owned(
    match: MatchId,
    loaded: Loaded,
    journal_writer: JournalWriter,
    clock: MatchClock,
    outage: Outage | None,
) -> Loaded:
    """Return what was loaded with `own` after it, once that is durable."""
    last = loaded.sealed[-1]
    state = last.stepped.state
    batch = Batch(match, state, loaded.number, last.head, journal_writer.ownership.epoch)
    batch.put(Owned(outage_ms=lost_ms(state, outage, clock)), clock.now_ms())
    await journal_writer.write(batch.number, tuple(sealed.blob for sealed in batch.sealed))
    return replace(loaded, number=batch.number, sealed=(*loaded.sealed, *batch.sealed))
