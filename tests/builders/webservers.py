"""nginx and Caddy with the configurations for operators, on ports and certificates of a test."""

import contextlib
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple, final
from urllib.parse import urlsplit

from builders.certificates import Files

CONTRIB: Final = Path(__file__).parents[2] / "server" / "contrib"

START_S: Final = 20.0
"""A proxy that does not listen after that has not started."""

NAME: Final = "sunglare.example.org"
GAME: Final = "127.0.0.1:8765"


@final
class Site(NamedTuple):
    """What a proxy is started with: its own port, the server behind it, the certificate."""

    port: int
    server: str
    files: Files

    @property
    def url(self) -> str:
        """Return the address at which one plays."""
        return f"wss://127.0.0.1:{self.port}/play"


def nginx_command(site: Site, folder: Path) -> list[str]:
    """Write nginx's files and return what starts it, without becoming a daemon."""
    text = (CONTRIB / "nginx.conf").read_text(encoding="utf-8")
    text = text.replace("listen 443 ssl;", f"listen 127.0.0.1:{site.port} ssl;")
    text = text.replace("/etc/ssl/sunglare/fullchain.pem", str(site.files.certificate))
    text = text.replace("/etc/ssl/sunglare/privkey.pem", str(site.files.key))
    (folder / "site.conf").write_text(_for_server(text, site), encoding="utf-8")
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi")
    )
    whole = (
        f"daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; worker_processes 1;"
        f"events {{}} http {{ {temporary} uwsgi_temp_path {folder}/uwsgi;"
        f" scgi_temp_path {folder}/scgi; access_log off; include {folder}/site.conf; }}"
    )
    (folder / "nginx.conf").write_text(whole, encoding="utf-8")
    program = _program("nginx")
    return [program, "-e", str(folder / "error.log"), "-p", str(folder), "-c", "nginx.conf"]


def caddy_command(site: Site, folder: Path) -> list[str]:
    """Write Caddy's file and return what starts it, with the certificate instead of its own."""
    text = (CONTRIB / "Caddyfile").read_text(encoding="utf-8")
    address = f"https://127.0.0.1:{site.port}, https://{NAME}:{site.port} {{"
    tls = f"\ttls {site.files.certificate} {site.files.key}"
    text = text.replace(f"{NAME} {{", f"{address}\n{tls}")
    # It asks nobody for a certificate, and adds none to those that this machine trusts.
    general = "{\n\tadmin off\n\tauto_https off\n\tskip_install_trust\n}\n"
    path = folder / "Caddyfile"
    path.write_text(general + _for_server(text, site), encoding="utf-8")
    return [_program("caddy"), "run", "--config", str(path), "--adapter", "caddyfile"]


COMMANDS: Final = {"nginx": nginx_command, "caddy": caddy_command}


def is_installed(name: str) -> bool:
    """Return whether a proxy is there, where Debian puts what only an administrator starts too."""
    return _found(name) is not None


@contextlib.contextmanager
def proxy(name: str, server_url: str, files: Files, folder: Path) -> Iterator[Site]:
    """Run a proxy before a server until the end; raise with its words if it does not start."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    site = Site(port, urlsplit(server_url).netloc, files)
    command = COMMANDS[name](site, folder)
    said = folder / "said.log"
    with said.open("wb") as log:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env={**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder)},
        )
    try:
        _await_port(port, process, said)
        yield site
    finally:
        process.terminate()
        process.wait(START_S)


def _await_port(port: int, process: subprocess.Popen[bytes], said: Path) -> None:
    until = time.monotonic() + START_S
    while time.monotonic() < until and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise AssertionError(said.read_text(errors="replace"))


def _for_server(text: str, site: Site) -> str:
    assert GAME in text
    return text.replace(GAME, site.server)


def _found(name: str) -> str | None:
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin")


def _program(name: str) -> str:
    found = _found(name)
    assert found is not None
    return found
