"""The command language: every example parses, aliases never collide, errors say what is right."""

from collections import Counter

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.prompts import given_by, problem
from builders.terminals import GUNBOAT, KITE, LANCER, S1, S2, TRACK, VOLLEY, view, with_ground
from sunglare_client.command import Act, Clear, Command, Give, Preview, Problem, ShowMap, Weigh
from sunglare_client.terminal.actions import Action
from sunglare_client.terminal.helping import help_lines
from sunglare_client.terminal.input.parser import parse, split_line
from sunglare_client.terminal.refusal import refusal
from sunglare_client.terminal.staging import added, cleared
from sunglare_client.verbs.table import RESERVED, VERBS, close_to, verb_called
from sunglare_client.verbs.verb import Verb
from sunglare_client.verbs.written import legal_text
from sunglare_protocol.geometry import Compass, Landing, Square, Vector
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.orders import (
    Cloak,
    Deploy,
    Fire,
    Hold,
    Land,
    Lift,
    Listen,
    Order,
    Power,
    Rotate,
    Scan,
    Sensors,
    Sweep,
    Thrust,
    Turn,
)
from sunglare_protocol.orders.agents import Stand
from sunglare_protocol.views.agents import ItemView
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.pieces import Arc
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.legal.legal import legal

G1, P1 = OwnId("G1"), OwnId("P1")


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_the_example_of_every_verb_parses_in_its_windows(verb: Verb) -> None:
    plan = (Turn(ship=S1, steps=1),) if verb.name == "burn" else ()
    armed = verb.name in ("launch", "aim", "defend")
    own = (LANCER, VOLLEY) if armed else view(Phase.PLOT).own
    own = (GUNBOAT,) if verb.name == "bombard" else own
    for phase in verb.windows or tuple(Phase):
        command = parse(verb.example, with_ground(view(phase, own=own)), plan)
        assert not isinstance(command, Problem), command.text


@pytest.mark.parametrize("word", ["units", "quite", "resing", "drew"])
def test_no_misspelt_word_suggests_to_leave(word: str) -> None:
    assert not {"quit", "resign", "draw"} & set(close_to(word))


def test_names_and_aliases_never_collide() -> None:
    words = Counter(word for verb in VERBS for word in (verb.name, verb.alias) if word)
    assert [word for word, count in words.items() if count > 1] == []
    assert not set(words) & set(RESERVED)


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_a_verb_is_found_by_its_name_its_alias_and_a_long_beginning(verb: Verb) -> None:
    beginnings = {verb.name, verb.alias or verb.name, verb.name[:-1]} - {""}
    taken = {other.alias for other in VERBS if other is not verb}
    assert all(verb_called(word) is verb for word in beginnings - taken - set(RESERVED))


def test_a_beginning_of_several_verbs_means_none_of_them() -> None:
    found = verb_called("re")
    assert isinstance(found, tuple)
    assert [verb.name for verb in found] == ["ready", "report", "revoke", "resign"]


@pytest.mark.parametrize("word", RESERVED)
def test_a_reserved_alias_means_nothing_yet(word: str) -> None:
    assert problem(word).code == "E-VERB"


