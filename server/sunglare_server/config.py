"""The settings of the processes, and what each is without any word about it."""

import enum
import os
from pathlib import Path
from typing import Final, final

import msgspec

from sunglare_protocol.botnames import SHIPPED

PREFIX = "SUNGLARE_"
"""How the environment variables of settings begin: SUNGLARE_PORT and so on."""

FLAG_ALONE: Final = "seed"
"""The setting that no variable and no file sets, so that it is only set on purpose."""


@final
class Duty(enum.Enum):
    """What a process does: all of it, one of the two halves of it, or keeping what is over."""

    WHOLE = "server"
    WORKER = "worker"
    GATEWAY = "gateway"
    ARCHIVIST = "archivist"


DUTIES: Final = {duty.value: duty for duty in Duty if duty is not Duty.WHOLE}
"""The roles by their word on the command line; without one it is the whole."""

HOUSE_BOTS: Final = SHIPPED
"""The bots that a server seats by default: all that are shipped."""


@final
class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that can be set.

    A worker listens at `socket` for gateways, a gateway asks the `worker` behind that.
    """

    duty: Duty = Duty.WHOLE
    settings: Path | None = None
    name: str = ""
    socket: Path = Path("sunglare.sock")
    worker: Path = Path("sunglare.sock")
    nats: tuple[str, ...] = ()
    credentials: Path | None = None
    development: bool = False
    insecure_engine: bool = False
    lease_ms: int = 2_000
    spectators: bool = False
    folder: Path = Path("records")
    keep_days: int | None = None
    host: str = "127.0.0.1"
    port: int = 8765
    journal: Path = Path("sunglare.db")
    copy: Path | None = None
    data: Path | None = None
    bots: tuple[str, ...] = HOUSE_BOTS
    matches: int = 1000
    log_format: str = "console"
    log_file: Path | None = None
    log_level: str = "info"
    loop: str = "auto"
    seed: str | None = None
    until_input_ends: bool = False
    connections: int = 1000
    connections_per_address: int = 100
    message_rate: int = 100
    address_rate: int = 1000
    openings: int = 60
    guesses: int = 10
    matches_per_account: int = 20
    seats_per_account: int = 50
    seats_per_bot: int = 20
    rooms_per_address: int = 50
    bots_at_once: int = 100
    bots_per_address: int = 20
    rated_bots: int = 50
    quick_waiting: int = 1000
    quick_per_address: int = 20
    lobby_minutes: int = 10
    quick_bots_s: int | None = None
    handshake_s: int = 10
    access_log: str = "on"
    origins: tuple[str, ...] = ()
    tls_cert: Path | None = None
    tls_key: Path | None = None
    trusted_proxy: tuple[str, ...] = ()
    proxy_header: str = "X-Forwarded-For"
    control: str = "auto"
    metrics: int | None = None
    trace: str = ""
    webhooks: bool = False

    @property
    def control_path(self) -> Path | None:
        """Return where the control socket is; None for none: `auto` needs a database there."""
        if self.control == "auto" and (self.nats or self.duty is Duty.GATEWAY):
            return None
        return control_path(self.control, self.journal)


def control_path(control: str, journal: Path) -> Path | None:
    """Return where a control socket is: by default next to the database file, or nowhere."""
    if control == "auto":
        return journal.with_name(f"{journal.name}.ctl")
    return None if control == "off" else Path(control)


def setting(name: str) -> str:
    """Return a setting that the operator's commands share, from the environment or as it is."""
    return str(default_of(name) or "")


def default_of(name: str) -> object:
    """Return what a setting is where no flag says it: its variable's text, or its default."""
    default: object = getattr(Settings(), name)
    text = os.environ.get(PREFIX + name.upper())
    return default if text is None or (text == "" and default is None) else text
