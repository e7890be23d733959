// One page of a browser plays a match: it answers every other one that asks, until its seat is closed.

const NAME = 'sunglare-seats';

/** A page that plays answers within a few ms; one that opens a match waits so long before it takes the seat. */
const WAIT_MS = 200;

/** @typedef {{asks: string} | {plays: string}} Said */

/** Says what this page plays. */
export class OnePage {
  #channel = new BroadcastChannel(NAME);
  #match = '';

  constructor() {
    this.#channel.addEventListener('message', ({ data }) => this.#answer(data));
  }

  /**
   * Say from now on that this page plays a match; nothing with an empty name.
   * @param {string} match
   */
  play(match) {
    this.#match = match;
  }

  /**
   * Return whether another page of this browser plays a match.
   * @param {string} match
   * @returns {Promise<boolean>}
   */
  isElsewhere(match) {
    return new Promise((done) => {
      const hear = (/** @type {MessageEvent<Said>} */ { data }) => 'plays' in data && data.plays === match && end(true);
      const end = (/** @type {boolean} */ isPlayed) => {
        this.#channel.removeEventListener('message', hear);
        done(isPlayed);
      };
      this.#channel.addEventListener('message', hear);
      this.#channel.postMessage({ asks: match });
      setTimeout(() => end(false), WAIT_MS);
    });
  }

  /** @param {Said} said */
  #answer(said) {
    if (this.#match && 'asks' in said && said.asks === this.#match) this.#channel.postMessage({ plays: this.#match });
  }
}
