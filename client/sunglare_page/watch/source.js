// Where a match comes from: a live feed of the server, the record of a finished match, or a file.
// Each fills a `Match` and says when there is something new.

/** @import { MatchLine } from 'wire' */
/** @import { Post } from './match.js' */

import { ANALYSIS, analysisOf } from '../replay/analysis.js';
import { readReplay } from '../replay/replay.js';
import { Link, RefusedError } from './link.js';
import { Match, PUBLIC, TRUTH } from './match.js';
import { calledIn, nameText } from './seats.js';

const BREATH_MS = 12;
const RECORD_TRIES = 5;
const RECORD_WAIT_MS = 700;
const NO_RECORD = 'There is no record of such a match on this server.';

/** There is no such match, or no record of it. */
export class NothingError extends Error {}

/**
 * Return a match from the bytes of a replay, and what is wrong with the rest of them.
 * @param {Uint8Array} bytes
 * @returns {Promise<{match: Match, fault: string}>}
 */
export async function matchOfFile(bytes) {
  const replay = await readReplay(bytes, breather());
  const { header } = replay;
  const match = new Match(textOf(header.match), textOf(header.scenario), namesOf(header.names, header.bots));
  match.analysis = analysisOf(replay.layers.get(ANALYSIS) ?? []);
  for (const [layer, messages] of replay.layers) messages.forEach((message) => match.take(layer, message));
  return { match, fault: replay.fault };
}

/**
 * Return the bytes of the record of a finished private match, which the line alone gives, for its code.
 * @param {Link} link
 * @param {string} id
 * @param {string} code
 * @throws {NothingError} if there is none
 */
export async function fetchPrivate(link, id, code) {
  try {
    return await link.record(id, code);
  } catch (error) {
    throw error instanceof RefusedError ? new NothingError(NO_RECORD) : error;
  }
}

/**
 * Return the bytes of the record of a finished public match.
 * @param {string} id
 * @throws {NothingError} if there is none
 */
export async function fetchRecord(id) {
  for (let left = RECORD_TRIES; left > 0; left -= 1) {
    const answer = await fetch(`/replay/${id}.sgr`);
    if (answer.ok) return new Uint8Array(await answer.arrayBuffer());
    if (answer.status !== 503) break;
    await new Promise((resolve) => setTimeout(resolve, RECORD_WAIT_MS));
  }
  throw new NothingError(NO_RECORD);
}

/** A match that is running: its public feed, and its truth where the server lets that be seen. */
export class Live {
  /** @type {Link[]} */
  #links = [];
  #onNew;
  /** The code of a private match, which its rematches have too. */
  code;

  /**
   * @param {string} url where the game is played
   * @param {MatchLine & {code?: string}} line the match's line in the list, with its code if it is private
   * @param {{onNew: (post: Post) => void, onState: (isUp: boolean) => void}} ears
   */
  constructor(url, line, { onNew, onState }) {
    const names = Object.fromEntries(line.seats.map((seat) => [seat.side, calledIn(seat)]));
    this.match = new Match(line.match, line.scenario, names);
    /**
     * How many turns the truth lags behind; null while it is closed.
     * @type {number | null}
     */
    this.delayTurns = null;
    this.#onNew = onNew;
    this.code = line.code;
    this.#follow(url, PUBLIC, onState);
    this.#follow(url, TRUTH, () => {});
  }

  /** Follow it no more. */
  close() {
    this.#links.forEach((link) => link.close());
  }

  /**
   * @param {string} url
   * @param {string} feed
   * @param {(isUp: boolean) => void} onState
   */
  #follow(url, feed, onState) {
    const link = new Link(url, { onPost: (post) => this.#take(feed, post), onState });
    this.#links.push(link);
    const watching = link.watch(this.match.id, feed, this.code);
    if (feed === TRUTH) watching.then(({ delay_turns: turns = 0 }) => (this.delayTurns = turns), () => link.close());
    else watching.catch(() => onState(false));
  }

  /**
   * @param {string} feed
   * @param {Post} post
   */
  #take(feed, post) {
    this.match.take(feed, post);
    this.#onNew(post);
  }
}

/** Return what lets a page live while much is read: it waits for a round now and then. */
function breather() {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < BREATH_MS) return;
    await new Promise((resolve) => setTimeout(resolve));
    since = performance.now();
  };
}

/** @param {unknown} value */
function textOf(value) {
  return typeof value === 'string' ? value : '';
}

/**
 * @param {unknown} names by side
 * @param {unknown} bots the sides of bots
 * @returns {Record<string, string>}
 */
function namesOf(names, bots) {
  const entries = names && typeof names === 'object' ? Object.entries(names) : [];
  const known = Array.isArray(bots) ? bots : [];
  const called = (/** @type {string} */ side, /** @type {unknown} */ name) => nameText(textOf(name), known.includes(side));
  return Object.fromEntries(entries.map(([side, name]) => [side, called(side, name)]));
}
