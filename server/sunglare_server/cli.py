"""The command lines of the processes: every flag, and how settings are read.

A flag wins over the environment, the environment over the settings file.
"""

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NoReturn, final
from urllib.parse import urlsplit

from sunglare_protocol import __version__
from sunglare_server.config import HOUSE_BOTS, PREFIX, Duty, Settings, env
from sunglare_server.development import add_seed, why_not_seeded
from sunglare_server.limits import LINE_COUNTS, ROOM_COUNTS
from sunglare_server.settingsfile import SettingsError, flags_of, named_in

EPILOG: Final = """\
examples:
  sunglare-server                              play on ws://127.0.0.1:8765/play
  sunglare-server --port 0 --journal /tmp/j.db any free port; the address is printed
  sunglare-server --host 0.0.0.0 --log-format json --log-file /var/log/sunglare.log

Every flag but --seed can also be set in the environment, --journal as SUNGLARE_JOURNAL, and in the
file that --settings names; `sunglare-server config` prints them all with where each comes from.
The journal is the truth of every match: whoever reads it sees everything.

A running server is asked with status, matches, say, kick, mute, unmute, pause, resume, adjourn,
drain, backup, prune, reports and check, each with a --help of its own.

exit codes: 0 ended on request, 1 could not start (the reason is printed), 2 wrong usage,
            3 the journal's medium failed
"""


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

ALONE: Final = ("seed", "settings")
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
    add = parser.add_argument
    if duty in (Duty.WHOLE, Duty.GATEWAY):
        add("--host", default=env("HOST", "127.0.0.1"), help="address to listen on")
        add(
            "--port",
            type=_port,
            default=env("PORT", "8765"),
            help="port; 0 for any free one",
        )
        _add_counts(add, LINE_COUNTS)
        _add_reach(add)
    if duty in (Duty.WHOLE, Duty.WORKER):
        _add_matches(add)
        _add_counts(add, ROOM_COUNTS)
        _add_outlets(add)
    if is_whole:
        add_seed(add)
        words = "on: end with standard input, which whoever started the server holds open"
        _add_switch(add, "until_input_ends", words)
    else:
        _add_transport(add, duty)
    _add_process(add)
    return parser


_DESCRIPTIONS: Final = {
    Duty.WHOLE: "Real-time matches between players who must not know everything.",
    Duty.WORKER: "Matches and their journal, for gateways that have the connections.",
    Duty.GATEWAY: "Connections of players and spectators, for a worker that has the matches.",
    Duty.ARCHIVIST: "A record file of each finished match of a cluster, in a folder.",
}


def _add_matches(add: Callable[..., object]) -> None:
    """Add the flags that say what is played and where it is kept."""
    add(
        "--journal",
        type=Path,
        default=env("JOURNAL", "sunglare.db"),
        help="the database file",
    )
    add(
        "--copy",
        type=_maybe_path,
        default=env("COPY", ""),
        help="folder with a copy of it, a second or two behind",
    )
    add(
        "--data",
        type=_maybe_path,
        default=env("DATA", ""),
        help="folder with further scenarios, ships and bots",
    )
    bots = env("BOTS", ",".join(HOUSE_BOTS))
    add(
        "--bots",
        type=_names,
        default=bots,
        help="house bots, by name: shipped ones, or bots/NAME.py in the folder of --data",
    )
    words = "seconds after which house bots fill a quick match (default: never)"
    add("--quick-bots-s", type=_count, default=env("QUICK_BOTS_S", "") or None, help=words)


def _add_transport(add: Callable[..., object], duty: Duty) -> None:
    """Add the flags that hold the processes of a cluster, or of one machine, together."""
    if duty is not Duty.ARCHIVIST:
        _add_own(add, duty)
    add(
        "--nats",
        type=_names,
        default=env("NATS", ""),
        help="servers of a NATS cluster, with commas between: in place of the socket",
    )
    add(
        "--credentials",
        type=_maybe_path,
        default=env("CREDENTIALS", ""),
        help="the file that lets it into the cluster: sunglare-server credentials",
    )
    if duty is Duty.GATEWAY:
        _add_switch(add, "spectators", "on: serve spectators alone, with fewer rights")
        _add_control(add)
        _add_metrics(add)
        return
    words = "on: take a cluster that may lose what it acknowledged, such as a single server"
    _add_switch(add, "development", words)
    if duty is Duty.ARCHIVIST:
        add(
            "--folder",
            type=Path,
            default=env("FOLDER", "records"),
            help="where the files go",
        )
        words = "days after its end when a match is deleted from the cluster (default: never)"
        add("--keep-days", type=_count, default=env("KEEP_DAYS", "") or None, help=words)
        return
    add(
        "--lease-ms",
        type=_count,
        default=env("LEASE_MS", str(Settings().lease_ms)),
        help="after so many ms without a sign of life another worker takes a match over",
    )


