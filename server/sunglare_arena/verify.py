"""The program behind `sunglare verify`: it checks all that the record of a match says."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from sunglare_arena.matchfile import DifferenceError, MatchFile, read_file, with_trailer
from sunglare_arena.ownlog import OwnLog, SentPosts, own_log
from sunglare_arena.refold import FOLDED, Refold, check_dice, check_seed, opening
from sunglare_arena.unfolded import (
    CHECKED,
    NotFoldedError,
    check_analysis,
    check_frames,
    entropies,
    notes_told,
    server_alone,
    unfolded,
)
from sunglare_client.cli.flags import add_json
from sunglare_client.cli.progress_bar import watched
from sunglare_client.cli.streams import with_streams
from sunglare_client.link.matchlog import read_log
from sunglare_client.text.json_line import json_line
from sunglare_protocol.errors import SunglareError
from sunglare_server.match.past import records_of
from sunglare_server.match.record import RULES_VERSION, Opened, PlayedOn, basics_of

OK = 0
DIFFERENT = 1
UNFIT = 2

NOT_PROVED = "NOT PROVED: no seat's entropy is in the dice, the server alone has chosen them"
"""The verdict on dice that follow from the server's seed alone."""


def main(argv: Sequence[str] | None = None) -> int:
    """Check what the command line names, say what was found, return the exit code."""
    parser = argparse.ArgumentParser(prog="sunglare verify", description="Check a record.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--mine", metavar="LOG", type=Path)
    add_json(parser)
    options = parser.parse_args(argv)
    try:
        log = None if options.mine is None else own_log(read_log(options.mine))
        lines = verified(options.file.read_bytes(), log, bar=True)
    except NotFoldedError as found:
        _say(found.lines, as_json=options.json)
        sys.stderr.write(f"sunglare verify: {options.file}: NOT FOLDED: {found}\n")
        return UNFIT
    except DifferenceError as difference:
        say_different(options.file, difference, as_json=options.json)
        return DIFFERENT
    except (SunglareError, OSError) as fault:
        sys.stderr.write(f"sunglare verify: {options.file}: {fault}\n")
        return UNFIT
    _say(lines, as_json=options.json)
    return OK


def _say(lines: Sequence[str], *, as_json: bool) -> None:
    said = [json_line({"good": line}) for line in lines] if as_json else lines
    sys.stdout.write("".join(f"{line}\n" for line in said))


def say_different(file: Path, difference: DifferenceError, *, as_json: bool) -> None:
    """Print at which place a record is not what it says, for a person or as a line of JSON."""
    if as_json:
        line = json_line({"where": difference.where, "different": difference.what})
    else:
        line = f"DIFFERENT  {file}: {difference}"
    sys.stdout.write(f"{line}\n")


def verified(data: bytes, log: OwnLog | None = None, *, bar: bool = False) -> list[str]:
    """Return what was found good in a record, line by line; a `bar` is for a person who waits.

    Raise `DifferenceError` at the first thing that differs, `UnfitError` where nothing can be
    checked, `NotFoldedError` with what was found good of a match of other rules.
    """
    file, opened = read_here(data)
    check_seed(file, opened)
    check_dice(file)
    shown = check_frames(file)
    analysis = [f"{line}: as they follow from the records" for line in check_analysis(file)]
    refold = Refold(file)
    sent = None if log is None else SentPosts(refold.match, log.audience)
    if log is not None:
        log.check_seat(refold.match, opened)
    steps = refold.steps()
    for stepped in watched(steps, len(file.records), "records") if bar else steps:
        if sent is not None:
            sent.take(stepped)
    if file.unsealed is not None:
        raise file.unsealed
    alone = server_alone(file, (*CHECKED, *FOLDED))
    found = [*_found(file, refold, opened), shown, *analysis, *alone, *notes_told(file)]
    if log is not None and sent is not None:
        log.check_frames(sent, refold.head, opened.server_seed)
        if not is_proved(opened):
            raise DifferenceError("the dice", NOT_PROVED)
        found.append(_mine(log))
    return found


def read_here(data: bytes) -> tuple[MatchFile, Opened]:
    """Return a record file and how its match was opened.

    Raise `NotFoldedError`, after checking what can be, for a match of other rules.
    """
    file = read_file(data)
    basics = basics_of(file.records[0])
    if basics is not None and basics.rules != RULES_VERSION:
        raise NotFoldedError(basics.rules, unfolded(file, basics))
    sealed = with_trailer(file)
    return sealed, opening(sealed)


def is_proved(opened: Opened) -> bool:
    """Return whether anybody but the server had a part in the dice."""
    return any(seat.entropy for seat in opened.seats)


def _found(file: MatchFile, refold: Refold, opened: Opened) -> list[str]:
    header = file.header
    frames = ", ".join(
        f"{audience} {len(links)}" for audience, links in file.trailer.chains.items()
    )
    winner = "a draw" if header.get("winner") is None else f"{header['winner']} wins"
    return [
        f"{header['scenario']}, match {refold.match}: {winner} ({header['ending']})",
        f"records  {len(file.records)}: each follows from the last, head {refold.head.hex()}",
        *_past(opened),
        f"seed     the server's fits commitment {file.trailer.commitment}",
        f"entropy  {_entropies(opened)}",
        f"rolls    {len(file.trailer.rolls)}: as the seed has them, and as the match needs them",
        "orders   legal, and everything follows from them",
        f"chains   {frames}: as they follow from the records",
    ]


def _past(opened: Opened) -> list[str]:
    if not isinstance(opened, PlayedOn):
        return []
    past = opened.past
    lead = f"its first {len(records_of(past))} records lead there"
    return [f"from     match {past.match}, turn {past.turn}: {lead}"]


def _entropies(opened: Opened) -> str:
    return entropies(opened) if is_proved(opened) else NOT_PROVED


def _mine(log: OwnLog) -> str:
    end = "seed and head as told at the end" if log.is_whole else "it stops before the end"
    told = "commitment as told, " if log.begun.commitment else ""
    return f"yours    {told}{log.frames} frames of {log.begun.side} as you were sent them, {end}"


if __name__ == "__main__":
    sys.exit(with_streams("sunglare verify", main))
