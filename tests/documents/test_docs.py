"""The documents say what the program does: tables, names, commands and links are compared."""

import inspect
import re
import shlex
import tomllib
from itertools import pairwise

import msgspec
import pytest

import sunglare_client
from builders.data import CLASSES, shipped
from builders.sources import text_of as source_text
from documents.addresses import DISTRIBUTIONS, modules_in
from documents.apitables import NOT_FROM_OUTSIDE, client_help, operator_parser, server_flags
from documents.doctables import (
    BOTS,
    CHANGELOG,
    OPERATIONS,
    PAGES,
    PLAYING,
    PROTOCOL,
    README,
    ROOT,
    RULES,
    TABLES,
    VIEW,
    fenced,
    tables_in,
    text_of,
)
from documents.wiretables import (
    ANSWERS,
    CLIENT_MESSAGES,
    NOTICES,
    ORDERS,
    SERVER_MESSAGES,
    structs,
)
from documents.wirewords import field_names, tag
from sunglare_client import kit
from sunglare_client.verbs.table import verb_called
from sunglare_client.verbs.verb import Verb
from sunglare_protocol import __version__
from sunglare_protocol.codec import Form, decode_client, decode_server, encode_server
from sunglare_protocol.messages import Frame, News, Over, Seated, Welcome
from sunglare_protocol.messages.commands import PROTOCOL_VERSION, Hello
from sunglare_protocol.refusals import SENTENCES, Code
from sunglare_protocol.seals import commitment
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.turn.windows import ALLOWED
from sunglare_server.config import Settings
from sunglare_server.match.data.files import DataError, read_scenario
from sunglare_server.match.data.options import MEANINGS
from sunglare_server.match.ledger.ledger import ROWS
from sunglare_server.match.record import RULES_VERSION
from sunglare_server.ops.control.commands import COMMANDS

MARKED = [(page, name) for page in PAGES for name in tables_in(page)]
NEEDED = {
    PROTOCOL: {"client messages", "server messages", "orders", "views", "notices", "ledger"},
    RULES: {"options", "classes", "scenarios", "signatures", "worked scans"},
    OPERATIONS: {"flags", "operator commands"},
    BOTS: {"bot", "advice", "library", "kit", "seeker", "belief map", "shipped bots"},
    VIEW: {"view fields", "view words"},
}
"""The tables that a page must not lose."""

KINDS = (*CLIENT_MESSAGES, *SERVER_MESSAGES, *ORDERS, *ANSWERS, *sum(NOTICES.values(), ()))
_CHAPTERS = "turn|sensors|arcs|blips|cloak|search|capital"
REFERENCE = re.compile(rf"\b({_CHAPTERS}) §(\d+)(?: rows? (\d+)(?:-(\d+))?)?")
HEADING = re.compile(rf"^### ({_CHAPTERS}) §(\d+)", re.MULTILINE)
SHELL = [
    (page, line) for page in PAGES for block in fenced(page, "sh") for line in block.split("\n")
]


def session() -> list[tuple[str, str]]:
    """Return the lines of the recorded session, each with its direction."""
    (block,) = fenced(PROTOCOL, "session")
    return [(line[0], line[2:]) for line in block.splitlines()]


def test_a_table_of_a_page_is_what_the_code_makes_of_it() -> None:
    stale = [f"{page}: {name}" for page, name in MARKED if tables_in(page)[name] != TABLES[name]()]
    assert not stale, "run tests/documents/doctables.py to write the tables again"


def test_no_page_has_lost_a_table() -> None:
    lost = {page: names - set(tables_in(page)) for page, names in NEEDED.items()}
    assert not any(lost.values()), lost


def test_every_table_stands_on_some_page() -> None:
    assert {name for _, name in MARKED} == set(TABLES)


def words_of_row(kind: type) -> list[str]:
    """Return what the row of a class on the protocol page has: its name and its fields."""
    name = f"`{tag(kind)}`" if kind in KINDS else kind.__name__
    return [name, *(f"`{field}`" for field in field_names(kind))]


