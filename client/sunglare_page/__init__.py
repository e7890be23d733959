"""The watch page: a thin client for browsers, as static files that the server sends as they are.

`index.html` is the page; its modules stand in rooms: `replay/` reads a file, `watch/` follows a
match, `board/` lays out what is seen, `story/` words it, `face/` draws. They need no build;
the TypeScript compiler checks the types in their comments, by `tsconfig.json`.
"""

from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).resolve().parent
"""Where the files stand."""
