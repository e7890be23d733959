"""Point defence: what a point does to a capital missile, and where the points of a turn go."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_protocol.words.armament import DefencePolicy
from sunglare_protocol.words.capital import CapitalClass
from sunglare_rules.capital.pointdefence import (
    CapitalMissile,
    Defended,
    SalvoVolley,
    Threat,
    allocate,
    defence_pool,
    delivered,
    pnt_missile,
    volley_left,
)

POOLS = st.integers(0, 25)
THREATS = st.lists(
    st.builds(CapitalMissile, st.integers(0, 12)) | st.builds(SalvoVolley, st.integers(1, 6)),
    max_size=6,
)

MISSILES = (CapitalClass.MSL, CapitalClass.SDS_CM)


def useful(threat: Threat) -> int:
    """Return how many points a threat takes before it is gone for sure."""
    if isinstance(threat, SalvoVolley):
        return threat.missiles
    return 2 if threat.damage > 0 else 1


def danger(threat: Threat) -> float:
    """Return the damage to expect of a threat."""
    return threat.missiles * 3.5 if isinstance(threat, SalvoVolley) else threat.damage


def point_by_point(pool: int, threats: list[Threat]) -> list[int]:
    """Return the points for each threat, handed out one by one to the worst that can use it."""
    spent = [0] * len(threats)
    for _ in range(pool):
        open_ones = [
            index for index, threat in enumerate(threats) if spent[index] < useful(threat)
        ]
        if not open_ones:
            break
        worst = max(danger(threats[index]) for index in open_ones)
        first = next(index for index in open_ones if danger(threats[index]) == worst)
        spent[first] += 1
    return spent


@pytest.mark.parametrize(
    ("damage", "points", "left"),
    [
        pytest.param(5, 0, Defended(False, 0, 5), id="K6 an undefended missile"),
        pytest.param(0, 0, Defended(False, 0, 0), id="K5 no point, no damage"),
        pytest.param(5, 1, Defended(False, 1, 2), id="K5 a point halves, rounding down"),
        pytest.param(4, 1, Defended(False, 1, 2), id="K5 a point halves"),
        pytest.param(1, 1, Defended(False, 1, 0), id="K5 half may be nothing"),
        pytest.param(0, 1, Defended(True, 0, 0), id="K5 any point stops a harmless missile"),
        pytest.param(9, 2, Defended(True, 0, 0), id="K4 two points stop any missile"),
        pytest.param(9, 7, Defended(True, 0, 0), id="K4 as do more"),
    ],
)
def test_k5_one_point_halves_a_missile_and_two_stop_it(
    damage: int, points: int, left: Defended
) -> None:
    assert pnt_missile(damage, points) == left


@pytest.mark.parametrize("weapon", CapitalClass)
@pytest.mark.parametrize("points", [0, 1, 2])
def test_k6_only_missiles_lose_damage_to_point_defence(weapon: CapitalClass, points: int) -> None:
    assert delivered(weapon, 7, points) == ((7, 3, 0)[points] if weapon in MISSILES else 7)


@given(st.integers(0, 50), st.integers(0, 5))
def test_more_points_never_leave_a_missile_more_damage(damage: int, points: int) -> None:
    assert pnt_missile(damage, points + 1).damage <= pnt_missile(damage, points).damage <= damage


@pytest.mark.parametrize(
    ("pool", "salvo", "spent"),
    [
        pytest.param(0, (3, 4), (0, 0), id="no points"),
        pytest.param(4, (), (), id="no missiles"),
        pytest.param(2, (3, 4), (0, 2), id="the highest damage first"),
        pytest.param(3, (3, 4), (1, 2), id="the odd point to the next"),
        pytest.param(9, (3, 4), (2, 2), id="no more than two each"),
        pytest.param(3, (4, 4), (2, 1), id="of equal ones the first declared"),
        pytest.param(9, (0, 4, 0), (1, 2, 1), id="one for a harmless missile"),
        pytest.param(3, (0, 4, 0), (1, 2, 0), id="harmless missiles last"),
        pytest.param(1, (5,), (1,), id="a single point"),
    ],
)
def test_k5_the_pool_goes_to_the_worst_missiles(
    pool: int, salvo: tuple[int, ...], spent: tuple[int, ...]
) -> None:
    assert allocate(pool, [CapitalMissile(damage) for damage in salvo]) == spent


@pytest.mark.parametrize(
    ("pool", "threats", "spent"),
    [
        pytest.param(3, [SalvoVolley(4)], (3,), id="a point takes a missile of a volley"),
        pytest.param(9, [SalvoVolley(4)], (4,), id="no point is spent on nothing"),
        pytest.param(4, [SalvoVolley(2), SalvoVolley(5)], (0, 4), id="the larger volley first"),
        pytest.param(4, [SalvoVolley(3), SalvoVolley(3)], (3, 1), id="of equal ones the first"),
        pytest.param(2, [SalvoVolley(1), CapitalMissile(4)], (0, 2), id="4 damage beats 3.5"),
        pytest.param(2, [CapitalMissile(3), SalvoVolley(1)], (1, 1), id="3.5 beats 3 damage"),
        pytest.param(1, [CapitalMissile(7), SalvoVolley(2)], (1, 0), id="7 each: the first"),
        pytest.param(1, [SalvoVolley(2), CapitalMissile(7)], (1, 0), id="and the other way"),
    ],
)
def test_volleys_and_capital_missiles_share_the_pool(
    pool: int, threats: list[Threat], spent: tuple[int, ...]
) -> None:
    assert allocate(pool, threats) == spent


@given(POOLS, THREATS)
def test_points_are_spent_as_if_one_by_one_on_the_worst(pool: int, threats: list[Threat]) -> None:
    assert list(allocate(pool, threats)) == point_by_point(pool, threats)


@given(POOLS, THREATS)
def test_no_more_points_are_spent_than_there_are_or_can_be_used(
    pool: int, threats: list[Threat]
) -> None:
    spent = allocate(pool, threats)
    assert sum(spent) == min(pool, sum(map(useful, threats)))
    assert all(
        0 <= points <= useful(threat) for points, threat in zip(spent, threats, strict=True)
    )


@given(POOLS, THREATS)
def test_nothing_is_spent_on_a_lesser_threat_while_a_worse_one_is_open(
    pool: int, threats: list[Threat]
) -> None:
    spent = allocate(pool, threats)
    still_open = [
        threat for threat, used in zip(threats, spent, strict=True) if used < useful(threat)
    ]
    worst = max(map(danger, still_open), default=0.0)
    assert all(
        danger(threat) >= worst for threat, used in zip(threats, spent, strict=True) if used
    )


@given(POOLS, THREATS)
def test_one_point_more_goes_to_one_threat_more_or_is_left(
    pool: int, threats: list[Threat]
) -> None:
    less, more = allocate(pool, threats), allocate(pool + 1, threats)
    gains = [after - before for before, after in zip(less, more, strict=True)]
    assert all(gain >= 0 for gain in gains)
    assert sum(gains) <= 1


@pytest.mark.parametrize(
    ("policy", "is_working", "points"),
    [
        pytest.param(DefencePolicy.ALL, True, 3, id="all"),
        pytest.param(DefencePolicy.HOLD, True, 0, id="hold"),
        pytest.param(DefencePolicy.ALL, False, 0, id="K5 shut down"),
        pytest.param(DefencePolicy.HOLD, False, 0, id="hold and shut down"),
    ],
)
def test_a_ship_that_holds_or_is_shut_down_has_no_points(
    policy: DefencePolicy, is_working: bool, points: int
) -> None:
    assert defence_pool(3, policy, is_working=is_working) == points


def test_point_defence_fires_unless_it_is_told_to_hold() -> None:
    assert defence_pool(2) == 2


@pytest.mark.parametrize(
    ("missiles", "points", "left"), [(4, 0, 4), (4, 3, 1), (4, 4, 0), (4, 6, 0)]
)
def test_each_point_takes_one_missile_of_a_volley(missiles: int, points: int, left: int) -> None:
    assert volley_left(missiles, points) == left
