"""The catalogue of twists: differences of two worlds that the side under test may not notice.

A twist names the rows of the ledger that it concerns (event/role), makes the other world, and
says whether a window may still be compared. That last test is written from the rule functions
and the truth alone (`granted`), so that a leak can't excuse itself.
"""

from collections.abc import Callable
from random import Random
from typing import Final, final

import msgspec

import otherblips as blips
import othercapital as capital
import othercloaks as cloaks
import otherground as surface
import otherknowledge as knowledge
import otherordnance as ordnance
import otherpeople as people
import otherpieces as pieces
import otherplaces as places
from granted import granted, holds_known, known_now
from grantedparts import Window
from sunglare_protocol.ids import Audience, Side
from sunglare_protocol.orders import Order
from sunglare_protocol.views import View
from sunglare_rules.ecm import has_jammer
from sunglare_rules.in_space import has_probe
from sunglare_server.match.record import Body, DrawOffered, Muted, OrdersGiven
from sunglare_server.match.state import MatchState
from worldparts import Apply, Orders

Valid = Callable[[Window, Window, Audience], bool]
"""A judgement of the same window in both worlds, for one audience."""

Told = Callable[[Random, Side, OrdersGiven], tuple[Body, ...]]
"""What a hidden side of the other world gives instead of its one command."""


Alters = Callable[[Random, View, tuple[Order, ...]], tuple[Order, ...]]
"""What a hidden side of the other world orders instead; the same whenever it is asked."""


def same_granted(window: Window, other: Window, audience: Audience) -> bool:
    """Return whether both windows let the audience learn the same."""
    return granted(window, audience) == granted(other, audience)


def always(_window: Window, _other: Window, _audience: Audience) -> bool:
    """Return True: the window counts whatever happened in it."""
    return True


def truths_differ(window: Window, other: Window, _audience: Audience) -> bool:
    """Return whether the two truths still differ, as they must for a window to count."""
    return window.before != other.before or list(window.before.ships) != list(other.before.ships)


def orders_differ(window: Window, other: Window, _audience: Audience) -> bool:
    """Return whether a hidden side has ordered something else."""
    return window.orders != other.orders


def unchanged(
    state: MatchState, _rng: Random, _audience: Audience, _orders: Orders
) -> MatchState | None:
    """Return the same world: the difference lies in the records to come."""
    return state


def as_given(_rng: Random, _side: Side, given: OrdersGiven) -> tuple[Body, ...]:
    """Return the one command of this world."""
    return (given,)


def anywhere(_state: MatchState) -> bool:
    """Return True: every match has what the twist is about."""
    return True


def on_the_ground(state: MatchState) -> bool:
    """Return whether there are ground units."""
    return bool(state.truth.ground)


def jamming_on_the_ground(state: MatchState) -> bool:
    """Return whether there are ground units with jammers and with probes."""
    kinds = [unit.type.specials for unit in state.truth.ground.values()]
    return any(map(has_jammer, kinds)) and any(map(has_probe, kinds))


def with_agents(state: MatchState) -> bool:
    """Return whether there are characters."""
    return bool(state.truth.people)


def as_ordered(_rng: Random, _view: View, given: tuple[Order, ...]) -> tuple[Order, ...]:
    """Return the orders of this world."""
    return given


