"""The files of the watch page, read once at the start, with all that is said of them.

Every file but the page itself stands under a folder that is named after the contents of all of
them, so that it may be kept for good: a page that was changed names another folder.
"""

import gzip
import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple, final

from sunglare_page import FOLDER

PAGE_PATHS: Final = ("/", "/tv")
"""Where the page itself is."""

INDEX: Final = "index.html"

FOLDER_MARK: Final = b"{{folder}}"
"""What stands in the page for the folder of its other files."""

KINDS: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
}
"""What is served, by the ending of its name; nothing else is."""

ALWAYS_ASK: Final = "no-cache"
FOR_GOOD: Final = "public, max-age=31536000, immutable"

_TAG_BYTES = 12


@final
class Asset(NamedTuple):
    """A file as it is served: its media type, its bytes, plain and packed, and how it is kept."""

    kind: str
    caching: str
    body: bytes
    packed: bytes
    tag: str

    @property
    def packed_tag(self) -> str:
        """Return the tag of the packed form."""
        return f"{self.tag}-gzip"


@cache
def shipped_assets() -> Mapping[str, Asset]:
    """Return what is served of the shipped page, packed once for all servers of a process."""
    return MappingProxyType(load_assets())


def load_assets(folder: Path = FOLDER) -> dict[str, Asset]:
    """Return everything that is served of the page, by its exact path."""
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix in KINDS
    }
    home = f"/page/{_tag(*(part for name in files for part in (name.encode(), files[name])))}"
    index = files.pop(INDEX).replace(FOLDER_MARK, home.encode())
    page = _asset(INDEX, index, ALWAYS_ASK)
    others = {f"{home}/{name}": _asset(name, body, FOR_GOOD) for name, body in files.items()}
    return {**dict.fromkeys(PAGE_PATHS, page), **others}


def _asset(name: str, body: bytes, caching: str) -> Asset:
    packed = gzip.compress(body, mtime=0)
    return Asset(KINDS[Path(name).suffix], caching, body, packed, _tag(body))


def _tag(*parts: bytes) -> str:
    """Return a name for some contents, each part with its length."""
    hashed = hashlib.blake2b(digest_size=_TAG_BYTES)
    for part in parts:
        hashed.update(len(part).to_bytes(8, "big") + part)
    return hashed.hexdigest()
