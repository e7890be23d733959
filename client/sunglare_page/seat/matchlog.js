// The log of a match, for `sunglare verify --mine`: what this seat pledged, revealed and was sent, as hashes
// and without a view. As `sunglare_client/link/matchlog.py`; kept in this browser, the newest ones alone.

/** @import { Frame, Over, Resumed, Seated } from 'wire' */

import { CHAIN_START, hexadecimal, linkOf } from './seals.js';

const VERSION = 3;
const NAMES_KEY = 'sunglare-logs';
const KEPT_MOST = 20;

/** Keeps the log of one match. */
export class MatchLog {
  #name;
  /** @type {string[]} */
  #lines = [];
  /** @type {Uint8Array} the chain up to the newest frame, and the frame with which it begins */
  #chain = CHAIN_START;
  #since = 1;

  /** @param {string} match */
  constructor(match) {
    this.#name = `sunglare-log-${match}`;
    this.#lines = kept(this.#name)?.split('\n').filter(Boolean) ?? [];
    remember(this.#name);
  }

  /** Return all lines, as the file has them. */
  get text() {
    return this.#lines.map((line) => `${line}\n`).join('');
  }

  /**
   * Note what is about to be pledged with `join`, or with `ready` after that.
   * @param {string} pledge
   */
  pledged(pledge, again = false) {
    this.#add({ t: 'pledge', pledge, ...(again ? { again } : {}) });
  }

  /**
   * Note that this page took the seat.
   * @param {Seated | Resumed} taken
   */
  seated(taken) {
    const told = taken.t === 'seated' ? { commitment: taken.commitment } : {};
    this.#add({ t: 'seat', version: VERSION, match: taken.match, side: taken.side, ...told });
  }

  /**
   * Note the entropy that is about to be revealed, and what others have pledged until then.
   * @param {string} entropy in hexadecimal digits
   * @param {Record<string, string>} pledges by side
   */
  revealed(entropy, pledges) {
    this.#add({ t: 'reveal', entropy, pledges });
  }

  /**
   * Note a frame; one that follows no other post begins a new chain.
   * @param {Frame} frame
   * @param {boolean} isNext
   */
  folded(frame, isNext) {
    if (!isNext) [this.#chain, this.#since] = [CHAIN_START, frame.seq];
    this.#chain = linkOf(this.#chain, frame);
    const chain = hexadecimal(this.#chain);
    this.#add({ t: 'frame', seq: frame.seq, window: frame.window, chain, since: this.#since });
  }

  /**
   * Note the end.
   * @param {Over} over
   */
  ended({ seq, seed, head }) {
    this.#add({ t: 'over', seq, seed, head });
  }

  /** @param {object} line */
  #add(line) {
    this.#lines.push(JSON.stringify(line));
    keep(this.#name, this.text);
  }
}

/**
 * Return what this browser keeps under a name; nothing where it keeps nothing.
 * @param {string} name
 */
function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {string} text
 */
function keep(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch {
    // Without a store, or with a full one, the log lasts as long as the page.
  }
}

/**
 * Note that there is a log of this name, and drop the oldest of too many.
 * @param {string} name
 */
function remember(name) {
  const others = (kept(NAMES_KEY) ?? '').split(' ').filter((one) => one && one !== name);
  const names = [...others, name];
  for (const old of names.splice(0, Math.max(0, names.length - KEPT_MOST))) keep(old, '');
  keep(NAMES_KEY, names.join(' '));
}