def test_the_protocol_page_names_every_field() -> None:
    rows = [line for line in text_of(PROTOCOL).splitlines() if line.startswith("|")]
    found = [
        kind
        for kind, words in ((kind, words_of_row(kind)) for kind in structs())
        if any(all(word in row for word in words) for row in rows)
    ]
    assert len(found) > 200
    assert not set(structs()) - set(found)


def test_the_protocol_page_says_what_answers_each_message() -> None:
    part = text_of(PROTOCOL).partition("### What answers what")[2].partition("\n### ")[0]
    firsts = " ".join(line.split("|")[1] for line in part.splitlines() if line.startswith("| `"))
    assert not [kind for kind in CLIENT_MESSAGES if f"`{tag(kind)}`" not in firsts]


def test_the_protocol_page_lists_every_refusal() -> None:
    rows = tables_in(PROTOCOL)["refusals"]
    missing = [
        code.value for code in Code if f"| `{code.value}` | {SENTENCES[code]} |" not in rows
    ]
    assert not missing


def test_the_protocol_page_says_which_refusals_are_not_sent_yet() -> None:
    senders = [
        path
        for path in modules_in(*DISTRIBUTIONS)
        if {"sunglare_server", "sunglare_rules"} & {*path.parts}
    ]
    sent = {name for path in senders for name in re.findall(r"\bCode\.(\w+)", source_text(path))}
    unsent = [refusal for refusal in Code if refusal.name not in sent]
    lines = re.findall(r"^Not sent yet: (.*)\.$", text_of(PROTOCOL), re.MULTILINE)
    assert lines == ([", ".join(f"`{refusal.value}`" for refusal in unsent)] if unsent else [])


def test_the_recorded_session_is_what_the_codec_reads() -> None:
    for way, line in session():
        if way == ">":
            decode_client(line, Form.JSON)
            continue
        message = decode_server(line, Form.JSON)
        again = encode_server(message, Form.JSON)
        assert msgspec.json.decode(again) == msgspec.json.decode(line)


def test_the_recorded_session_keeps_the_promises_of_the_page() -> None:
    sent = [decode_client(line, Form.JSON) for way, line in session() if way == ">"]
    heard = [decode_server(line, Form.JSON) for way, line in session() if way == "<"]
    assert isinstance(sent[0], Hello)
    assert isinstance(heard[0], Welcome)
    assert all(one.id < next_one.id for one, next_one in pairwise(sent))
    answered = {getattr(message, "id", None) for message in heard}
    assert {message.id for message in sent} <= answered
    posts = [
        message.seq
        for message in heard
        if isinstance(message, Frame | News | Over) and message.seq
    ]
    assert posts == list(range(1, len(posts) + 1))


def test_the_recorded_session_shows_the_seed_that_was_promised() -> None:
    heard = [decode_server(line, Form.JSON) for way, line in session() if way == "<"]
    (seated,) = (message for message in heard if isinstance(message, Seated))
    (over,) = (message for message in heard if isinstance(message, Over))
    assert commitment(bytes.fromhex(over.seed)) == seated.commitment


def test_every_rule_that_the_ledger_names_stands_in_the_rule_book() -> None:
    headings = set(HEADING.findall(text_of(RULES)))
    rows = set(re.findall(r"^\| (\d+)[ab]? \|", text_of(RULES), re.MULTILINE))
    sources = sorted({row.source for row in ROWS})

    def stands(source: str) -> bool:
        found = REFERENCE.match(source)
        if found is None:
            return source == "truth"
        chapter, section, first, last = found.groups()
        return (chapter, section) in headings and (first is None or {first, last or first} <= rows)

    assert len(sources) > 40
    assert not [source for source in sources if not stands(source)]


