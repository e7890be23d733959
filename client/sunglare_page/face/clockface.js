// The clock of a seat: the time that its window has left, written once a second.

/** @import { SeatPort } from '../seat/seat.js' */

import { found } from './dom.js';

const TICK_MS = 1000;

/** Shows the time that is left. */
export class ClockFace {
  /** @type {number | undefined} */
  #timer;

  /**
   * Show the clock of a seat from now on.
   * @param {SeatPort} seat
   */
  show(seat) {
    this.stop();
    const { closesAt, bankMs, over, frame } = seat;
    const left = closesAt === null ? null : Math.max(0, closesAt - performance.now());
    found('clock').textContent = over || !frame ? '' : left === null ? 'paused' : clockText(left, bankMs);
    if (left) this.#timer = setTimeout(() => this.show(seat), left % TICK_MS || TICK_MS);
  }

  stop() {
    clearTimeout(this.#timer);
  }
}

/**
 * Return the time that is left as a sentence; null while the match is paused.
 * @param {number | null} leftMs
 */
export function clockWords(leftMs, bankMs = 0) {
  if (leftMs === null) return 'The match is paused: the clock stands still.';
  const bank = bankMs ? `, bank ${Math.floor(bankMs / 1000)} s` : '';
  return `The window closes in ${Math.max(0, Math.round(leftMs / 1000))} s${bank}.`;
}

/**
 * Return the time that is left as minutes and seconds, and the bank, if there is one.
 * @param {number} leftMs
 */
export function clockText(leftMs, bankMs = 0) {
  const seconds = Math.ceil(leftMs / 1000);
  const bank = bankMs ? ` +${Math.floor(bankMs / 1000)} s in the bank` : '';
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}${bank}`;
}
