// The sentence of each kind of notice, for the page and the terminal: JSON, but for this line and the next words.
export default {
  "words": {
    "answer": {
      "not_requested": "nothing was asked",
      "illegal": "the request cannot be made",
      "out_of_reach": "it is out of reach",
      "inconclusive": "the sweep cannot make out any details",
      "full": "all is told"
    },
    "cause": {
      "tracked": "its ship is tracked",
      "mission": "an event of the mission",
      "troops": "he stands with troops",
      "shuttle": "he landed by shuttle",
      "company": "a friend nearby is detected",
      "return": "it came back"
    },
    "fight": {
      "broken_off": "they broke off",
      "attackers_gone": "the attackers are gone",
      "defenders_gone": "the defenders are gone",
      "both_gone": "nobody is left",
      "time": "neither side gave in"
    },
    "halt": {
      "terrain": "the terrain stops it",
      "no_ship": "the ship is not there"
    },
    "token_end": {
      "left": "is gone from the map",
      "lifted": "lifts off",
      "destroyed": "is DESTROYED",
      "unseen": "is out of your sight"
    }
  },
  "parts": {
    "answers": "glare? [glare?yes|no] | from or touching a well? [from_well?from within[touches_well? and touches]|[touches_well?touches|no]] | blocked: [from_well?{blocked|blocked}|[touches_well?{blocked|blocked}|not asked]]"
  },
  "sentences": {
    "initiative": "initiative: {order|before}; scans go the other way round",
    "scan": "{side} scans {type} {size} at {at|aim}, strength {strength|signed} | {answers|answers} | -> {effective|signed}",
    "radar": "a radar gave its ship away at {square|place}",
    "shot": "a shot gave the ship that fired away at {square|place}",
    "nova": "a NOVA GUN was fired: no passive detection up to turn {until}",
    "side_out": "side {side} has no piece left",
    "piece_lost": "side {side} has lost {piece}: turn {turns} of {ends_after} before the match ends",
    "occupation": "{site|site}: [sides?[turns?side {sides|and} alone stands there openly, turn {turns}[ends_after? of {ends_after} before the match ends]|sides {sides|and} stand there openly]|no side stands there openly]",
    "sweep": "a sweep gave its ship away at {square|place}",
    "jam": "space is JAMMED: nobody hears cloaked ships up to turn {until}",
    "jam_over": "space is jammed no longer",

    "result": "your scan by {ship} found [found?{found|contacts}, {tracked|length} tracked[roll??, Sense roll {roll}]|nothing]",
    "contact": "CONTACT {label} at {square|place}[signatures? by {signatures|and}]",
    "track": "TRACKED {label} at {square|place}",
    "coasts": "COASTING {label}: missed; its last place stands for now",
    "lost": "LOST {label}: only the memory is left",
    "cloaked": "{label} has CLOAKED; only the memory is left",
    "found": "{fix|upper} {label}, a cloaked ship, at {square|place}",
    "cold": "the trail of {label} is cold; only the memory is left",
    "left": "{label} left the map",
    "landed": "{label} landed on {body}, sector {sector}",
    "destroyed": "{label} is DESTROYED",
    "shooter": "{label} at {square|place} fired: side {side}, {type}",
    "shot_result": "{ship}.{weapon} at {at}[arc? through the {arc|spoken} arc] [damage?hits for {damage}|misses][dice? (dice {dice|row})][stopped?; point defence stops {stopped}]",
    "identified": "IDENTIFIED {label}: side {side}, {type}",
    "data_scan": "{ship} [dossier?SCANNED {at}: {dossier.variant}, damage {dossier.damage|count}, heat {dossier.heat|count}, move {dossier.move|count}[dossier.ecm??, jammer [dossier.ecm?on|off]]|asks about {at}: {outcome|answer}]",

    "own_in_scan": "your {ship} lay in a scan of {side}[signal?? with signal {signal|signed}], [signatures?given away by {signatures|and}|not noticed]",
    "own_tracked": "your {ship} is TRACKED by {side}",
    "own_track_lost": "your {ship} is no longer tracked by {side}",
    "own_found": "your {ship} is found under its cloak: {fix|upper}",
    "own_hit": "your {ship} is fired at ({weapon|spoken}) and takes {damage} damage[spent?; point defence spends {spent}][stopped?; point defence stops {stopped}]",
    "own_drained": "your {ship} takes {damage} damage from leeches",
    "own_launched": "your {ship} launches {piece}, [missiles?a volley of {missiles}|a flight of fighters]",
    "own_system_lost": "your {ship} loses a system: {system|spoken}",
    "own_destroyed": "your [cause=lost?sensor {ship} is silent: LOST|{ship} is DESTROYED ({cause})]",
    "own_escaped": "your {ship} left the map over the {edge} edge",
    "own_collected": "your {ship} collects what lies at {body}",
    "own_probed": "your {ship} is PROBED from {bearing|bearing}",
    "probe_sensed": "your {ship} notices a probe at work, {bearing|bearing}",

    "truth_held": "{side}: {fix|upper} {owner}.{piece} at {square|place}[signatures? by {signatures|and}][roll??, Sense roll {roll}]",
    "truth_shot": "{side}.{ship}.{weapon} fires at {owner}.{target}[arc? through the {arc|spoken} arc]: [damage?HITS for {damage}|misses][dice? (dice {dice|row})]",
    "truth_identified": "{side}: IDENTIFIED {owner}.{piece} by {methods|both}",
    "truth_probed": "{side}.{ship} asks about {owner}.{target}[by_probe? by probe]: {outcome|answer}",
    "truth_collected": "{side}.{piece} collects what lies at {body}",
    "truth_gone": "{side}.{piece} is out: {cause}",
    "truth_cloak": "{side}.{ship} [on?CLOAKS|uncloaks]",
    "truth_hunt": "{side}.{ship} [sweep?sweeps|listens]: finds [found?{found|pieces}|nobody][dice? (dice {dice|row})]",

    "map_seen": "you see the surface of {site|site} from now on",
    "map_lost": "you no longer see the surface of {site|site}",
    "token": "TOKEN {label} on {site|site} {cell|cell}[type??: side {side}, {type}]",
    "token_identified": "IDENTIFIED {label}[type??: side {side}, {type}]",
    "token_gone": "{label} {how|token_end}[type??: side {side}, {type}]",
    "fighter": "FIGHTER {label} overhead at {square|square}: side {side}, {type}",
    "ground_shot": "{ship}.{weapon} at {at} [damage?hits for {damage}|misses] (dice {dice|row})",
    "impact": "fire comes down on {site|site} {cell|cell}",
    "bombardment": "{ship}.{weapon} comes down [point?on {site|site} {point|point}|off the map] (dice {dice|row})[point?[harmed?{harmed|harm damage}]]",
    "blast": "capital fire comes down on {site|site} {point|point}",

    "own_halted": "your {ship} halts on {cell|cell}: {why|halt}",
    "own_emerged": "your {ship} steps out of hiding and [identified?is SHOWN for what it is|is a token]",
    "own_identified": "your {ship} is IDENTIFIED",
    "own_overflown": "FIGHTER of side {side} over {site|site}: your {ships|list} IDENTIFIED",
    "own_uncovered": "your {ship} is found in its hiding place",
    "own_ground_hit": "your {ship} on {site|site} {cell|cell} is attacked ({weapon|spoken}) and takes {damage} damage",
    "own_shelled": "your {ship} is fired at from the ground ({weapon|spoken}) and takes {damage} damage[spent?; point defence spends {spent}][stopped? and stops the missile]",
    "own_blasted": "your {ship} takes {damage} damage from a blast at {site|site} {point|point}",
    "own_designated": "your {ship} has its beam on {site|site} {cell|cell}",
    "own_missile": "your {ship}.{weapon} sends a missile to {at|site} {cell|cell}; it lands in turn {lands}",
    "emission": "your {ship} notices an emission, {bearing|bearing}",

    "truth_token": "{side}: {how|upper} {owner}.{piece} on the surface",
    "truth_tag": "{side}.{ship} has its beam on {at|site} {cell|cell}",
    "truth_missile": "{side}.{ship}.{weapon} sends a missile to {at|site} {cell|cell}, turn {lands}",
    "truth_blast": "{side}.{ship}.{weapon} [point?strikes {site|site} {point|point}|fires at the ground and off the map] (dice {dice|row})",

    "alert": "[over?no more ALERT: no agents|ALERT: agents] of {side} near [environs??{planet} {environs}|the orbit of {planet}]",
    "ship_alert": "[over?no more agents|ALERT: agents] near {label}",
    "search_result": "your search for agents of {side} at {site|site}, value {value}[event? (an event called for it)]: [found?FOUND|not found]",
    "strike_result": "fight at {site|site}: [soldier?a patrol of {soldiers|soldiers} ({soldier}), {lost|count} lost|your {sent|list}[own_fallen?, {own_fallen|list} fell]]; {outcome|fight}[fallen?; killed: {fallen|list}][escaped?; escaped: {escaped|list}]",
    "spied": "your spies know {units} units at {site|site}",

    "own_detected": "your {ship} is DETECTED: {cause|cause}",
    "own_shaken": "your {ship} has shaken its detection off at {planet}",
    "own_searched": "{side} searched {site|site}[event? after your mission] and [found?FOUND {found|list}|found nobody]",
    "own_struck": "fight at {site|site} against [soldier?a patrol of {soldiers|soldiers} ({soldier}), {lost|count} lost|{by|list} of {side}[beaten?, {beaten|list} fell]]; {outcome|fight}[fallen?; you lost {fallen|list}][escaped?; away: {escaped|list}]",
    "own_killed": "your {ship} is DEAD",

    "own_step_failed": "your {ship} could not: {why|spoken}",
    "own_stranded": "the troops around your {ship} are gone; he stands alone",
    "mission_result": "the {kind} mission of {ship} [success?SUCCEEDED|failed]",
    "own_sabotaged": "your {ship} was sabotaged: [silent?its weapons are silent|{damage|count} damage]",
    "own_freed": "your {ship} is free",
    "item": "[carrier??{carrier} has the {name}|[delivered?{name} is DELIVERED|the {name} lies [site?{site|site}|somewhere]]]",

    "truth_agents": "{side}[piece??.{piece}]: {what}"
  }
}
