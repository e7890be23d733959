// TV: always the most eventful running match, which the server names, else the latest replay; it
// moves on by itself.

/** @import { MatchLine } from 'wire' */

import { Link } from './watch/link.js';

const EVERY_MS = 4000;
const STAY_MS = 20000;
const READ_MS = 8000;

/**
 * Chooses what is shown; `onShow` hears the line of the match, running or over. What has ended stays
 * until it could be read; meanwhile `onNext` hears the line of what comes then.
 */
export class Television {
  #link;
  #onShow;
  #onNext;
  /** @type {string | null} */
  #shown = null;
  #since = -Infinity;
  /** @type {number | null} */
  #endedAt = null;

  /**
   * @param {string} url
   * @param {(line: MatchLine) => void} onShow
   * @param {(line: MatchLine) => void} onNext
   */
  constructor(url, onShow, onNext) {
    this.#onShow = onShow;
    this.#onNext = onNext;
    this.#link = new Link(url, { onPost: () => {} });
    this.#turn();
  }

  async #turn() {
    try {
      await this.#choose();
    } catch {
      // The line comes back by itself.
    }
    setTimeout(() => this.#turn(), EVERY_MS);
  }

  async #choose() {
    const [best] = (await this.#link.ask('list', { which: 'lively', most: 1 })).lively ?? [];
    if (best && best.match === this.#shown) return;
    const isOn = await this.#isRunning();
    if (isOn && performance.now() - this.#since < STAY_MS) return;
    if (best && !isOn && this.#isStillRead()) this.#onNext(best);
    else if (best) this.#show(best);
    // A match that has just been shown goes on as a replay where it stands.
    else if (this.#shown === null) await this.#showLatest();
  }

  async #isRunning() {
    if (this.#shown === null) return false;
    return (await this.#link.ask('info', { match: this.#shown })).line.state === 'running';
  }

  /** Return whether what is shown has ended so lately that it may still be read. */
  #isStillRead() {
    if (this.#shown === null) return false;
    this.#endedAt ??= performance.now();
    return performance.now() - this.#endedAt < READ_MS;
  }

  async #showLatest() {
    const [line] = (await this.#link.ask('list', { which: 'over', most: 1 })).over ?? [];
    if (line) this.#show(line);
  }

  /** @param {MatchLine} line */
  #show(line) {
    this.#shown = line.match;
    this.#since = performance.now();
    this.#endedAt = null;
    this.#onShow(line);
  }
}
