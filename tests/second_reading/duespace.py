"""Who is due to learn of what happens in space: a second reading of those rows of the ledger.

Source: sensors §5 and §6, cloak §3 and §4, blips §3 and §4, turn §4 to §9 of our rule book.
"""

from collections.abc import Iterable

from second_reading.dueparts import (
    ANY_HOLD,
    HELD_WELL,
    Reading,
    Readings,
    Scene,
    asker,
    both,
    duel_public,
    everybody,
    given,
    holders,
    named,
    of,
    omni,
    omni_if,
    others,
    owner,
    side_of,
    target,
    token_holders,
)
from sunglare_protocol.geometry import Place
from sunglare_protocol.ids import PUBLIC, Audience, Side
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.ladder import Fix
from sunglare_rules.sensors.sectors import line_of_sight
from sunglare_rules.turn.scale import within_mu
from sunglare_server.match.events.space import ShotFired
from sunglare_server.match.ids import PieceId
from sunglare_server.match.truth.truth import Truth

UNSEEN = (WeaponKind.SALVO, WeaponKind.NOVA, WeaponKind.MSL)
"""What is fired by these tells nothing of who fired it."""

WATCH_MU = 36
"""So near a ship is seen as it uncloaks."""


def _live(scene: Scene) -> Iterable[Audience]:
    return of(*holders(scene.before, scene.event.piece, Fix.TRACKED))


def _public_of_live(scene: Scene) -> Iterable[Audience]:
    told = holders(scene.before, scene.event.piece, Fix.TRACKED, told=True)
    return (PUBLIC,) if scene.is_duel and told else ()


def _owner_for_each(*fixes: Fix) -> Reading:
    """Return the owner once for each side of whose hold it was told."""

    def reading(scene: Scene) -> Iterable[Audience]:
        told = holders(scene.before, scene.event.piece, *fixes, told=True)
        return [audience for _ in told for audience in owner(scene)]

    return reading


def _owner_for_others(scene: Scene) -> Iterable[Audience]:
    return [audience for _ in others(scene) for audience in owner(scene)]


def _had_coasted(scene: Scene) -> tuple[Side, ...]:
    return holders(scene.before, scene.event.piece, Fix.COASTING)


def _coasting(scene: Scene) -> Iterable[Audience]:
    return of(*_had_coasted(scene))


def _public_of_coasting(scene: Scene) -> Iterable[Audience]:
    return duel_public(scene) if _had_coasted(scene) else ()


def _named_had_coasted(scene: Scene) -> bool:
    return scene.event.side in _had_coasted(scene)


def _named_tracks(scene: Scene) -> bool:
    return scene.event.side in holders(scene.before, scene.event.piece, Fix.TRACKED)


FOLLOWED = both(_live, _public_of_live)


# Cloaks, hunts and fire.


def _is_found(scene: Scene) -> bool:
    return scene.event.fix is not None


def _is_detected(scene: Scene) -> bool:
    return scene.event.fix is Fix.DETECTED


def _is_solved(scene: Scene) -> bool:
    return scene.event.fix is Fix.SOLUTION


def _cloaks(scene: Scene) -> bool:
    return bool(scene.event.on)


def _vanishes(scene: Scene) -> Iterable[Audience]:
    return of(*holders(scene.before, scene.event.piece, *ANY_HOLD))


def _public_of_vanished(scene: Scene) -> Iterable[Audience]:
    told = holders(scene.before, scene.event.piece, *ANY_HOLD, told=True)
    return (PUBLIC,) if scene.is_duel and told else ()


def _destroyed_seen(scene: Scene) -> Iterable[Audience]:
    """Yield who held it, and the killers; of a cloaked ship the killers alone."""
    ship = scene.before.ships[scene.event.piece]
    held = () if ship.cloaked else holders(scene.before, ship.id, *HELD_WELL)
    # Who held a landed ship as a token sees the token end.
    on_map = token_holders(scene.before, ship.id)
    killers = [side for side in scene.event.killers if side not in (ship.side, *on_map)]
    yield from of(*held, *killers)
    if scene.is_duel and (killers if ship.cloaked else _public_knows(scene, ship.id)):
        yield PUBLIC


