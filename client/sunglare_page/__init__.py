"""The page: a thin client for browsers, as static files that the server sends as they are.

`index.html` is the page; its modules stand in rooms: `replay/` reads a file, `watch/` follows a
match, `seat/` plays one, `board/` lays out what is seen, `story/` words it, `face/` draws. None
has a rule: what may be ordered, the server lists and checks. They need no build;
the TypeScript compiler checks the types in their comments, by `tsconfig.json`.
"""

from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).resolve().parent
"""Where the files stand."""
