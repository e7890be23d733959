"""Who is due to learn of what happens on the ground: a second reading of those rows of the ledger.

Source: blips §1 to §4, capital §2 and §3, search §2 and §3, turn §1 and §6 of our rule book.
"""

from collections.abc import Iterable

from second_reading.dueparts import (
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
    owner,
    side_of,
    target,
    token_holders,
)
from sunglare_protocol.ids import Audience, Side
from sunglare_protocol.notices.ground import TokenEnd
from sunglare_protocol.surface import Arm
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_rules.search.agents import InOrbit, OnGround
from sunglare_server.match.ids import PieceId

# Surface maps.


def _is_as_told(scene: Scene) -> bool:
    """Return whether the sides named are those with troops in the open, and how long alone."""
    event, truth = scene.event, scene.before
    shown = [
        side
        for side in truth.sides
        if any(
            unit.site == event.site and unit.in_play and not unit.is_remote and not unit.hidden
            for unit in truth.ground_of(side)
        )
    ]
    was = [one.turns for one in truth.occupiers if (one.site, [one.side]) == (event.site, shown)]
    turns = sum(was) + 1 if len(shown) == 1 else 0
    return (list(event.sides), event.turns) == (shown, turns)


def _token_holders(scene: Scene) -> Iterable[Audience]:
    return of(*token_holders(scene.before, scene.event.piece))


def _had_token(scene: Scene) -> bool:
    return scene.event.side in token_holders(scene.before, scene.event.piece)


def _has_no_token(scene: Scene) -> bool:
    return not _had_token(scene)


def _sees_map(scene: Scene) -> bool:
    """Return whether the side named sees the map on which the piece stands after the event."""
    stands = scene.after.stands(scene.event.piece)
    return stands is not None and stands[0] in scene.after.surface.maps_of(scene.event.side)


def _entered(scene: Scene) -> bool:
    return bool(scene.event.cells)


def _lifts_off(scene: Scene) -> bool:
    return scene.event.how is TokenEnd.LIFTED


def _pieces(scene: Scene, pieces: Iterable[PieceId]) -> list[Audience]:
    """Return the owners of pieces, one for each of them."""
    return [audience for piece in pieces for audience in of(side_of(scene.before, piece))]


def _near(scene: Scene) -> Iterable[Audience]:
    return _pieces(scene, [noticed.piece for noticed in scene.event.noticed])


def _bystanders(scene: Scene) -> Iterable[Audience]:
    pieces = [noticed.piece for noticed in scene.event.noticed]
    return _pieces(scene, [piece for piece in pieces if piece != scene.event.target])


def _probed(scene: Scene) -> Iterable[Audience]:
    return target(scene) if scene.event.by_probe else ()


def _heard(scene: Scene) -> Iterable[Audience]:
    is_indirect = scene.event.kind is Arm.INDIRECT
    return of(*scene.event.heard) if is_indirect else ()


# Capital fire.


def _coasts_for_named(scene: Scene) -> bool:
    return scene.event.side in holders(scene.before, scene.event.piece, Fix.COASTING)


def _witnesses(scene: Scene) -> Iterable[Audience]:
    return of(*scene.event.witnesses)


def _no_witnesses(scene: Scene) -> Iterable[Audience]:
    mine = side_of(scene.before, scene.event.piece)
    others = [side for side in scene.before.sides if side != mine]
    return of(*(side for side in others if side not in scene.event.witnesses))


def _sender(scene: Scene) -> Iterable[Audience]:
    return of(scene.event.flight.side)


def _blasted(scene: Scene) -> Iterable[Audience]:
    return _pieces(scene, [harmed.piece for harmed in scene.event.harmed])


def _saw_blast(scene: Scene) -> Iterable[Audience]:
    return of(*scene.event.heard)


# Agents.


def _holds_it(scene: Scene) -> bool:
    """Return whether the side named still holds the ship; a lost one takes its alert with it."""
    return scene.event.piece in scene.before.holds[scene.event.side]


def _agent_owner(scene: Scene) -> Iterable[Audience]:
    return of(side_of(scene.before, scene.event.piece))


def _enemies_of_alert(scene: Scene) -> Iterable[Audience]:
    """Yield every enemy side, and the public of two sides; of ships another event tells."""
    if not isinstance(scene.event.alert.place, OnGround | InOrbit):
        return
    yield from of(*(side for side in scene.before.sides if side != scene.event.alert.owner))
    yield from duel_public(scene)


def _searched(scene: Scene) -> Iterable[Audience]:
    return of(scene.event.owner) if scene.event.value >= 1 else ()


def _is_found(scene: Scene) -> bool:
    return bool(scene.event.found)


def _struck(scene: Scene) -> Iterable[Audience]:
    sent = scene.event.soldier is not None or scene.event.sent
    return named(scene) if sent else ()


def _search_owner(scene: Scene) -> Iterable[Audience]:
    return of(scene.event.owner)


def _is_lost(scene: Scene) -> bool:
    return scene.event.fate is Fate.DESTROYED


def _unit_lost(scene: Scene) -> bool:
    return _is_lost(scene) and scene.event.piece in scene.before.ground


def _agent_lost(scene: Scene) -> bool:
    return _is_lost(scene) and scene.event.piece in scene.before.agents


