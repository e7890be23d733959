// A pupil before a lesson: the position of a match as a seat shows it, what is asked about it, and the
// answer. What it is given beyond that, the server has judged.

/** @import { Answer, Card, Frame, JudgedLesson, LessonHint, OpenedLesson } from 'wire' */
/** @import { Link } from '../watch/link.js' */
/** @import { Order } from './plan.js' */
/** @import { SeatPort } from './seat.js' */

/**
 * Hear what is said of an answer, and each frame of what came next once it is right.
 * @typedef {{onJudged: (judged: JudgedLesson) => unknown, onFrame: (frame: Frame) => unknown}} Ears
 */

/**
 * Takes one lesson; its seat has no clock, no card and no other side.
 * @implements {SeatPort}
 */
export class Pupil {
  #link;
  #ears;
  #lesson;
  #sheets;

  isLesson = true;
  isOver = false;
  isUp = true;
  card = null;
  over = null;
  closesAt = null;
  bankMs = 0;
  /** @type {Frame} */
  frame;
  /** @type {SeatPort['held']} */
  held;

  /**
   * @param {Link} link
   * @param {OpenedLesson} opened
   * @param {Ears} ears
   */
  constructor(link, { line, frame, sheets = [] }, ears) {
    this.#link = link;
    this.#lesson = line.lesson;
    this.#sheets = new Map(sheets.map((sheet) => [sheet.piece, sheet]));
    this.#ears = ears;
    this.frame = frame;
    this.held = heldIn(frame);
  }

  get side() {
    return this.frame.view.t === 'truth' ? '' : this.frame.view.audience;
  }

  /**
   * Give orders: the server looks whether they can stand together, and with a lock it judges them.
   * @param {Order[]} orders
   * @param {boolean} isLocked
   * @throws {RefusedError} if they can't stand together
   */
  async give(orders, isLocked) {
    const { window } = this.frame;
    const act = isLocked ? 'answer' : 'check';
    const told = await this.#link.command('lesson', { act, lesson: this.#lesson, orders });
    if (window !== this.frame.window) return;
    this.held = { ...this.held, orders, isGiven: true };
    if (told.t === 'lesson_judged') this.#learn(told);
  }

  /**
   * Return the answer to a question about the position.
   * @template {'review' | 'sheet'} K
   * @param {K} kind
   * @param {{about?: string, orders: Order[]}} fields
   * @returns {Promise<Extract<Answer['answer'], {t: K}>>}
   */
  async ask(kind, fields) {
    const known = kind === 'sheet' && !fields.orders.length && this.#sheets.get(fields.about ?? '');
    return /** @type {Extract<Answer['answer'], {t: K}>} */ (known || (await this.#asked(kind, fields)));
  }

  /**
   * Return the card of a thing.
   * @param {'look' | 'why'} kind
   * @param {string} about
   */
  async cardOf(kind, about) {
    return /** @type {Card} */ (await this.#asked(kind, { about }));
  }

  /** Return what helps. */
  async hint() {
    const told = await this.#link.ask('lesson', { act: 'hint', lesson: this.#lesson });
    return /** @type {LessonHint} */ (told).hint;
  }

  /** There is no other side to say anything to. */
  say() {
    return Promise.reject(new Error('A lesson has no other side.'));
  }

  /**
   * @param {'look' | 'why' | 'review' | 'sheet'} kind
   * @param {{about?: string, orders?: Order[]}} fields
   */
  async #asked(kind, fields) {
    const told = await this.#link.ask('lesson', { act: 'ask', lesson: this.#lesson, kind, ...fields });
    return /** @type {Answer} */ (told).answer;
  }

  /** @param {JudgedLesson} judged */
  #learn(judged) {
    this.isOver = judged.solved;
    this.#ears.onJudged(judged);
    for (const frame of judged.frames ?? []) {
      this.frame = frame;
      this.held = heldIn(frame);
      this.#ears.onFrame(frame);
    }
  }
}

/**
 * Return what is held at the beginning of a window: nothing.
 * @param {Frame} frame
 */
function heldIn({ window }) {
  return { window, orders: /** @type {Order[]} */ ([]), isLocked: false, isGiven: false };
}