def _public_knows(scene: Scene, piece: PieceId) -> bool:
    return bool(holders(scene.before, piece, *HELD_WELL, told=True))


def _is_in_play(scene: Scene) -> bool:
    return bool(scene.before.ships[scene.event.piece].in_play)


def _is_first_nova(scene: Scene) -> bool:
    """Return whether no other nova gun was fired this turn: nobody learns how many there were."""
    return all(nova.turn != scene.before.turn for nova in scene.before.novas)


def _shooter(scene: Scene) -> Iterable[Audience]:
    """Yield the shooter's side; of a nova gun's sweep only if it holds what was hit."""
    side = side_of(scene.before, scene.event.piece)
    target = scene.before.ships[scene.event.target]
    if scene.event.kind is not WeaponKind.NOVA or scene.before.holds_well(side, target):
        yield from of(side)


def _sees(truth: Truth, side: Side, place: Place) -> bool:
    """Return whether a side has an uncloaked ship in play in sight of a place."""
    return any(
        ship.in_play and not ship.cloaked and line_of_sight(truth.board, ship.place, place)
        for ship in truth.ships_of(side)
    )


def _witnesses(scene: Scene) -> Iterable[Audience]:
    """Yield the sides shot at directly, and all that have a ship in sight of the shooter."""
    shooter = scene.before.ships[scene.event.piece]
    shot_at = [
        side_of(scene.before, event.target)
        for event in scene.step
        if isinstance(event, ShotFired) and event.piece == shooter.id and event.kind not in UNSEEN
    ]
    enemies = scene.before.others(shooter.side)
    return of(
        *(side for side in enemies if side in shot_at or _sees(scene.before, side, shooter.place))
    )


def _no_witnesses(scene: Scene) -> Iterable[Audience]:
    witnesses = _witnesses(scene)
    return [audience for audience in others(scene) if audience not in witnesses]


def _watches(scene: Scene) -> bool:
    """Return whether an uncloaked powered ship of the side named sees it within 36 mu."""
    ship = scene.before.ships[scene.event.piece]
    return any(
        watcher.in_play
        and watcher.powered
        and not watcher.cloaked
        and within_mu(watcher.square.distance_squared(ship.square), WATCH_MU)
        and line_of_sight(scene.before.board, watcher.place, ship.place)
        for watcher in scene.before.ships_of(scene.event.side)
    )


def _holds_well(scene: Scene) -> bool:
    return scene.event.side in holders(scene.before, scene.event.piece, *HELD_WELL)


def _noticed(scene: Scene) -> Iterable[Audience]:
    """Yield a side for each of its pieces that noticed, the target's own notice left out."""
    return [
        audience
        for piece in scene.event.noticed
        if piece != scene.event.target
        for audience in of(side_of(scene.before, piece))
    ]


_AFTER_THE_END = ("hold", "survive", "lost")
"""Points that nobody is told before it: for what stands at the end, and for what others lost."""


def _scored(exactly: bool) -> Reading:
    def reading(scene: Scene) -> Iterable[Audience]:
        destroyed = scene.event.why == "destroy"
        is_sure = scene.is_duel or not destroyed or scene.event.at_most is None
        is_known = scene.event.is_known and scene.event.why not in _AFTER_THE_END
        return named(scene) if is_known and is_sure is exactly else ()

    return reading


_GIVEN_AWAY: dict[str, Reading] = {
    "Sighted": both(others, duel_public),
    "Followed": both(_coasting, _public_of_coasting),
    "Exposed": _owner_for_others,
}

