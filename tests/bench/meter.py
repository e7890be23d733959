"""A process that measures itself: it tells its CPU time when a line arrives on its input."""

import asyncio
import sys
import time
from collections.abc import Callable


async def for_each_line(tell: Callable[[], object]) -> None:
    """Print what `tell` returns for each input line; return at its end."""
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, sys.stdin)
    while await reader.readline():
        print(tell(), flush=True)


async def tell_cpu_time() -> None:
    """Print the CPU time of this process, all threads, for each input line; return at its end."""
    await for_each_line(time.process_time)
