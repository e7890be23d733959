"""Spotting rule by rule: eyes, sensors, remotes, overflight, deeds, and their union."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.spotting import beyond, inches, specials
from sunglare_protocol.words.specials import Special
from sunglare_rules.blips.ecm import ANGEL_TIER, ECM_TIER, NO_TIER
from sunglare_rules.blips.spotting import (
    Deed,
    Method,
    Sight,
    Spotter,
    Subject,
    half_footprint,
    identifies,
    in_base_contact,
    is_stealthy,
    methods,
    operational,
    overflight_spots,
    remote_spot,
    reveals,
    sensor_spot,
    visual_spot,
)
from sunglare_rules.turn.metric import SPACE, SURFACE, Span

TIERS = (NO_TIER, ECM_TIER, ANGEL_TIER)
PROBES = ("", "LPRB", "PRB", "BH", "WAT", "NOVA")
STEALTH = ("", "STL", "MAS")
REACH = {"": 10, "LPRB": 12, "WAT": 12, "PRB": 18, "NOVA": 18, "BH": 26}


@pytest.mark.parametrize("limit", [2, 10, 120])
def test_v1_eyes_identify_in_the_line_of_sight_up_to_their_range(limit: int) -> None:
    spotter = Spotter(sight_inches=limit)
    assert visual_spot(spotter, Sight(inches(limit), los=True))
    assert not visual_spot(spotter, Sight(beyond(limit), los=True))
    assert not visual_spot(spotter, Sight(inches(0), los=False))


def test_v1_infantry_identifies_by_eye_too() -> None:
    spotter = Spotter(sight_inches=60, infantry=True)
    assert methods(spotter, Subject(), Sight(inches(60), los=True)) == (Method.VISUAL,)


@pytest.mark.parametrize(("probe", "limit"), REACH.items(), ids=[p or "none" for p in REACH])
def test_s1_sensors_reach_as_far_as_the_probe(probe: str, limit: int) -> None:
    spotter = Spotter(specials(probe))
    assert sensor_spot(spotter, Subject(), Sight(inches(limit), los=False))
    assert not sensor_spot(spotter, Subject(), Sight(beyond(limit), los=False))


def test_s1_the_best_of_several_probes_counts() -> None:
    assert sensor_spot(Spotter(specials("LPRB BH PRB")), Subject(), Sight(inches(26), los=False))


def test_s1_infantry_has_no_sensors() -> None:
    spotter = Spotter(specials("BH"), infantry=True)
    assert not sensor_spot(spotter, Subject(), Sight(inches(0), los=True))


def test_sensors_that_space_jams_find_nothing_while_eyes_go_on() -> None:
    spotter = Spotter(specials("BH"), sight_inches=16, sensors_work=False)
    near = Sight(inches(5), los=True)
    assert not sensor_spot(spotter, Subject(), near)
    assert methods(spotter, Subject(), near) == (Method.VISUAL,)


@pytest.mark.parametrize("probe", ["", "LPRB", "PRB", "WAT", "NOVA"])
def test_s2_ecm_stops_every_probe_but_a_bloodhound(probe: str) -> None:
    jammed = Subject(specials("ECM"), cover=ECM_TIER)
    assert not sensor_spot(Spotter(specials(probe)), jammed, Sight(inches(0), los=True))


def test_s2_a_bloodhound_sees_through_ecm_to_its_full_reach() -> None:
    hound, jammed = Spotter(specials("BH")), Subject(cover=ECM_TIER)
    assert sensor_spot(hound, jammed, Sight(inches(26), los=False))
    assert not sensor_spot(hound, jammed, Sight(beyond(26), los=False))


@pytest.mark.parametrize("probe", PROBES)
def test_s3_angel_ecm_stops_every_probe(probe: str) -> None:
    jammed = Subject(cover=ANGEL_TIER)
    assert not sensor_spot(Spotter(specials(probe)), jammed, Sight(inches(0), los=True))


@pytest.mark.parametrize("stealth", ["STL", "MAS"])
@pytest.mark.parametrize("probe", PROBES)
def test_st1_stealth_is_seen_by_eye_only(probe: str, stealth: str) -> None:
    spotter, quarry = Spotter(specials(probe), sight_inches=16), Subject(specials(stealth))
    assert not sensor_spot(spotter, quarry, Sight(inches(0), los=True))
    assert methods(spotter, quarry, Sight(inches(16), los=True)) == (Method.VISUAL,)


@pytest.mark.parametrize("cover", [ECM_TIER, ANGEL_TIER])
def test_st2_under_a_friendly_field_only_eyes_identify(cover: int) -> None:
    spotter, quarry = Spotter(specials("PRB"), sight_inches=16), Subject(cover=cover)
    assert methods(spotter, quarry, Sight(inches(5), los=True)) == (Method.VISUAL,)


@pytest.mark.parametrize(
    ("stealth", "cover"), list(product(STEALTH, TIERS)), ids=lambda value: str(value)
)
def test_r1_a_remote_identifies_whatever_it_sees_within_twenty_inches(
    stealth: str, cover: int
) -> None:
    quarry = Subject(specials(stealth), cover)
    assert remote_spot(quarry, Sight(inches(20), los=True))
    assert not remote_spot(quarry, Sight(beyond(20), los=True))


@pytest.mark.parametrize(
    ("stealth", "cover", "found"),
    [("", 0, True), ("", 1, False), ("", 2, False), ("STL", 0, False), ("MAS", 0, False)],
    ids=["plain", "ECM", "AECM", "STL", "MAS (contradiction 3)"],
)
def test_r2_unseen_a_remote_identifies_what_is_plain_within_ten_inches(
    stealth: str, cover: int, found: bool
) -> None:
    quarry = Subject(specials(stealth), cover)
    assert remote_spot(quarry, Sight(inches(10), los=False)) is found
    assert not remote_spot(quarry, Sight(beyond(10), los=False))


@pytest.mark.parametrize(
    ("stealth", "cover", "found"),
    [("", 0, True), ("", 1, True), ("", 2, True), ("STL", 0, False), ("MAS", 1, False)],
    ids=["plain", "ECM (contradiction 4)", "AECM", "STL", "MAS"],
)
def test_r3_in_contact_a_remote_identifies_all_but_stealth(
    stealth: str, cover: int, found: bool
) -> None:
    quarry = Subject(specials(stealth), cover)
    assert remote_spot(quarry, Sight(inches(1), los=False, contact=True)) is found


def test_a_remote_sensor_spots_in_its_own_way_only() -> None:
    remote = Spotter(specials("BH"), sight_inches=240, remote=True)
    assert methods(remote, Subject(), Sight(inches(21), los=True)) == ()
    assert methods(remote, Subject(), Sight(inches(20), los=True)) == (Method.REMOTE,)


@pytest.mark.parametrize(
    ("daylight", "hidden", "found"),
    [(True, False, True), (False, False, False), (True, True, False)],
    ids=["by day", "by night", "hidden and unmoved (contradiction 9)"],
)
def test_a1_a_fighter_overhead_identifies_by_day(
    daylight: bool, hidden: bool, found: bool
) -> None:
    assert overflight_spots(daylight=daylight, hidden=hidden) is found


@pytest.mark.parametrize(
    ("deed", "revealed"),
    [
        (Deed.DIRECT, True),
        (Deed.PHYSICAL, True),
        (Deed.ANTI_MECH, True),
        (Deed.INDIRECT, False),
        (Deed.AREA, False),
        (Deed.TAG, False),
        (Deed.SCAN, False),
        (Deed.POINT_DEFENCE, False),
    ],
    ids=lambda value: value.value if isinstance(value, Deed) else "",
)
def test_sr1_sr2_only_direct_and_close_attacks_reveal(deed: Deed, revealed: bool) -> None:
    assert reveals(deed) is revealed


def test_h1_nothing_identifies_what_is_hidden() -> None:
    hidden = Subject(hidden=True)
    for remote in (False, True):
        spotter = Spotter(specials("BH"), sight_inches=240, remote=remote)
        assert not identifies(spotter, hidden, Sight(inches(0), los=True, contact=True))


@pytest.mark.parametrize(
    ("state", "works"),
    [
        ({}, True),
        ({"alive": False}, False),
        ({"powered": False}, False),
        ({"powered": False, "needs_power": False}, True),
        ({"cloaked": True}, False),
        ({"mute": True}, False),
    ],
    ids=["as it should be", "dead", "cold", "infantry or remote", "cloaked", "jammed drone"],
)
def test_what_is_dead_cold_cloaked_or_a_jammed_drone_is_not_operational(
    state: dict[str, bool], works: bool
) -> None:
    assert operational(**state) is works


def test_nobody_identifies_anything_without_being_operational() -> None:
    spotter = Spotter(specials("BH"), sight_inches=240, operational=False)
    assert methods(spotter, Subject(), Sight(inches(0), los=True, contact=True)) == ()


@pytest.mark.parametrize(
    ("words", "half"), [("", 0), ("LG", 1), ("VLG", 2), ("SLG", 3), ("BH LG", 1)]
)
def test_a_footprint_reaches_half_its_width(words: str, half: int) -> None:
    assert half_footprint(specials(words)) == half
    assert in_base_contact(inches(1 + half), specials(words))
    assert not in_base_contact(beyond(1 + half), specials(words))
    assert in_base_contact(inches(2 + half), specials("LG"), specials(words))


def _second_opinion(
    probe: str, stealth: str, cover: int, inch: int, *, los: bool, contact: bool, remote: bool
) -> bool:
    """Return what the sentences say, one clause each, without a look at the program."""
    clauses: list[bool] = []
    if remote:
        clauses.append(los and inch <= 20)
        clauses.append(contact and stealth == "")
        clauses.append(inch <= 10 and stealth == "" and cover == 0)
    else:
        clauses.append(los and inch <= 16)
        clauses.append(cover == 0 and stealth == "" and inch <= 10)
        clauses.append(cover == 0 and stealth == "" and inch <= REACH[probe])
        clauses.append(cover == 1 and stealth == "" and probe == "BH" and inch <= 26)
    return any(clauses)


def test_every_case_agrees_with_a_second_opinion() -> None:
    abilities = product(PROBES, STEALTH, TIERS)
    lies = list(product(range(29), (False, True), (False, True), (False, True)))
    for (probe, stealth, cover), (inch, los, contact, remote) in product(abilities, lies):
        spotter = Spotter(specials(probe), sight_inches=16, remote=remote)
        sight = Sight(inches(inch), los, contact)
        expected = _second_opinion(
            probe, stealth, cover, inch, los=los, contact=contact, remote=remote
        )
        assert identifies(spotter, Subject(specials(stealth), cover), sight) is expected


abilities = st.lists(st.sampled_from(list(Special)), unique=True, max_size=4).map(tuple)
spotters = st.builds(
    Spotter,
    specials=abilities,
    sight_inches=st.sampled_from([0, 2, 8, 16, 240]),
    infantry=st.booleans(),
    remote=st.booleans(),
    operational=st.booleans(),
)
quarries = st.builds(Subject, specials=abilities, cover=st.sampled_from(TIERS))
distances = st.integers(0, 30)


@given(spotter=spotters, quarry=quarries, near=distances, more=distances, los=st.booleans())
def test_nearer_never_hides(
    spotter: Spotter, quarry: Subject, near: int, more: int, los: bool
) -> None:
    if identifies(spotter, quarry, Sight(inches(near + more), los)):
        assert identifies(spotter, quarry, Sight(inches(near), los))


@given(spotter=spotters, quarry=quarries, inch=distances, contact=st.booleans())
def test_a_line_of_sight_or_a_touch_never_hides(
    spotter: Spotter, quarry: Subject, inch: int, contact: bool
) -> None:
    if identifies(spotter, quarry, Sight(inches(inch), los=False, contact=contact)):
        assert identifies(spotter, quarry, Sight(inches(inch), los=True, contact=contact))
    if identifies(spotter, quarry, Sight(inches(inch), los=False)):
        assert identifies(spotter, quarry, Sight(inches(inch), los=False, contact=True))


@given(spotter=spotters, words=abilities, inch=distances, los=st.booleans())
def test_a_friendly_field_never_helps_the_enemy(
    spotter: Spotter, words: tuple[Special, ...], inch: int, los: bool
) -> None:
    sight = Sight(inches(inch), los)
    found = [identifies(spotter, Subject(words, tier), sight) for tier in TIERS]
    assert found == sorted(found, reverse=True)


@given(spotter=spotters, quarry=quarries, squared=st.integers(0, 200), los=st.booleans())
def test_squares_and_thousandths_are_spotted_alike(
    spotter: Spotter, quarry: Subject, squared: int, los: bool
) -> None:
    # A square is 12 inches in 5, so 144 times the square counts 25ths of a squared inch.
    in_space = Span(SPACE, squared)
    on_ground = Span(SURFACE, squared * 144 * 40_000)
    assert identifies(spotter, quarry, Sight(in_space, los)) is identifies(
        spotter, quarry, Sight(on_ground, los)
    )


def test_stealth_is_stealth_armour_or_mimetic_armour() -> None:
    stealthy = {special for special in Special if is_stealthy((special,))}
    assert stealthy == {Special.STL, Special.MAS}
