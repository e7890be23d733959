// The clock of a seat: the time that its window has left, written once a second.

import { found } from './dom.js';

const TICK_MS = 1000;

/** Shows the time that is left. */
export class ClockFace {
  #timer = null;
  #seat = null;

  /** @param {import('../seat/seat.js').Seat} seat */
  show(seat) {
    this.#seat = seat;
    this.#write();
  }

  stop() {
    clearTimeout(this.#timer);
  }

  #write() {
    this.stop();
    const { closesAt, bankMs, over, frame } = this.#seat;
    const left = closesAt === null ? null : Math.max(0, closesAt - performance.now());
    found('clock').textContent = over || !frame ? '' : left === null ? 'paused' : clockText(left, bankMs);
    if (left) this.#timer = setTimeout(() => this.#write(), left % TICK_MS || TICK_MS);
  }
}

/** Return the time that is left as minutes and seconds, and the bank, if there is one. */
export function clockText(leftMs, bankMs = 0) {
  const seconds = Math.ceil(leftMs / 1000);
  const bank = bankMs ? ` +${Math.floor(bankMs / 1000)} s in the bank` : '';
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}${bank}`;
}
