"""Records the sessions of `sunglare conformance`: run this file when the protocol has changed.

`make schema` does. Read what has changed line by line before it is committed.
"""

import asyncio
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from builders.servers import server_process
from sunglare_client.conformance.conforming import FLAGS, record

FOLDER = Path(__file__).parents[2] / "protocol" / "sunglare_protocol" / "sessions"


def main() -> None:
    """Record all sessions against a new server with the seed that they have."""
    with tempfile.TemporaryDirectory() as folder, server_process(Path(folder), *FLAGS) as server:
        asyncio.run(record(server.url, FOLDER))


if __name__ == "__main__":
    main()
