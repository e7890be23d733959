"""A server that plays a rated match to its end and is killed around the fold of the result.

Run as a program: `killedfold.py FOLDER before|after MATCHFILE`; it ends by SIGKILL, and the file
has the id of the match.
"""

import asyncio
import os
import signal
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from builders.fakeclock import FakeClock
from builders.ratedmatches import noted_over, rated_match, resigned, to_turn_2
from builders.ratedresults import ANN, BEN
from builders.servers import running_app
from sunglare_server.ports.rating_model import RatedResult


async def played(folder: Path, when: str, told: Path) -> None:
    """Play until the result is to be folded, and die `before` or `after` it is stored."""
    clock = FakeClock(1_000_000)
    async with running_app(folder, clock) as app:
        match = await rated_match(app, clock, ANN, BEN)
        _tell(told, match)
        ratings = app.lobby.ladder.ratings
        add = ratings.add

        async def killed(result: RatedResult) -> bool:
            if when == "after":
                await add(result)
            os.kill(os.getpid(), signal.SIGKILL)
            return True

        ratings.add = killed  # type: ignore[method-assign]
        await to_turn_2(app, clock, match)
        await resigned(app, clock, match, "A")
        await noted_over(app, clock, match)


def _tell(told: Path, match: str) -> None:
    told.write_text(match)


if __name__ == "__main__":
    asyncio.run(played(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])))