def _add_own(add: Callable[..., object], duty: Duty) -> None:
    add(
        "--name",
        default=env("NAME", ""),
        help="its name, unlike all others'; by default drawn",
    )
    name, words = (
        ("socket", "the Unix socket at which gateways of this machine connect")
        if duty is Duty.WORKER
        else ("worker", "the Unix socket of the worker")
    )
    where = env(name.upper(), "sunglare.sock")
    add(f"--{name}", type=Path, default=where, help=words)


def _add_switch(add: Callable[..., object], name: str, words: str) -> None:
    """Add a flag that is off unless it is given, alone or with a word."""
    default = env(name.upper(), "off")
    add(
        f"--{name.replace('_', '-')}",
        type=_switch,
        nargs="?",
        const=True,
        metavar="on|off",
        default=default,
        help=words,
    )


def _add_process(add: Callable[..., object]) -> None:
    """Add the flags that any process has."""
    words = "file with any of these settings (TOML), read again on SIGHUP"
    add("--settings", type=_maybe_path, default=env("SETTINGS", ""), help=words)
    add(
        "--log-format",
        choices=("console", "json"),
        default=env("LOG_FORMAT", "console"),
        help="how log lines look",
    )
    add(
        "--log-file",
        type=_maybe_path,
        default=env("LOG_FILE", ""),
        help="where log lines go (default: stderr)",
    )
    add(
        "--log-level",
        choices=("debug", "info", "warning", "error"),
        default=env("LOG_LEVEL", "info"),
        help="the least important lines to log",
    )
    add(
        "--loop",
        choices=("auto", "uvloop", "asyncio"),
        default=env("LOOP", "auto"),
        help="event loop; auto takes uvloop where it is installed",
    )


def _add_counts(add: Callable[..., object], counts: dict[str, str]) -> None:
    """Add flags that bound what peers may do."""
    for name, words in counts.items():
        default = str(getattr(Settings(), name))
        flag = f"--{name.replace('_', '-')}"
        add(flag, type=_count, default=env(name.upper(), default), help=words)


def _add_reach(add: Callable[..., object]) -> None:
    """Add the flags that say who may connect, and how."""
    add(
        "--origins",
        type=_names,
        default=env("ORIGINS", ""),
        help="further origins of pages that may connect",
    )
    add(
        "--tls-cert",
        type=_maybe_path,
        default=env("TLS_CERT", ""),
        help="certificate and chain (PEM): use TLS",
    )
    add(
        "--tls-key",
        type=_maybe_path,
        default=env("TLS_KEY", ""),
        help="its key, if it is in a file of its own",
    )
    add(
        "--access-log",
        choices=("off", "on", "addresses"),
        default=env("ACCESS_LOG", "on"),
        help="a log line for each connection that has ended, with its address or without",
    )
    add(
        "--trusted-proxy",
        type=_names,
        default=env("TRUSTED_PROXY", ""),
        help="addresses or networks of proxies whose header is believed",
    )
    add(
        "--proxy-header",
        default=env("PROXY_HEADER", "X-Forwarded-For"),
        help="the header in which they name the client",
    )


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(",") if name)


def _maybe_path(text: str) -> Path | None:
    return Path(text) if text else None


def _add_control(add: Callable[..., object]) -> None:
    words = "a path, off, or auto: beside the database, where there is one"
    add(
        "--control",
        default=env("CONTROL", "auto"),
        help=f"socket of the operator's commands: {words}",
    )


def _add_metrics(add: Callable[..., object]) -> None:
    add(
        "--metrics",
        type=_port,
        default=env("METRICS", "") or None,
        help="port on 127.0.0.1 with figures for Prometheus; 0 for any free one",
    )


def _add_outlets(add: Callable[..., object]) -> None:
    """Add the flags of what the operator and other programs may see."""
    _add_control(add)
    _add_metrics(add)
    words = "collector of OpenTelemetry (OTLP over HTTP) that is sent traces of orders"
    add("--trace", type=_collector, default=env("TRACE", ""), help=words)
    add(
        "--webhooks",
        type=_switch,
        metavar="on|off",
        default=env("WEBHOOKS", "off"),
        help="on: people may name an address that the server tells that it is their turn",
    )


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
