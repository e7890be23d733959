// A small board on the home that moves: the liveliest public match, as it goes on, or else a short match of two bots. It
// is drawn when there is something else to see, and by itself only where the reader has not asked for less motion.

/** @import { Board, Frame, MatchLine } from 'wire' */
/** @import { Link } from '../watch/link.js' */
/** @import { Post } from '../watch/match.js' */

import { chartOf } from '../board/chart.js';
import { boardSize } from '../board/geometry.js';
import { writeFragment } from '../watch/fragment.js';
import { drawBoard } from './boardface.js';
import { found, made, penOf } from './dom.js';
import { seatsOf, titleOf } from './hall.js';
import { layoutOf } from './layout.js';
import { palette } from './palette.js';
import { isDark } from './theme.js';

const STEP_MS = 900;
const PUBLIC = 'public';
const STILL = window.matchMedia('(prefers-reduced-motion: reduce)');

/** @typedef {{at: (string | number)[], pieces: (string | number)[][], events: unknown[][]}} Step */

/** Shows it as long as it is open. */
export class GlimpseFace {
  #link;
  /** @type {Frame | null} what is drawn */
  #frame = null;
  /** @type {Frame[]} the short match, once it is loaded */
  #steps = [];
  #at = 0;
  /** The match that is followed, if one is. */
  #match = '';
  /** @type {number | undefined} */
  #timer;
  /** How often it was opened and closed: what was asked for before that is shown no more. */
  #turns = 0;

  /** @param {Link} link */
  constructor(link) {
    this.#link = link;
    found('glimpse-play').onclick = () => (this.#timer === undefined ? this.#play() : this.#stop());
  }

  async open() {
    this.close();
    const turn = this.#turns;
    const [line] = await this.#link.ask('list', { which: 'lively', most: 1 }).then(({ lively = [] }) => lively, () => []);
    if (turn !== this.#turns) return;
    if (line) this.#follow(line);
    else await this.#begin(turn);
  }

  close() {
    this.#turns += 1;
    this.#stop();
    if (this.#match) this.#link.leave(this.#match);
    this.#match = '';
    found('glimpse').hidden = true;
  }

  /**
   * Take in a post of the feed that is followed.
   * @param {Post} post
   */
  hear(post) {
    if (post.match !== this.#match) return;
    if (post.t === 'over') this.open();
    else if (post.t === 'frame' && !(this.#frame && STILL.matches)) this.#show(post);
  }

  draw() {
    const frame = this.#frame;
    if (!frame || found('glimpse').hidden) return;
    const canvas = found('glimpse-board');
    const { width, height } = canvas.getBoundingClientRect();
    const { width: columns, height: rows } = boardSize(frame.view.board);
    const look = { colours: palette(isDark()), sides: frame.view.stage.sides ?? [], chosen: null };
    drawBoard(penOf(canvas, width, height), chartOf(frame), layoutOf({ width, height }, { columns, rows }), look);
  }

  /** @param {MatchLine} line */
  #follow(line) {
    this.#match = line.match;
    this.#frame = null;
    found('glimpse-play').hidden = true;
    const link = made('a', { href: writeFragment({ match: line.match }) }, `Running now: ${titleOf(line)}`);
    found('glimpse-words').replaceChildren(link, ` ${seatsOf(line)}`);
    this.#link.watch(line.match, PUBLIC).catch(() => {});
  }

  /**
   * Begin the short match.
   * @param {number} turn
   */
  async #begin(turn) {
    const { default: match } = await import('../glimpse.js');
    if (turn !== this.#turns) return;
    this.#steps = match.steps.map((step) => frameOf(/** @type {Board} */ (match.board), match.sides, step));
    found('glimpse-words').replaceChildren('Two bots hunt each other.');
    found('glimpse-play').hidden = false;
    this.#at = STILL.matches ? this.#steps.length - 1 : 0;
    this.#show(this.#steps[this.#at]);
    if (!STILL.matches) this.#play();
  }

  #play() {
    if (this.#at >= this.#steps.length - 1) this.#at = 0;
    this.#wait();
    found('glimpse-play').textContent = 'Stop';
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    found('glimpse-play').textContent = 'Play';
  }

  #wait() {
    this.#timer = setTimeout(() => this.#step(), STEP_MS);
  }

  #step() {
    // A page out of sight is not drawn.
    if (!document.hidden) this.#show(this.#steps[(this.#at += 1)]);
    if (this.#at < this.#steps.length - 1) this.#wait();
    else this.#stop();
  }

  /** @param {Frame} frame */
  #show(frame) {
    this.#frame = frame;
    found('glimpse').hidden = false;
    this.draw();
  }
}

/**
 * Return a step of the short match as the frame from which it was made, as far as a board shows it.
 * @param {Board} board
 * @param {string[]} sides
 * @param {Step} step
 * @returns {Frame}
 */
function frameOf(board, sides, { at: [turn, phase], pieces, events }) {
  const stage = { turn, turns: turn, phase, window: `${turn}.${phase}`, sides };
  const view = { t: 'truth', board, stage, pieces: pieces.map(pieceOf) };
  return /** @type {Frame} */ (/** @type {unknown} */ ({ t: 'frame', match: '', seq: 0, view, notices: events.map(noticeOf) }));
}

/** @param {(string | number)[]} piece */
function pieceOf([side, id, x, y, facing, east, south, fix]) {
  return { side, id, square: [x, y], facing, vector: [east, south], held: fix ? [{ side: '', fix }] : [] };
}

/** @param {unknown[]} event */
function noticeOf([t, ...words]) {
  if (t === 'scan') return { t, side: words[0], type: words[1], size: words[2], at: words[3] };
  if (t !== 'truth_shot') return { t, square: words[0] };
  const [side, ship, owner, target, damage] = words;
  return { t, side, ship, owner, target, damage };
}
