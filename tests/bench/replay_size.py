"""How large the record file of a match of `redondo` is, with all that was sent and the analysis.

Four admirals play it to its end, without sockets; README.md beside this has what it came to.
"""

import argparse
import asyncio
from typing import NamedTuple, final

from in_process import played

from builders.truths import MATCH
from sunglare_protocol.replay.analysis import ANALYSIS
from sunglare_protocol.replay.file import read_replay
from sunglare_server.archive.files import SentTo, layers_of
from sunglare_server.archive.recordfile import Played, record_file
from sunglare_server.base.library import load_library
from sunglare_server.match.record import RULES_VERSION
from sunglare_server.runtime.archive import SUMMARY, read_sent, read_summary
from sunglare_server.runtime.archiving import analysis_of, archive_of

WINDOWS_MOST = 10_000


@final
class File(NamedTuple):
    """A record file: its bytes, those of its head, and what stands in its layers."""

    data: bytes
    head: bytes
    sent: SentTo


def file_of(name: str) -> File:
    """Play a match of a scenario to its end and return its record file."""
    scenario = load_library(None).scenarios[name]
    records = tuple(played(scenario, 1, WINDOWS_MOST))
    archive = dict(asyncio.run(archive_of(MATCH, records)))
    summary = read_summary(archive[SUMMARY])
    if summary is None or summary.trailer is None:
        raise SystemExit("the match did not come to its end")
    sent: SentTo = {audience: read_sent(archive[audience]) for audience in summary.trailer.chains}
    sent[ANALYSIS] = read_sent(asyncio.run(analysis_of(records)))
    about = Played(MATCH, scenario.name, RULES_VERSION, {}, summary.result)
    head = record_file(about, records, summary.trailer)
    return File(head + asyncio.run(layers_of(sent)), head, sent)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Measure a record file.")
    parser.add_argument("--scenario", default="redondo")
    given = parser.parse_args()
    data, head, sent = file_of(given.scenario)
    unfolded = sum(len(one.data) for layer in sent.values() for one in layer)
    largest = max(len(one.data) for layer in sent.values() for one in layer)
    messages = sum(map(len, sent.values()))
    if (fault := read_replay(data).fault) or len(read_replay(data).layers.messages) != messages:
        raise SystemExit(f"the file does not show all that was sent: {fault}")
    print(
        f"{given.scenario}: {messages} messages to {len(sent)} layers, {unfolded} bytes as they"
        f" were sent, the largest {largest}\n"
        f"  record file of {len(data)} bytes, of them {len(head)} records, dice and chains, and\n"
        f"  {len(data) - len(head)} for what was sent: 1 byte for"
        f" {unfolded / (len(data) - len(head)):.1f}"
    )


if __name__ == "__main__":
    main()
