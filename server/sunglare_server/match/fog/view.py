"""Fog: the one place where an audience's intel becomes the view that is sent.

Theory of operation. A view is a pure function of one audience's intel, of where the match stands,
and of the board that all know. This package imports no truth, no events and nothing that makes
them; the import contracts see to that. A rule that is forgotten here can leave something out, but
cannot let anything leak that intel does not hold.

Everything foreign is shown as a hold: its rung, its label, the handle under which this viewer may
name it, and the fields that the rung gives. Fields that are not known are absent. What is foreign
stands in the order of labels, which follow from when this viewer first held it, never from how the
server keeps its pieces. Own pieces come from the copies that `own` has put into intel, the same
way as all else.

The same state makes the same bytes: nothing is random here, and what is costly is kept by value
(the parts of a view that follow from a class, say), so that a cache can only save time.
"""

from functools import lru_cache
from operator import itemgetter
from typing import Any

import msgspec

from sunglare_protocol import views
from sunglare_protocol.geometry import Board
from sunglare_protocol.ids import Side
from sunglare_protocol.messages.replies import FrameView
from sunglare_protocol.words.cloak import (
    CloakVariant,
    NoiseBlinds,
    PassiveReveals,
    SweepSix,
    TrackerMode,
)
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.pieces import Arc
from sunglare_protocol.words.scans import ScanType
from sunglare_rules.arcs.turrets import firing_arcs
from sunglare_rules.cloak.trackers import Tracker
from sunglare_rules.sensors.scans import ScanHabit
from sunglare_server.match.clock.phases import Standing
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.data.scenario import CrewData, Objective, ShipClass
from sunglare_server.match.fog import agents as agents_fog
from sunglare_server.match.fog import ground as ground_fog
from sunglare_server.match.intel.space import (
    Beset,
    Held,
    Intel,
    Marker,
    OwnPiece,
    OwnVolley,
    Trail,
)
from sunglare_server.match.stage import stage

_CLASSES_KEPT = 4096
"""How many ship classes, as parts of views, are kept made: the same for every ship and frame."""

_SHIPS_KEPT = 8192
"""How many own and foreign ships are kept made: most are the same from one frame to the next."""

_MEMORIES_KEPT = 4096
"""How many audiences' memories are kept made: few windows change any."""

_RULES_KEPT = 256
"""How many sets of hunting rules in force, of objectives and of exposures are kept made."""

_HABITS_KEPT = 4096
"""How many habits of scanning and hunts are kept made: a ship changes oftener than these do."""

_Exposed = tuple[tuple[Side, Fix], ...]
"""The enemy sides that hold an own ship, each with its rung."""


def view(intel: Intel, standing: Standing, board: Board) -> views.View:
    """Return what the audience of `intel` sees at this point of the match."""
    setting_up = standing.turn == 1 and standing.phase is Phase.PLOT
    return views.View(
        audience=intel.audience,
        stage=stage(standing),
        board=board,
        own=tuple(
            [
                _own(piece, _exposed(piece, intel), _besets(piece, intel))
                if piece.id in intel.exposed or piece.id in intel.beset
                else _own(piece, (), ())
                for piece in intel.own
            ]
        ),
        contacts=(*map(_contact, _by_label(intel)), *_memories(intel.markers)),
        record=intel.record,
        objectives=_objectives(intel.objectives, intel.collected),
        leaves_free=intel.leaves_free,
        points=intel.points,
        points_up_to=intel.points_up_to,
        zone=intel.zone if setting_up else (),
        nova_until=intel.nova_until if intel.nova_until >= standing.turn else 0,
        ground=ground_fog.units(intel, standing.turn),
        agents=ground_fog.agents(intel),
        surfaces=ground_fog.surfaces(intel),
        missiles=ground_fog.missiles(intel),
        areas=ground_fog.areas(intel.areas) if setting_up else (),
        alerts=agents_fog.alerts(intel.search),
        found=agents_fog.found(intel.search),
        spied=agents_fog.spied(intel.search),
        items=agents_fog.items(intel.search, intel.agents),
        strike=intel.search.strike,
        cloak_rules=_cloak_rules(intel.options, intel.cloaks, intel.jammed),
    )


def of_a_side(shown: FrameView | None) -> views.View | None:
    """Return what a frame shows if that is an audience's view; None for the truth and nothing."""
    return shown if isinstance(shown, views.View) else None


