// Playing on: the line for a terminal that opens the turn that is shown as a new match.

import { found } from './dom.js';

/**
 * Return that line, for the server from which the page comes; a private match takes its code.
 * @param {string} match
 * @param {number} turn
 * @param {Pick<Location, 'protocol' | 'host'>} server
 */
export function lineToPlayOn(match, turn, { protocol, host }, code = '') {
  const url = `${protocol === 'https:' ? 'wss' : 'ws'}://${host}`;
  const where = url === 'ws://127.0.0.1:8765' ? '' : ` --url ${url}`;
  return `sunglare play${where} --from ${match} --turn ${turn}${code ? ` --code ${code}` : ''}`;
}

/** @type {{match: string, turn: number, code: string}} */
let shown = { match: '', turn: 0, code: '' };

/** Return the turn that was noted last. */
export function shownTurn() {
  return shown;
}

/**
 * Note which turn is shown.
 * @param {string} match
 * @param {number} turn
 * @param {string} code
 */
export function tellOnward(match, turn, code) {
  shown = { match, turn, code };
  found('onward-turn').textContent = String(turn);
  found('onward-line').value = lineToPlayOn(match, turn, location, code);
}

/**
 * Offer the panel, closed, or offer it no more.
 * @param {boolean} isOffered
 */
export function offerOnward(isOffered) {
  found('play-on').hidden = !isOffered;
  open(false);
}

/** Open or close the panel, if it is offered. */
export function toggleOnward() {
  if (found('play-on').hidden) return;
  open(found('onward').hidden);
  if (!found('onward').hidden) found('onward-line').select();
}

/** @param {boolean} isOpen */
function open(isOpen) {
  found('onward').hidden = !isOpen;
  found('play-on').setAttribute('aria-expanded', String(isOpen));
}
