"""Missiles, fighters, needles and nova guns in the plain terminal and with the bots."""

import pytest
from msgspec.structs import replace

from builders.terminals import CONTACT, LANCER, S1, TRACK, VOLLEY, view
from sunglare_client.advice import Advice
from sunglare_client.bots.fire.ordnance import aimed, launched
from sunglare_client.bots.movement.steering import best_shots
from sunglare_client.command import Give, Problem
from sunglare_client.terminal.input.parser import parse
from sunglare_client.terminal.owned import draw_own
from sunglare_client.terminal.staging import added
from sunglare_client.verbs.written import legal_lines, odds_lines, order_text
from sunglare_protocol.geometry import Compass, Square, Vector
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.orders import Aim, Defend, Fire, Launch, Order
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.armament import DefencePolicy, Launchable, SystemAim, WeaponKind
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.cards.why import look
from sunglare_rules.advice.check.check import check

M1 = OwnId("M1")
H = Handle("kq7xab")
MISSILES = Launch(ship=S1, what=Launchable.MISSILES, weapon="M1", at=Square(7, 22))


def armed(phase: Phase, *own: OwnView) -> View:
    """Return a view with a lancer and a volley, or with these pieces."""
    return view(phase, own=own or (LANCER, VOLLEY))


@pytest.mark.parametrize(
    ("line", "phase", "order"),
    [
        ("launch S1.M1 7,22", Phase.PLOT, MISSILES),
        ("ln s1 m1 7,22 cold", Phase.PLOT, replace(MISSILES, cold=True)),
        ("launch S1 fighter", Phase.PLOT, Launch(ship=S1, what=Launchable.FIGHTER)),
        ("aim M1 9,26", Phase.PLOT, Aim(ship=M1, at=Square(9, 26))),
        ("fire M1.M1 C3", Phase.ENGAGE, Fire(ship=M1, weapon="M1", at=H)),
        ("fire S1.N1", Phase.ENGAGE, Fire(ship=S1, weapon="N1")),
        (
            "fire S1.N2 C3 drive",
            Phase.ENGAGE,
            Fire(ship=S1, weapon="N2", at=H, system=SystemAim.DRIVE),
        ),
        (
            "fire S1.N2 C3 point defence",
            Phase.ENGAGE,
            Fire(ship=S1, weapon="N2", at=H, system=SystemAim.POINT_DEFENCE),
        ),
        (
            "fire S1.N2 C3 point_def",
            Phase.ENGAGE,
            Fire(ship=S1, weapon="N2", at=H, system=SystemAim.POINT_DEFENCE),
        ),
        ("defend S1 hold", Phase.ENGAGE, Defend(ship=S1, policy=DefencePolicy.HOLD)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_line_gives_the_order_and_the_order_writes_the_line(
    line: str, phase: Phase, order: Order
) -> None:
    seen = armed(phase)
    command = parse(line, seen)
    assert isinstance(command, Give), command
    assert command.orders == (order,)
    again = parse(order_text(order), seen)
    assert isinstance(again, Give), again
    assert again.orders == (order,)


@pytest.mark.parametrize(
    ("line", "phase"),
    [
        ("launch S1.B1 7,22", Phase.PLOT),
        ("launch S1.M1 7,22 hot", Phase.PLOT),
        ("launch S1 M1", Phase.PLOT),
        ("aim M1", Phase.PLOT),
        ("fire S1.B1 C3 funnel", Phase.ENGAGE),
        ("defend S1 some", Phase.ENGAGE),
    ],
)
def test_a_wrong_word_is_a_problem_with_an_example(line: str, phase: Phase) -> None:
    found = parse(line, armed(phase))
    assert isinstance(found, Problem)
    assert found.text


def test_a_second_launch_of_a_launcher_replaces_the_first_and_others_stand() -> None:
    elsewhere = replace(MISSILES, at=Square(8, 22))
    fighter = Launch(ship=S1, what=Launchable.FIGHTER)
    plan = added((MISSILES, fighter), Give((elsewhere,)))
    assert plan == (fighter, elsewhere)


def test_the_list_of_own_pieces_shows_what_they_carry_and_volleys() -> None:
    rows = "\n".join(draw_own(armed(Phase.PLOT)))
    assert "point defence 2" in rows
    assert "fighters aboard 1" in rows
    assert "5 missiles" in rows
    assert "2 movements left" in rows


def test_the_card_of_a_volley_says_where_it_was_sent() -> None:
    card = look(armed(Phase.PLOT), "M1")
    assert any("sent to 7,24" in line for line in getattr(card, "lines", ()))


def test_what_is_legal_includes_launches_aims_and_defence() -> None:
    plot = "\n".join(legal_lines(armed(Phase.PLOT), "S1"))
    assert check(armed(Phase.PLOT), (MISSILES,)) is None
    assert "launch S1 fighter" in plot or "more" in plot
    aims = "\n".join(legal_lines(armed(Phase.PLOT), "M1"))
    assert "aim M1" in aims
    assert "scan" not in aims
    engage = "\n".join(legal_lines(armed(Phase.ENGAGE), "S1"))
    assert "defend S1 hold" in engage
    assert "fire S1.N1" in engage


def test_the_odds_of_a_nova_gun_need_no_target() -> None:
    seen = replace(armed(Phase.ENGAGE), contacts=(TRACK,))
    (line,) = odds_lines(seen, Fire(ship=S1, weapon="N1"))
    assert "mean damage 21.00" in line


@pytest.mark.parametrize(
    ("square", "away"),
    [
        pytest.param(Square(7, 22), "5.0", id="straight ahead"),
        # The root of 17 is 4.12: rounded up, as where a refusal says how far something is.
        pytest.param(Square(8, 23), "4.2", id="off ahead"),
    ],
)
def test_the_odds_of_a_shot_name_the_distance_in_squares(square: Square, away: str) -> None:
    seen = replace(view(Phase.ENGAGE), contacts=(replace(TRACK, square=square),))
    (line,) = odds_lines(seen, Fire(ship=S1, weapon="B1", at=TRACK.handle))
    assert f"S1.B1 at C3: {away} squares away, " in line


# Bots.


def test_bots_launch_at_the_square_to_which_a_live_track_drifts() -> None:
    seen = replace(armed(Phase.PLOT), contacts=(TRACK,))
    orders = launched(seen, LANCER, ())
    assert orders == (
        replace(MISSILES, at=TRACK.square.moved(TRACK.vector or Vector(0, 0))),
        Launch(ship=S1, what=Launchable.FIGHTER),
    )
    assert check(seen, orders) is None


def test_bots_launch_nothing_at_a_mere_contact() -> None:
    seen = replace(armed(Phase.PLOT), contacts=(CONTACT,))
    assert launched(seen, LANCER, ()) == ()
    assert aimed(seen, VOLLEY) == ()


@pytest.mark.parametrize(
    ("north", "launches"),
    [(16, False), (15, True), (14, False)],
    ids=["in reach now", "in reach a turn later", "too far then as well"],
)
def test_bots_launch_cold_what_reaches_a_live_track_only_a_turn_later(
    north: int, launches: bool
) -> None:
    track = replace(TRACK, square=Square(7, north), vector=Vector(0, 1))
    seen = replace(armed(Phase.PLOT), contacts=(track,))
    drifting = replace(LANCER, vector=Vector(0, 0))
    colds = [order for order in launched(seen, drifting, ()) if isinstance(order, Launch)]
    cold = replace(MISSILES, at=LANCER.square, cold=True)
    assert (cold in colds) is launches
    assert check(seen, tuple(colds)) is None


def test_bots_send_a_volley_after_a_live_track() -> None:
    seen = replace(armed(Phase.PLOT), contacts=(TRACK,))
    assert aimed(seen, VOLLEY) == (Aim(ship=M1, at=Square(7, 23)),)


def test_bots_aim_needle_beams_at_the_drive() -> None:
    needle = next(weapon for weapon in LANCER.weapons if weapon.kind is WeaponKind.NEEDLE)
    seen = replace(armed(Phase.ENGAGE, replace(LANCER, weapons=(needle,))), contacts=(TRACK,))
    aimed_at = Fire(ship=S1, weapon="N2", at=H, system=SystemAim.DRIVE)
    assert best_shots(Advice(seen)) == (aimed_at,)


def test_bots_fire_a_nova_gun_alone_and_only_past_their_own_pieces() -> None:
    seen = replace(armed(Phase.ENGAGE, LANCER), contacts=(TRACK,))
    nova = Fire(ship=S1, weapon="N1")
    assert best_shots(Advice(seen)) == (nova,)
    between = replace(VOLLEY, square=Square(7, 24))
    crowded = replace(seen, own=(LANCER, between))
    shots = best_shots(Advice(crowded))
    assert nova not in shots
    assert shots
    away = replace(seen, own=(replace(LANCER, facing=Compass.S),))
    assert nova not in best_shots(Advice(away))