def objective(goal: Objective, collected: tuple[str, ...] = ()) -> views.ObjectiveView:
    """Return an own objective as it is shown to a side that has collected at those asteroids."""
    return views.ObjectiveView(
        kind=goal.kind,
        edge=goal.edge,
        piece=goal.piece,
        at=goal.at,
        body=goal.body,
        met=goal.body in collected,
        ends_after=goal.ends_after,
    )


@lru_cache(maxsize=_RULES_KEPT)
def _objectives(
    goals: tuple[Objective, ...], collected: tuple[str, ...]
) -> tuple[views.ObjectiveView, ...]:
    return tuple([objective(goal, collected) for goal in goals])


@lru_cache(maxsize=_RULES_KEPT)
def _cloak_rules(options: MatchOptions, cloaks: bool, jammed: int) -> views.CloakRules:
    return views.CloakRules(
        cloaks=cloaks,
        reveals=PassiveReveals(options.passive_reveals),
        mode=TrackerMode(options.tracker_mode),
        six=SweepSix(options.sweep_six),
        noise=NoiseBlinds(options.noise_blinds),
        variant=CloakVariant(options.cloak_variant),
        jammed=jammed,
    )


@lru_cache(maxsize=_HABITS_KEPT)
def _trackers(trail: Trail) -> views.TrackersView:
    return views.TrackersView(
        multi=_tracker(trail.trackers.multi),
        single=_tracker(trail.trackers.single),
        solution_window=trail.solution_window,
        solution_dice=trail.solution_dice,
        mode=trail.mode,
    )


def _tracker(tracker: Tracker) -> views.TrackerView:
    return views.TrackerView(count=tracker.count, turns=tracker.turns, hits=tracker.hits)


def _besets(piece: OwnPiece, intel: Intel) -> tuple[Beset, ...]:
    """Return the hunts for an own ship in an order that reveals nothing of the hunters."""
    hunts = intel.beset.get(piece.id)
    if not hunts or piece.fate is not Fate.IN_PLAY:
        return ()
    return tuple(sorted(hunts.values(), key=msgspec.msgpack.encode))


def _by_label(intel: Intel) -> list[Held]:
    return sorted(intel.held.values(), key=_number)


def _number(held: Held) -> int:
    return int(held.label[1:])


@lru_cache(maxsize=_SHIPS_KEPT)
def _contact(held: Held) -> views.ContactView:
    return views.ContactView(
        label=held.label,
        fix=held.fix,
        square=held.square,
        turn=held.turn,
        handle=held.handle,
        signatures=held.signatures,
        signal=held.signal,
        vector=held.vector,
        facing=held.facing,
        size=held.size,
        side=held.side,
        type=held.type,
        alert=held.alert,
        dossier=held.dossier,
        trackers=None if held.trail is None else _trackers(held.trail),
    )


@lru_cache(maxsize=_MEMORIES_KEPT)
def _memories(markers: tuple[Marker, ...]) -> tuple[views.ContactView, ...]:
    return tuple(map(_memory, markers))


@lru_cache(maxsize=_SHIPS_KEPT)
def _memory(marker: Marker) -> views.ContactView:
    return views.ContactView(
        label=marker.label,
        fix=Fix.MEMORY,
        square=marker.square,
        turn=marker.turn,
        signatures=marker.signatures,
        vector=marker.vector,
        facing=marker.facing,
        size=marker.size,
        side=marker.side,
        type=marker.type,
        dossier=marker.dossier,
        landed=marker.landing,
        fate=marker.fate,
    )


def _exposed(piece: OwnPiece, intel: Intel) -> _Exposed:
    exposed = intel.exposed.get(piece.id)
    if not exposed or piece.fate is not Fate.IN_PLAY:
        return ()
    return tuple(sorted(exposed.items(), key=itemgetter(0)))


@lru_cache(maxsize=_CLASSES_KEPT)
def _of_class(kind: ShipClass) -> dict[str, Any]:
    """Return the fields of an own ship that its class alone decides."""
    return {
        "type": kind.name,
        "size": kind.size,
        "hull": kind.hull,
        "points": kind.points,
        "kind": kind.kind,
        "drive": kind.drive,
        "sensors": {
            scan_type: rating for scan_type in ScanType if (rating := kind.sensors.of(scan_type))
        },
        "cloak": kind.cloak,
        "bays": kind.bays,
        "shuttle": kind.shuttle,
        "agent_spaceship": kind.agent_spaceship,
        "dispensers": kind.dispensers,
    }


