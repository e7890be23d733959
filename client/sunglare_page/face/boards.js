// The boards of a moment: one, or one for each side, next to one another; drawn, pointed at, drawn
// nearer and moved.

/** @import { Frame, Site, Square } from 'wire' */
/** @import { Chart } from '../board/chart.js' */
/** @import { Surface } from '../board/surface.js' */
/** @import { Sight } from '../watch/match.js' */
/** @import { Pen } from './dom.js' */
/** @import { Eye, Layout } from './layout.js' */
/** @import { Look } from './palette.js' */

import { chartOf } from '../board/chart.js';
import { boardSize, boxOf } from '../board/geometry.js';
import { surfaceOf } from '../board/surface.js';
import { drawBoard } from './boardface.js';
import { found, made, penOf } from './dom.js';
import { layoutOf, squareAt } from './layout.js';
import { TERRAIN, drawSurface } from './surfaceface.js';
import { vectorText } from '../story/words.js';

const NEAREST = 6;

/**
 * Where a board is drawn: a figure with its caption, and the room that its canvas fills.
 * @typedef {{figure: HTMLElement, caption: HTMLElement, room: HTMLElement, canvas: HTMLCanvasElement}} Holder
 */

/**
 * What is drawn: how many squares there are, what paints them, and what is said of one.
 * @typedef {object} Drawing
 * @property {{columns: number, rows: number}} size
 * @property {(pen: Pen, layout: Layout, look: Look) => void} paint
 * @property {(square: Square) => string} words
 */

/** @typedef {Drawing & {holder: Holder, layout: Layout | null}} Shown the layout is there once it is drawn */

/** Shows boards and keeps how near they are drawn. */
export class Boards {
  /** @type {Holder[]} */
  #holders = [];
  /** @type {Shown[]} */
  #shown = [];
  /** @type {Eye} */
  #eye = { zoom: 1, x: 0.5, y: 0.5 };
  /** @type {Look | null} */
  #look = null;

  constructor() {
    new ResizeObserver(() => this.draw()).observe(found('boards'));
  }

  /**
   * Show what these layers were sent, on boards of space or of a surface.
   * @param {Sight[]} views
   * @param {Site | null} site
   * @param {Look} look
   */
  show(views, site, look) {
    this.#look = look;
    while (this.#holders.length > views.length) this.#holders.pop()?.figure.remove();
    while (this.#holders.length < views.length) this.#holders.push(this.#newHolder());
    found('boards').dataset.count = String(views.length);
    this.#shown = views.map(({ name, frame }, index) => shownOf(this.#holders[index], name, frame, site));
    this.draw();
  }

  draw() {
    const look = this.#look;
    if (look) this.#shown.forEach((shown) => drawShown(shown, this.#eye, look));
  }

  /**
   * Draw nearer or farther.
   * @param {number} factor
   */
  zoom(factor) {
    this.#eye.zoom = Math.max(1, Math.min(NEAREST, this.#eye.zoom * factor));
    if (this.#eye.zoom === 1) Object.assign(this.#eye, { x: 0.5, y: 0.5 });
    this.draw();
  }

  /**
   * Bring a square into the middle, if not all is shown.
   * @param {Square} square
   */
  look([x, y]) {
    const { columns, rows } = this.#shown[0].size;
    Object.assign(this.#eye, { x: (x + 0.5) / columns, y: (y + 0.5) / rows });
  }

  /** @returns {Holder} */
  #newHolder() {
    const canvas = made('canvas', {});
    canvas.setAttribute('role', 'img');
    canvas.onpointermove = (event) => this.#point(event, canvas);
    canvas.onpointerleave = () => (found('pointed').textContent = '');
    canvas.ondblclick = () => this.zoom(this.#eye.zoom > 1 ? 1 / NEAREST : 2);
    const [caption, room] = [made('figcaption', {}), made('div', {}, canvas)];
    const figure = made('figure', {}, caption, room);
    found('boards').append(figure);
    return { figure, caption, room, canvas };
  }

  /**
   * @param {PointerEvent} event
   * @param {HTMLCanvasElement} canvas
   */
  #point(event, canvas) {
    const shown = this.#shown.find((one) => one.holder.canvas === canvas);
    if (!shown?.layout) return;
    if (event.buttons & 1 && this.#eye.zoom > 1) this.#drag(event, shown.layout);
    const square = squareAt(shown.layout, event.offsetX, event.offsetY);
    found('pointed').textContent = square ? shown.words(square) : '';
  }

  /**
   * @param {PointerEvent} event
   * @param {Layout} layout
   */
  #drag(event, { unit, columns, rows }) {
    this.#eye.x = Math.max(0, Math.min(1, this.#eye.x - event.movementX / (unit * columns)));
    this.#eye.y = Math.max(0, Math.min(1, this.#eye.y - event.movementY / (unit * rows)));
    this.draw();
  }
}

/**
 * Return what is to be drawn on a board, and what to say of its squares.
 * @param {Holder} holder
 * @param {string} name
 * @param {Frame} frame
 * @param {Site | null} site
 * @returns {Shown}
 */
function shownOf(holder, name, frame, site) {
  const surface = site ? surfaceOf(frame.view, site) : null;
  const shown = surface ? surfaceShown(surface) : spaceShown(frame);
  holder.caption.textContent = surface ? `${name}   ${TERRAIN}` : name;
  holder.canvas.setAttribute('aria-label', `${name}: ${surface ? surface.site.join(' ') : 'space'}; see the table of pieces`);
  return { holder, ...shown, layout: null };
}

/**
 * @param {Frame} frame
 * @returns {Drawing}
 */
function spaceShown(frame) {
  const chart = chartOf(frame);
  const { width, height } = boardSize(chart.board);
  return {
    size: { columns: width, rows: height },
    paint: (pen, layout, look) => drawBoard(pen, chart, layout, look),
    words: (square) => squareWords(chart, square),
  };
}

/**
 * @param {Surface} surface
 * @returns {Drawing}
 */
function surfaceShown(surface) {
  return {
    size: { columns: surface.rows[0]?.length ?? 1, rows: surface.rows.length },
    paint: (pen, layout, look) => drawSurface(pen, surface, layout, look),
    words: ([x, y]) => surface.rows[y][x].standing.map(({ name }) => name).join(', '),
  };
}

/**
 * @param {Shown} shown
 * @param {Eye} eye
 * @param {Look} look
 */
function drawShown(shown, eye, look) {
  const { width, height } = shown.holder.room.getBoundingClientRect();
  const pen = penOf(shown.holder.canvas, width, height);
  shown.layout = layoutOf({ width, height }, shown.size, eye);
  shown.paint(pen, shown.layout, look);
}

/**
 * Return what lies on a square, in words.
 * @param {Chart} chart
 * @param {Square} square
 */
function squareWords(chart, [x, y]) {
  const here = chart.marks.filter(({ square }) => square[0] === x && square[1] === y);
  const pieces = here.map((mark) => {
    const rung = mark.isOwn ? 'own' : (mark.fix ?? 'held by nobody');
    return [mark.name, mark.type, rung, mark.vector ? vectorText(mark.vector) : ''].filter(Boolean).join(' ');
  });
  const ground = chart.ground[y][x];
  return [`${x},${y} ${boxOf([x, y])}`, ground === 'space' ? '' : ground, ...pieces].filter(Boolean).join(' · ');
}
