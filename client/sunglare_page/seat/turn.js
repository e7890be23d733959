// The turn of a seat as a player makes it: the plan of the open window, given to the server with every
// change, what may be ordered next, and the lock. It draws nothing.

/** @import { AgentView, GroundView, Idle, OwnView, Review, Sheet, View } from 'wire' */
/** @import { Order } from './plan.js' */
/** @import { SeatPort } from './seat.js' */
/** @import { Wish } from './ways.js' */

import { RefusedError } from '../watch/link.js';
import { learnLabels } from '../story/story.js';
import { earliestMs, waits } from './pacing.js';
import { added, busyIn, without } from './plan.js';
import { waysOf } from './ways.js';

/** @typedef {OwnView | GroundView | AgentView} Piece one of the own pieces */

/** Makes the turns of one seat, window after window. */
export class Turn {
  #seat;
  #onChange;
  #onFirst;
  #say;
  /** @type {Order[][]} the plans before each change */
  #undone = [];
  /** @type {{plan: Order[], changes: number}} what the server took last, and how many changes had led there */
  #taken = { plan: [], changes: 0 };
  /** @type {Map<string, Sheet | null>} those of the open window, by the piece and the plan; null while one is asked for */
  #sheets = new Map();
  /** @type {Map<string, Sheet>} the newest one of each piece */
  #newest = new Map();
  #opensAt = 0;
  #earliest = 0;
  #acts = Promise.resolve();
  /** @type {number | undefined} the timer of a lock that waits */
  #lock;

  /** @type {Order[]} */
  plan = [];
  /** @type {Map<string, string>} what the pieces of others are called by their handles */
  labels = new Map();
  /** @type {Review | null} what locking now would lose or leave undone, once that was asked */
  review = null;
  /** @type {Idle[]} what the lock leaves undone */
  undone = [];
  /** Whether the window is passed, as nothing in it could make a difference. */
  isPassed = false;
  /** Whether it is known what the window asks, as far as it asks this side. */
  hasLooked = false;
  /** Whether a lock waits for its moment. */
  isLocking = false;

  /**
   * @param {SeatPort} seat
   * @param {{onChange: () => void, onFirst: (piece: string) => void, say: (sentence: string) => void}} ears hear of every
   *   change, and of the first piece that has something to do in a window that has opened
   */
  constructor(seat, { onChange, onFirst, say }) {
    this.#seat = seat;
    this.#onChange = onChange;
    this.#onFirst = onFirst;
    this.#say = say;
  }

  /** Return what the side knows now. */
  get view() {
    return /** @type {View} */ (this.#seat.frame?.view);
  }

  /** Return whether the open window takes orders of this side. */
  get isAsked() {
    const { frame, isOver, side } = this.#seat;
    if (!frame || isOver) return false;
    const { stage } = frame.view;
    if (stage.phase === 'over') return false;
    return (stage.slot ?? side) === side && !(stage.out ?? []).includes(side);
  }

  /** Return whether a lock is the answer to a lesson. */
  get isLesson() {
    return this.#seat.isLesson;
  }

  get isLocked() {
    return this.#seat.held.isLocked;
  }

  get canUndo() {
    return this.#undone.length > 0;
  }

  /** Return whether the server has taken the plan as it is shown. */
  get isTaken() {
    return this.plan === this.#taken.plan;
  }

  /**
   * Return the own pieces in play, each with whether it has an order.
   * @returns {{piece: Piece, isBusy: boolean}[]}
   */
  get pieces() {
    const { own = [], ground = [], agents = [] } = this.view;
    const busy = busyIn(this.plan);
    return [...own, ...ground, ...agents]
      .filter((piece) => (piece.fate ?? 'in_play') === 'in_play')
      .map((piece) => ({ piece, isBusy: busy.has(piece.id) }));
  }

  /** Begin the window that has just opened: a plan that the server holds goes on. */
  begin() {
    this.end();
    this.#opensAt = performance.now();
    this.#earliest = earliestMs(this.#seat.card?.options.clock ?? '');
    this.plan = this.#seat.held.orders;
    this.#taken = { plan: this.plan, changes: 0 };
    this.#sheets.clear();
    this.#newest.clear();
    learnLabels(this.view, this.labels);
    this.hasLooked = !this.isAsked || this.isLocked;
    if (!this.hasLooked) this.#lookAhead();
  }

  /** Begin nothing any more. */
  end() {
    clearTimeout(this.#lock);
    this.#undone = [];
    this.review = null;
    this.undone = [];
    this.isPassed = this.isLocking = false;
  }

  /**
   * Return the ways to act of a piece: those before the last order while the new ones are asked for, or null.
   * @param {string} piece
   * @param {Omit<Wish, 'labels'>} wish
   */
  waysOf(piece, wish) {
    const plan = this.#isShared(piece) ? this.plan : this.plan.filter((order) => order.ship === piece);
    const key = JSON.stringify([piece, plan]);
    if (!this.#sheets.has(key)) this.#askSheet(key, piece, plan);
    const sheet = this.#sheets.get(key) ?? this.#newest.get(piece);
    return sheet ? waysOf(sheet, this.view, { ...wish, labels: this.labels }) : null;
  }

  /**
   * Give orders: they join the plan, each in the place of one about the same.
   * @param {{orders: Order[], instead?: {piece: string, kinds: string[]}}} entry
   */
  order({ orders, instead }) {
    this.#undone.push(this.plan);
    return this.#change(added(this.plan, orders, instead));
  }

  /**
   * Take back the order at this place of the plan.
   * @param {number} place
   */
  drop(place) {
    this.#undone.push(this.plan);
    return this.#change(without(this.plan, place));
  }

  /** Go back to the plan before the last change. */
  undo() {
    const before = this.#undone.pop();
    return before ? this.#change(before) : this.#acts;
  }

  /** Lock what stands, if nothing speaks against it or the player is sure; else tell what does. */
  lock(isSure = false) {
    return this.#inTurn(async (isOpen) => {
      const review = isSure ? null : await this.#asked('review', { orders: this.plan });
      if (!isOpen()) return;
      this.undone = (review ?? this.review)?.idle ?? [];
      if (review && (review.losses?.length || review.all_idle)) {
        this.review = review;
        this.#onChange();
      } else this.#lockIn(this.#waitMs(false));
    });
  }

  /** Take a lock back; the plan stays. */
  unlock() {
    clearTimeout(this.#lock);
    this.isLocking = this.isPassed = false;
    return this.#inTurn(async () => {
      if (this.isLocked) await this.#give(this.plan, false);
      this.#onChange();
    });
  }

