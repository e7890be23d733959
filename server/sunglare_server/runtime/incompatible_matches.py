"""Matches of other rules than this program's: what is known of them, and how a running one ends.

Such a match cannot be folded. Its records follow from one another all the same, and an operator's
adjournment can be added to them without knowing what they result in.
"""

from typing import final

import msgspec
import structlog

from sunglare_protocol.codec import Form, decode_server
from sunglare_protocol.errors import ProtocolError
from sunglare_protocol.ids import Audience, MatchId, Side
from sunglare_protocol.messages.replies import (
    ClassCard,
    Ending,
    Frame,
    News,
    NewsKind,
    Over,
    Result,
    ResumeKind,
    ScenarioCard,
)
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.match.record import (
    RECORD_VERSION,
    RULES_VERSION,
    Adjourned,
    Basics,
    Body,
    Closed,
    Kind,
    Link,
    Opened,
    Record,
    RecordError,
    basics_of,
    body_of,
    chain,
    linked,
    packed,
)
from sunglare_server.ports.cards import scenario_card
from sunglare_server.ports.journal import Archive, Journal
from sunglare_server.runtime.archive import (
    SUMMARY,
    Sent,
    Summary,
    bare_summary,
    packed_summary,
    read_sent,
    read_summary,
)
from sunglare_server.runtime.encoded_message import EncodedMessage
from sunglare_server.runtime.feed import RING

_ADJOURNED = Result(winner=None, ending=Ending.ADJOURNED, points={})
"""The result of a match that was ended by a program which could not count its points."""

_UNKNOWN = bare_summary(RULES_VERSION, _ADJOURNED, b"", None)
"""What is archived of a match of whose records nothing can be said."""

_NO_INPUTS = (Kind.OWN.value, Kind.CLOSE.value)
"""The kinds of records that change nothing of a match which is over."""

Given = tuple[ResumeKind, list[EncodedMessage]]
"""The messages for a client that comes back, and whether they continue or replace what it has."""


@final
class IncompatibleMatch(msgspec.Struct, frozen=True):
    """A match of other rules that is over: how it was opened, and what is archived of it.

    `opened` is its opening as far as a program of other rules can read it.
    """

    match: MatchId
    basics: Basics
    opened: Opened | None
    summary: Summary | None
    journal: Journal

    @property
    def card(self) -> ScenarioCard | None:
        """Return what is public of it before turn 1."""
        if self.summary is not None and self.summary.card is not None:
            return self.summary.card
        opened = self.opened
        return None if opened is None else scenario_card(opened.scenario, opened.options)

    def classes(self, side: Side) -> tuple[ClassCard, ...]:
        """Return the classes of a side, for its owner."""
        return () if self.summary is None else self.summary.classes.get(side, ())

    @property
    def refusal(self) -> Rejected:
        """Return why it is not shown."""
        wanted = self.basics.rules
        return Rejected(
            code=Code.MATCH_RULES,
            detail=f"It needs version {wanted} of the rules; this server has {RULES_VERSION}.",
        )

    def _was_stored(self, audience: Audience) -> bool:
        trailer = None if self.summary is None else self.summary.trailer
        return trailer is not None and audience in trailer.chains

    async def sent(self, audience: Audience) -> tuple[Sent, ...]:
        """Return what is archived of an audience."""
        return read_sent(await self.journal.archived(self.match, str(audience)))

    async def shown(self, audience: Audience, have: int | None) -> Given | Rejected:
        """Return what follows on `have` for an audience, or from its last frame on.

        Of what was stored, and is damaged or without its end, nothing is shown: its followers
        would wait for the end for ever.
        """
        sent = await self.sent(audience)
        if self._was_stored(audience) and not _has_end(sent):
            log = structlog.get_logger()
            log.error("sent_messages_lost", match=self.match, audience=audience)
            return Rejected(code=Code.MATCH_FAULT)
        if not sent:
            return self.refusal
        missed = [message for message in sent if have is not None and message.seq > have]
        is_exact = have is not None and sent[0].seq <= have + 1
        is_exact = is_exact and len(missed) <= RING
        try:
            if is_exact:
                return ResumeKind.EXACT, [_encoded_message(message) for message in missed]
            return ResumeKind.RESET, _from_last_frame(sent)
        except (ProtocolError, msgspec.DecodeError):
            return self.refusal

    async def shown_to_seat(self, audience: Audience, have: int) -> Given | Rejected:
        """Return the same for a seat, which receives the end where nothing else is archived."""
        summary = self.summary
        if summary is None:
            return self.refusal
        if summary.trailer is not None:
            return await self.shown(audience, have)
        # Whatever it has been sent, the end is what comes next.
        news = News(match=self.match, seq=0, kind=NewsKind.SERVER, text=Code.MATCH_RULES.value)
        over = Over(
            match=self.match,
            seq=have + 1,
            result=summary.result,
            seed=self.basics.server_seed.hex(),
            head=summary.head.hex(),
        )
        return ResumeKind.EXACT, [EncodedMessage(news), EncodedMessage(over)]


