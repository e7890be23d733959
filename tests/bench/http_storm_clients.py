"""The storm of `http_storm.py`: many who fetch the page, its files and a record without a break.

Arguments: the address of the server, a match whose record there is, and how many fetch at once. It
says "ready" when all have fetched once, and for each line on its input how many answers came since
the line before, as counts by their status, in JSON.
"""

import asyncio
import itertools
import json
import re
import sys
from collections import Counter
from urllib.parse import urlsplit

from meter import for_each_line

from sunglare_protocol.ids import MatchId

BYTES_MOST = 64 * 1024 * 1024
CUT = "cut off"
"""How an answer counts whose line was ended before it."""


async def fetched(host: str, port: int, path: str) -> tuple[str, bytes]:
    """Return the status and the body of an answer."""
    reader, writer = await asyncio.open_connection(host, port)
    try:
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        head, _, body = (await reader.read(BYTES_MOST)).partition(b"\r\n\r\n")
        while chunk := await reader.read(BYTES_MOST):
            body += chunk
    except ConnectionError:
        return CUT, b""
    finally:
        writer.close()
    return head.split(b" ")[1].decode() if head.startswith(b"HTTP/1.1 ") else CUT, body


async def storm(url: str, match: MatchId, count: int) -> None:
    """Fetch until the input ends."""
    server = urlsplit(url)
    host, port = str(server.hostname), server.port or 0
    came: Counter[str] = Counter()
    _, page = await fetched(host, port, "/")
    files = re.findall(r'(?:href|src)="(/page/[^"]+)"', page.decode())
    paths = ("/", "/tv", f"/replay/{match}.sgr", *files)

    async def fetch(first: int) -> None:
        for path in itertools.islice(itertools.cycle(paths), first, None):
            status, _ = await fetched(host, port, path)
            came[status] += 1

    def told() -> str:
        found = json.dumps(came)
        came.clear()
        return found

    fetching = [asyncio.create_task(fetch(first)) for first in range(count)]
    while came.total() < count:  # noqa: ASYNC110 - it has nothing else to do
        await asyncio.sleep(0.01)
    came.clear()
    print("ready", flush=True)
    await for_each_line(told)
    for task in fetching:
        task.cancel()


if __name__ == "__main__":
    asyncio.run(storm(sys.argv[1], MatchId(sys.argv[2]), int(sys.argv[3])))
