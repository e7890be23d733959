"""Two readings of the rules of data scans on the ground, and of its jammers, agree."""

import os
from collections import Counter
from random import Random

from builders.groundprobes import probes_of
from builders.played import rig
from builders.scenarios import scenarios
from second_reading.probes import answer_on_ground
from sunglare_protocol.ids import PUBLIC
from sunglare_protocol.words.dossiers import Outcome
from two_worlds.parts import inquiries

LONG = bool(os.environ.get("SUNGLARE_LONG"))
MATCHES = {"garrison": 8, "orlog": 8} if LONG else {"garrison": 2}


def test_both_readings_agree_on_what_requests_about_tokens_come_to() -> None:
    answers: Counter[tuple[Outcome, bool]] = Counter()
    for name, count in MATCHES.items():
        for seed in range(count):
            match = rig(scenarios()[name], seed, PUBLIC)
            for before, orders, events in match.windows(Random(seed)):
                probed = probes_of(events)
                wanted = inquiries(before, orders)
                assert probed == {
                    request: answer_on_ground(before.truth, request) for request in wanted
                }
                answers.update(probed.values())
    told = (Outcome.FULL, Outcome.INCONCLUSIVE)
    often = [(outcome, by_probe) for outcome in told for by_probe in (True, False)]
    missing = [answer for answer in (*often, (Outcome.OUT_OF_REACH, False)) if not answers[answer]]
    assert not missing, answers
