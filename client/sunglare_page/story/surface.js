// What happened on surfaces and between them and space, in sentences, as
// `sunglare_client/text/notices/` has them, which a test compares.

import { bearingText, cellName, cellText, pointText, siteName, spoken } from './words.js';

const ENDS = {
  left: 'is gone from the map',
  lifted: 'lifts off',
  destroyed: 'is DESTROYED',
  unseen: 'is out of your sight',
};

const FAULTS = { terrain: 'the terrain stops it', no_ship: 'the ship is not there' };

const named = (n) => (n.type == null ? '' : `: side ${n.side}, ${n.type}`);

/** What looking at a surface brings, and what own fire does there. */
export const SURFACE_FOUND = {
  map_seen: (n) => `you see the surface of ${siteName(n.site)} from now on`,
  map_lost: (n) => `you no longer see the surface of ${siteName(n.site)}`,
  token: (n) => `TOKEN ${n.label} on ${cellText(n.site, n.cell)}${named(n)}`,
  token_identified: (n) => `IDENTIFIED ${n.label}${named(n)}`,
  token_gone: (n) => `${n.label} ${ENDS[n.how]}${named(n)}`,
  fighter: (n) => `FIGHTER ${n.label} overhead at ${n.square.join(',')}: side ${n.side}, ${n.type}`,
  ground_shot: (n) =>
    `${n.ship}.${n.weapon} at ${n.at} ${n.damage ? `hits for ${n.damage}` : 'misses'} (dice ${(n.dice ?? []).join(' ')})`,
  impact: (n) => `fire comes down on ${cellText(n.site, n.cell)}`,
  bombardment: bombardmentText,
  blast: (n) => `capital fire comes down on ${pointText(n.site, n.point)}`,
};

/** What happens to own pieces on a surface. */
export const SURFACE_OWN = {
  own_halted: (n) => `your ${n.ship} halts on ${cellName(n.cell)}: ${FAULTS[n.why]}`,
  own_emerged: (n) =>
    `your ${n.ship} steps out of hiding and ${n.identified ? 'is SHOWN for what it is' : 'is a token'}`,
  own_identified: (n) => `your ${n.ship} is IDENTIFIED`,
  own_overflown: (n) =>
    `FIGHTER of side ${n.side} over ${siteName(n.site)}: your ${n.ships.join(', ')} IDENTIFIED`,
  own_uncovered: (n) => `your ${n.ship} is found in its hiding place`,
  own_ground_hit: (n) =>
    `your ${n.ship} on ${cellText(n.site, n.cell)} is attacked (${spoken(n.weapon)}) and takes ${n.damage} damage`,
  own_shelled: shelledText,
  own_blasted: (n) => `your ${n.ship} takes ${n.damage} damage from a blast at ${pointText(n.site, n.point)}`,
  own_designated: (n) => `your ${n.ship} has its beam on ${cellText(n.site, n.cell)}`,
  own_missile: (n) =>
    `your ${n.ship}.${n.weapon} sends a missile to ${cellText(n.at, n.cell)}; it lands in turn ${n.lands}`,
  emission: (n) => `your ${n.ship} notices an emission, ${bearingText(n.bearing)}`,
};

/** What only the truth feed is told. */
export const SURFACE_TRUTH = {
  truth_token: (n) => `${n.side}: ${n.how.toUpperCase()} ${n.owner}.${n.piece} on the surface`,
  truth_tag: (n) => `${n.side}.${n.ship} has its beam on ${cellText(n.at, n.cell)}`,
  truth_missile: (n) =>
    `${n.side}.${n.ship}.${n.weapon} sends a missile to ${cellText(n.at, n.cell)}, turn ${n.lands}`,
  truth_blast: (n) => {
    const who = `${n.side}.${n.ship}.${n.weapon}`;
    const dice = ` (dice ${(n.dice ?? []).join(' ')})`;
    return n.point ? `${who} strikes ${pointText(n.site, n.point)}${dice}` : `${who} fires at the ground and off the map${dice}`;
  },
};

function bombardmentText(n) {
  const shot = `${n.ship}.${n.weapon}`;
  const dice = ` (dice ${(n.dice ?? []).join(' ')})`;
  if (!n.point) return `${shot} comes down off the map${dice}`;
  const harm = (n.harmed ?? []).map((handle, index) => `; ${handle} takes ${n.damage[index]}`).join('');
  return `${shot} comes down on ${pointText(n.site, n.point)}${dice}${harm}`;
}

function shelledText(n) {
  const met = n.spent ? `; point defence spends ${n.spent}` : '';
  const stopped = n.stopped ? ' and stops the missile' : '';
  return `your ${n.ship} is fired at from the ground (${spoken(n.weapon)}) and takes ${n.damage} damage${met}${stopped}`;
}
