// The earliest moment of a lock, so that haste tells no other side what one holds. As
// `sunglare_client/terminal/pacing.py`, by PROTOCOL ("Haste tells"): drawn when the window opens, before
// anything is known of its view.

const EARLIEST_MS = 1000;
const LATEST_MS = 3000;

/**
 * The free time of DETECT and of ENGAGE in ms, with clocks on the beat; with others no lock waits.
 * @type {Record<string, number>}
 */
const BASES_MS = { blitz: 6000, standard: 15_000, friendly: 30_000, correspondence: 43_200_000 };

const WATCHED = ['detect', 'engage'];

/**
 * Return how long after the opening of a window a lock waits at least, in ms.
 * @param {string} clock
 * @param {() => number} random from 0 to below 1
 * @returns {number}
 */
export function earliestMs(clock, random = fairDice) {
  const base = BASES_MS[clock];
  if (base === undefined) return 0;
  const latest = Math.min(base / 2, LATEST_MS);
  return Math.min(EARLIEST_MS, latest) + random() * Math.max(latest - EARLIEST_MS, 0);
}

/**
 * Return whether a lock of a window has to wait: one that is passed by itself always has.
 * @param {string} phase
 * @param {boolean} isPassed
 */
export function waits(phase, isPassed) {
  return isPassed || WATCHED.includes(phase);
}

/** Return a number from 0 to below 1 that no other party can predict. */
function fairDice() {
  return crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32;
}
