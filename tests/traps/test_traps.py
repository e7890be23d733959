"""The index of traps: no historical leak is left out, and the tests that hold them exist."""

import sys
from collections import Counter
from collections.abc import Callable

import msgspec
import pytest

from documents.rulesindex import COLLECTED, collected_of, counted
from traps.index import INDEX, Trap, faults, read_traps, summary

HERE = "tests/traps/test_traps.py::test_a_right_list_has_no_faults"
TRAPS = read_traps(INDEX.read_text(encoding="utf-8"))
THERE: Counter[str] = Counter({test: 1 for trap in TRAPS for test in trap.tests})


def test_no_trap_is_missing_and_every_test_that_holds_one_exists(
    request: pytest.FixtureRequest,
    record_property: Callable[[str, object], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    record_property("table", summary(TRAPS))
    with capsys.disabled():
        sys.stderr.write(f"\n{summary(TRAPS)}\n")
    # A run of the whole suite has them all; a run of a part asks pytest once more.
    whole = request.config.stash[COLLECTED]
    here = counted(whole)
    if list(faults(TRAPS, here)):
        there = collected_of(test for trap in TRAPS for test in trap.tests)
        assert list(faults(TRAPS, there)) == []


def test_a_right_list_has_no_faults() -> None:
    assert list(faults(TRAPS, THERE)) == []


def changed(**fields: object) -> tuple[Trap, ...]:
    """Return the list with its first trap changed."""
    return (msgspec.structs.replace(TRAPS[0], **fields), *TRAPS[1:])


def without_tests(count: int) -> tuple[Trap, ...]:
    """Return the list with a reason in place of the tests of its first traps."""
    bare = [Trap(id=trap.id, rule=trap.rule, reason="why") for trap in TRAPS[:count]]
    return (*bare, *TRAPS[count:])


@pytest.mark.parametrize(
    ("traps", "fault"),
    [
        pytest.param(TRAPS[1:], "3/1 is missing", id="left out"),
        pytest.param((*TRAPS, TRAPS[-1]), "5/arcs stands 2 times", id="twice"),
        pytest.param((*TRAPS, Trap(id="3/67", rule="", reason="x")), "3/67 is no case", id="none"),
        pytest.param(
            changed(tests=(f"{HERE}_not",)), f"3/1: there is no {HERE}_not", id="no test"
        ),
        pytest.param(changed(tests=()), "3/1 must have either", id="neither test nor reason"),
        pytest.param(changed(reason="why"), "3/1 must have either", id="both"),
        pytest.param(without_tests(60), "of 135 traps have a reason", id="too many reasons"),
    ],
)
def test_a_planted_fault_is_found(traps: tuple[Trap, ...], fault: str) -> None:
    (found,) = faults(traps, THERE)
    assert fault in found


def test_an_unknown_key_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="waits"):
        read_traps('[[trap]]\nid = "3/1"\nrule = "x"\nwaits = "y"\n')
