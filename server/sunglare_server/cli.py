"""The command lines of the processes: every flag, and how settings are read.

A flag wins over the environment, the environment over the settings file.
"""

import argparse
import difflib
import os
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn, final
from urllib.parse import urlsplit

from sunglare_protocol import __version__
from sunglare_server.config import DUTIES, FLAG_ALONE, PREFIX, Duty, Settings, default_of
from sunglare_server.development import why_not_in_clear, why_not_seeded
from sunglare_server.limits import LINE_COUNTS, ROOM_COUNTS
from sunglare_server.settingsfile import SettingsError, flags_of, named_in

OPERATOR_COMMANDS: Final = {
    "look": "status matches log whois",
    "a match": "say kick pause resume adjourn grant revoke export drop",
    "accounts": "ban unban mute unmute bans bar unbar rename reports export-person forget",
    "a server": "drain reload scenario credentials",
    "data": "backup dump import archive prune ratings check repair drill",
}
"""The commands that ask a running server, or look at its files, by what they are about."""

_LISTED: Final = "\n".join(f"  {group:10}{words}" for group, words in OPERATOR_COMMANDS.items())

EPILOG: Final = f"""\
examples:
  sunglare-server                              play on ws://127.0.0.1:8765/play
  sunglare-server --port 0 --journal /tmp/j.db any free port; the address is printed
  sunglare-server --host 0.0.0.0 --log-format json --log-file /var/log/sunglare.log

Every flag but --seed can also be set in the environment, --journal as SUNGLARE_JOURNAL, and in the
file that --settings names; `sunglare-server config` prints them all with where each comes from.
The journal is the truth of every match: read access to it reveals everything.

commands for operators, each with a --help of its own:
{_LISTED}

exit codes: 0 ended on request, 1 could not start (the reason is printed), 2 wrong usage,
            3 the journal's medium failed
"""


def no_command(word: str) -> str:
    """Return a sentence that there is no such command, with the nearest one."""
    known = [*" ".join(OPERATOR_COMMANDS.values()).split(), "completion", "config", *DUTIES]
    near = difflib.get_close_matches(word, known, 1)
    hint = f"near it is {near[0]}" if near else "--help lists them"
    return f"{word!r}: there is no such command; {hint}"


def read_settings(arguments: list[str], duty: Duty = Duty.WHOLE) -> Settings:
    """Return the settings; print what is wrong and exit with 2 if a value does not fit."""
    parser = parser_of(duty)
    try:
        return settings_of(arguments, duty)
    except SettingsError as error:
        argparse.ArgumentParser.error(parser, str(error))


def settings_of(arguments: list[str], duty: Duty = Duty.WHOLE) -> Settings:
    """Return the settings of flags, environment and file; raise `SettingsError` if one is wrong.

    `--help` and `--version` print and exit, as ever.
    """
    given = vars(parser_of(duty).parse_args([*filed(arguments, duty), *arguments]))
    if given.get("tls_key") and not given["tls_cert"]:
        raise SettingsError("--tls-key: it needs --tls-cert, the certificate of this key")
    if given.get("copy") and (why := _why_not_copied(given)):
        raise SettingsError(why)
    if duty is Duty.ARCHIVIST and not given["nats"]:
        raise SettingsError("--nats: an archivist has a cluster")
    if not given.get("insecure_engine") and (why := why_not_in_clear(given.get("nats", ()))):
        raise SettingsError(why)
    if given.get("seed") and (why := why_not_seeded(given["host"], given["trusted_proxy"])):
        raise SettingsError(why)
    return Settings(duty=duty, **given)


def _why_not_copied(given: dict[str, Any]) -> str | None:
    """Return why a database can't be copied as settings ask for it; None if it can."""
    if given.get("nats"):
        return "--copy: a cluster has no database file; its engines keep everything three times"
    if given["copy"].resolve() == given["journal"].resolve().parent:
        return "--copy: the database itself lies in that folder; name another one"
    return None


def filed(arguments: list[str], duty: Duty) -> list[str]:
    """Return what a settings file says, as flags that come before the others."""
    path = named_in(arguments, os.environ, f"{PREFIX}SETTINGS")
    if path is None:
        return []
    mine = vars(parser_of(duty).parse_args([]))
    # The environment wins over the file, and neither sets what is a flag alone.
    known = [name for name in mine if f"{PREFIX}{name.upper()}" not in os.environ]
    others = [name for name in Settings.__struct_fields__ if name not in ("duty", *ALONE)]
    return list(flags_of(path, [name for name in known if name not in ALONE], others))


