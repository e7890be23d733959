// What happened to agents and in searches, in sentences, as
// `sunglare_client/text/notices/agents.py` has them, which a test compares.

import { siteName, spoken } from './words.js';

const CAUSES = {
  tracked: 'its ship is tracked',
  mission: 'an event of the mission',
  troops: 'he stands with troops',
  shuttle: 'he landed by shuttle',
  company: 'a friend nearby is detected',
  return: 'it came back',
};

const OUTCOMES = {
  broken_off: 'they broke off',
  attackers_gone: 'the attackers are gone',
  defenders_gone: 'the defenders are gone',
  both_gone: 'nobody is left',
  time: 'neither side gave in',
};

/** What is told of agents, whoever it is told to. */
export const AGENTS = {
  alert: (n) =>
    `${n.over ? 'no more ALERT: no agents' : 'ALERT: agents'} of ${n.side} near ${placeWords(n.planet, n.environs)}`,
  ship_alert: (n) => `${n.over ? 'no more agents' : 'ALERT: agents'} near ${n.label}`,
  search_result: (n) =>
    `your search for agents of ${n.side} at ${siteName(n.site)}, value ${n.value}` +
    `${n.event ? ' (an event called for it)' : ''}: ${n.found ? 'FOUND' : 'not found'}`,
  strike_result: (n) =>
    `fight at ${siteName(n.site)}: ${attackers(n, `your ${(n.sent ?? []).join(', ')}`, n.own_fallen)}; ` +
    `${OUTCOMES[n.outcome]}${list('killed:', n.fallen)}${list('escaped:', n.escaped)}`,
  spied: (n) => `your spies know ${n.units} units at ${siteName(n.site)}`,
  own_detected: (n) => `your ${n.ship} is DETECTED: ${CAUSES[n.cause]}`,
  own_shaken: (n) => `your ${n.ship} has shaken its detection off at ${n.planet}`,
  own_searched: (n) =>
    `${n.side} searched ${siteName(n.site)}${n.event ? ' after your mission' : ''} and ` +
    (n.found?.length ? `FOUND ${n.found.join(', ')}` : 'found nobody'),
  own_struck: (n) =>
    `fight at ${siteName(n.site)} against ${attackers(n, `${(n.by ?? []).join(', ')} of ${n.side}`, n.beaten)}; ` +
    `${OUTCOMES[n.outcome]}${list('you lost', n.fallen)}${list('away:', n.escaped)}`,
  own_killed: (n) => `your ${n.ship} is DEAD`,
  own_step_failed: (n) => `your ${n.ship} could not: ${spoken(n.why)}`,
  own_stranded: (n) => `the troops around your ${n.ship} are gone; he stands alone`,
  mission_result: (n) => `the ${n.kind} mission of ${n.ship} ${n.success ? 'SUCCEEDED' : 'failed'}`,
  own_sabotaged: (n) =>
    `your ${n.ship} was sabotaged: ${n.silent ? 'its weapons are silent' : `${n.damage ?? 0} damage`}`,
  own_freed: (n) => `your ${n.ship} is free`,
  item: itemText,
  truth_agents: (n) => `${n.side}${n.piece ? `.${n.piece}` : ''}: ${n.what ?? ''}`,
};

function placeWords(planet, environs) {
  return environs == null ? `the orbit of ${planet}` : `${planet} ${environs}`;
}

function itemText(n) {
  if (n.carrier) return `${n.carrier} has the ${n.name}`;
  if (n.delivered) return `${n.name} is DELIVERED`;
  return `the ${n.name} lies ${n.site ? siteName(n.site) : 'somewhere'}`;
}

/** Return who attacked and what it cost them: a patrol, or these agents. */
function attackers(n, agents, fallen) {
  if (n.soldier) return `a patrol of ${n.soldiers ?? 0} ${n.soldier} soldiers, ${n.lost ?? 0} lost`;
  return fallen?.length ? `${agents}, ${fallen.join(', ')} fell` : agents;
}

function list(what, names) {
  return names?.length ? `; ${what} ${names.join(', ')}` : '';
}
