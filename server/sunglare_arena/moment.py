"""The program behind `sunglare bot moment`: what a seat knew of its match before turn 1.

It reads a record from standard input and writes JSON: the match, a side, the card of the scenario,
and the classes of the side. All else that the side knew stands in what it was sent.
"""

import argparse
import sys
from collections.abc import Sequence

import msgspec

from sunglare_arena.matchfile import UnfitError
from sunglare_arena.verify import OK, UNFIT, read_here
from sunglare_client.bot import BotMatch
from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import MatchId, Side
from sunglare_server.ports.cards import class_cards, scenario_card


def main(argv: Sequence[str] | None = None) -> int:
    """Write what the side knew, or on standard error why not; return the exit code."""
    parser = argparse.ArgumentParser(prog="sunglare bot moment", description="Who plays what?")
    parser.add_argument("--side", required=True)
    options = parser.parse_args(argv)
    try:
        told = told_in(sys.stdin.buffer.read(), Side(options.side))
    except SunglareError as fault:
        sys.stderr.write(f"{fault}\n")
        return UNFIT
    sys.stdout.buffer.write(msgspec.json.encode(told))
    return OK


def told_in(data: bytes, side: Side) -> BotMatch:
    """Return what a side of a record knew before turn 1.

    Raise `SunglareError` if there is no record in the file, if it is of other rules, if it is not
    what was stored, or if the side had no player in it.
    """
    file, opened = read_here(data)
    if side not in opened.scenario.sides:
        raise UnfitError(f"Nobody was side {side!r} in this match.")
    return BotMatch(
        match=MatchId(str(file.header.get("match"))),
        side=side,
        card=scenario_card(opened.scenario, opened.options),
        classes=class_cards(opened.scenario, side),
    )


if __name__ == "__main__":
    sys.exit(main())