@final
class Twist(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of difference; `bites` says whether a window put it to the test.

    `where` says whether a match has at all what the twist is about.
    """

    name: str
    rows: tuple[str, ...]
    apply: Apply = unchanged
    told: Told = as_given
    alters: Alters = as_ordered
    valid: Valid = same_granted
    bites: Valid = truths_differ
    sides_least: int = 2
    where: Callable[[MatchState], bool] = anywhere


def may_start(state: MatchState, other: MatchState, audience: Audience) -> bool:
    """Return whether the audience has been told the same of both worlds as they stand."""
    return known_now(state.truth, audience) == known_now(other.truth, audience)


def agree_on_holds(state: MatchState, other: MatchState, audience: Audience) -> bool:
    """Return whether in both worlds the audience holds the same pieces in the same way."""
    return holds_known(state.truth, audience) == holds_known(other.truth, audience)


def early_late_twice(rng: Random, _side: Side, given: OrdersGiven) -> tuple[Body, ...]:
    """Return the command preceded by others that it replaces, or left unlocked."""
    replace = msgspec.structs.replace
    some = tuple(order for order in given.orders if rng.random() < 0.5)
    firsts = (
        replace(given, orders=(), lock=False),
        replace(given, orders=some, lock=rng.random() < 0.5),
        replace(given, orders=tuple(reversed(some)), lock=False),
    )
    before = firsts[: rng.randint(0, 3)]
    return (*before, replace(given, lock=rng.random() < 0.5))


def lock_and_unlock(rng: Random, _side: Side, given: OrdersGiven) -> tuple[Body, ...]:
    """Return the command with its lock set and taken back some times."""
    replace = msgspec.structs.replace
    locks = [rng.random() < 0.5 for _ in range(rng.randint(1, 4))]
    return tuple(replace(given, rev=given.rev + n, lock=lock) for n, lock in enumerate(locks))


def sealed_draw(rng: Random, side: Side, given: OrdersGiven) -> tuple[Body, ...]:
    """Return the command and a draw offer or its withdrawal; side A never offers one."""
    if side == "A":
        return (given,)
    return (DrawOffered(on=rng.random() < 0.7), given)


def mute(rng: Random, side: Side, given: OrdersGiven) -> tuple[Body, ...]:
    """Return the command and that the side stops, or starts, hearing another."""
    whom = Side("B") if side == "A" else Side("A")
    return (Muted(whom=whom, on=rng.random() < 0.7), given)


_MOVES = ("ShipMoved/holder", "ShipMoved/public", "ShipLifted/holder", "ShipLifted/public")
_DECLARED = ("ScanDeclared/all",)
_SILENCE = ("ScanFinished/scanner", "ContactMade/scanner", "ContactMade/public")
_SPOTS = ("PieceSpotted/holder", "PieceProbed/asker")
_NOTICED = ("PieceProbed/owner", "PieceProbed/bystander")
_HITS = ("ShotFired/shooter", "ShotFired/target")
_HUNT = ("HuntStepped/hunter", "HuntStepped/public", "HuntEnded/hunter")

CATALOGUE: Final[tuple[Twist, ...]] = (
    Twist(
        name="move_untracked",
        rows=(
            *_MOVES,
            *_DECLARED,
            "ShipExamined/owner",
            "ShooterExposed/witness",
            "FighterOverflew/viewer",
            "PointStruck/witness",
        ),
        apply=places.move_untracked,
    ),
    Twist(
        name="move_coasting",
        rows=(*_MOVES, "TrackMissed/holder", "TrackEnded/holder"),
        apply=places.move_coasting,
    ),
    Twist(
        name="turn_untracked",
        rows=(
            "ContactMade/scanner",
            "ContactMade/public",
            "RadarGaveAway/others",
            "RadarGaveAway/public",
            *_MOVES,
        ),
        apply=places.turn_untracked,
    ),
    Twist(
        name="absent_for_blocked",
        rows=_SILENCE,
        apply=places.absent_for_blocked,
        bites=places.silences_differ,
    ),
    Twist(
        name="absent_for_weak",
        rows=_SILENCE,
        apply=places.absent_for_weak,
        bites=places.silences_differ,
    ),
    Twist(
        name="absent_for_landed",
        rows=(*_SILENCE, "ShipLanded/holder", "ShipLanded/public"),
        apply=places.absent_for_landed,
        bites=places.silences_differ,
    ),
    Twist(name="change_rating", rows=_DECLARED, apply=pieces.change_rating),
    Twist(name="change_habit", rows=_DECLARED, apply=pieces.change_habit),
    Twist(
        name="change_hull_and_damage",
        rows=("DamageTaken/", "SystemLost/owner", "ShipDestroyed/holder", *_HITS),
        apply=pieces.change_hull_and_damage,
    ),
    Twist(
        name="change_class",
        rows=(
            "ShipTracked/scanner",
            "ShooterExposed/others",
            "ShooterExposed/witness",
            "PieceSpotted/holder",
        ),
        apply=pieces.change_class,
    ),
    Twist(
        name="change_variant",
        rows=(*_SPOTS, "ShipHeated/", "ShooterExposed/witness"),
        apply=pieces.change_variant,
    ),
    Twist(
        name="switch_ecm",
        rows=(*_SPOTS, *_NOTICED, "EcmSwitched/"),
        apply=pieces.switch_ecm,
    ),
    Twist(
        name="change_abilities",
        rows=(*_SPOTS, *_NOTICED, "SystemLost/owner"),
        apply=pieces.change_abilities,
    ),
    Twist(
        name="stealth_for_jammed",
        rows=("PieceProbed/asker",),
        apply=pieces.stealth_for_jammed,
    ),
    Twist(
        name="move_remote",
        rows=("RemoteLaunched/", "PieceSpotted/holder", *_MOVES),
        apply=places.move_remote,
    ),
    Twist(
        name="dossiers_of_others",
        rows=(*_SPOTS, *_NOTICED),
        apply=knowledge.dossiers_of_others,
    ),
    Twist(
        name="change_weapons",
        rows=(*_HITS, "ShooterExposed/all"),
        apply=pieces.change_weapons,
    ),
    Twist(
        name="change_power",
        rows=("PowerSwitched/", "SensorsSwitched/", "ContactMade/scanner"),
        apply=pieces.change_power,
    ),
    Twist(
        name="change_crew",
        rows=("ShipTracked/owner", "ShipTracked/scanner", "ScanFinished/scanner"),
        apply=pieces.change_crew,
    ),
    Twist(name="rotate_hidden", rows=("TurretRotated/",), apply=pieces.rotate_hidden),
    Twist(name="rename", rows=("ShooterExposed/witness",), apply=pieces.rename),
    Twist(
        name="reorder",
        rows=("ContactMade/scanner", "ShotFired/target", "TurnEnded/all"),
        apply=knowledge.reorder,
    ),
    Twist(
        name="add_silent",
        rows=(*_SILENCE, "ShipDeployed/", "InitiativeRolled/all"),
        apply=pieces.add_silent,
    ),
    Twist(
        name="remove_silent",
        rows=(*_SILENCE, "InitiativeRolled/all", "SideWentOut/all"),
        apply=pieces.remove_silent,
    ),
    Twist(
        name="gone_unseen",
        rows=("ShipEscaped/owner", "ShipDestroyed/owner", "SideWentOut/all"),
        apply=pieces.gone_unseen,
    ),
    Twist(
        name="coasting_gone",
        rows=("ShipDestroyed/holder", "ShipEscaped/holder", "TrackMissed/holder"),
        apply=pieces.coasting_gone,
    ),
    Twist(
        name="identified_by_other",
        rows=("ShooterExposed/witness", "PointsScored/scorer"),
        apply=knowledge.identified_by_other,
    ),
    Twist(
        name="third_side_contacts",
        rows=("ContactMade/scanner", "ShipTracked/scanner", "TrackEnded/owner"),
        apply=knowledge.third_side_contacts,
        sides_least=3,
    ),
    Twist(
        name="points_of_others",
        rows=("PointsScored/scorer",),
        apply=knowledge.points_of_others,
    ),
    Twist(
        name="objectives_of_others",
        rows=("PointsScored/scorer",),
        apply=knowledge.objectives_of_others,
        bites=always,
    ),
    Twist(
        name="volley_aim",
        rows=("VolleyMoved/holder", "VolleyMoved/public", "ShipDestroyed/holder"),
        apply=ordnance.change_volley_aim,
    ),
    Twist(
        name="volley_size",
        rows=("VolleyLaunched/owner", *_HITS),
        apply=ordnance.change_volley_size,
    ),
    Twist(
        name="volley_heat",
        rows=("VolleyMoved/holder", "ContactMade/scanner", "VolleyLaunched/owner"),
        apply=ordnance.change_volley_heat,
    ),
    Twist(
        name="change_defence",
        rows=("FighterLaunched/owner", *_HITS),
        apply=ordnance.change_defence,
    ),
    Twist(
        name="change_leeches",
        rows=("LeechDrained/owner", "ShipDestroyed/killer", "PointsScored/scorer"),
        apply=ordnance.change_leeches,
    ),
    Twist(
        name="move_nova",
        rows=("NovaFired/all", "ShotFired/shooter", "ShotFired/target"),
        apply=ordnance.move_nova,
    ),
    Twist(
        name="launched_otherwise",
        rows=("VolleyLaunched/owner", "FighterLaunched/owner"),
        told=ordnance.launched_otherwise,
    ),
    Twist(
        name="move_unheld",
        rows=(
            "UnitMoved/holder",
            "UnitStationed/",
            "UnitUncovered/",
            "SensorSown/",
            "TokenGained/viewer",
            "HiddenExposed/viewer",
            "MapOpened/viewer",
            "PointDesignated/near",
            "PointStruck/shooter",
            "BatteryExposed/witness",
        ),
        where=on_the_ground,
        apply=surface.move_unheld,
    ),
    Twist(
        name="remove_unheld",
        rows=("UnitLoaded/", "UnitUnloaded/", "TakenAlong/", "MapClosed/viewer"),
        where=on_the_ground,
        apply=surface.remove_unheld,
    ),
    Twist(
        name="add_hidden",
        rows=("HiddenExposed/viewer", "PointStruck/shooter"),
        where=on_the_ground,
        apply=surface.add_hidden,
    ),
    Twist(
        name="change_blip",
        rows=("PieceIdentified/holder", "AttackerRevealed/holder", "TokenEnded/holder"),
        where=on_the_ground,
        apply=surface.change_blip,
    ),
    Twist(
        name="change_condition",
        rows=("UnitDamaged/", "UnitDestroyed/owner", "WeaponsHeated/"),
        where=on_the_ground,
        apply=surface.change_condition,
    ),
    Twist(
        name="change_arms",
        rows=(
            "GroundShotFired/shooter",
            "GroundShotFired/target",
            "GroundShotFired/witness",
            "BatteryFired/target",
            "BatteryFired/shooter",
        ),
        where=on_the_ground,
        apply=surface.change_arms,
    ),
    Twist(
        name="know_other",
        rows=("PieceIdentified/owner", "MapOverflown/owner"),
        where=on_the_ground,
        apply=surface.know_other,
    ),
    Twist(
        name="switch_jammer",
        rows=(
            "TokenProbed/asker",
            "TokenProbed/owner",
            "TokenProbed/bystander",
            "PieceIdentified/holder",
            "EcmSwitched/",
        ),
        where=on_the_ground,
        apply=blips.switch_jammer,
    ),
    Twist(
        name="armoured_for_jammed",
        rows=("TokenProbed/asker",),
        where=jamming_on_the_ground,
        apply=blips.armoured_for_jammed,
    ),
    Twist(
        name="change_people",
        rows=("PersonStationed/",),
        where=with_agents,
        apply=surface.change_people,
    ),
    Twist(
        name="agents_elsewhere",
        rows=(
            "AlertRaised/others",
            "AlertRaised/public",
            "AlertEnded/others",
            "AlertEnded/public",
            "PersonStepped/",
            "StepFailed/owner",
            "PersonStranded/owner",
            "FlagSet/owner",
            "FlagCleared/owner",
            "FlagForgotten/",
        ),
        where=with_agents,
        apply=people.agents_elsewhere,
    ),
    Twist(
        name="agents_number",
        rows=("AlertRaised/others", "SearchTried/seeker", "SearchTried/owner", "PersonWounded/"),
        where=with_agents,
        apply=people.agents_number,
    ),
    Twist(
        name="agents_ratings",
        rows=(
            "SearchTried/seeker",
            "FightFought/seeker",
            "FightFought/owner",
            "PersonKilled/owner",
            "UnitsSpied/owner",
            "ShipAlertRaised/tracker",
            "ShipAlertEnded/tracker",
        ),
        where=with_agents,
        apply=people.agents_ratings,
    ),
    Twist(
        name="search_in_vain",
        rows=("SearchTried/seeker",),
        where=with_agents,
        apply=people.hides_otherwise,
        bites=people.searched_in_vain,
    ),
    Twist(
        name="other_missions",
        rows=(
            "MissionPlanned/",
            "MissionTried/owner",
            "MissionsEnded/",
            "UnitSabotaged/owner",
            "ItemTaken/owner",
            "ItemDropped/owner",
            "Delivered/owner",
            "PersonFreed/owner",
            "StanceTaken/",
            "BoundFor/",
            "StrikeChosen/",
        ),
        where=with_agents,
        told=people.other_missions,
        bites=people.missions_differ,
    ),
    Twist(
        name="change_guns",
        rows=("PointStruck/shooter", "PointStruck/target", "PointStruck/witness", *_HITS),
        apply=capital.change_guns,
    ),
    Twist(
        name="silence_guns",
        rows=("PointStruck/witness", "MissileSent/near", "MissileSent/owner"),
        apply=capital.silence_guns,
    ),
    Twist(
        name="change_flight",
        rows=("PointStruck/shooter", "PointStruck/target", "PointStruck/witness"),
        apply=capital.change_flight,
    ),
    Twist(
        name="toggle_cloak",
        rows=(
            "CloakSwitched/holder",
            "UncloakingSeen/watcher",
            "SweepRolled/omni",
            "PassiveRolled/omni",
            *_HUNT,
        ),
        apply=cloaks.toggle_cloak,
    ),
    Twist(name="move_cloaked", rows=(*_HUNT, "SweepDeclared/others"), apply=cloaks.move_cloaked),
    Twist(
        name="other_thrust_cloaked",
        rows=(*_HUNT, "HuntStepped/owner", "PassiveRolled/omni"),
        apply=cloaks.other_thrust_cloaked,
    ),
    Twist(
        name="add_cloaked",
        rows=(*_HUNT, "SweepRolled/omni", "SpaceJammed/all", "JamEnded/all"),
        apply=cloaks.add_cloaked,
    ),
    Twist(
        name="third_side_hunts",
        rows=("HuntStepped/hunter", "HuntStepped/owner", "HuntEnded/owner"),
        apply=cloaks.third_side_hunts,
        sides_least=3,
    ),
    Twist(
        name="hold_or_not",
        rows=("CloakedFired/hunter", "CloakedFired/public"),
        apply=cloaks.armed_and_hidden,
        alters=cloaks.hold_or_not,
        bites=orders_differ,
    ),
    Twist(
        name="listen_or_not",
        rows=("PassiveRolled/omni", "HuntStepped/hunter", "HuntStepped/public"),
        apply=cloaks.searching,
        alters=cloaks.listen_or_not,
        bites=orders_differ,
    ),
    Twist(name="order_early_late_twice", rows=(), told=early_late_twice, bites=always),
    Twist(name="lock_unlock", rows=(), told=lock_and_unlock, bites=always),
    Twist(name="sealed_draw", rows=(), told=sealed_draw, bites=always),
    Twist(name="mute", rows=(), told=mute, bites=always),
)
"""Every twist there is; one that concerns a silent event names it without a role."""
