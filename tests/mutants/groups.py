"""The two groups of mutants: which modules get them, and which quick tests they are tried against.

The core decides who learns what; through the outer shell everything leaves the server.
"""

from pathlib import Path
from typing import Final, NamedTuple, final

from mutants import secrecyfast, shellfast
from mutants.makers import Source

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"

_MATCH = "server/sunglare_server/match"
_SERVER = "server/sunglare_server"


@final
class Group(NamedTuple):
    """Where its modules stand, by folder and pattern, and the marker and modules of its tests."""

    places: tuple[tuple[str, str], ...]
    marker: str
    modules: tuple[str, ...]

    @property
    def tests(self) -> list[str]:
        """Return the files of its tests."""
        return sorted(
            {str(path) for module in self.modules for path in TESTS.glob(f"{module}.py")}
        )


# But for `plans`: what they propose is looked at by `check`, like any order that a player gives.
_ADVICE = ("", "cards/", "check/", "legal/", "odds/", "review/", "seen/")

# The other modules of the ledger hold rows alone, which `table` takes.
CORE: Final = (
    (_MATCH, "learn/*.py"),
    (_MATCH, "absorb/*.py"),
    (_MATCH, "own/*.py"),
    (_MATCH, "fog/*.py"),
    (_MATCH, "stage.py"),
    (_MATCH, "ledger/ledger.py"),
    *[("protocol/sunglare_rules/advice", f"{part}*.py") for part in _ADVICE],
)

SHELL: Final = (
    (_MATCH, "frames.py"),
    (_MATCH, "step.py"),
    (_MATCH, "clock/seats.py"),
    (_SERVER, "runtime/feed.py"),
    (_SERVER, "runtime/feeds.py"),
    (_SERVER, "lobby/feedgrants.py"),
    (_SERVER, "runtime/spectator_fanout.py"),
    (_SERVER, "runtime/subscriptions.py"),
    (_SERVER, "runtime/match_handle.py"),
    (_SERVER, "runtime/runner.py"),
    (_SERVER, "lobby/lobby.py"),
    (_SERVER, "rooms/room_registry.py"),
    (_SERVER, "matchmaking/room_opener.py"),
    (_SERVER, "rooms/access.py"),
    (_SERVER, "archive/recordfile.py"),
    (_SERVER, "archive/files.py"),
    (_SERVER, "api/chat_handlers.py"),
    (_SERVER, "api/match_handlers.py"),
    (_SERVER, "api/match_access.py"),
    (_SERVER, "api/responses.py"),
    (_SERVER, "gateway/http.py"),
)

GROUPS: Final = {
    "core": Group(CORE, "secrecy_fast", secrecyfast.MODULES),
    "shell": Group(SHELL, "shell_fast", shellfast.MODULES),
}


def sources(*groups: str) -> dict[str, Source]:
    """Return the modules of these groups, or of all, by the names that mutants give them."""
    found = {}
    for group in groups or GROUPS:
        for folder, pattern in GROUPS[group].places:
            for path in sorted((ROOT / folder).glob(pattern)):
                parts = path.relative_to(ROOT).with_suffix("").parts[1:]
                found[f"{parts[-2]}/{path.name}"] = Source(path, ".".join(parts))
    return found
