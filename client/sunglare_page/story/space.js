// What happened in space, in sentences: scans, contacts, shots, cloaks, blips. As
// `sunglare_client/text/notices/` has them, which a test compares.

import { bearingText, byText, diceText, placeText, signed, spoken, throughText } from './words.js';

const upper = (text) => text.toUpperCase();

/** What everybody is told. */
export const PUBLIC = {
  initiative: (n) => `initiative: ${n.order.join(' before ')}; scans go the other way round`,
  scan: scanText,
  radar: (n) => `a radar gave its ship away at ${placeText(n.square)}`,
  shot: (n) => `a shot gave the ship that fired away at ${placeText(n.square)}`,
  nova: (n) => `a NOVA GUN was fired: no passive detection up to turn ${n.until}`,
  side_out: (n) => `side ${n.side} has no piece left`,
  sweep: (n) => `a sweep gave its ship away at ${placeText(n.square)}`,
  jam: (n) => `space is JAMMED: nobody hears cloaked ships up to turn ${n.until}`,
  jam_over: () => 'space is jammed no longer',
};

/** What a side finds, and what becomes of foreign pieces. */
export const FOUND = {
  result: resultText,
  contact: (n) => `CONTACT ${n.label} at ${placeText(n.square)}${byText(n.signatures)}`,
  track: (n) => `TRACKED ${n.label} at ${placeText(n.square)}`,
  coasts: (n) => `COASTING ${n.label}: missed; its last place stands for now`,
  lost: (n) => `LOST ${n.label}: only the memory is left`,
  cloaked: (n) => `${n.label} has CLOAKED; only the memory is left`,
  found: (n) => `${upper(n.fix)} ${n.label}, a cloaked ship, at ${placeText(n.square)}`,
  cold: (n) => `the trail of ${n.label} is cold; only the memory is left`,
  left: (n) => `${n.label} left the map`,
  landed: (n) => `${n.label} landed on ${n.body}, sector ${n.sector}`,
  destroyed: (n) => `${n.label} is DESTROYED`,
  shooter: (n) => `${n.label} at ${placeText(n.square)} fired: side ${n.side}, ${n.type}`,
  shot_result: shotResultText,
  identified: (n) => `IDENTIFIED ${n.label}: side ${n.side}, ${n.type}`,
  data_scan: dataScanText,
};

/** What happens to own ships. */
export const OWN = {
  own_in_scan: inScanText,
  own_tracked: (n) => `your ${n.ship} is TRACKED by ${n.side}`,
  own_track_lost: (n) => `your ${n.ship} is no longer tracked by ${n.side}`,
  own_found: (n) => `your ${n.ship} is found under its cloak: ${upper(n.fix)}`,
  own_hit: hitText,
  own_drained: (n) => `your ${n.ship} takes ${n.damage} damage from leeches`,
  own_launched: (n) =>
    `your ${n.ship} launches ${n.piece}, ${n.missiles ? `a volley of ${n.missiles}` : 'a flight of fighters'}`,
  own_system_lost: (n) => `your ${n.ship} loses a system: ${n.system}`,
  own_destroyed: (n) =>
    n.cause === 'lost' ? `your sensor ${n.ship} is silent: LOST` : `your ${n.ship} is DESTROYED (${n.cause})`,
  own_escaped: (n) => `your ${n.ship} left the map over the ${n.edge} edge`,
  own_probed: (n) => `your ${n.ship} is PROBED from ${bearingText(n.bearing)}`,
  probe_sensed: (n) => `your ${n.ship} notices a probe at work, ${bearingText(n.bearing)}`,
};

/** What only the truth feed is told. */
export const TRUTH = {
  truth_held: heldText,
  truth_shot: truthShotText,
  truth_identified: (n) => `${n.side}: IDENTIFIED ${n.owner}.${n.piece} by ${n.methods.join(' and ')}`,
  truth_probed: (n) =>
    `${n.side}.${n.ship} asks about ${n.owner}.${n.target}${n.by_probe ? ' by probe' : ''}: ${OUTCOMES[n.outcome]}`,
  truth_gone: (n) => `${n.side}.${n.piece} is out: ${n.cause}`,
  truth_cloak: (n) => `${n.side}.${n.ship} ${n.on ? 'CLOAKS' : 'uncloaks'}`,
  truth_hunt: huntText,
};