@pytest.mark.parametrize(
    ("line", "phase", "order"),
    [
        ("turn S1 +1", Phase.PLOT, Turn(ship=S1, steps=1)),
        ("t s1 -2", Phase.PLOT, Turn(ship=S1, steps=-2)),
        ("face S1 NE", Phase.PLOT, Turn(ship=S1, steps=1)),
        ("f S1 nw", Phase.PLOT, Turn(ship=S1, steps=-1)),
        ("thrust S1 N N NE", Phase.PLOT, Thrust(ship=S1, to=(Compass.N, Compass.N, Compass.NE))),
        ("power S1 off", Phase.PLOT, Power(ship=S1, on=False)),
        ("sensors S1 out", Phase.PLOT, Sensors(ship=S1, out=True)),
        ("rotate S1 T1 left", Phase.PLOT, Rotate(ship=S1, turret="T1", to=Arc.LEFT)),
        ("land S1 Ceres 1", Phase.PLOT, Land(ship=S1, body="Ceres", environs=1)),
        ("land S2 OldRock sw", Phase.PLOT, Land(ship=S2, body="Old Rock", sector=Compass.SW)),
        ("land S2 old", Phase.PLOT, Land(ship=S2, body="Old Rock", sector=Compass.E)),
        ("lift S1", Phase.PLOT, Lift(ship=S1)),
        ("cloak S1 on", Phase.PLOT, Cloak(ship=S1, on=True)),
        ("k s1 off", Phase.PLOT, Cloak(ship=S1, on=False)),
        ("deploy S1 7,27 cloaked", Phase.PLOT, Deploy(ship=S1, at=Square(7, 27), cloaked=True)),
        ("deploy S1 7,27 shown", Phase.PLOT, Deploy(ship=S1, at=Square(7, 27), cloaked=False)),
        ("listen S1 off", Phase.DETECT, Listen(ship=S1, on=False)),
        ("l s1", Phase.DETECT, Listen(ship=S1)),
        ("sw S1", Phase.DETECT, Sweep(ship=S1)),
        ("hold S1.B1", Phase.ENGAGE, Hold(ship=S1, weapon="B1")),
        ("ho s1 b1", Phase.ENGAGE, Hold(ship=S1, weapon="B1")),
        (
            "deploy S1 7,27 vector 1,-1 facing NE",
            Phase.PLOT,
            Deploy(ship=S1, at=Square(7, 27), vector=Vector(1, -1), facing=Compass.NE),
        ),
        (
            "deploy S2 15,10 landed Ceres 2",
            Phase.PLOT,
            Deploy(
                ship=S2,
                at=Square(15, 10),
                facing=Compass.E,
                landed=Landing(body="Ceres", sector=Compass.N, environs=2),
            ),
        ),
        ("fire S1.B1 C3", Phase.ENGAGE, Fire(ship=S1, weapon="B1", at=Handle("kq7xab"))),
        ("fi s1 b1 mm2mm2", Phase.ENGAGE, Fire(ship=S1, weapon="B1", at=Handle("mm2mm2"))),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_line_writes_its_orders(line: str, phase: Phase, order: Order) -> None:
    assert given_by(line, phase) == (order,)


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("power S1 ecm off", Power(ship=S1, on=True, ecm=False)),
        ("power G1 ecm off", Power(ship=G1, on=True, ecm=False)),
        ("power G1 on ecm on", Power(ship=G1, on=True, ecm=True)),
        ("stand S1 bound_for ceres", Stand(ship=S1, bound_for="Ceres")),
        ("stand S1 bound for off", Stand(ship=S1, bound_for="off")),
        ("stand S1 bound none", Stand(ship=S1, bound_for="none")),
        ("stand P1 hides_by p1", Stand(ship=P1, hides_by=P1)),
        ("stand P1 hides none", Stand(ship=P1, hides_by=OwnId("none"))),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_jammers_and_standing_orders_are_read_as_the_rule_book_has_them(
    line: str, order: Order
) -> None:
    seen = with_ground(view())
    command = parse(line, seen)
    assert command == Give((order,))
    assert parse(legal_text(order, seen), seen) == command


@pytest.mark.parametrize(
    ("words", "size", "at"),
    [
        ("visual 3box E4", ScanSize.BOXES, "E4"),
        ("vis 3x3 e4", ScanSize.BOXES, "E4"),
        ("v 3 E4", ScanSize.BOXES, "E4"),
        ("v 1x1 E4", ScanSize.BOX, "E4"),
        ("v 1 E4", ScanSize.BOX, "E4"),
        ("v 1box 22,17", ScanSize.BOX, "E4"),
        ("v 1sq 12,30", ScanSize.SQUARE, Square(12, 30)),
        ("v 3sq 12,30", ScanSize.SQUARES, Square(12, 30)),
        ("v 3 12,30", ScanSize.SQUARES, Square(12, 30)),
    ],
)
def test_a_scan_is_read_forgivingly(words: str, size: ScanSize, at: str | Square) -> None:
    (order,) = given_by(f"scan S1 {words}", Phase.SCAN)
    assert order == Scan(ship=S1, type=ScanType.VISUAL, size=size, at=at, sense=True)
    assert given_by(f"s S1 {words} sense", Phase.SCAN) == (order,)


def test_a_scan_without_a_word_senses_and_nosense_leaves_it() -> None:
    (plain,) = given_by("scan S1 visual 3box E4", Phase.SCAN)
    (silent,) = given_by("scan S1 visual 3box E4 nosense", Phase.SCAN)
    assert isinstance(plain, Scan)
    assert plain.sense
    assert silent == msgspec.structs.replace(plain, sense=False)


@pytest.mark.parametrize("phase", [Phase.PLOT, Phase.SCAN, Phase.ENGAGE])
def test_the_old_word_for_taking_orders_back_shows_the_new_one(phase: Phase) -> None:
    found = problem("hold S1", phase)
    assert found.code == "E-MISSING"
    assert "clear S1" in found.right
    assert parse("clear S1", view(phase)) == Clear(S1, (), "S1 has no orders in this window")


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("drift S1", Give((Thrust(ship=S1, to=()),), "S1 drifts")),
        ("face S1 N", Clear(S1, (Turn,), "S1 faces N already")),
        ("odds fire S1.B1 C3", Weigh(Fire(ship=S1, weapon="B1", at=Handle("kq7xab")))),
        (
            "preview S1 ir 1 D4",
            Preview(Scan(ship=S1, type=ScanType.IR, size=ScanSize.BOX, at="D4", sense=True)),
        ),
        ("map s1", ShowMap(KITE.square, ship=S1)),
        ("map", ShowMap()),
        ("map c3", ShowMap(TRACK.square)),
        ("go E4", ShowMap(Square(22, 17))),
        ("zoom 0", ShowMap(zoom=0)),
        ("r", Act(Action.READY)),
        ("why", Act(Action.WHY, "last")),
        ("x C3", Act(Action.LOOK, "C3")),
        ("'gl hf; all", Act(Action.SAY, "gl hf; all")),
        ("?scan", Act(Action.HELP, "scan")),
        ("resign", Act(Action.RESIGN)),
        ("resign yes", Act(Action.RESIGN, sure=True)),
        ("note C3 big; slow", Act(Action.NOTE, "C3 big; slow")),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_other_commands_are_read(line: str, command: Command) -> None:
    (text,) = split_line(line)
    assert parse(text, view()) == command


@pytest.mark.parametrize(
    ("line", "phase", "code", "words"),
    [
        ("scna S1", Phase.SCAN, "E-VERB", ("scna", "Did you mean scan")),
        ("sea S1", Phase.PLOT, "E-PHASE", ("ENGAGE",)),
        ("l S1", Phase.PLOT, "E-PHASE", ("DETECT",)),
        ("re", Phase.PLOT, "E-VERB", ("ready", "resign")),
        ("sense S1", Phase.SCAN, "E-VERB", ("A scan senses", "nosense")),
        ("scan S1 vis 2x2 E4", Phase.SCAN, "E-ARG", ("2x2", "1box", "3box", "e.g. scan")),
        ("scan S1 vis 3x3 4E", Phase.SCAN, "E-ARG", ("4E", "column letter")),
        ("scan S1 vis 1box J9", Phase.SCAN, "E-ARG", ("A1 to H8",)),
        ("scan S1 vis 1sq E4", Phase.SCAN, "E-ARG", ("square",)),
        ("scan S1 vis 1sq 40,0", Phase.SCAN, "E-ARG", ("off the map",)),
        ("scan S1 sonar 1box E4", Phase.SCAN, "E-ARG", ("sonar", "neutrino")),
        ("sca", Phase.SCAN, "E-MISSING", ("<ship>", "S1", "S2")),
        ("scan S1 v 1 E4 sense now", Phase.SCAN, "E-ARG", ("now",)),
        ("fire S1.B1 C3", Phase.SCAN, "E-PHASE", ("ENGAGE", "SCAN", "scan")),
        ("fire S1.B9 C3", Phase.ENGAGE, "E-ARG", ("B9", "B1", "P1")),
        ("fire S1.B1 C9", Phase.ENGAGE, "E-ARG", ("C9", "C3", "C5")),
        ("fire S1.B1 M1", Phase.ENGAGE, "E-ARG", ("memory",)),
        ("burn S9 1,1", Phase.PLOT, "E-ARG", ("S9", "S1", "S2")),
        ("burn S1 fast", Phase.PLOT, "E-ARG", ("fast", "e.g. burn S1 +0,-1")),
        ("turn S1 9", Phase.PLOT, "E-ARG", ("-4 to +4",)),
        ("face S1 up", Phase.PLOT, "E-ARG", ("up", "NE")),
        ("rotate S2 T1 left", Phase.PLOT, "E-ARG", ("T1",)),
        ("land S1 Mars", Phase.PLOT, "E-ARG", ("Mars", "Ceres", "Old Rock")),
        ("look", Phase.PLOT, "E-MISSING", ("thing",)),
        ("odds S2.B1 C3", Phase.ENGAGE, "E-ARG", ("verb is missing", "odds fire S2.B1 C3")),
        ("odds s1", Phase.PLOT, "E-ARG", ("'s1' is no order", "Begin with a verb")),
        ("surface Mars", Phase.PLOT, "E-ARG", ("Mars", "Ceres")),
        ("resign now", Phase.PLOT, "E-ARG", ("yes",)),
    ],
    ids=lambda value: value if isinstance(value, str) and " " in value else "",
)
def test_an_error_teaches(line: str, phase: Phase, code: str, words: tuple[str, ...]) -> None:
    found = problem(line, phase)
    assert found.code == code
    assert found.text.startswith(code)
    assert all(word in found.text for word in words), found.text


def test_a_ship_out_of_play_is_no_ship() -> None:
    seen = view(own=(KITE,))
    found = parse("drift S2", seen)
    assert isinstance(found, Problem)
    assert "Choices: S1." in found.right


@pytest.mark.parametrize(
    ("line", "last", "commands"),
    [
        ("a; b ;c", "", ["a", "b", "c"]),
        ("  ", "", []),
        ("# all of it", "", []),
        ("burn S1 1,1 # fast; really", "", ["burn S1 1,1"]),
        ("a; # b; c", "", ["a"]),
        ("!!", "a; b", ["a", "b"]),
        ("!!", "", []),
        ("say a; b # c", "", ["say a; b # c"]),
        ("a; say b; c", "", ["a", "say b; c"]),
        ("'hello; you", "", ["'hello; you"]),
    ],
)
def test_a_line_is_a_chain_of_commands(line: str, last: str, commands: list[str]) -> None:
    assert split_line(line, last) == commands


@given(line=st.text(max_size=60), phase=st.sampled_from(Phase))
def test_no_line_at_all_breaks_the_parser(line: str, phase: Phase) -> None:
    for text in split_line(line):
        command = parse(text, view(phase))
        assert isinstance(command, Problem | Command)


_WORDS = st.sampled_from(
    [word for verb in VERBS for word in verb.example.split()] + ["S1.P1", "99,99", "", "yes", "M1"]
)


@given(words=st.lists(_WORDS, min_size=1, max_size=7), phase=st.sampled_from(Phase))
def test_no_mixture_of_good_words_breaks_the_parser(words: list[str], phase: Phase) -> None:
    command = parse(" ".join(words), view(phase))
    assert isinstance(command, Problem | Command)


@pytest.mark.parametrize("phase", [Phase.PLOT, Phase.SCAN, Phase.ENGAGE], ids=lambda p: p.value)
def test_every_legal_order_can_be_typed_as_it_is_shown(phase: Phase) -> None:
    seen = view(phase, turn=1, slot="A" if phase is Phase.SCAN else None, zone=("B6",))
    orders = legal(seen)
    assert orders
    for order in orders:
        command = parse(legal_text(order, seen), seen)
        assert isinstance(command, Give)
        assert command.orders == (order,)


def test_a_new_order_takes_the_place_of_the_one_it_contradicts() -> None:
    plan = (Turn(ship=S1, steps=1), Turn(ship=S2, steps=1))
    assert added(plan, Give((Turn(ship=S1, steps=2),))) == (
        Turn(ship=S2, steps=1),
        Turn(ship=S1, steps=2),
    )


def test_two_weapons_of_a_ship_fire_side_by_side() -> None:
    first = Fire(ship=S1, weapon="B1", at=Handle("kq7xab"))
    second = Fire(ship=S1, weapon="P1", at=Handle("kq7xab"))
    assert added((first,), Give((second,))) == (first, second)


def test_holding_takes_back_all_that_a_ship_was_told_and_nothing_else() -> None:
    plan = (Turn(ship=S1, steps=1), Power(ship=S1, on=False), Turn(ship=S2, steps=1))
    assert cleared(plan, Clear(S1)) == (Turn(ship=S2, steps=1),)
    assert cleared(plan, Clear(S1, (Turn,))) == plan[1:]


def test_a_refusal_names_the_order_and_what_would_be_right() -> None:
    plan = (Turn(ship=OwnId("S1"), steps=4), Thrust(ship=S1, to=(Compass.S,)))
    rejected = check(view(), plan)
    assert rejected is not None
    found = refusal(rejected, plan, view())
    assert found.code == "E-ORDER"
    assert "turn S1 +4" in found.wrong
    assert "order/turn" in found.wrong
    assert found.example == "turn S1 -3"
    assert "1" in found.right


def test_there_is_help_on_every_verb() -> None:
    listed = {line.split()[0] for line in help_lines()}
    helped = {verb: help_lines(verb.name) for verb in VERBS}
    assert {verb.name for verb in VERBS} <= listed
    assert not [
        verb.name
        for verb, lines in helped.items()
        if not lines[0].startswith(verb.name) or not any(verb.example in line for line in lines)
    ]


def test_help_on_no_verb_suggests_one() -> None:
    assert "scan" in help_lines("scna")[0]


@pytest.mark.parametrize(
    ("shown", "joined"),
    [
        ("land S1 Old Rock N", "land S1 OldRock N"),
        ("land S1 old rock", "land S1 oldrock"),
        ("go Old Rock", "go OldRock"),
        ("go Old Rock", "go 30,30"),
        ("rotate S1 turret one left", "rotate S1 turretone left"),
        ("mission P1 deliver code book with P1", "mission P1 deliver codebook with P1"),
        ("mission P1 free Dr Vane silence", "mission P1 free DrVane silence"),
        ("stand S1 bound New Ceres", "stand S1 bound NewCeres"),
        ("surface New Ceres 2", "surface NewCeres 2"),
        ("thrust S1 N NE N", "thrust S1 n ne n"),
    ],
)
def test_a_name_is_typed_as_it_is_shown_or_as_one_word(shown: str, joined: str) -> None:
    seen = with_ground(view())
    turret = msgspec.structs.replace(KITE.turrets[0], id="turret one")
    new_ceres = msgspec.structs.replace(seen.board.planets[0], name="New Ceres", at=Square(25, 2))
    planets = (*seen.board.planets, new_ceres)
    seen = msgspec.structs.replace(
        seen,
        own=(msgspec.structs.replace(KITE, turrets=(turret,)),),
        board=msgspec.structs.replace(seen.board, planets=planets),
        items=(ItemView(name="code book"), ItemView(name="Dr Vane")),
    )
    command = parse(shown, seen)
    assert not isinstance(command, Problem), command.text
    assert parse(joined, seen) == command
