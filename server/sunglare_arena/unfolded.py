"""Checks of a match of other rules: all of its record that needs no fold."""

import reprlib
from collections.abc import Collection
from typing import Any, Final, NamedTuple

import msgspec

from sunglare_arena.matchfile import (
    BARE_VERSION,
    HEADER,
    BareFile,
    DifferenceError,
    Layer,
    MatchFile,
    UnfitError,
)
from sunglare_arena.refold import check_dice, check_pledges, check_seed, frame_named
from sunglare_protocol.ids import Audience
from sunglare_protocol.replay.analysis import ANALYSIS
from sunglare_protocol.replay.notes import side_of_notes
from sunglare_protocol.seals import CHAIN_START, Link, form_of, linked
from sunglare_server.match.record import RULES_VERSION, Basics, Opened, chain


class NotFoldedError(UnfitError):
    """A match of other rules: `lines` say what was found good of it all the same."""

    def __init__(self, rules: int, lines: list[str]) -> None:
        """Keep the facts."""
        super().__init__(rules, lines)
        self.rules, self.lines = rules, lines

    def __str__(self) -> str:
        """Return which program could fold it."""
        return (
            f"the match was played under version {self.rules} of the rules, and this program has "
            f"{RULES_VERSION}; whether its dice, orders and frames are those that follow from its "
            f"records, only a program of version {self.rules} can tell"
        )


def unfolded(file: MatchFile | BareFile, basics: Basics) -> list[str]:
    """Return what is good in a record of other rules; raise `DifferenceError` as `verified`."""
    if file.header.get("rules") != basics.rules:
        what = f"it says rules {reprlib.repr(file.header.get('rules'))}, record 1 {basics.rules}"
        raise DifferenceError(HEADER, what)
    head = chain(file.records[-1]).hex()
    found = [f"records  {len(file.records)}: each follows from the last, last {head}"]
    if isinstance(file, BareFile):
        check_pledges(basics)
        return [
            *found,
            f"entropy  {entropies(basics)}",
            "rolls    none are stored",
            _NO_FRAMES,
            *server_alone(file, CHECKED),
        ]
    check_seed(file, basics)
    check_dice(file)
    frames = check_frames(file)
    analysis = [f"{line}: whole in form" for line in check_analysis(file)]
    if file.unsealed is not None:
        raise file.unsealed
    return [
        *found,
        f"seed     the server's fits commitment {file.trailer.commitment}",
        f"entropy  {entropies(basics)}",
        f"rolls    {len(file.trailer.rolls)}: as the seed has them",
        frames,
        *analysis,
        *server_alone(file, CHECKED),
        *notes_told(file),
    ]


_NO_FRAMES = "frames   none are stored"

CHECKED: Final = ("format", "version", "rules", "records", "frames", "trailer")
"""The fields of a header that are compared with the rest of a file without a fold of it."""


def entropies(opened: Opened | Basics) -> str:
    """Return what each seat pledged and revealed, in words."""
    words = {True: "revealed as pledged", False: "pledged, not revealed, left out"}
    parts = [
        f"{seat.side} {words[bool(seat.entropy)] if seat.pledge else 'pledged none'}"
        for seat in opened.seats
    ]
    return ", ".join(parts)


class _Shown(NamedTuple):
    """A frame as it was sent: its number, its window, and what its link is made of."""

    seq: Any
    window: Any
    form: bytes


def check_frames(file: MatchFile) -> str:
    """Return how many stored frames fit the chains of the trailer; raise `DifferenceError`."""
    counts: list[str] = []
    if file.header["version"] != BARE_VERSION:
        _check_all_there(file)
    for name, messages in file.layers.items():
        if name == ANALYSIS or side_of_notes(name) is not None:
            continue
        audience = Audience(name)
        links = file.trailer.chains.get(audience, ())
        _check_numbers(audience, messages)
        frames = _frames(audience, messages)
        _check_chain(audience, frames, links)
        counts.append(f"{audience} {len(frames)} of {len(links)}")
    return f"frames   {', '.join(counts)}: as the chains have them" if counts else _NO_FRAMES


