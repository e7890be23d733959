// A seat in a match: what it was sent, what the server holds of its orders, and what it says. The seat
// outlives its lines: on every new one it is taken again, and what was missed comes.

/** @import { Answer, Bye, Card, Frame, News, Over, Resumed, ScenarioCard, Seated } from 'wire' */
/** @import { Fields, Send } from '../watch/link.js' */
/** @import { Post } from '../watch/match.js' */
/** @import { Order } from './plan.js' */

import { LostError, Link, RefusedError } from '../watch/link.js';
import { MatchLog } from './matchlog.js';
import { hexadecimal, newEntropy, pledgeOf } from './seals.js';

/**
 * @typedef {'coming' | 'room' | 'playing' | 'over' | 'elsewhere' | 'gone'} Standing whether the seat waits for the
 *   start, plays, has played, was taken over by another page, or was lost
 */

/** The news that asks for what was pledged, and that calls a start off. */
const REVEAL = 'reveal';
const PLEDGE = 'pledge ';
const UNREVEALED = 'unrevealed';

/** What ends a line because the seat was taken on another one. */
const TAKEN = 'seat/taken';

/**
 * What a face needs of a seat: of one in a match, or of a pupil's in a lesson.
 * @typedef {Pick<Seat, 'ask' | 'bankMs' | 'card' | 'cardOf' | 'closesAt' | 'frame' | 'give' | 'held' | 'isLesson' | 'isOver'
 *   | 'isUp' | 'over' | 'say' | 'side'>} SeatPort
 */

/** Plays one side of a match. */
export class Seat {
  #link;
  #onChange;
  #entropy = newEntropy();
  #isPledged = false;
  #isRevealed = false;
  #isReady = false;
  /** @type {Record<string, string>} what the other sides have pledged */
  #pledges = {};
  #last = 0;
  #rev = 0;
  #missed = { upTo: 0, sinceMs: 0 };
  /** @type {Promise<unknown>} the question that was asked last */
  #asked = Promise.resolve();

  /** @type {Standing} */
  standing = 'coming';
  isLesson = false;
  /** Why the seat is gone. */
  reason = '';
  side = '';
  /** @type {ScenarioCard | null} */
  card = null;
  /** @type {Frame | null} the newest one */
  frame = null;
  /** @type {Over | null} */
  over = null;
  /**
   * What the server holds for the open window, and whether any orders were given, be it none.
   * @type {{window: string, orders: Order[], isLocked: boolean, isGiven: boolean}}
   */
  held = { window: '', orders: [], isLocked: false, isGiven: false };
  /** @type {number | null} when the window closes, on the clock of `performance.now`; null while the match is paused */
  closesAt = null;
  bankMs = 0;
  isUp = true;

