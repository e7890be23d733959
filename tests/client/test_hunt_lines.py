"""What a plan of a PLOT is said to mean in a hunt, for who hides and for who listens."""

import pytest
from msgspec.structs import replace

from builders.orders import read
from builders.views import C1, S1, contact, own_ship, view
from sunglare_client.text.courses import course_lines
from sunglare_client.text.hunting import hunt_lines
from sunglare_client.verbs.written import odds_lines
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Sweep
from sunglare_protocol.views import (
    CloakRules,
    ContactView,
    HuntView,
    OwnView,
    TrackersView,
    TrackerView,
    View,
)
from sunglare_protocol.words.cloak import NoiseBlinds, TrackerMode
from sunglare_protocol.words.ladder import Fate, Fix, Phase

HIDDEN = own_ship(id=S1, cloak=True, cloaked=True, thrust=4)
LISTENER = own_ship(id=S1)
ONCE = TrackersView(
    multi=TrackerView(count=1, turns=1, hits=(True,)),
    single=TrackerView(count=2, turns=3, hits=(True, False, True)),
)

NEEDS = "a solution if two ships hear it this turn, or one 4 turns running (COUNT/TURNS 1/1, 2/3)"


def seen(ship: OwnView, *contacts: ContactView, cloaks: bool = True) -> View:
    rules = CloakRules(cloaks=cloaks)
    return replace(view(Phase.PLOT, ship, contacts=contacts), cloak_rules=rules)


def said(ship: OwnView, plan: str = "", *contacts: ContactView) -> list[str]:
    return hunt_lines(seen(ship, *contacts), ship, read(plan) if plan else ())


def test_who_hides_is_told_how_loud_the_plan_is_and_what_others_would_be() -> None:
    assert said(HIDDEN, "thrust S1 N N N") == [
        "  it uses 3 thrust: a silent listener hears it by 33 % at most",
        "  by thrust used  0 to 1: 0 %  2: 17 %  3: 33 %  4: 50 %  5: 67 %",
    ]


def test_who_listens_is_told_what_it_can_hear_after_its_own_thrust() -> None:
    assert said(LISTENER) == [
        "  it can hear a cloaked ship by its thrust, at most  2: 17 %  4: 50 %  6: 83 %"
    ]
    # Its own thrust counts twice.
    assert said(LISTENER, "thrust S1 N") == [
        "  it can hear a cloaked ship by its thrust, at most  2: 0 %  4: 17 %  6: 50 %"
    ]


def test_who_is_hunted_is_told_what_the_hunters_still_need() -> None:
    hunted = replace(HIDDEN, hunted=(HuntView(fix=Fix.DETECTED, trackers=ONCE),))
    assert said(hunted)[-1] == f"  {NEEDS}"


def test_after_a_sweep_one_ship_that_hears_it_is_enough() -> None:
    full = TrackersView(
        multi=TrackerView(count=3, turns=3, hits=(True,) * 3),
        single=TrackerView(count=10, turns=10, hits=(True,) * 10),
    )
    trail = contact(label="C1", handle=C1, fix=Fix.MEMORY, trackers=full)
    assert said(LISTENER, "", trail)[1] == (
        "  C1: a solution if a ship hears it this turn (COUNT/TURNS 3/3, 10/10)"
    )


def test_after_two_turns_of_two_ships_one_ship_that_hears_it_is_enough() -> None:
    twice = TrackersView(
        multi=TrackerView(count=2, turns=2, hits=(True, True)),
        single=TrackerView(count=2, turns=2, hits=(True, True)),
    )
    trail = contact(label="C1", handle=C1, fix=Fix.MEMORY, trackers=twice)
    assert said(LISTENER, "", trail)[1] == (
        "  C1: a solution if a ship hears it this turn (COUNT/TURNS 2/2, 2/2)"
    )


def test_a_ship_that_cloaks_anew_is_told_of_no_old_hunt() -> None:
    shown = replace(HIDDEN, cloaked=False, hunted=(HuntView(fix=Fix.MEMORY, trackers=ONCE),))
    assert not any("solution" in line for line in said(shown, "cloak S1 on"))


def test_in_no_other_window_is_anything_said_of_what_a_plan_means_in_a_hunt() -> None:
    later = replace(view(Phase.ENGAGE, LISTENER), cloak_rules=CloakRules(cloaks=True))
    assert hunt_lines(later, LISTENER, ()) == []


def test_who_hunts_is_told_of_each_trail_what_is_missing() -> None:
    trail = contact(label="C1", handle=C1, fix=Fix.MEMORY, trackers=ONCE)
    cold = replace(trail, label="C2", fate=Fate.DESTROYED)
    told = said(LISTENER, "", trail, cold)
    assert told[1:] == [f"  C1: {NEEDS}"]


@pytest.mark.parametrize(
    ("mode", "words"), [(TrackerMode.WINDOW, "one 4 turns"), (TrackerMode.DICE, "one 3 turns")]
)
def test_what_is_missing_goes_by_the_option_in_force(mode: TrackerMode, words: str) -> None:
    single = TrackerView(count=3, turns=4, hits=(True, False, True))
    trackers = TrackersView(multi=ONCE.multi, single=single, mode=mode)
    trail = contact(label="C1", handle=C1, fix=Fix.MEMORY, trackers=trackers)
    assert words in said(LISTENER, "", trail)[1]


def test_where_nobody_has_a_cloak_nothing_is_said() -> None:
    quiet = seen(LISTENER, cloaks=False)
    assert hunt_lines(quiet, LISTENER, ()) == []
    assert len(course_lines(quiet, S1, ())) == 2
    assert len(course_lines(seen(LISTENER), S1, ())) == 3


@pytest.mark.parametrize(
    "deaf", [replace(LISTENER, powered=False), replace(LISTENER, cloak=True, cloaked=True)]
)
def test_who_can_not_listen_is_told_nothing_of_hearing(deaf: OwnView) -> None:
    assert not any("it can hear" in line for line in said(deaf))


def test_of_a_foreign_ship_no_course_is_told() -> None:
    assert course_lines(seen(LISTENER), OwnId("C1"), ()) == []


@pytest.mark.parametrize(("noise", "told"), [(NoiseBlinds.ALL, 1), (NoiseBlinds.SELF, 0)])
def test_who_would_sweep_is_told_that_it_spoils_all_listening_where_it_does(
    noise: NoiseBlinds, told: int
) -> None:
    rules = CloakRules(cloaks=True, noise=noise)
    listening = replace(view(Phase.DETECT, LISTENER), cloak_rules=rules)
    lines = odds_lines(listening, Sweep(ship=S1))
    assert lines[0].startswith("  all sides will see S1")
    assert sum("spoils all listening" in line for line in lines) == told
