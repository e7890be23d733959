"""The question to a player who comes to terms that another player has set."""

from collections.abc import AsyncIterator, Callable

from sunglare_client.terminal.actions import is_yes

ASKED = "Enter or y: ready to play like this; n or anything else: leave the seat"
"""What is asked once the terms are shown."""


async def agrees(lines: AsyncIterator[str], show: Callable[[list[str]], None]) -> bool:
    """Ask whether to play like this; return whether the answer was Enter alone or a yes.

    The end of the lines is a no.
    """
    show([ASKED])
    answer = await anext(lines, "no")
    return answer == "" or is_yes(answer)
