"""Log lines that one peer causes: a share each second, and one that says what was left out."""

from structlog.testing import capture_logs

from builders.fakeclock import FakeClock
from sunglare_server.transport.log_limit import WINDOW_MS, LogLimit

MOST = 3


def written(limit: LogLimit, peer: str, lines: int) -> int:
    """Return how many of so many lines may be written."""
    return sum(limit.takes(peer) for _ in range(lines))


async def test_each_peer_has_its_own_share_each_second() -> None:
    clock = FakeClock(1_000)
    limit = LogLimit(clock, MOST)
    assert (written(limit, "g1", 10), written(limit, "g2", 2)) == (MOST, 2)
    await clock.run_for(WINDOW_MS - 1)
    assert (written(limit, "g1", 10), written(limit, "g2", 10)) == (0, MOST - 2)


async def test_what_was_left_out_is_told_once_and_counts_as_a_line() -> None:
    clock = FakeClock(1_000)
    limit = LogLimit(clock, MOST)
    written(limit, "g1", 10)
    written(limit, "g2", MOST)
    with capture_logs() as logs:
        limit.settle()
        await clock.run_for(WINDOW_MS)
        assert written(limit, "g1", 10) == MOST - 1
        assert written(limit, "g2", 10) == MOST
    assert [(line["event"], line["gateway"], line["lines"]) for line in logs] == [
        ("log_lines_left_out", "g1", 10 - MOST)
    ]
