"""What bash offers for the last of some words, by a script that completes a program's."""

import shutil
import subprocess
from pathlib import Path
from typing import Final

BASH: Final = shutil.which("bash")

ASK: Final = """
source "$1"; shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
"_shtab_${1//-/_}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


def offered(script: str, *words: str, folder: Path) -> set[str]:
    """Return what is offered for the last word in a folder, to which the script is written."""
    file = folder / "completion.bash"
    file.write_text(script, encoding="utf-8")
    done = subprocess.run(
        [str(BASH), "-c", ASK, "bash", file, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return {*done.stdout.split()}
