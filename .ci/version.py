"""The version of the package, from the tag and the commit: hatchling reads it here."""

import re
import subprocess
from pathlib import Path

RELEASE = "0.1.0"
"""The newest release, for commits behind which no tag names one."""

ROOT = Path(__file__).resolve().parents[1]

_DESCRIBED = re.compile(
    r"(?:v(?P<release>\w+(?:\.\w+)*)-(?P<distance>\d+)-g)?(?P<commit>[0-9a-f]+)(?P<dirty>\.dirty)?"
)


def version(root: Path = ROOT) -> str:
    """Return the version of what lies in `root`: `0.1.0` at the tag `v0.1.0`, else with a build.

    That is `+3.gf00dcafe` three commits behind the tag, `+gf00dcafe` without one, both with
    `.dirty` where files differ from the commit. The source archive keeps the version with which it
    was made; another folder without git is `+unknown`.
    """
    made = root / "PKG-INFO"
    if made.is_file() and (kept := re.search(r"(?m)^Version: (\S+)$", made.read_text("utf-8"))):
        return kept[1]
    found = _DESCRIBED.fullmatch(_described(root))
    if found is None:
        return f"{RELEASE}+unknown"
    release, distance = found["release"] or RELEASE, int(found["distance"] or 0)
    if found["release"] and not distance and not found["dirty"]:
        return release
    build = [str(distance)] if distance else []
    return f"{release}+{'.'.join([*build, 'g' + found['commit']])}{found['dirty'] or ''}"


def _described(root: Path) -> str:
    """Return what git says of the commit; nothing without git, or where `root` is no clone."""
    # An archive that lies in a clone of something else has none of its commits.
    if not (root / ".git").exists():
        return ""
    describe = ("describe", "--tags", "--match=v[0-9]*", "--long", "--always", "--abbrev=8")
    try:
        done = subprocess.run(  # noqa: S603 - it takes nothing from outside
            ("git", *describe, "--dirty=.dirty"),
            cwd=root,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return ""
    return done.stdout.strip()
