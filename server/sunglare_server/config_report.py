"""Settings that a process would have, and the source of each: flag, environment or default.

`sunglare-server config` prints them, so that an operator sees what counts before anything starts;
a variable of the environment that looks like a setting and is none is a mistake, and is refused.
"""

import argparse
import difflib
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple, final

import structlog

from sunglare_server.cli import filed, parser_of, read_settings
from sunglare_server.config import DUTIES, FLAG_ALONE, PREFIX, Duty, Settings

PROG: Final = "sunglare-server config"

_USAGE: Final = f"""\
usage: {PROG} [worker | gateway | archivist] [flags of that process]

Print every setting that a process started with these flags would have, and where it comes from:
the flag, the variable of the environment, or the default. A variable that begins with {PREFIX}
and is no setting of any process is refused. Nothing is started.
"""

OF_OTHERS: Final = ("CLIENT", "HOME", "TICKET", "TOKEN")
"""The variables with our beginning that programs of players read."""


@final
class Sourced(NamedTuple):
    """A setting by its flag, its value as one would write it, and where that comes from."""

    flag: str
    value: str
    source: str


def sourced(words: list[str], duty: Duty, environment: Mapping[str, str]) -> Iterator[Sourced]:
    """Yield every setting of a process; exit with 2, as a start would, where one does not fit."""
    settings = read_settings(words, duty)
    by_flag, by_file = _set_by(words, duty), _set_by(filed(words, duty), duty)
    for name in vars(parser_of(duty).parse_args([])):
        variable = PREFIX + name.upper()
        source = "default"
        if name in by_flag:
            source = "flag"
        elif variable in environment and name != FLAG_ALONE:
            source = variable
        elif name in by_file:
            source = str(settings.settings)
        yield Sourced(f"--{name.replace('_', '-')}", written(getattr(settings, name)), source)


def _set_by(words: list[str], duty: Duty) -> tuple[str, ...]:
    """Return the settings that flags set, by name."""
    unset = object()
    # What no flag has set keeps its mark.
    marked = argparse.Namespace(**dict.fromkeys(Settings.__struct_fields__, unset))
    given = vars(parser_of(duty).parse_args(words, marked))
    return tuple([name for name, value in given.items() if value is not unset])


def unknown(environment: Mapping[str, str]) -> Iterator[str]:
    """Yield a sentence for each variable that looks like a setting and is one of no process."""
    names = [name for name in Settings.__struct_fields__ if name not in ("duty", FLAG_ALONE)]
    known = [PREFIX + name for name in (*map(str.upper, names), *OF_OTHERS)]
    for name in sorted(environment):
        if name.startswith(PREFIX) and name not in known:
            near = difflib.get_close_matches(name, known, 1)
            yield f"{name}: there is no such setting" + (f"; near it is {near[0]}" if near else "")


def say_unknown(environment: Mapping[str, str]) -> None:
    """Log what looks like a setting and is none, when a process starts."""
    for fault in unknown(environment):
        structlog.get_logger().info("setting_unknown", why=fault)


def show(words: list[str]) -> int:
    """Print the settings that these words after `config` come to; return the exit code."""
    if words and words[0] in ("-h", "--help"):
        sys.stdout.write(_USAGE)
        return 0
    duty = DUTIES.get(words[0]) if words else None
    rest = words if duty is None else words[1:]
    found = list(sourced(rest, duty or Duty.WHOLE, os.environ))
    wide = max(len(one.flag) for one in found)
    long = max(len(one.value) for one in found if len(one.value) <= _LONG)
    for one in found:
        sys.stdout.write(f"{one.flag:{wide}}  {one.value:{long}}  {one.source}\n")
    faults = list(unknown(os.environ))
    sys.stderr.write("".join(f"{PROG}: {fault}\n" for fault in faults))
    return 2 if faults else 0


_LONG: Final = 40
"""Longer values do not widen the column."""


def written(value: object) -> str:
    """Return a value as it is written behind its flag; `none` where there is none."""
    match value:
        case None | "" | ():
            return "none"
        case bool():
            return "on" if value else "off"
        case tuple():
            return ",".join(str(part) for part in value)
        case Path() | str() | int():
            return str(value)
        case _:
            raise TypeError(f"no setting is a {type(value).__name__}")
