"""The commands that keep order: what each takes, and what it asks of the server."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Final

from sunglare_server.ops.control import requests as orderly
from sunglare_server.ops.control.durations import seconds_of

RESTORING: Final = ("restore", "clear")
"""What may be done with what is set aside as damaged."""

ORDERLY: Final[dict[str, Callable[[argparse.Namespace], orderly.Request]]] = {
    "ban": lambda given: orderly.Ban(
        name=given.name, address=given.address, reason=given.reason, lasts_s=given.lasts
    ),
    "unban": lambda given: orderly.Ban(name=given.name, address=given.address, on=False),
    "mute": lambda given: orderly.Mute(
        name=given.name, address=given.address, reason=given.reason, lasts_s=given.lasts
    ),
    "unmute": lambda given: orderly.Mute(name=given.name, address=given.address, on=False),
    "rename": lambda given: orderly.Rename(
        name=given.name, new=given.new, reason=given.reason, free=given.free
    ),
    "bar": lambda given: orderly.BarName(name=given.name, reason=given.reason),
    "unbar": lambda given: orderly.BarName(name=given.name, on=False),
    "export-person": lambda given: orderly.PersonAsked(name=given.name),
    "forget": lambda given: orderly.ForgetPerson(name=given.name),
    "whois": lambda given: orderly.Whois(mark=given.mark),
    "drop": lambda given: orderly.DropMatch(match=given.match),
    "export": lambda given: orderly.ExportMatch(
        match=given.match, path=str(Path(given.file).absolute())
    ),
    "bans": lambda given: restoring("bans", given.do) or orderly.BansAsked(),
    "log": lambda given: restoring("log", given.do) or orderly.DeedsAsked(most=given.last),
}
"""What each of these commands asks."""


def restoring(what: orderly.Aside, do: str | None) -> orderly.Restore | None:
    """Return the request that decides on what was set aside; None if nothing is to be done."""
    return None if do is None else orderly.Restore(what=what, clear=do == "clear")


def add_orderly(parsers: dict[str, argparse.ArgumentParser]) -> None:
    """Add what these commands take."""
    for name in ("ban", "unban", "mute", "unmute"):
        _add_whom(parsers[name], has_end=not name.startswith("un"))
    for name in ("bans", "reports", "log"):
        parsers[name].add_argument(
            "do", nargs="?", choices=RESTORING, help="if they are set aside as damaged: what to do"
        )
    parsers["log"].add_argument(
        "--last", type=int, default=50, metavar="NUMBER", help="so many entries (default: 50)"
    )
    _add_quarantine(parsers)
    _add_names(parsers)


def _add_whom(parser: argparse.ArgumentParser, *, has_end: bool) -> None:
    """Add whom a sanction concerns and, where it begins, its end and its reason."""
    parser.add_argument("name", nargs="?", help="the account's name, or its id")
    parser.add_argument("--address", metavar="NETWORK", help="or an address or network")
    if has_end:
        parser.add_argument(
            "--for", dest="lasts", type=seconds_of, metavar="TIME", help="how long, as 12h or 7d"
        )
        parser.add_argument("--reason", default="", help="why, in words that he is told")


def _add_quarantine(parsers: dict[str, argparse.ArgumentParser]) -> None:
    """Add what those take that look after matches which can't go on."""
    parsers["matches"].add_argument(
        "--quarantined", action="store_true", help="those alone that go on and can't"
    )
    for name in ("drop", "export"):
        parsers[name].add_argument("match", help="the match's whole id")
    parsers["export"].add_argument("file", help="a new file, written by the server")


def _add_names(parsers: dict[str, argparse.ArgumentParser]) -> None:
    """Add what those take that change names."""
    parsers["rename"].add_argument("name", help="the account's name, or its id")
    parsers["rename"].add_argument("new", nargs="?", help="its new name (default: a guest's)")
    parsers["rename"].add_argument("--free", action="store_true", help="let others take the old")
    for name in ("export-person", "forget"):
        parsers[name].add_argument("name", help="the account's name, or its id")
    parsers["export-person"].add_argument("file", help="a new file, in JSON")
    parsers["whois"].add_argument("mark", help="the `mark` of a line of the access log")
    for name in ("bar", "unbar"):
        parsers[name].add_argument("name", help="the name")
    for name in ("rename", "bar"):
        parsers[name].add_argument("--reason", default="", help="why, for the list of bans")