const OUTCOMES = {
  not_requested: 'nothing was asked',
  illegal: 'the request cannot be made',
  out_of_reach: 'it is out of reach',
  inconclusive: 'the sweep cannot make out any details',
  full: 'all is told',
};

function scanText(n) {
  const at = typeof n.at === 'string' ? n.at : n.at.join(',');
  return [
    `${n.side} scans ${n.type} ${n.size} at ${at}, strength ${signed(n.strength)}`,
    `glare? ${n.answers.glare ? 'yes' : 'no'}`,
    `from or touching a well? ${wellText(n.answers)}`,
    `blocked: ${blockedText(n.answers)}`,
    `-> ${signed(n.effective)}`,
  ].join(' | ');
}

function wellText(answers) {
  const words = [];
  if (answers.from_well) words.push('from within');
  if (answers.touches_well) words.push('touches');
  return words.join(' and ') || 'no';
}

function blockedText(answers) {
  if (!answers.from_well && !answers.touches_well) return 'not asked';
  const parts = (answers.blocked ?? []).map((part) => `${part.near ? 'near' : 'far'} ${part.sector} of ${part.planet}`);
  return parts.join(', ') || 'nothing';
}

function resultText(n) {
  const found = n.found?.length ?? 0;
  if (!found) return `your scan by ${n.ship} found nothing`;
  const contacts = found === 1 ? '1 contact' : `${found} contacts`;
  const roll = n.roll == null ? '' : `, Sense roll ${n.roll}`;
  return `your scan by ${n.ship} found ${contacts}, ${n.tracked?.length ?? 0} tracked${roll}`;
}

function shotResultText(n) {
  const effect = n.damage ? `hits for ${n.damage}` : 'misses';
  return `${n.ship}.${n.weapon} at ${n.at}${throughText(n.arc)} ${effect}${diceText(n.dice)}${stoppedText(n.stopped)}`;
}

function dataScanText(n) {
  const found = n.dossier;
  if (!found) return `${n.ship} asks about ${n.at}: ${OUTCOMES[n.outcome]}`;
  const ecm = found.ecm == null ? '' : `, jammer ${found.ecm ? 'on' : 'off'}`;
  const state = `damage ${found.damage ?? 0}, heat ${found.heat ?? 0}, move ${found.move ?? 0}${ecm}`;
  return `${n.ship} SCANNED ${n.at}: ${found.variant}, ${state}`;
}

function inScanText(n) {
  const signal = n.signal == null ? '' : ` with signal ${signed(n.signal)}`;
  const given = n.signatures?.length ? `, given away${byText(n.signatures)}` : ', not noticed';
  return `your ${n.ship} lay in a scan of ${n.side}${signal}${given}`;
}

function hitText(n) {
  const met = n.spent ? `; point defence spends ${n.spent}` : '';
  return `your ${n.ship} is fired at (${spoken(n.weapon)}) and takes ${n.damage} damage${met}${stoppedText(n.stopped)}`;
}

function stoppedText(missiles) {
  return missiles ? `; point defence stops ${missiles}` : '';
}

function heldText(n) {
  const roll = n.roll == null ? '' : `, Sense roll ${n.roll}`;
  return `${n.side}: ${upper(n.fix)} ${n.owner}.${n.piece} at ${placeText(n.square)}${byText(n.signatures)}${roll}`;
}

function truthShotText(n) {
  const effect = n.damage ? `HITS for ${n.damage}` : 'misses';
  return `${n.side}.${n.ship}.${n.weapon} fires at ${n.owner}.${n.target}${throughText(n.arc)}: ${effect}${diceText(n.dice)}`;
}

function huntText(n) {
  const found = (n.found ?? []).map(([side, ship]) => `${side}.${ship}`).join(', ') || 'nobody';
  return `${n.side}.${n.ship} ${n.sweep ? 'sweeps' : 'listens'}: finds ${found}${diceText(n.dice)}`;
}