SPACE: Readings = {
    "InitiativeRolled": {"InitiativeDrawn": everybody},
    "ShipMoved": {"Followed": FOLLOWED},
    "ShipLifted": {"Followed": FOLLOWED},
    "VolleyMoved": {"Followed": FOLLOWED},
    "ShipLanded": {
        "SeenLanding": FOLLOWED,
        "Exposed": _owner_for_each(Fix.TRACKED),
        "OwnTrackLost": _owner_for_each(Fix.TRACKED),
        "TruthGone": omni,
    },
    "ShipEscaped": {"OwnEscaped": owner, "Left": FOLLOWED, "TruthGone": omni},
    "CargoCollected": {"OwnCollected": owner, "TruthCollected": omni},
    "VolleyLaunched": {"OwnLaunched": lambda scene: of(scene.after.ships[scene.event.piece].side)},
    "FighterLaunched": {
        "OwnLaunched": lambda scene: of(scene.after.ships[scene.event.piece].side)
    },
    "ShipDestroyed": {"OwnDestroyed": owner, "SeenDestroyed": _destroyed_seen, "TruthGone": omni},
    "ScanDeclared": {"ScanAnswered": everybody},
    "ShipExamined": {"OwnInScan": owner},
    "ContactMade": {
        "Sighted": both(
            given(lambda scene: scene.options.contact_values == "no", named), duel_public
        ),
        "Sighted+signal": given(lambda scene: scene.options.contact_values == "yes", named),
        "Followed": given(_named_had_coasted, both(named, duel_public)),
        "Exposed": owner,
        "TruthHeld": omni,
    },
    "ShipTracked": {
        "Tracked": both(named, duel_public),
        "Exposed": owner,
        "OwnTracked": owner,
        "TruthHeld": omni,
    },
    "RadarGaveAway": {"RadarSeen": everybody, **_GIVEN_AWAY},
    "ScanFinished": {"ScanReported": owner},
    "TrackMissed": {"Coasted": given(_named_tracks, named), "TruthHeld": omni_if(_named_tracks)},
    "TrackEnded": {
        "Lost": both(named, duel_public),
        "Exposed": given(_is_in_play, owner),
        "OwnTrackLost": given(_is_in_play, owner),
        "TruthHeld": omni,
    },
    "CloakSwitched": {
        "Vanished": given(_cloaks, _vanishes),
        "Exposed": given(_cloaks, _owner_for_each(*ANY_HOLD)),
        "Lost": given(_cloaks, _public_of_vanished),
        "TruthCloak": omni,
    },
    "UncloakingSeen": {"Sighted": given(_watches, named), "TruthHeld": omni},
    "SweepDeclared": {"SweepSeen": everybody, **_GIVEN_AWAY},
    "SweepRolled": {"TruthHunt": omni},
    "PassiveRolled": {"TruthHunt": omni},
    "HuntStepped": {
        "Found": both(given(_is_detected, named), given(_is_found, duel_public)),
        "Found+type": given(_is_solved, named),
        "Counted": named,
        "OwnFound": given(_is_found, owner),
        "OwnCounted": owner,
        "TruthHeld": omni_if(_is_found),
    },
    "HuntEnded": {"TrailLost": named, "OwnTrailLost": owner},
    "SpaceJammed": {"JamSet": everybody},
    "JamEnded": {"JamOver": everybody},
    "CloakedFired": {
        "Found": both(named, duel_public),
        "OwnFound": owner,
        "OwnCounted": owner,
        "TruthHeld": omni,
    },
    "ShotFired": {"ShotReported": _shooter, "OwnHit": target, "TruthShot": omni},
    "NovaFired": {"NovaSeen": given(_is_first_nova, everybody)},
    "ShooterExposed": {
        "ShotSeen": everybody,
        "Located": _no_witnesses,
        "Recognised+type": _witnesses,
    },
    "LeechDrained": {"OwnDrained": owner},
    "PieceSpotted": {"Identified+type": given(_holds_well, named), "TruthIdentified": omni},
    "PieceProbed": {
        "Answered": asker(full=False),
        "Answered+dossier": asker(full=True),
        "OwnProbed": given(lambda scene: scene.event.by_probe, target),
        "ProbeSensed": _noticed,
        "TruthProbed": omni,
    },
    "SystemLost": {"OwnSystemLost": owner},
    "PointsScored": {
        "Scored+points": _scored(exactly=True),
        "Scored+at_most": _scored(exactly=False),
    },
    "SideWentOut": {"SideOut": everybody},
    "LossCounted": {"PieceLost": everybody},
    "TurnEnded": {"ContactsFaded": everybody},
}
"""The events of ships in space."""
