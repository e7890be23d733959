"""The extras of the package: whether they are installed, and how they are, from the wheel.

Messages name the file of the wheel and never the package alone: pip would look that up in an index
and install whatever has taken the name there.
"""

import importlib.util
from typing import Final

from sunglare_protocol import __version__

MODULES: Final = {
    "server": ("confusable_homoglyphs", "openskill", "prometheus_client", "regex", "structlog"),
    "cluster": ("nats",),
    "trace": ("opentelemetry",),
    "tui": ("textual", "prompt_toolkit", "shtab"),
    "export": ("PIL",),
    "arena": ("choix", "numpy"),
    "rl": ("gymnasium", "numpy", "pettingzoo"),
}
"""The modules by which an extra is recognised."""

WHEEL: Final = f"sunglare-{__version__}-py3-none-any.whl"
"""The file from which this version is installed."""


def is_installed(extra: str) -> bool:
    """Return whether everything is there that an extra brings."""
    return all(importlib.util.find_spec(name) is not None for name in MODULES[extra])


def install_command(*extras: str) -> str:
    """Return the command that installs extras, for a person in the folder of the wheel."""
    named = f"[{','.join(extras)}]" if extras else ""
    return f"pip install './{WHEEL}{named}'"
