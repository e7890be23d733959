"""The index of rules: every test it names exists, every numbered rule is in it, what waits."""

from collections import Counter
from collections.abc import Callable

import msgspec
import pytest

from rulesindex import COLLECTED, INDEX, collected, counted, faults, missing, read_index, summary

HERE = "tests/test_scale.py::test_an_inch_of_space_is_as_long_as_a_mu"
THERE: Counter[str] = Counter({HERE: 12, f"{HERE}[6 in]": 1})


def planted(*rules: str, book: str = "turn §1") -> list[str]:
    """Return what is wrong with an index of these rules, if pytest has collected `THERE`."""
    text = f'[[section]]\nbook = "{book}"\ntitle = "One scale"\nrules = [{", ".join(rules)}]\n'
    return list(faults(read_index(text), THERE))


def rule(**fields: object) -> str:
    """Return a rule as the index writes it."""
    written = {"id": "turn/1/inch", "rule": "an inch", **fields}
    return "{" + ", ".join(f"{key} = {value!r}" for key, value in written.items()) + "}"


def test_every_test_of_the_index_exists_and_has_as_many_cases_as_it_says(
    request: pytest.FixtureRequest, record_property: Callable[[str, object], None]
) -> None:
    index = read_index(INDEX.read_text(encoding="utf-8"))
    record_property("table", summary(index))
    # A run of the whole suite has them all; a run of a part asks pytest once more.
    whole = request.config.stash[COLLECTED]
    here = counted(whole)
    if list(faults(index, here)):
        assert list(faults(index, collected(index))) == []


def test_every_numbered_rule_stands_in_the_index() -> None:
    assert missing(read_index(INDEX.read_text(encoding="utf-8"))) == []


def test_a_rule_left_out_is_missed() -> None:
    index = read_index(INDEX.read_text(encoding="utf-8").replace("arcs/W7", "arcs/W19"))
    assert missing(index) == ["arcs/W7"]


def test_a_right_index_has_no_faults() -> None:
    whole = rule(test=HERE, cases=12)
    case = rule(id="turn/1/case", test=[f"{HERE}[6 in]", HERE])
    waits = rule(id="turn/1/waits", waits="not built")
    assert planted(whole, case, waits, rule(id="turn/1/old", background="not ours")) == []


@pytest.mark.parametrize(
    ("rules", "fault"),
    [
        pytest.param([rule(test=f"{HERE}_not")], "there is no", id="no such test"),
        pytest.param([rule(test="tests/test_no.py::test_no")], "there is no", id="no such file"),
        pytest.param([rule(test=f"{HERE}[7 in]")], "there is no", id="no such case"),
        pytest.param([rule(test=[HERE, f"{HERE}_not"])], "there is no", id="one of two"),
        pytest.param([rule(test=HERE, cases=11)], "says 11 cases", id="another number of cases"),
        pytest.param([rule(test=f"{HERE}[6 in]", cases=1)], "one whole test", id="cases of one"),
        pytest.param([rule()], "must have one of", id="neither test nor reason"),
        pytest.param([rule(test=HERE, waits="why")], "must have one of", id="both"),
        pytest.param([rule(test=HERE)] * 2, "stands 2 times", id="an id twice"),
        pytest.param([rule(id="arcs/1/x", test=HERE)], "a section of turn", id="elsewhere"),
    ],
)
def test_a_planted_fault_is_found(rules: list[str], fault: str) -> None:
    [found] = planted(*rules)
    assert fault in found


def test_pytest_itself_says_that_a_planted_test_is_not_there() -> None:
    text = (
        '[[section]]\nbook = "turn §1"\ntitle = "One scale"\n'
        f"rules = [{rule(test=[HERE, f'{HERE}[6 in]', f'{HERE}[7 in]', f'{HERE}_not'])}]\n"
    )
    index = read_index(text)
    assert list(faults(index, collected(index))) == [
        f"turn/1/inch: there is no {HERE}[7 in]",
        f"turn/1/inch: there is no {HERE}_not",
    ]


def test_an_unknown_key_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="wait"):
        planted(rule(wait="not built"))
