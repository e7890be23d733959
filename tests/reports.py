"""Has a worker send one report of a passed test where pytest would send three, and two lines.

A worker writes each report to the process that prints them, which reads it and hands it on to
all plugins: with sixteen thousand tests that takes longer than to start the workers. Of a test
that passed the call's report says all there is to say, with the costs of its other phases added.
Any other test is reported as always. So is a passed one that printed something while it was taken
down, as that stands in the last report alone.
"""

from collections.abc import Iterable, Sequence
from typing import Final, final

import pytest
from _pytest.runner import runtestprotocol

from costs import COST
from costtables import Cost

PHASES: Final = ["setup", "call", "teardown"]


@final
class OneReport:
    """A plugin of a worker that reports passed tests once."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        """Run a test as pytest does, and report it when all its phases are over.

        Nothing says that it begins or ends: of a worker that crashes, the controller knows
        itself which test it ran.
        """
        for report in merged(runtestprotocol(item, log=False, nextitem=nextitem)):
            item.ihook.pytest_runtest_logreport(report=report)
        return True


def merged(reports: Sequence[pytest.TestReport]) -> Sequence[pytest.TestReport]:
    """Return the one report of a passed test, or all reports of any other."""
    if [report.when for report in reports] != PHASES or not all(
        report.passed and not hasattr(report, "wasxfail") for report in reports
    ):
        return reports
    _, called, last = reports
    if last.sections != called.sections:
        return reports
    others = [prop for prop in called.user_properties if prop[0] != COST]
    called.user_properties = [*others, (COST, list(_sum_of_costs(reports)))]
    called.keywords = {}  # some fifteen names, which nobody asks for where a test has passed
    return [called]


def _sum_of_costs(reports: Iterable[pytest.TestReport]) -> Cost:
    total = Cost()
    for report in reports:
        for name, figures in report.user_properties:
            if name == COST and isinstance(figures, list):
                total = total.plus(Cost(*figures))
    return total
