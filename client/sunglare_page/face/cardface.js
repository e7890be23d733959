// The card of a thing, as the server has it: what is known of a piece, or how the points stand.

/** @import { SeatPort } from '../seat/seat.js' */

import { printable } from '../story/words.js';
import { found, made } from './dom.js';

/** Shows one card at a time. */
export class CardFace {
  /** @type {SeatPort | null} */
  #seat = null;
  #say;
  /** How often another card was asked for: only the last one is shown. */
  #asked = 0;
  /** What the card is about that is shown. */
  #about = '';

  /** @param {(sentence: string) => void} say */
  constructor(say) {
    this.#say = say;
    found('goals').onclick = () => this.show('why', 'points');
  }

  /**
   * Show cards of this seat from now on.
   * @param {SeatPort} seat
   */
  open(seat) {
    this.#seat = seat;
    found('card').hidden = true;
    this.#about = '';
  }

  /** Show the card of a piece as it is now; without one to show, or of one that is gone, none. */
  refresh() {
    found('card').hidden = true;
    if (this.#about) this.#ask('look', this.#about, () => {});
  }

  /**
   * Show the card of a thing once the server has answered.
   * @param {'look' | 'why'} kind
   * @param {string} about
   */
  show(kind, about) {
    return this.#ask(kind, about, this.#say);
  }

  /**
   * @param {'look' | 'why'} kind
   * @param {string} about
   * @param {(sentence: string) => void} say hears why there is none
   */
  async #ask(kind, about, say) {
    const asked = (this.#asked += 1);
    this.#about = kind === 'look' ? about : '';
    try {
      const card = await this.#seat?.cardOf(kind, about);
      if (!card || asked !== this.#asked) return;
      found('card').hidden = false;
      found('card-title').textContent = printable(card.title);
      found('card-lines').replaceChildren(...card.lines.map((line) => made('li', {}, printable(line))));
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
  }
}
