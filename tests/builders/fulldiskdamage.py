"""A damaged table of bans on a full disk: the server starts, and sets it aside once there is room.

Run by a test in a process of its own, on a small disk that is mounted for it alone.
"""

import asyncio
import os
import sys
from pathlib import Path

from builders.fulldisk import fill
from builders.manypages import many_pages, pages_in, with_noise
from builders.sanctions import ban
from sunglare_server.base.storage_errors import MediumError
from sunglare_server.sqlite.storage import Storage, sqlite_storage


def spoilt(path: Path) -> None:
    """Make a file whose bans have noise on their root."""
    path.write_bytes(many_pages())
    pages = pages_in(path).items()
    (root,) = [n for n, page in pages if (page.tree, page.kind) == ("sanction", "root")]
    path.write_bytes(with_noise(path.read_bytes(), root))


async def refused(storage: Storage) -> str:
    """Return why nothing can be stored."""
    try:
        await storage.store.put_webhook("a" * 32, "https://play.example.org")
    except MediumError as error:
        return f"{error.why}, {'fatal' if error.fatal else 'for now'}"
    raise AssertionError("a full disk took something")


async def main(folder: Path) -> None:
    """Start on the full disk, make room, and decide on the bans."""
    path, filler = folder / "journal.db", folder / "filler"
    spoilt(path)
    fill(filler)
    storage = await sqlite_storage(path)
    assert storage.aside is not None
    assert storage.sanctions is not None
    assert storage.database is not None
    assert (storage.aside.names, storage.sanctions.book.all) == (("bans",), ())
    sys.stdout.write(f"{await refused(storage)}\n")
    os.unlink(filler)
    await storage.store.put_webhook("a" * 32, "https://play.example.org")
    await storage.aside.settle()
    await storage.sanctions.keep(ban())
    assert not storage.broken.is_set()
    await storage.journal.close()
    again = await sqlite_storage(path)
    assert again.aside is not None
    assert again.sanctions is not None
    assert (again.aside.names, again.sanctions.book.all) == (("bans",), (ban(),))
    await again.journal.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