def test_every_section_that_a_module_names_stands_in_the_rule_book() -> None:
    there = HEADING.findall(text_of(RULES))
    named = {
        (path.name, chapter, section)
        for path in modules_in(*DISTRIBUTIONS)
        for chapter, section, *_ in REFERENCE.findall(source_text(path))
    }
    assert len(named) > 20
    assert not [reference for reference in named if reference[1:] not in there]


def test_the_rule_book_says_so_while_a_window_takes_no_orders() -> None:
    empty = [phase.value.upper() for phase, kinds in ALLOWED.items() if not kinds]
    told = re.findall(r"^\| ([A-Z]+) \| Takes no orders yet\. \|$", text_of(RULES), re.MULTILINE)
    assert told == [name for name in empty if name != Phase.OVER.value.upper()]


def test_the_rule_book_explains_every_option() -> None:
    rows = tables_in(RULES)["options"].splitlines()
    explained = {
        name
        for name, meaning in MEANINGS.items()
        for row in rows
        if row.startswith(f"| `{name}` |") and meaning.text in row
    }
    assert explained == set(MEANINGS)


def test_the_rule_book_lists_the_classes_of_the_data_file() -> None:
    path = ROOT / "server" / "sunglare_server" / "data" / "ships.toml"
    found = tomllib.loads(path.read_text(encoding="utf-8"))
    for name, figures in found.items():
        row = f"| {name} | {figures['size']} | {figures['hull']} | {figures['thrust']} |"
        assert row in tables_in(RULES)["classes"]


def test_the_rule_book_lists_every_scenario() -> None:
    listed = tables_in(RULES)["scenarios"]
    assert not [name for name in shipped().scenarios if f"| `{name}` |" not in listed]


def test_the_operators_page_lists_every_setting_as_flag_and_variable() -> None:
    flags = server_flags()
    names = [name for name in Settings.__struct_fields__ if name != "duty"]
    missing = [name for name in names if f"--{name.replace('_', '-')}" not in flags]
    missing += [name for name in names if not has_row_of_flag(name)]
    assert not missing


def has_row_of_flag(name: str) -> bool:
    """Return whether the operators' page has a row on the flag and the variable of a setting."""
    flag = f"--{name.replace('_', '-')}"
    variable = "none" if flag in NOT_FROM_OUTSIDE else f"`SUNGLARE_{name.upper()}`"
    rows = tables_in(OPERATIONS)["flags"].splitlines()
    return any(row.startswith(f"| `{flag}` | {variable} |") for row in rows)


def test_every_log_line_of_the_operators_page_is_in_the_server() -> None:
    part = text_of(OPERATIONS).partition("| line | what to do |")[2].partition("\n\n")[0]
    firsts = " ".join(row.split("|")[1] for row in part.splitlines() if row.startswith("| `"))
    lines = re.findall(r"`([^`]+)`", firsts)
    code = "\n".join(map(source_text, modules_in(*DISTRIBUTIONS)))
    assert len(lines) > 10
    assert not [line for line in lines if f'"{line}"' not in code]


def test_the_scenario_of_the_operators_page_can_be_played() -> None:
    _, text = fenced(OPERATIONS, "toml")
    scenario = read_scenario(text, "picket", "picket.toml", CLASSES)
    assert [len(side.ships) for side in scenario.data.sides.values()] == [1, 2]


@pytest.mark.parametrize(
    ("right", "wrong"), [('"corvette"', '"corvet"'), ('"C8", "F8"', '"C4"')], ids=["type", "zone"]
)
def test_a_mistake_in_that_scenario_is_told_as_the_page_says(right: str, wrong: str) -> None:
    _, text = fenced(OPERATIONS, "toml")
    with pytest.raises(DataError) as caught:
        read_scenario(text.replace(right, wrong, 1), "picket", "picket.toml", CLASSES)
    assert f"sunglare-server: {caught.value}\n" in text_of(OPERATIONS)


