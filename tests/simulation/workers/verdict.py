"""The verdict on a run of several workers: against the fold of the log, and of its epochs."""

from collections.abc import Iterator, Mapping

from simulation.diary import Evidence, Play
from simulation.folding import Folded, folded
from simulation.judge import faults_of_a_link, lost_or_doubled, told_to, two_ends
from simulation.workers.scenario import Found
from sunglare_protocol.ids import audience_of
from sunglare_server.match.record import Owned, RecordError


def verdict(found: Found) -> list[str]:
    """Return what is wrong with a run, a line each; nothing if it is as it must be."""
    evidence = found.evidence
    faults = list(evidence.logged)
    for play in evidence.plays:
        faults += [line for diary in play.diaries for line in diary.complaints]
        try:
            faults += _of_a_match(evidence, play, tuple(folded(evidence, play)))
        except RecordError as fault:
            faults.append(str(fault))
    faults += _old_after_new(found.epochs)
    # Last of all, as it may follow from the rest.
    faults += [f"after {evidence.took_s:.0f} s not over: {name}" for name in evidence.stuck]
    return faults


def _of_a_match(evidence: Evidence, play: Play, records: tuple[Folded, ...]) -> Iterator[str]:
    evidence.reached["takeovers"] += sum(isinstance(one.record.b, Owned) for one in records)
    yield from _wrong_epochs(records)
    for diary in play.diaries:
        yield from lost_or_doubled(diary, records, play.chat)
        audience = audience_of(diary.side)
        told = told_to(records, audience)
        # Each owner's clock is wrong by something: when a post came is not judged here.
        dues = dict.fromkeys(told, 0.0)
        for link in diary.links:
            for fault in faults_of_a_link(link, audience, told, dues, records):
                yield f"{diary.name}: {fault}"
    yield from two_ends(play)
    yield from (f"record {one.record.n}: {line}" for one in records for line in one.broken)


def _wrong_epochs(records: tuple[Folded, ...]) -> Iterator[str]:
    """Find where an epoch falls, or begins without `own`, or where `own` begins none."""
    epoch = 0
    for number, one in enumerate(records, 1):
        written = one.record.e or 0
        is_own = isinstance(one.record.b, Owned)
        if written < epoch:
            yield f"record {number} is of epoch {written}, after one of {epoch}"
        if number > 1 and (written > epoch) != is_own:
            what = "begins no epoch" if is_own else "begins an epoch that nobody has opened"
            yield f"record {number} of epoch {written} {what}"
        epoch = max(epoch, written)


def _old_after_new(epochs: Mapping[str, list[list[tuple[int, int]]]]) -> Iterator[str]:
    """Find lines that were given a post of an old epoch after the first of a new one."""
    for name, lines in epochs.items():
        for line in lines:
            newest = 0
            for seq, epoch in line:
                if epoch and epoch < newest:
                    yield f"{name}: post {seq} came of epoch {epoch}, after one of {newest}"
                newest = max(newest, epoch)
