"""The settings file: the same settings as flags and variables, in TOML, for reloads.

A process keeps the flags and the environment that it was started with; what is to change while it
runs stands in a file, which is read again on SIGHUP. A flag wins over the environment, the
environment over the file.
"""

import argparse
import difflib
import tomllib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Final, final

from sunglare_protocol.errors import SunglareError
from sunglare_server.textfiles import DOTS_MOST, KIB, crowded_line, read_file

FILE_BYTES_MOST: Final = 64 * KIB
"""OWN: the longest settings file that is read."""


@final
class SettingsError(SunglareError):
    """Settings that can't be used: what is wrong, where, and what would be right."""


def named_in(words: list[str], environment: Mapping[str, str], variable: str) -> Path | None:
    """Return the settings file that flags or the environment name, if either does."""
    scout = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    scout.add_argument("--settings", default=environment.get(variable, ""))
    name: str = scout.parse_known_args(words)[0].settings
    return Path(name) if name else None


def flags_of(path: Path, known: Collection[str], of_others: Collection[str]) -> Iterator[str]:
    """Yield the settings of a file as flags; raise `SettingsError` if it is none.

    `known` are the names of those of this process; what is one `of_others`, as where several
    processes share a file, is passed over.
    """
    for name, value in _read(path).items():
        setting = name.replace("-", "_")
        if setting in known:
            yield f"--{name.replace('_', '-')}={_text(path, name, value)}"
        elif setting not in of_others:
            near = difflib.get_close_matches(setting, known, 1)
            hint = f"; near it is {near[0]}" if near else ""
            raise SettingsError(f"{path}: {name}: there is no such setting{hint}")


def _read(path: Path) -> dict[str, object]:
    try:
        text = read_file(path, FILE_BYTES_MOST).decode()
        if (line := crowded_line(text)) is not None:
            right = f"at most {DOTS_MOST} dots outside comments and texts"
            raise SettingsError(f"{path}: line {line}: {right}")
        return tomllib.loads(text)
    except OSError as fault:
        raise SettingsError(f"{path}: {fault.strerror}") from fault
    except RecursionError:
        raise SettingsError(f"{path}: no TOML: the values are nested too deep") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise SettingsError(f"{path}: no TOML: {fault}") from fault


def _text(path: Path, name: str, value: object) -> str:
    """Return a value as one would write it behind its flag."""
    match value:
        case bool():
            return "on" if value else "off"
        case str() | int():
            return str(value)
        case list() if all(isinstance(part, str) for part in value):
            return ",".join(value)
        case _:
            right = "a text, a whole number, true or false, or a list of texts"
            raise SettingsError(f"{path}: {name}: it is {right}")