def test_the_bot_page_lists_the_public_names() -> None:
    rows = tables_in(BOTS)["library"].splitlines()[2:]
    assert [row.split("`")[1] for row in rows] == sunglare_client.__all__
    assert all(inspect.getdoc(getattr(sunglare_client, name)) for name in sunglare_client.__all__)


def test_the_bot_page_lists_the_names_of_the_kit() -> None:
    rows = tables_in(BOTS)["kit"].splitlines()[2:]
    assert [re.split("[`(]", row)[1] for row in rows] == kit.__all__
    assert all(inspect.getdoc(getattr(kit, name)) for name in kit.__all__)


def test_every_client_command_of_the_pages_exists() -> None:
    lines = sorted({line for _, line in SHELL if line.startswith("sunglare ")})
    assert len(lines) > 20
    assert not [line for line in lines if not is_taken_by_client(line)]


def is_taken_by_client(line: str) -> bool:
    """Return whether the help of the client has the command of a line, and its flags."""
    _, command, *words = line.split()
    if not re.search(rf"^    {command}(?: |$)", client_help(), re.MULTILINE):
        return False
    known = client_help(command, *(["run"] if command == "bot" else []))
    return all(f"{word} " in known for word in words if word.startswith("--"))


def test_every_server_command_of_the_pages_exists() -> None:
    lines = sorted({line for _, line in SHELL if "sunglare-server" in line})
    assert len(lines) > 30
    assert not [line for line in lines if not is_taken_by_server(line)]


def is_taken_by_server(line: str) -> bool:
    """Return whether the server has the flags of a line; its parser takes operators' commands."""
    words = shlex.split(line.partition("sunglare-server")[2])
    if words and words[0] in COMMANDS:
        return bool(operator_parser().parse_args(words).command == words[0])
    return all(flag in server_flags() for flag in line.split() if flag.startswith("--"))


def test_every_make_target_of_the_pages_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = {
        target
        for page in PAGES
        for target in re.findall(r"`?\bmake ([a-z]+)(?:`|$|  )", text_of(page), re.MULTILINE)
    }
    assert {"demo", "play", "test"} <= targets
    assert not [target for target in targets if f"\n{target}:" not in makefile]


def test_the_session_of_the_players_page_uses_commands_that_exist() -> None:
    typed = [
        line[2:]
        for block in fenced(PLAYING, "text")
        for line in block.split("\n")
        if line[:2] == "> "
    ]
    assert len(typed) > 5
    assert all(isinstance(verb_called(line.split()[0]), Verb) for line in typed)


def test_the_readme_names_the_python_it_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    oldest = project["requires-python"].removeprefix(">=")
    assert f"Python {oldest} or newer" in text_of(README)
    assert f"{project['license']} licence" in text_of(README)


def test_the_changelog_names_the_protocol_of_every_release() -> None:
    first, *releases = text_of(CHANGELOG).split("\n## ")[1:]
    now = f"Protocol version {PROTOCOL_VERSION}, rules version {RULES_VERSION}."
    assert first.startswith(f"Unreleased\n\n{now}")
    for release in releases:
        assert re.match(r"\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d\n\nProtocol version \d+\b", release)


def test_the_newest_release_of_the_changelog_is_the_version_that_is_installed() -> None:
    released = re.search(r"^## (\d\S+) - ", text_of(CHANGELOG), re.MULTILINE)
    assert released is not None
    assert released[1] == __version__.partition("+")[0]


def test_the_first_ten_minutes_of_the_protocol_are_no_more_than_that() -> None:
    page = text_of(PROTOCOL)
    head, _, rest = page.partition("\n## Connecting")
    prose = re.sub(r"```.*?```", "", head, flags=re.DOTALL)
    # Technical prose is read at about 120 words a minute, and the session takes three of the ten.
    assert len(prose.split()) <= 7 * 120
    assert "<!-- table:" not in head
    assert "<!-- table:" in rest
