"""The index of rules: every test and place it names exists, every numbered rule is in it."""

from collections import Counter
from collections.abc import Callable

import msgspec
import pytest

from documents.rulesindex import (
    COLLECTED,
    INDEX,
    OF_NO_RULE,
    Index,
    astray,
    collected,
    counted,
    faults,
    missing,
    read_index,
    summary,
    unnamed,
    whole_index,
)

HERE = "tests/rules/turn/test_scale.py::test_an_inch_of_space_is_as_long_as_a_mu"
MODULE = "sunglare_rules/turn/metric.py"
THERE: Counter[str] = Counter({HERE: 12, f"{HERE}[6 in]": 1})


def index_of(*rules: str, book: str = "turn §1", code: str = "") -> Index:
    """Return an index of one section with these rules."""
    head = f'[[section]]\nbook = "{book}"\ntitle = "One scale"\ncode = "{code}"\n'
    return read_index(f"{head}rules = [{', '.join(rules)}]\n")


def planted(*rules: str, book: str = "turn §1") -> list[str]:
    """Return what is wrong with an index of these rules, if pytest has collected `THERE`."""
    return list(faults(index_of(*rules, book=book), THERE))


def rule(**fields: object) -> str:
    """Return a rule as the index writes it."""
    written = {"id": "turn/1/inch", "rule": "an inch", **fields}
    return "{" + ", ".join(f"{key} = {value!r}" for key, value in written.items()) + "}"


def test_every_test_of_the_index_exists_and_has_as_many_cases_as_it_says(
    request: pytest.FixtureRequest, record_property: Callable[[str, object], None]
) -> None:
    index = whole_index()
    record_property("table", summary(index))
    # A run of the whole suite has them all; a run of a part asks pytest once more.
    whole = request.config.stash[COLLECTED]
    here = counted(whole)
    if list(faults(index, here)):
        assert list(faults(index, collected(index))) == []


def test_every_numbered_rule_stands_in_the_index() -> None:
    assert missing(whole_index()) == []


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


def test_every_rule_with_a_test_says_where_in_the_product_it_is_written() -> None:
    assert list(astray(whole_index())) == []


def test_every_module_of_the_rule_book_is_named_by_a_rule_or_stands_here_with_a_reason() -> None:
    assert unnamed(whole_index()) == list(OF_NO_RULE)


def test_a_rule_is_found_by_its_own_addresses_or_else_by_that_of_its_section() -> None:
    index = index_of(
        rule(id="turn/1/own", test=HERE, code=[MODULE, f"{MODULE}::Metric.within"]),
        rule(id="turn/1/section", test=HERE),
        rule(id="turn/1/waits", waits="not built"),
        code=f"{MODULE}::SPACE",
    )
    assert list(astray(index)) == []
    assert index.places == {
        "turn/1/own": (MODULE, f"{MODULE}::Metric.within"),
        "turn/1/section": (f"{MODULE}::SPACE",),
        "turn/1/waits": (),
    }


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        pytest.param({}, "does not say where", id="no address"),
        pytest.param({"code": "sunglare_rules/turn/no.py"}, "there is no", id="no such file"),
        pytest.param({"code": "turn/metric.py"}, "there is no", id="no package"),
        pytest.param({"code": f"{MODULE}::no"}, "defines no no", id="no such name"),
        pytest.param({"code": f"{MODULE}::BOX_EDGE"}, "defines no", id="imported alone"),
        pytest.param({"code": f"{MODULE}::Metric.no"}, "defines no", id="no such method"),
        pytest.param(
            {"code": "sunglare_rules/turn/movement.py::_HEADINGS"}, "private", id="private"
        ),
        pytest.param({"code": "sunglare_server/data/ships.toml::no"}, "defines no", id="no table"),
        pytest.param({"code": [MODULE, f"{MODULE}::no"]}, "defines no no", id="one of two"),
    ],
)
def test_an_address_that_leads_nowhere_is_found(written: dict[str, object], fault: str) -> None:
    [found] = astray(index_of(rule(test=HERE, **written)))
    assert fault in found


def test_an_address_of_a_section_that_none_of_its_rules_needs_is_found() -> None:
    [found] = astray(index_of(rule(test=HERE, code=MODULE), code=MODULE))
    assert "none of its rules needs" in found


def test_a_module_that_no_rule_names_is_found() -> None:
    named = {rule.code for rule in index_of(rule(test=HERE, code=MODULE)).rules}
    others = unnamed(index_of(rule(test=HERE, code=MODULE)))
    assert named.isdisjoint(others)
    assert "sunglare_rules/turn/scale.py" in others