  /**
   * Do something once all before it is done, so that it sees the plan as the server took it. What was meant for a window
   * that has closed meanwhile is not done in the next one; `isOpen` says so after each wait.
   * @param {(isOpen: () => boolean) => Promise<void>} act
   */
  #inTurn(act) {
    const window = this.#seat.frame?.window;
    const isOpen = () => this.#seat.frame?.window === window;
    this.#acts = this.#acts.then(() => (isOpen() ? act(isOpen) : undefined));
    return this.#acts;
  }

  /**
   * Return whether orders to other pieces count for what this one may do.
   * @param {string} piece
   */
  #isShared(piece) {
    return this.view.stage.phase === 'scan' || !(this.view.own ?? []).some(({ id }) => id === piece);
  }

  /**
   * @param {string} key
   * @param {string} piece
   * @param {Order[]} orders
   */
  async #askSheet(key, piece, orders) {
    const window = this.#seat.frame?.window;
    this.#sheets.set(key, null);
    const sheet = await this.#asked('sheet', { about: piece, orders });
    if (window !== this.#seat.frame?.window) return;
    if (!sheet) {
      this.#sheets.delete(key);
      return;
    }
    this.#sheets.set(key, sheet);
    this.#newest.set(piece, sheet);
    this.#onChange();
  }

  /** Look what the window asks: one that asks nothing is passed, and what is usual is ordered. */
  async #lookAhead() {
    const window = this.#seat.frame?.window;
    const review = await this.#asked('review', { orders: this.plan });
    if (window !== this.#seat.frame?.window) return;
    this.hasLooked = true;
    if (!review) return this.#onChange();
    if (review.idle?.length) this.#onFirst(review.idle[0].piece);
    if (!review.has_decision) {
      this.isPassed = true;
      this.#lockIn(this.#waitMs(true));
    } else if (review.usual?.length && !this.#seat.held.isGiven) await this.order({ orders: review.usual });
    this.#onChange();
  }

  /** @param {boolean} isPassed */
  #waitMs(isPassed) {
    if (!waits(this.view.stage.phase, isPassed)) return 0;
    return Math.max(0, this.#opensAt + this.#earliest - performance.now());
  }

  /** @param {number} ms */
  #lockIn(ms) {
    this.isLocking = true;
    this.review = null;
    this.#onChange();
    clearTimeout(this.#lock);
    this.#lock = setTimeout(() => this.#inTurn((isOpen) => this.#lockNow(isOpen)), ms);
  }

  /** @param {() => boolean} isOpen */
  async #lockNow(isOpen) {
    if (!this.isLocking) return;
    await this.#give(this.plan, true);
    if (isOpen()) this.isLocking = false;
    this.#onChange();
  }

  /**
   * Show a plan at once, and give it to the server once all before it is answered, with what was changed meanwhile. Where that
   * is refused the plan that the server took last stands again.
   * @param {Order[]} plan
   */
  #change(plan) {
    this.plan = plan;
    this.review = null;
    this.#onChange();
    return this.#inTurn(async (isOpen) => {
      const wanted = { plan: this.plan, changes: this.#undone.length };
      if (wanted.plan === this.#taken.plan) return;
      const isTaken = await this.#give(wanted.plan, false);
      if (!isOpen()) return;
      if (isTaken) this.#taken = wanted;
      else if (this.plan === wanted.plan) {
        this.plan = this.#taken.plan;
        this.#undone.splice(this.#taken.changes);
      }
      this.#onChange();
    });
  }

  /**
   * Give the orders to the server; return whether it took them.
   * @param {Order[]} orders
   * @param {boolean} isLocked
   */
  async #give(orders, isLocked) {
    try {
      await this.#seat.give(orders, isLocked);
      this.#say('');
      return true;
    } catch (error) {
      this.#say(whyNot(error));
      return false;
    }
  }

  /**
   * @template {'review' | 'sheet'} K
   * @param {K} kind
   * @param {{about?: string, orders: Order[]}} fields
   */
  async #asked(kind, fields) {
    try {
      return await this.#seat.ask(kind, fields);
    } catch (error) {
      if (error instanceof RefusedError) this.#say(whyNot(error));
      return null;
    }
  }
}

/**
 * Return why something was not taken, and what would be right.
 * @param {unknown} error
 */
function whyNot(error) {
  if (!(error instanceof RefusedError)) return 'The line is cut; what you ordered is kept here and sent again.';
  return [error.message, error.choices.length && `Right would be: ${error.choices.join(', ')}.`].filter(Boolean).join(' ');
}
