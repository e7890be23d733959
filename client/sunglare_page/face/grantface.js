// The grants of a seat: whom its player lets see, before the end, what their side sees, or the whole match.

/** @import { SeatPort } from '../seat/seat.js' */

import { printable } from '../story/words.js';
import { found } from './dom.js';

const OMNI = 'omni';

/** Grants the feeds of one match at a time. */
export class GrantFace {
  #say;
  /** @type {SeatPort | null} */
  #seat = null;

  /** @param {(sentence: string) => void} say */
  constructor(say) {
    this.#say = say;
    found('grant-form').onsubmit = (event) => {
      event.preventDefault();
      this.#change('grant');
    };
    found('revoke').onclick = () => this.#change('revoke');
  }

  /** @param {SeatPort} seat */
  open(seat) {
    this.#seat = seat;
    found('grant-side').textContent = `what ${seat.side} sees`;
    found('grantee').value = found('grant-note').textContent = '';
  }

  /** @param {'grant' | 'revoke'} kind */
  async #change(kind) {
    const seat = this.#seat;
    const name = found('grantee').value.trim();
    if (!seat || !name) return;
    const isWhole = found('grant-feed').value === OMNI;
    const what = isWhole ? 'the whole match, delayed' : `what ${seat.side} sees`;
    try {
      await seat.say(kind, { name, feed: isWhole ? OMNI : seat.side });
      const may = kind === 'grant' ? 'may watch' : 'may watch no more';
      found('grant-note').textContent = printable(`${name} ${may}: ${what}. All players are informed.`);
    } catch (error) {
      this.#say(error instanceof Error ? error.message : String(error));
    }
  }
}
