"""The bar on standard error that shows how far long work is; nothing where no person looks."""

import importlib.util
import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")


def watched(items: Iterable[Item], count: int, what: str) -> Iterator[Item]:
    """Yield the items, about `count` of them, while a bar shows how many have been dealt with."""
    if not sys.stderr.isatty() or importlib.util.find_spec("rich") is None:
        yield from items
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        yield from progress.track(items, total=count, description=what)
