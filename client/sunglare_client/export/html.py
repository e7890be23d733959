"""A replay as a page of one file, which opens from disk: the watch page with the replay in it.

The page is modules that import one another by relative paths. A file has no other files around it,
so every module stands in an import map under a name of its own, as a `data:` address, and each
path in it becomes that name. Nothing of them is known here but that: a module or a file of data
that is new is taken along when something imports it. The policy of the page lets nothing else run,
and nothing be asked of anybody.
"""

import base64
import gzip
import hashlib
import html
import json
import posixpath
import re
from pathlib import Path
from typing import Final

from sunglare_client.errors import ExportError
from sunglare_page import FOLDER

START: Final = Path(__file__).parent / "page" / "start.js"
"""The module with which the page begins, as if it lay in the folder of the watch page."""

NAMES: Final = "sunglare/"
"""What the names of modules begin with."""

_FOLDER_MARK: Final = "{{folder}}"

_STYLE_SHEET: Final = f'<link rel="stylesheet" href="{_FOLDER_MARK}/style.css" />'
_MAIN: Final = f'<script type="module" src="{_FOLDER_MARK}/main.js"></script>'

_IMPORT: Final = re.compile(
    r"""(?P<before>(?:^|[;\n}])\s*(?:import|export)\b[^'";]*?)(?P<mark>['"])(?P<path>\.{1,2}/[^'"]+)['"]"""
)
"""What a module imports: a statement from its first word to the path."""

_BYTES: Final = "application/octet-stream"

_KINDS: Final = {".js": "text/javascript", ".json": "application/json"}


def replay_page(data: bytes, *, name: str, title: str, moment: str = "") -> str:
    """Return the page that shows the replay in `data`, at a moment as a fragment of an address.

    `name` is what the replay is called when it is saved from the page. The same replay gives the
    same page. Raise `ExportError` if the page itself has something that is not known here.
    """
    page = (FOLDER / "index.html").read_text(encoding="utf-8")
    style = (FOLDER / "style.css").read_text(encoding="utf-8")
    names = json.dumps({"imports": _modules()}, sort_keys=True, separators=(",", ":"))
    start = f'import "{NAMES}{START.name}";'
    policy = _policy(style, names, start)
    head = f'<meta http-equiv="Content-Security-Policy" content="{html.escape(policy)}" />'
    icon = _data((FOLDER / "icon.svg").read_bytes(), "image/svg+xml")
    packed = base64.b64encode(gzip.compress(data, mtime=0)).decode()
    about = f'data-name="{html.escape(name)}" data-moment="{html.escape(moment)}"'
    return _replaced(
        page,
        {
            '<meta charset="utf-8" />': f'<meta charset="utf-8" />\n    {head}',
            f'href="{_FOLDER_MARK}/icon.svg"': f'href="{icon}"',
            f'    <link rel="manifest" href="{_FOLDER_MARK}/sunglare.webmanifest" />\n': "",
            _STYLE_SHEET: f"<style>{style}</style>",
            _MAIN: (
                f'<script type="importmap">{names}</script>\n'
                f'    <script type="module">{start}</script>'
            ),
            "<title>Sunglare</title>": f"<title>{html.escape(title)}</title>",
            "</body>": (
                f'  <script type="{_BYTES}" id="replay" {about}>{packed}</script>\n  </body>'
            ),
        },
    )


def _replaced(page: str, changes: dict[str, str]) -> str:
    for old, new in changes.items():
        if page.count(old) != 1:
            raise ExportError(
                f"The watch page does not have {old!r} once, as this program knows it."
            )
        page = page.replace(old, new)
    if _FOLDER_MARK in page:
        raise ExportError("The watch page names a file that this program does not know.")
    return page


def _policy(style: str, *scripts: str) -> str:
    hashes = " ".join(map(_hashed, scripts))
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {hashes} data:",
            f"style-src {_hashed(style)}",
            "img-src data: blob:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _hashed(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _modules() -> dict[str, str]:
    """Return the address of every module that the page needs, by its name."""
    found: dict[str, str] = {}
    waiting = [START.name]
    while waiting:
        path = waiting.pop()
        if NAMES + path in found:
            continue
        text = _source(path)
        if not path.endswith(".json"):
            text, needed = _renamed(text, posixpath.dirname(path))
            waiting += needed
        found[NAMES + path] = _data(text.encode(), _kind(path))
    return found


def _source(path: str) -> str:
    file = START if path == START.name else FOLDER / path
    if not file.is_file() or ".." in Path(path).parts:
        raise ExportError(f"The watch page imports {path!r}, which is not there.")
    return file.read_text(encoding="utf-8")


def _kind(path: str) -> str:
    kind = _KINDS.get(posixpath.splitext(path)[1])
    if kind is None:
        raise ExportError(f"The watch page imports {path!r}, which is no module.")
    return kind


def _renamed(text: str, folder: str) -> tuple[str, list[str]]:
    """Return a module with names instead of paths, and the paths that it imports."""
    needed: list[str] = []

    def name(found: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(folder, found["path"]))
        needed.append(path)
        return f"{found['before']}{found['mark']}{NAMES}{path}{found['mark']}"

    return _IMPORT.sub(name, text), needed


def _data(content: bytes, kind: str) -> str:
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"
