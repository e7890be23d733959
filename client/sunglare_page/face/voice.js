// The match aloud, for players who hear the page: what the terminal says with --speech, in a region that a screen reader
// reads when it has time, and the last warnings of the clock in one that it reads at once.

/** @import { SeatPort } from '../seat/seat.js' */
/** @import { Turn } from '../seat/turn.js' */
/** @import { Post } from '../watch/match.js' */

import { orderLine } from '../seat/orderline.js';
import { aloud } from '../story/aloud.js';
import { newsLine, overLines } from '../story/news.js';
import { idleLines } from '../story/reviews.js';
import { frameLines, stageLine } from '../story/story.js';
import { found, made } from './dom.js';
import { clockWords } from './clockface.js';

/** So many seconds before its window closes a player is warned, as in `sunglare_client/terminal/clockface.py`. */
const WARNINGS_S = [30, 10];

/** So many sentences stay, for readers who go back. */
const SENTENCES_MOST = 40;

/** Says one match at a time. */
export class Voice {
  /** @type {SeatPort | null} */
  #seat = null;
  /** What was said last of how the seat stands in its window. */
  #standing = '';
  /** @type {number | null} the deadline of which it is warned */
  #closesAt = null;
  /** @type {ReturnType<typeof setTimeout>[]} */
  #timers = [];

  /** @param {SeatPort} seat */
  open(seat) {
    this.close();
    this.#seat = seat;
    this.#standing = '';
    for (const id of ['voice', 'voice-loud']) found(id).replaceChildren();
  }

  close() {
    this.#seat = null;
    this.#stopWarnings();
  }

  /**
   * Say what a post says.
   * @param {Post} post
   * @param {Map<string, string>} labels
   */
  hear(post, labels) {
    if (post.t === 'frame') this.say([...frameLines(post, labels), stageLine(post.view.stage)]);
    else if (post.t === 'over') this.say(overLines(post, {}));
    else if (post.kind === 'chat') tell('voice', [newsLine(post)]);
    else this.say([newsLine(post)]);
  }

  /**
   * Say how the seat stands, if that has changed, and warn before its window closes as long as it is asked.
   * @param {Turn} turn
   */
  follow(turn) {
    const { isOver, frame, closesAt } = this.#seat ?? {};
    if (isOver || !frame || !turn.hasLooked) return this.#stopWarnings();
    const [standing, lines] = standingOf(turn, frame.view.stage, this.#clock());
    const key = `${frame.window} ${standing}`;
    if (key !== this.#standing) this.say(lines);
    this.#standing = key;
    if (standing !== 'asked') this.#stopWarnings();
    else if (closesAt !== this.#closesAt) this.#warn(closesAt ?? null);
  }

  /**
   * Say lines as sentences.
   * @param {string[]} lines
   */
  say(lines) {
    tell('voice', lines.map(aloud).filter(Boolean));
  }

  #clock() {
    const { closesAt = null, bankMs = 0 } = this.#seat ?? {};
    return clockWords(closesAt === null ? null : closesAt - performance.now(), bankMs);
  }

  /** @param {number | null} closesAt */
  #warn(closesAt) {
    this.#stopWarnings();
    this.#closesAt = closesAt;
    if (closesAt === null) return;
    for (const seconds of WARNINGS_S) {
      const wait = closesAt - seconds * 1000 - performance.now();
      if (wait > 0) this.#timers.push(setTimeout(() => tell('voice-loud', [`The window closes in ${seconds} s.`]), wait));
    }
  }

  #stopWarnings() {
    this.#timers.splice(0).forEach(clearTimeout);
    this.#closesAt = null;
  }
}

/**
 * Return how a seat stands in its window, in a word, and what is said of that.
 * @param {Turn} turn
 * @param {{phase: string, slot?: string | null, out?: string[]}} stage
 * @param {string} clock
 * @returns {[string, string[]]}
 */
function standingOf(turn, { phase, slot, out = [] }, clock) {
  if (phase === 'over') return ['over', []];
  if (out.includes(turn.view.audience)) return ['out', ['you have no piece left; the match goes on without you']];
  if (!turn.isAsked) return ['waits', slot ? [`side ${slot} has the slot; you wait`] : []];
  if (turn.isPassed) return ['passed', [`nothing to decide in ${phase.toUpperCase()}; passed`]];
  if (turn.isLocked || turn.isLocking) return ['locked', lockedLines(turn, phase)];
  return ['asked', [`your orders, please. ${clock}`]];
}

/**
 * Return what was locked, and what that leaves undone.
 * @param {Turn} turn
 * @param {string} phase
 */
function lockedLines({ plan, labels, undone }, phase) {
  const orders = plan.map((order) => orderLine(order, labels)).join('; ');
  return [`ready: ${orders || 'no orders'}; waiting for the others`, ...idleLines(undone, phase, labels)];
}

/**
 * @param {'voice' | 'voice-loud'} id
 * @param {string[]} sentences
 */
function tell(id, sentences) {
  const region = found(id);
  region.append(...sentences.map((sentence) => made('p', {}, sentence)));
  while (region.children.length > SENTENCES_MOST) region.firstChild?.remove();
}
