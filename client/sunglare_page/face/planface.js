// The plan of a window: its orders, each with a button that takes it back, what speaks against a lock,
// and the lock itself.

/** @import { Turn } from '../seat/turn.js' */

import { orderLine } from '../seat/orderline.js';
import { idleLines, lossLine } from '../story/reviews.js';
import { found, made, replaceInside } from './dom.js';

/** Shows the plan of one turn at a time. */
export class PlanFace {
  /** @type {Turn | null} */
  #turn = null;

  constructor() {
    found('undo').onclick = () => this.#turn?.undo();
    found('lock').onclick = () => this.#turn && pressLock(this.#turn);
  }

  /**
   * Show the plan of a turn from now on.
   * @param {Turn} turn
   */
  show(turn) {
    this.#turn = turn;
    const canChange = turn.isAsked && !turn.isLocked;
    const items = turn.plan.map((order, place) => {
      const text = orderLine(order, turn.labels);
      const drop = made('button', { type: 'button', onclick: () => turn.drop(place) }, '✕');
      drop.setAttribute('aria-label', `Take back ${text}`);
      return made('li', {}, made('code', {}, text), ...(canChange ? [' ', drop] : []));
    });
    replaceInside(found('plan'), items.length ? items : [made('li', { className: 'none' }, 'No orders.')]);
    found('plan').setAttribute('aria-busy', String(!turn.isTaken));
    found('doubts').textContent = doubts(turn);
    found('undo').disabled = !canChange || !turn.canUndo;
    found('lock').disabled = !turn.isAsked;
    const lock = turn.isLesson ? 'Give answer' : 'Lock';
    found('lock').textContent = isDone(turn) ? 'Unlock' : turn.review ? `${lock} all the same` : lock;
  }
}

/**
 * Return whether the player has locked, be it that the lock still waits for its moment.
 * @param {Turn} turn
 */
function isDone(turn) {
  return turn.isLocked || turn.isLocking;
}

/** @param {Turn} turn */
function pressLock(turn) {
  if (isDone(turn)) turn.unlock();
  else turn.lock(turn.review !== null);
}

/**
 * Say what a lock would lose, and leave undone.
 * @param {Turn} turn
 */
function doubts({ review, view, labels }) {
  if (!review) return '';
  return [...(review.losses ?? []).map(lossLine), ...idleLines(review.idle ?? [], view.stage.phase, labels)].join('\n');
}