TRACES_PATH: Final = "/v1/traces"
"""Where collectors take traces."""

COLLECTOR_RIGHT: Final = "an address such as http://127.0.0.1:4318"

ALONE: Final = (FLAG_ALONE, "settings")
"""The settings that no file sets."""


@final
class _Parser(argparse.ArgumentParser):
    """One that raises `SettingsError` where others print and exit."""

    def error(self, message: str) -> NoReturn:
        """Raise what is wrong."""
        raise SettingsError(message)


def parser_of(duty: Duty) -> argparse.ArgumentParser:
    """Return what reads the flags of a process, with the environment for what no flag says."""
    is_whole = duty is Duty.WHOLE
    parser = _Parser(
        prog="sunglare-server" if is_whole else f"sunglare-server {duty.value}",
        description=_DESCRIPTIONS[duty],
        epilog=EPILOG if is_whole else None,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"sunglare-server {__version__}")
    for flag in FLAGS[duty]:
        name = flag.name.removeprefix("--").replace("-", "_")
        default = None if name == FLAG_ALONE else default_of(name)
        parser.add_argument(flag.name, help=flag.help, default=default, **flag.options)
    return parser


_DESCRIPTIONS: Final = {
    Duty.WHOLE: "Real-time matches between players who must not know everything.",
    Duty.WORKER: "Matches and their journal, for gateways that own the connections.",
    Duty.GATEWAY: "Connections of players and spectators, for a worker that has the matches.",
    Duty.ARCHIVIST: "A record file of each finished match of a cluster, in a folder.",
}


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(",") if name)


def _maybe_path(text: str) -> Path | None:
    return Path(text) if text else None


def _collector(text: str) -> str:
    """Return the address of a collector, with the path that OTLP has where none is named."""
    if not text:
        return ""
    try:
        parts = urlsplit(text)
        is_one = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r}: {COLLECTOR_RIGHT}") from error
    if not is_one:
        raise argparse.ArgumentTypeError(f"{text!r}: {COLLECTOR_RIGHT}")
    return text if parts.path.strip("/") else f"{text.rstrip('/')}{TRACES_PATH}"


def _switch(text: str) -> bool:
    if text not in ("on", "off"):
        raise argparse.ArgumentTypeError(f"{text!r}: it is on or off")
    return text == "on"


def _port(text: str) -> int:
    return _number(text, 0, 65535, "a port is a number from 0 to 65535")


def _count(text: str) -> int:
    return _number(text, 1, 1_000_000, "a number from 1 to 1000000")


def _number(text: str, least: int, most: int, right: str) -> int:
    if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
        raise argparse.ArgumentTypeError(f"{text!r}: {right}")
    return int(text)


@final
class Argument(NamedTuple):
    """An argument of a command line: its name, its help, further options of `argparse`."""

    name: str
    help: str
    options: dict[str, Any]


def argument(name: str, words: str, **options: Any) -> Argument:
    """Return an argument with its help and further options of `ArgumentParser.add_argument`."""
    return Argument(name, words, options)


def _counts(words: dict[str, str]) -> tuple[Argument, ...]:
    """Return the flags of settings that bound what peers may do."""
    return tuple(
        argument(f"--{name.replace('_', '-')}", bound, type=_count)
        for name, bound in words.items()
    )


def _switched(name: str, words: str) -> Argument:
    """Return a flag that is off unless it is given, alone or with a word."""
    return argument(name, words, type=_switch, nargs="?", const=True, metavar="on|off")


_CONNECTIONS: Final = (
    argument("--host", "address to listen on"),
    argument("--port", "port; 0 for any free one", type=_port),
    *_counts(LINE_COUNTS),
    argument(
        "--origins",
        "origins of pages that may connect; their names are also the server's own",
        type=_names,
    ),
    argument("--tls-cert", "certificate and chain (PEM): use TLS", type=_maybe_path),
    argument("--tls-key", "its key, if in a separate file", type=_maybe_path),
    argument(
        "--access-log",
        "a log line for each connection that has ended, with its address or without",
        choices=("off", "on", "addresses"),
    ),
    argument("--trusted-proxy", "addresses or networks of trusted proxies", type=_names),
    argument("--proxy-header", "the header in which they name the client"),
)
"""The options for admission."""