  /**
   * @param {string} url where the game is played
   * @param {string} match
   * @param {(what: Post | null) => void} onChange hears every post, and null when the line comes or goes
   */
  constructor(url, match, onChange) {
    this.match = match;
    /** What this seat was sent and said, for `verify --mine`. */
    this.log = new MatchLog(match);
    this.#onChange = onChange;
    this.#link = new Link(url, {
      onSeat: (post) => {
        if (post.match === match) this.#hear(post);
      },
      onGreeted: (send) => this.#comeBack(send),
      onState: (isUp) => this.#noteLine(isUp),
      onBye: (bye) => this.#end(bye),
      client: 'page',
    });
  }

  /**
   * Take a seat, or take the own one again.
   * @param {{isMine: boolean, code?: string, side?: string}} wish
   * @throws {RefusedError} if there is none
   */
  async sit({ isMine, code, side }) {
    if (isMine) {
      this.#take(await this.#link.ask('resume', { match: this.match, have: 0 }));
      return;
    }
    const named = { ...(code ? { code } : {}), ...(side ? { side } : {}) };
    const pledge = pledgeOf(this.#entropy);
    this.log.pledged(pledge);
    const taken = await this.#link.ask('join', { match: this.match, pledge, ...named });
    this.#isPledged = taken.t === 'seated';
    this.#take(taken);
  }

  /**
   * Say that one is ready to start, or no more; what was not pledged yet is pledged with it.
   * @param {boolean} isReady
   */
  async ready(isReady) {
    const pledge = isReady && !this.#isPledged ? { pledge: pledgeOf(this.#entropy) } : {};
    if (pledge.pledge) this.log.pledged(pledge.pledge, true);
    await this.#link.command('ready', { match: this.match, on: isReady, ...pledge });
    this.#isPledged = this.#isPledged || isReady;
    this.#isReady = isReady;
  }

  /** Whether nothing is asked any more. */
  get isOver() {
    return this.over !== null;
  }

  get isReady() {
    return this.#isReady;
  }

  /**
   * Give all orders of the open window.
   * @param {Order[]} orders
   * @param {boolean} isLocked whether one has done
   * @throws {RefusedError} if they can't stand together; then those before are held
   */
  async give(orders, isLocked) {
    const { window } = this.#shown;
    const rev = (this.#rev += 1);
    await this.#link.command('orders', { match: this.match, window, rev, orders, lock: isLocked });
    // Of several on their way the newest counts.
    if (rev === this.#rev && window === this.#shown.window) this.held = { window, orders, isLocked, isGiven: true };
  }

  /** Return the newest frame of a match that has begun. */
  get #shown() {
    if (!this.frame) throw new Error('The match has not begun.');
    return this.frame;
  }

  /**
   * Return the answer to a question, one after the other.
   * @template {'review' | 'sheet'} K
   * @param {K} kind
   * @param {{about?: string, orders: Order[]}} fields
   * @returns {Promise<Extract<Answer['answer'], {t: K}>>}
   */
  ask(kind, fields) {
    const asked = this.#asked.then(() => this.#link.ask('ask', { match: this.match, kind, ...fields }));
    this.#asked = asked.catch(() => {});
    return asked.then(({ answer }) => /** @type {Extract<Answer['answer'], {t: K}>} */ (answer));
  }

  /**
   * Return the card of a thing: what is known of it, or `why`.
   * @param {'look' | 'why'} kind
   * @param {string} about
   * @returns {Promise<Card>}
   */
  cardOf(kind, about) {
    const asked = this.#asked.then(() => this.#link.ask('ask', { match: this.match, kind, about }));
    this.#asked = asked.catch(() => {});
    return asked.then(({ answer }) => /** @type {Card} */ (answer));
  }

  /**
   * Say or do something else in the match, such as `chat`, `resign` or `bot`.
   * @param {'bot' | 'chat' | 'draw' | 'grant' | 'leave' | 'mute' | 'pause' | 'rematch' | 'report' | 'resign' | 'revoke'} kind
   * @param {{name?: string, text?: string, side?: string, on?: boolean, feed?: string}} fields
   */
  say(kind, fields = {}) {
    return this.#link.command(kind, /** @type {Fields<typeof kind>} */ ({ match: this.match, ...fields }));
  }

  /**
   * Return what is known of the room: its line in the list, and its card.
   * @param {string} code of a private one
   */
  info(code) {
    return this.#link.ask('info', { match: this.match, ...(code ? { code } : {}) });
  }

  /** Return the bots that the server seats. */
  get bots() {
    return this.#link.welcome?.bots ?? [];
  }

  /** End the line; the seat stays the account's own. */
  close() {
    this.#link.close();
  }

  /** @param {Send} send */
  async #comeBack(send) {
    if (!this.side) return;
    try {
      this.#take(await send('resume', { match: this.match, have: this.#last }));
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      this.#lose(error.message);
    }
  }

  /** @param {Seated | Resumed} taken */
  #take(taken) {
    if (!this.side) this.log.seated(taken);
    this.side = taken.side;
    this.card = taken.card;
    if (taken.t === 'resumed') this.#resume(taken);
    const hasBegun = taken.t === 'resumed' && Boolean(taken.seq || taken.window);
    if (this.standing === 'coming') this.standing = hasBegun ? 'playing' : 'room';
    this.#onChange(null);
  }

  /** @param {Resumed} resumed */
  #resume({ last_id: lastId, seq = 0, since_ms: sinceMs, window = '', rev = 0, locked = false, orders = [] }) {
    this.#link.riseAbove(lastId);
    this.#rev = Math.max(this.#rev, rev);
    this.#missed = { upTo: seq, sinceMs };
    this.held = { window: window ?? '', orders, isLocked: locked, isGiven: rev > 0 };
  }

  /** @param {Post} post */
  #hear(post) {
    if (post.seq > 0 && post.seq <= this.#last) return;
    const isNext = post.seq === this.#last + 1;
    if (post.seq > 0) this.#last = post.seq;
    if (post.t === 'frame') this.log.folded(post, isNext);
    if (post.t === 'over') this.log.ended(post);
    if (post.t === 'frame') this.#hearFrame(post);
    else if (post.t === 'over') this.#hearEnd(post);
    else this.#hearNews(post);
    this.#onChange(post);
  }

  /** @param {Frame} frame */
  #hearFrame(frame) {
    this.standing = 'playing';
    this.frame = frame;
    this.bankMs = frame.bank_ms;
    this.#setClock(frame.seq, frame.closes_ms);
    if (this.held.window !== frame.window) this.held = { window: frame.window, orders: [], isLocked: false, isGiven: false };
  }

  /** @param {Over} over */
  #hearEnd(over) {
    this.standing = 'over';
    this.over = over;
    this.closesAt = null;
  }

  /** @param {News} news */
  #hearNews(news) {
    if (news.closes_ms != null) this.#setClock(news.seq, news.closes_ms);
    if (news.kind === 'pause' && news.text === 'paused') this.closesAt = null;
    if (news.kind === 'server' && news.text === REVEAL) this.#reveal();
    const hasPledged = news.kind === 'server' && news.text?.startsWith(PLEDGE) && !this.#isRevealed;
    if (hasPledged && news.side) this.#pledges[news.side] = (news.text ?? '').slice(PLEDGE.length);
    if (news.kind === 'seat' && news.text === UNREVEALED) this.#pledgeAnew();
  }

  /**
   * Times count from the release; what was missed was released a while ago.
   * @param {number} seq
   * @param {number} closesMs
   */
  #setClock(seq, closesMs) {
    const ago = seq > 0 && seq <= this.#missed.upTo ? this.#missed.sinceMs : 0;
    this.closesAt = performance.now() + closesMs - ago;
  }

  #reveal() {
    if (this.#isRevealed || !this.#isPledged) return;
    this.#isRevealed = true;
    const entropy = hexadecimal(this.#entropy);
    this.log.revealed(entropy, this.#pledges);
    this.#link.command('reveal', { match: this.match, entropy }).catch((error) => this.#complain(error));
  }

  /** What was revealed for a start that was called off may be known by now. */
  #pledgeAnew() {
    this.#pledges = {};
    if (!this.#isRevealed) return;
    this.#entropy = newEntropy();
    this.#isRevealed = this.#isPledged = false;
    if (this.#isReady) this.ready(true).catch((error) => this.#complain(error));
  }

  /**
   * Tell the player what the server did not take of what the page says by itself.
   * @param {unknown} error
   */
  #complain(error) {
    if (error instanceof LostError) return;
    const text = error instanceof Error ? error.message : String(error);
    this.#onChange({ t: 'news', match: this.match, seq: 0, kind: 'server', text });
  }

  /** @param {boolean} isUp */
  #noteLine(isUp) {
    this.isUp = isUp;
    this.#onChange(null);
  }

  /** @param {Bye} bye */
  #end(bye) {
    if (bye.code !== TAKEN) return;
    this.standing = 'elsewhere';
    this.#link.close();
    this.#onChange(null);
  }

  /** @param {string} reason */
  #lose(reason) {
    this.standing = 'gone';
    this.reason = reason;
    this.#link.close();
    this.#onChange(null);
  }
}
