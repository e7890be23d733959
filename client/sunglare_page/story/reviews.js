// What locking now would lose and leave undone, as sentences: those of `sunglare_client/text/reviews.py`,
// which a test compares.

/** @import { Idle, Loss } from 'wire' */

import { printable } from './words.js';

/**
 * Return the sentence on one loss; it names the piece, and who is lost with it.
 * @param {Loss} loss
 */
export function lossLine(loss) {
  const piece = loss.weapon == null ? loss.piece : `The volley of ${loss.piece}.${loss.weapon}`;
  const aboard = loss.aboard?.length ? `, with ${loss.aboard.join(', ')} aboard` : '';
  return printable(`${piece} ${ENDS[loss.kind](loss)}${aboard}.`);
}

/** @param {Loss} loss */
const where = ({ square }) => (square ? ` at ${square.join(',')}` : '');

/** @type {Record<Loss['kind'], (loss: Loss) => string>} */
const ENDS = {
  leaves_map: (loss) => `leaves the map${loss.edge ? ` over the ${loss.edge} edge` : ''}${where(loss)} and is lost`,
  strikes_body: (loss) =>
    `strikes ${loss.body}${where(loss)}${loss.pulled ? ', pulled there by its gravity' : ''} and is lost`,
  lost_next_turn: (loss) =>
    `${loss.body == null ? 'leaves the map' : `strikes ${loss.body}`} in turn ${loss.turn}, whatever it does then`,
  not_deployed: (loss) => `is not deployed: it starts${where(loss)}, where the dice have put it`,
  not_stationed: () => 'is not stationed: it stays where it was put',
};

/** @type {Record<string, string>} */
const NO_ORDER = { scan: 'could scan:', detect: 'could request data:' };

/**
 * Return what is left undone, one line for each kind.
 * @param {Idle[]} idle
 * @param {string} phase
 * @param {Map<string, string>} labels
 * @returns {string[]}
 */
export function idleLines(idle, phase, labels) {
  const sentences = {
    no_order: NO_ORDER[phase] ?? 'without an order:',
    no_sensor: 'will have no sensor that works:',
    weapon_unused: 'in reach and unused:',
  };
  return Object.entries(sentences).flatMap(([kind, sentence]) => {
    const names = idle.filter((one) => one.kind === kind).map((one) => idleName(one, labels));
    return names.length ? [printable(`${sentence} ${names.join(', ')}`)] : [];
  });
}

/**
 * @param {Idle} idle
 * @param {Map<string, string>} labels
 */
function idleName({ piece, weapon, at, kind, folded }, labels) {
  const label = at == null ? null : (labels.get(at) ?? at);
  const how = label !== null && kind === 'no_order' ? `probe ${piece} ${label}` : label;
  return [weapon == null ? piece : `${piece}.${weapon}`, how !== null && `(${how})`, folded && '(its sensors are folded)']
    .filter(Boolean)
    .join(' ');
}
