"""The record file of a match of the arena, as a server writes it when a match is over."""

import asyncio
from collections.abc import Mapping

from sunglare_protocol.ids import MatchId, Side
from sunglare_server.archive.files import layers_of
from sunglare_server.archive.recordfile import Played, record_file
from sunglare_server.match.record import RULES_VERSION
from sunglare_server.runtime.archive import SUMMARY, Sent, read_sent, read_summary
from sunglare_server.runtime.archiving import archive_of


def match_file(
    match: MatchId, scenario: str, names: Mapping[Side, str], records: tuple[bytes, ...]
) -> bytes:
    """Return the record file of a match that is over; `names` are those of its seats."""
    return asyncio.run(_file(match, scenario, names, records))


async def _file(
    match: MatchId, scenario: str, names: Mapping[Side, str], records: tuple[bytes, ...]
) -> bytes:
    archive = dict(await archive_of(match, records))
    summary = read_summary(archive.get(SUMMARY))
    if summary is None or summary.trailer is None:
        raise ValueError(f"match {match} is not over")
    sent: dict[str, tuple[Sent, ...]] = {
        audience: read_sent(archive[audience]) for audience in summary.trailer.chains
    }
    about = Played(match, scenario, RULES_VERSION, names, summary.result, tuple(names))
    return record_file(about, records, summary.trailer, await layers_of(sent))
