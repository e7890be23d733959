"""Podman or Docker with the image of the container file: built once, run on a volume."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final, final

from builders.commandlines import ROOT

ENGINES: Final = ("podman", "docker")

BASE: Final = os.environ.get("SUNGLARE_CONTAINER_BASE")
"""An image with Python to build on, instead of the one that the container file names."""

CONFINED: Final = (
    *("--read-only", "--cap-drop", "all", "--security-opt", "no-new-privileges"),
    # A machine may forget to let its containers have as much as they ask for.
    *("--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1000:1000"),
)
"""The flags with which OPERATIONS.md starts a server."""

ENGINE_S: Final = 600.0
"""An image is built by then."""


def engine() -> str | None:
    """Return the first engine that works here; None if there is none."""
    return next((name for name in ENGINES if _works(name)), None)


def _works(name: str) -> bool:
    program = shutil.which(name)
    return program is not None and _ran(program, "info").returncode == 0


def _ran(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, cwd=ROOT, capture_output=True, text=True, timeout=ENGINE_S, check=False
    )


@final
class Container:
    """A server in a container, with all it keeps in a volume of its own."""

    def __init__(self, program: str, image: str, name: str, port: int) -> None:
        """Name the container and its volume `name`; nothing runs yet."""
        self.url = f"ws://127.0.0.1:{port}/play"
        self._program = program
        self._image = image
        self._name = name
        self._port = port

    def start(self) -> None:
        """Start a new container on the volume."""
        place = ("-e", "SUNGLARE_HOST=127.0.0.1", "-e", f"SUNGLARE_PORT={self._port}")
        volume = ("-v", f"{self._name}:/var/lib/sunglare")
        self.asked("run", "-d", "--name", self._name, "--network", "host", *CONFINED, *place,
                   *volume, self._image, "--bots", "lurker")  # fmt: skip

    def inside(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Return what a program in the container came to."""
        return _ran(self._program, "exec", self._name, *words)

    def log(self) -> str:
        """Return what the server has said."""
        told = _ran(self._program, "logs", self._name)
        return told.stdout + told.stderr

    def asked(self, *words: str) -> str:
        """Return what the engine answers; raise with its words if it refuses."""
        told = _ran(self._program, *words)
        assert told.returncode == 0, told.stderr
        return told.stdout.strip()

    def exit_code(self) -> int:
        """Return the exit code of the container, which has ended."""
        return int(self.asked("wait", self._name))

    def end(self, how: str) -> None:
        """End the container with `stop` or `kill`, and remove it; its volume stays."""
        self.asked(how, self._name)
        self.asked("rm", "-f", self._name)

    def remove(self) -> None:
        """Remove the container and the volume, whatever state they are in."""
        _ran(self._program, "rm", "-f", self._name)
        _ran(self._program, "volume", "rm", "-f", self._name)


def image(program: str, tag: str) -> str:
    """Build the image from what lies in `dist/`; raise with the engine's words if that fails."""
    base = ("--build-arg", f"BASE={BASE}") if BASE else ()
    containerfile = Path("server/contrib/Containerfile")
    words = ("build", "--network", "host", *base, "-f", str(containerfile), "-t", tag, ".")
    told = _ran(program, *words)
    assert told.returncode == 0, told.stdout + told.stderr
    return tag
