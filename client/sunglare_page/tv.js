// TV: always the most eventful running match, else the latest replay; it moves on by itself. It goes
// by the public feeds alone, which everybody may see.

import { Link } from './watch/link.js';
import { Tally, featured } from './watch/featured.js';

const FOLLOWED_MOST = 12;
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
  #tally = new Tally();
  #followed = new Set();
  #shown = null;
  #since = -Infinity;
  #endedAt = null;

  /**
   * @param {string} url
   * @param {(line: object) => void} onShow
   * @param {(line: object) => void} onNext
   */
  constructor(url, onShow, onNext) {
    this.#onShow = onShow;
    this.#onNext = onNext;
    this.#link = new Link(url, { onPost: (post) => this.#hear(post) });
    this.#turn();
  }

  #hear(post) {
    if (post.t === 'frame') this.#tally.take(post.match, post);
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
    const running = (await this.#link.ask('list', { which: 'running', most: 100 })).running ?? [];
    await this.#follow(running.slice(0, FOLLOWED_MOST).map((line) => line.match));
    const best = featured([...this.#followed], this.#tally);
    const isOn = this.#followed.has(this.#shown);
    if (isOn && (best === this.#shown || performance.now() - this.#since < STAY_MS)) return;
    const next = running.find(({ match }) => match === best);
    if (next && !isOn && this.#isStillRead()) this.#onNext(next);
    else if (next) this.#show(next);
    // A match that has just been shown goes on as a replay where it stands.
    else if (this.#shown === null) await this.#showLatest();
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

  #show(line) {
    this.#shown = line.match;
    this.#since = performance.now();
    this.#endedAt = null;
    this.#onShow(line);
  }

  async #follow(matches) {
    for (const match of [...this.#followed].filter((one) => !matches.includes(one))) {
      this.#followed.delete(match);
      this.#tally.drop(match);
      await this.#link.leave(match);
    }
    for (const match of matches.filter((one) => !this.#followed.has(one))) {
      await this.#link.watch(match, 'public');
      this.#followed.add(match);
    }
  }
}