@lru_cache(maxsize=_SHIPS_KEPT)
def _own(piece: OwnPiece, exposed: _Exposed, besets: tuple[Beset, ...]) -> views.OwnView:
    return views.OwnView(
        **_of_class(piece.type),
        id=piece.id,
        name=piece.name,
        square=piece.square,
        vector=piece.vector,
        facing=piece.facing,
        echo=piece.echo,
        damage=piece.damage,
        screens=piece.screens,
        thrust=piece.thrust,
        crew=_crew(piece.crew),
        powered=piece.powered,
        starting=piece.starting,
        popped_out=piece.popped_out,
        hull_sensors_work="sensors" not in piece.lost,
        cloak_works="cloak" not in piece.lost,
        cloaked=piece.cloaked,
        landed=piece.landing,
        turrets=_turrets(piece.type, piece.turrets),
        weapons=_weapons(piece.type, piece.lost, piece.spent, _missiles(piece)),
        firing_arcs=_firing_arcs(piece.type, (*piece.lost, *piece.spent), piece.turrets),
        thrust_spent=piece.thrust_spent,
        thrust_used=piece.thrust_used,
        habit=None if piece.habit is None else _habit(piece.habit),
        point_defence=piece.point_defence,
        flights=piece.flights,
        volley=None if piece.volley is None else _volley(piece.volley),
        detected=piece.detected,
        bound_for=piece.bound_for,
        specials=piece.specials,
        ecm=piece.ecm,
        heat=piece.heat,
        controls=piece.controls,
        exposed=_exposures(exposed),
        hunted=tuple(
            [views.HuntView(fix=beset.fix, trackers=_trackers(beset.trail)) for beset in besets]
        ),
        fate=piece.fate,
    )


@lru_cache(maxsize=_RULES_KEPT)
def _exposures(exposed: _Exposed) -> tuple[views.Exposure, ...]:
    return tuple([views.Exposure(side=side, fix=fix) for side, fix in exposed])


@lru_cache(maxsize=_CLASSES_KEPT)
def _crew(crew: CrewData) -> views.Crew:
    return views.Crew(
        pilot=crew.pilot,
        operator=crew.operator,
        commander=crew.commander,
        gunnery=crew.gunnery,
    )


@lru_cache(maxsize=_CLASSES_KEPT)
def _turrets(
    kind: ShipClass, turrets: tuple[tuple[str, tuple[Arc, ...]], ...]
) -> tuple[views.TurretView, ...]:
    kinds = {turret.id: turret.kind for turret in kind.turrets}
    return tuple(
        views.TurretView(id=turret, kind=kinds[turret], arcs=arcs) for turret, arcs in turrets
    )


@lru_cache(maxsize=_CLASSES_KEPT)
def _weapons(
    kind: ShipClass, lost: tuple[str, ...], spent: tuple[str, ...], missiles: int | None
) -> tuple[views.WeaponView, ...]:
    return tuple(
        views.WeaponView(
            id=weapon.id,
            kind=weapon.kind,
            rank=weapon.rank if missiles is None else missiles,
            arc=weapon.arc,
            turret=weapon.turret,
            needs=weapon.needs,
            works=weapon.id not in (*lost, *spent),
            spent=weapon.id in spent,
            damage=weapon.damage,
        )
        for weapon in kind.weapons
    )


@lru_cache(maxsize=_CLASSES_KEPT)
def _firing_arcs(
    kind: ShipClass, gone: tuple[str, ...], turrets: tuple[tuple[str, tuple[Arc, ...]], ...]
) -> tuple[Arc, ...]:
    pointing = dict(turrets)
    left = [weapon for weapon in kind.weapons if weapon.id not in gone]
    return firing_arcs(
        [weapon.arc for weapon in left if weapon.arc is not None],
        [pointing[weapon.turret] for weapon in left if weapon.turret is not None],
    )


def _missiles(piece: OwnPiece) -> int | None:
    return None if piece.volley is None else piece.volley.missiles


def _volley(volley: OwnVolley) -> views.VolleyView:
    return views.VolleyView(
        missiles=volley.missiles,
        aim=volley.aim,
        cold=volley.cold,
        movements=volley.movements,
    )


@lru_cache(maxsize=_HABITS_KEPT)
def _habit(habit: ScanHabit) -> views.HabitView:
    return views.HabitView(
        turn=habit.turn,
        square=habit.square,
        type=habit.type,
        size=habit.size,
        at=habit.at,
        streak=habit.streak,
    )