def _keeper(scene: Scene) -> Side:
    """Return whose the one is who carries an item before it is dropped."""
    carrier = scene.before.search.items[scene.event.item].carrier
    assert carrier is not None
    return side_of(scene.before, carrier)


def _taker(scene: Scene) -> Iterable[Audience]:
    return of(side_of(scene.before, scene.event.carrier))


GROUND: Readings = {
    "UnitMoved": {
        "TokenMoved": given(_entered, _token_holders),
        "OwnHalted": given(lambda scene: scene.event.fault is not None, owner),
    },
    "UnitUncovered": {"OwnEmerged": owner},
    "MapOpened": {"MapShown": named},
    "MapClosed": {"MapHidden": named},
    "TokenGained": {
        "TokenShown": given(_sees_map, given(lambda scene: not scene.event.identified, named)),
        "TokenShown+type": given(_sees_map, given(lambda scene: scene.event.identified, named)),
        "TruthToken": omni,
    },
    "TokenEnded": {
        "TokenTaken": given(lambda scene: not _lifts_off(scene), named),
        "TokenTaken+type": given(_lifts_off, named),
        "TruthToken": omni,
    },
    "PieceIdentified": {
        "TokenNamed+type": given(_had_token, named),
        "OwnIdentified": given(lambda scene: scene.event.is_told, owner),
        "TruthToken": omni,
    },
    "MapOverflown": {"OwnOverflown": lambda scene: of(scene.event.owner)},
    "HiddenExposed": {
        "TokenShown+type": given(_has_no_token, named),
        "TokenNamed+type": given(_had_token, named),
        "OwnUncovered": owner,
        "TruthToken": omni,
    },
    "TokenProbed": {
        "TokenAnswered": asker(full=False),
        "TokenAnswered+dossier": asker(full=True),
        "OwnProbed": _probed,
        "ProbeSensed": _bystanders,
        "TruthProbed": omni,
    },
    "AttackerRevealed": {
        "TokenShown+type": given(_has_no_token, given(_sees_map, named)),
        "TokenNamed+type": given(_had_token, named),
    },
    "GroundShotFired": {
        "GroundShotReported": owner,
        "OwnGroundHit": target,
        "ImpactSeen": _heard,
        "TruthShot": omni,
    },
    "UnitDestroyed": {"OwnDestroyed": owner, "TruthGone": omni},
    "TakenAlong": {
        "OwnDestroyed": given(_unit_lost, owner),
        "OwnKilled": given(_agent_lost, owner),
        "TruthGone": omni_if(_is_lost),
    },
    "FighterOverflew": {"Overflown+type": named, "Followed": given(_coasts_for_named, named)},
    "PointDesignated": {"OwnDesignated": owner, "OwnNoticed": _near, "TruthDesignated": omni},
    "BatteryFired": {"ShotReported": owner, "OwnShelled": target, "TruthShot": omni},
    "BatteryExposed": {
        "ShotSeen": everybody,
        "Located": _no_witnesses,
        "Recognised+type": _witnesses,
    },
    "MissileSent": {"OwnMissileSent": _sender, "OwnNoticed": _near, "TruthMissile": omni},
    "PointStruck": {
        "BlastReported": named,
        "BlastSeen": _saw_blast,
        "OwnBlasted": _blasted,
        "TruthBlast": omni,
    },
    "OccupationCounted": {"Occupation": given(_is_as_told, everybody)},
}
"""The events of ground units and of capital fire."""

AGENTS: Readings = {
    "FlagSet": {"OwnDetected": _agent_owner, "TruthAgents": omni},
    "FlagCleared": {"OwnShaken": _agent_owner, "TruthAgents": omni},
    "AlertRaised": {"Alerted": _enemies_of_alert},
    "AlertEnded": {"Alerted": _enemies_of_alert},
    "ShipAlertRaised": {"ShipAlerted": both(named, duel_public)},
    "ShipAlertEnded": {"ShipAlerted": given(_holds_it, both(named, duel_public))},
    "StepFailed": {"OwnStepFailed": _agent_owner},
    "AgentStranded": {"OwnStranded": _agent_owner},
    "SearchTried": {
        "SearchResult": named,
        "AgentsFound": given(_is_found, named),
        "OwnSearched": _searched,
        "TruthAgents": omni,
    },
    "FightFought": {"StrikeResult": _struck, "OwnStruck": _search_owner, "TruthAgents": omni},
    "AgentKilled": {"OwnKilled": _agent_owner, "TruthAgents": omni},
    "MissionTried": {
        "MissionResult": lambda scene: _pieces(scene, scene.event.plan.members[:1]),
        "TruthAgents": omni,
    },
    "UnitsSpied": {"TroopsSpied": named},
    "UnitSabotaged": {"OwnSabotaged": owner, "TruthAgents": omni},
    "ItemTaken": {"ItemMoved": _taker},
    "ItemDropped": {"ItemMoved": lambda scene: of(_keeper(scene))},
    "Delivered": {"ItemMoved": named, "TruthAgents": omni},
    "AgentFreed": {"OwnFreed": _agent_owner, "TruthAgents": omni},
}
"""The events of characters, their searches and their missions."""
