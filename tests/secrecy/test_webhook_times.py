"""Webhooks ring for public causes alone while a match is played; see `webhooktimes`."""

from pathlib import Path

from secrecy.webhooktimes import WINDOWS, webhook_times


async def test_a_webhook_rings_at_the_minute_after_a_window_that_waits_and_at_no_other_time(
    tmp_path: Path,
) -> None:
    assert await webhook_times(tmp_path) > WINDOWS