_CONTROL: Final = (
    argument(
        "--control",
        "socket of the operator's commands: a path, off, or auto: next to the database, where"
        " there is one",
    ),
    argument(
        "--metrics",
        "port on 127.0.0.1 with figures for Prometheus; 0 for any free one",
        type=_port,
    ),
)
"""Where operators look."""

_MATCHES: Final = (
    argument("--journal", "the database file", type=Path),
    argument("--copy", "folder with a copy of it, a second or two behind", type=_maybe_path),
    argument("--data", "folder with further scenarios, ships and bots", type=_maybe_path),
    argument(
        "--bots",
        "house bots, by name: shipped ones at all levels, or at one as hunter-2, or bots/NAME.py"
        " in the folder of --data",
        type=_names,
    ),
    argument(
        "--quick-bots-s",
        "seconds after which house bots fill a quick match (default: never)",
        type=_count,
    ),
    *_counts(ROOM_COUNTS),
    *_CONTROL,
    argument(
        "--trace",
        "collector of OpenTelemetry (OTLP over HTTP) that is sent traces of orders",
        type=_collector,
    ),
    argument(
        "--webhooks",
        "on: players may set a webhook that is called when it is their turn",
        type=_switch,
        metavar="on|off",
    ),
)
"""What is played, where it is kept, and what leaves it for others."""

_NAME: Final = argument("--name", "a unique name (default: drawn)")

_ENGINE: Final = (
    argument(
        "--nats",
        "servers of a NATS cluster, separated by commas, in place of the socket",
        type=_names,
    ),
    argument(
        "--credentials",
        "the cluster's credential file, as `sunglare-server credentials` makes it",
        type=_maybe_path,
    ),
    _switched("--insecure-engine", "on: reach a cluster on other machines without encryption"),
)
"""What holds the processes of a cluster together."""

_DEVELOPMENT: Final = _switched(
    "--development",
    "on: accept a cluster that may lose acknowledged data, such as a single server",
)

_PROCESS: Final = (
    argument(
        "--settings",
        "file with any of these settings (TOML), read again on SIGHUP",
        type=_maybe_path,
    ),
    argument("--log-format", "how log lines look", choices=("console", "json")),
    argument("--log-file", "where log lines go (default: stderr)", type=_maybe_path),
    argument(
        "--log-level",
        "the least important lines to log",
        choices=("debug", "info", "warning", "error"),
    ),
    argument(
        "--loop",
        "event loop; auto takes uvloop where it is installed",
        choices=("auto", "uvloop", "asyncio"),
    ),
)
"""What any process has."""

FLAGS: Final = {
    Duty.WHOLE: (
        *_CONNECTIONS,
        *_MATCHES,
        argument(
            "--seed",
            "development alone: draw everything random from this text, and let time stand still "
            "between deadlines; nothing stays secret",
        ),
        _switched(
            "--until-input-ends",
            "on: end with standard input, which the parent process holds open",
        ),
        *_PROCESS,
    ),
    Duty.WORKER: (
        *_MATCHES,
        _NAME,
        argument(
            "--socket", "the Unix socket at which gateways of this machine connect", type=Path
        ),
        *_ENGINE,
        _DEVELOPMENT,
        argument(
            "--lease-ms",
            "ms without a heartbeat after which another worker takes a match over",
            type=_count,
        ),
        *_PROCESS,
    ),
    Duty.GATEWAY: (
        *_CONNECTIONS,
        _NAME,
        argument("--worker", "the Unix socket of the worker", type=Path),
        *_ENGINE,
        _switched("--spectators", "on: serve spectators alone, with fewer rights"),
        *_CONTROL,
        *_PROCESS,
    ),
    Duty.ARCHIVIST: (
        *_ENGINE,
        _DEVELOPMENT,
        argument("--folder", "where the files go", type=Path),
        argument(
            "--keep-days",
            "days after its end when a match is deleted from the cluster (default: never)",
            type=_count,
        ),
        *_PROCESS,
    ),
}
"""The flags of each process, in the order of its help."""