def check_analysis(file: MatchFile) -> list[str]:
    """Return how many windows are analysed, if any; raise `DifferenceError` at a fault of form."""
    messages = file.layers.get(ANALYSIS, ())
    _check_numbers(ANALYSIS, messages)
    for message in messages:
        try:
            msgspec.convert(message, _AnalysisForm)
        except msgspec.ValidationError as fault:
            what = f"it is none: {fault}"
            raise DifferenceError(f"the analysis, message {message.get('seq')}", what) from None
    return [f"analysis {len(messages)} windows"] if messages else []


def notes_told(file: MatchFile | BareFile) -> list[str]:
    """Return how many private notes there are, if any, of which nothing can be checked."""
    layers = {} if isinstance(file, BareFile) else file.layers
    sides = [(side, len(layers[name])) for name in layers if (side := side_of_notes(name))]
    counts = ", ".join(f"{side} {count}" for side, count in sides)
    return [f"notes    {counts}: private, nothing vouches for them"] if counts else []


def server_alone(file: MatchFile | BareFile, checked: Collection[str]) -> list[str]:
    """Return which fields of the header are the server's word alone: those not `checked`."""
    alone = ", ".join(reprlib.repr(name) for name in file.header if name not in checked)
    return [f"header   {alone}: the server's word alone, nothing vouches for it"] if alone else []


class _AnalysisForm(msgspec.Struct, tag_field="t", tag="analysis"):
    """What an analysis has under any rules."""

    seq: int
    turn: int
    window: str
    spots: dict[str, list[dict[str, Any]]] = {}
    scans: dict[str, list[dict[str, Any]]] = {}


def _check_all_there(file: MatchFile) -> None:
    """Raise `DifferenceError` for an audience of which nothing is there, or not the end.

    Of a long match the oldest messages may not be kept, but always the newest.
    """
    for audience, links in file.trailer.chains.items():
        messages = file.layers.get(audience, ())
        if links and not messages:
            what = f"nothing of it is there, its chain has {len(links)} frames"
            raise DifferenceError(f"what was sent to {audience}", what)
        if messages and not any(message.get("t") == "over" for message in messages):
            number = messages[-1].get("seq")
            what = f"it stops at message {reprlib.repr(number)}, before the end of the match"
            raise DifferenceError(f"what was sent to {audience}", what)


def _check_numbers(audience: str, messages: Layer) -> None:
    """Raise `DifferenceError` where a message is missing or out of place, but for the oldest."""
    numbers = [message.get("seq") for message in messages]
    first = numbers[0] if numbers else 1
    for due, number in enumerate(numbers, first if isinstance(first, int) else 1):
        if number != due:
            what = f"one numbered {reprlib.repr(number)} stands in its place"
            raise DifferenceError(f"{_named(audience)}, message {due}", what)


def _named(layer: str) -> str:
    return "the analysis" if layer == ANALYSIS else f"the frames of {layer}"


def _frames(audience: Audience, messages: Layer) -> list[_Shown]:
    """Return the frames among the messages, whatever fields they have under their rules."""
    frames = [message for message in messages if message.get("t") == "frame"]
    try:
        return [_Shown(frame.get("seq"), frame.get("window"), form_of(frame)) for frame in frames]
    except (TypeError, ValueError, OverflowError, RecursionError) as fault:
        raise DifferenceError(
            f"the frames of {audience}", f"they can't be read: {fault}"
        ) from None


def _check_chain(audience: Audience, frames: list[_Shown], links: tuple[Link, ...]) -> None:
    """Raise `DifferenceError` unless the frames are the newest of the chain, one after the other.

    Of a long match the oldest frames are not kept.
    """
    first = len(links) - len(frames)
    if first < 0:
        what = f"there are {len(frames)}, its chain has {len(links)} links"
        raise DifferenceError(f"the frames of {audience}", what)
    before = links[first - 1].hash if first else CHAIN_START
    for frame, due in zip(frames, links[first:], strict=True):
        made = linked(before, frame.form)
        if (frame.seq, frame.window, made) != (due.seq, due.window, due.hash):
            raise DifferenceError(frame_named(audience, due), "it is not the one of the chain")
        before = due.hash