def _has_end(sent: tuple[Sent, ...]) -> bool:
    """Return whether the end of the match is among what was sent, where it is the last."""
    try:
        return any(
            isinstance(_encoded_message(message).message, Over) for message in reversed(sent)
        )
    except (ProtocolError, msgspec.DecodeError):
        return False


def _from_last_frame(sent: tuple[Sent, ...]) -> list[EncodedMessage]:
    """Return the last frame with what came after it."""
    found: list[EncodedMessage] = []
    for message in reversed(sent):
        found.insert(0, _encoded_message(message))
        if isinstance(found[0].message, Frame):
            return found
    return []


def _encoded_message(sent: Sent) -> EncodedMessage:
    return EncodedMessage(decode_server(sent.data, Form.PACKED))


def _without_classes(opening: bytes) -> Opened | None:
    """Return an opening whose classes or agents are written in another way, if it can be read.

    It comes without them. The scenario and the options can be shown all the same.
    """
    try:
        body = msgspec.msgpack.decode(opening)["b"]
        body["scenario"] |= {"classes": {}, "ground": {}}
        for setup in body["scenario"]["data"]["sides"].values():
            setup.pop("characters", None)  # what rules up to 4 called agents
        return msgspec.convert(body, Opened)
    except (msgspec.DecodeError, msgspec.ValidationError, TypeError, KeyError, UnicodeError):
        return None


async def incompatible_match(match: MatchId, journal: Journal) -> IncompatibleMatch | None:
    """Return a match of other rules; None if its rules are ours or can't be read."""
    opening = await journal.read(match, 0, 1)
    basics = basics_of(opening[0]) if opening else None
    if basics is None or basics.rules == RULES_VERSION:
        return None
    opened = body_of(opening[0]) or _without_classes(opening[0])
    return IncompatibleMatch(
        match=match,
        basics=basics,
        opened=opened if isinstance(opened, Opened) else None,
        summary=read_summary(await journal.archived(match, SUMMARY)),
        journal=journal,
    )


async def adjourn(match: MatchId, journal: Journal, now_ms: int) -> int | None:
    """End a match of other rules, if it is one; return the version of its rules, else None.

    Once more changes nothing. Raise `RecordError`, and write nothing, if its records don't follow
    from one another, `JournalError` if the medium refuses.
    """
    found = await incompatible_match(match, journal)
    if found is None:
        return None
    await _adjourn(match, journal, now_ms, found)
    return found.basics.rules


async def ended_unfolded(match: MatchId, journal: Journal, now_ms: int) -> bool:
    """Note that a match of whatever rules is over, which can't be folded.

    Return whether its records say so: they do if they follow from one another. `JournalError` if
    the medium refuses.
    """
    try:
        opening = await journal.read(match, 0, 1)
        basics = basics_of(opening[0]) if opening else None
        if basics is not None:
            body = body_of(opening[0])
            opened = body if isinstance(body, Opened) else None
            await _adjourn(
                match, journal, now_ms, IncompatibleMatch(match, basics, opened, None, journal)
            )
            return True
    except RecordError:
        # Records that do not follow from one another can't be continued.
        pass
    await journal.finish(match, packed_summary(_UNKNOWN))
    return False


async def _adjourn(
    match: MatchId, journal: Journal, now_ms: int, found: IncompatibleMatch
) -> None:
    records = await journal.read(match)
    links = _links(match, records)
    if links[-1].k != Kind.CLOSE.value:
        added = _ending(links[-1], records[-1], now_ms)
        await journal.append(match, len(records) + 1, added)
        records, links = (*records, *added), _links(match, (*records, *added))
    # Between the end and the closing record there may be new owners.
    inputs = zip(reversed(records), reversed(links), strict=True)
    last = next(blob for blob, link in inputs if link.k not in _NO_INPUTS)
    archive: Archive = ()
    if found.summary is None and isinstance(body_of(last), Adjourned):
        head = chain(last)
        summary = bare_summary(found.basics.rules, _ADJOURNED, head, found.opened)
        archive = packed_summary(summary)
    await journal.finish(match, archive)


def _links(match: MatchId, records: tuple[bytes, ...]) -> list[Link]:
    links: list[Link] = []
    before = b""
    for number, blob in enumerate(records, 1):
        links.append(linked(blob, number, before))
        if (links[-1].m, links[-1].v) != (match, RECORD_VERSION):
            raise RecordError(number, "it is of another match, or of another format")
        before = blob
    return links


def _ending(last: Link, blob: bytes, now_ms: int) -> tuple[bytes, bytes]:
    """Return the two records that adjourn and close a match after its last one.

    They have its epoch: the record of a new owner would need the state, which can't be had.
    """
    at_ms = max(now_ms, last.t)
    bodies: tuple[tuple[Kind, Body], ...] = ((Kind.COMMAND, Adjourned()), (Kind.CLOSE, Closed()))
    made: list[bytes] = []
    for number, (kind, body) in enumerate(bodies, last.n + 1):
        record = Record(
            v=RECORD_VERSION,
            m=last.m,
            n=number,
            k=kind,
            t=at_ms,
            b=body,
            e=last.e,
            p=chain(made[-1] if made else blob),
        )
        made.append(packed(record))
    return made[0], made[1]
