// The boards of a moment: one, or one for each side, next to one another; drawn, pointed at, drawn nearer and moved,
// also by two fingers; and places of them picked, by a click, a tap or the keys, or asked about by a long press.

/** @import { Frame, Site, Square } from 'wire' */
/** @import { Chart } from '../board/chart.js' */
/** @import { Surface } from '../board/surface.js' */
/** @import { Sight } from '../watch/match.js' */
/** @import { Pen } from './dom.js' */
/** @import { Eye, Layout, Point } from './layout.js' */
/** @import { Look } from './palette.js' */

import { chartOf } from '../board/chart.js';
import { boardSize, boxOf } from '../board/geometry.js';
import { surfaceOf } from '../board/surface.js';
import { drawBoard } from './boardface.js';
import { found, made, penOf } from './dom.js';
import { Gestures } from './gestures.js';
import { eyeNearer, layoutOf, squareAt } from './layout.js';
import { TERRAIN, drawSurface } from './surfaceface.js';
import { cellName, vectorText } from '../story/words.js';

const NEAREST = 6;

/** @type {Record<string, Square>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * The keys that go to the next marked place, and to the one before.
 * @type {Record<string, number>}
 */
const JUMPS = { n: 1, N: -1 };

const KEYS = 'arrows move, n goes to the next marked place, Enter picks';

/**
 * Where a board is drawn: a figure with its caption, and the room that its canvas fills.
 * @typedef {{figure: HTMLElement, caption: HTMLElement, room: HTMLElement, canvas: HTMLCanvasElement}} Holder
 */

/**
 * What is drawn: how many squares there are, what paints them, what is said of one, and which place it is: a square of
 * space, or a cell of a surface map, which counts from the south.
 * @typedef {object} Drawing
 * @property {{columns: number, rows: number}} size
 * @property {(pen: Pen, layout: Layout, look: Look) => void} paint
 * @property {(square: Square) => string} words
 * @property {(square: Square) => [number, number]} place
 */

/**
 * Hears the place that is picked, and the one on which a finger rests or a right click falls; says which places the keys
 * may jump to.
 * @typedef {object} Picking
 * @property {(at: [number, number]) => void} onPick
 * @property {(at: [number, number]) => void} onHold
 * @property {(at: [number, number]) => boolean} isMarked
 */

/** @typedef {Drawing & {holder: Holder, layout: Layout | null}} Shown the layout is there once it is drawn */

/** @type {WeakMap<Frame, Chart>} what was made of frames: one is shown again with each change of a plan */
const CHARTS = new WeakMap();

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
  #group;
  #onPoint;
  #picking;
  /** @type {Square | null} the square that the keys have come to */
  #cursor = null;

  /**
   * @param {HTMLElement} group the element that gets the boards
   * @param {(words: string, at: [number, number] | null) => void} onPoint hears what lies at the place to which one points
   * @param {Picking | null} picking without it no place is picked
   */
  constructor(group = found('boards'), onPoint = tellPointed, picking = null) {
    this.#group = group;
    this.#onPoint = onPoint;
    this.#picking = picking;
    new ResizeObserver(() => this.draw()).observe(group);
  }

  /**
   * Show what these layers were sent, on boards of space or of a surface.
   * @param {Pick<Sight, 'name' | 'frame'>[]} views
   * @param {Site | null} site
   * @param {Look} look
   */
  show(views, site, look) {
    this.#look = look;
    while (this.#holders.length > views.length) this.#holders.pop()?.figure.remove();
    while (this.#holders.length < views.length) this.#holders.push(this.#newHolder());
    this.#group.dataset.count = String(views.length);
    this.#shown = views.map(({ name, frame }, index) => shownOf(this.#holders[index], name, frame, site));
    this.draw();
  }

  /** Begin another match: nothing is pointed at, and all of the board is shown. */
  begin() {
    this.#cursor = null;
    Object.assign(this.#eye, { zoom: 1, x: 0.5, y: 0.5 });
  }

  draw() {
    const look = this.#look;
    if (look) this.#shown.forEach((shown) => drawShown(shown, this.#eye, look, this.#cursor));
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
    // What a finger has asked about stays until the next one: it leaves when it is lifted.
    canvas.onpointerleave = ({ pointerType }) => pointerType === 'mouse' && this.#onPoint('', null);
    const gestures = new Gestures(canvas, {
      onHold: (at) => this.#hold(canvas, at),
      onPinch: (at, moved, factor) => this.#pinch(canvas, at, moved, factor),
    });
    if (this.#picking) this.#beginPicking(canvas, gestures, this.#picking);
    else canvas.ondblclick = () => this.zoom(this.#eye.zoom > 1 ? 1 / NEAREST : 2);
    const [caption, room] = [made('figcaption', {}), made('div', {}, canvas)];
    const figure = made('figure', {}, caption, room);
    this.#group.append(figure);
    return { figure, caption, room, canvas };
  }

  /**
   * @param {PointerEvent} event
   * @param {HTMLCanvasElement} canvas
   */
  #point(event, canvas) {
    const shown = this.#shown.find((one) => one.holder.canvas === canvas);
    if (!shown?.layout) return;
    if (event.pointerType === 'mouse' && event.buttons & 1 && this.#eye.zoom > 1) this.#drag(event, shown.layout);
    const square = squareAt(shown.layout, event.offsetX, event.offsetY);
    this.#onPoint(square ? shown.words(square) : '', square && shown.place(square));
  }

  /**
   * Say what lies where a finger rests: what the mouse says by pointing there.
   * @param {HTMLCanvasElement} canvas
   * @param {Point} at
   */
  #hold(canvas, at) {
    const shown = this.#shown.find((one) => one.holder.canvas === canvas);
    const square = shown?.layout && squareAt(shown.layout, ...at);
    if (!shown || !square) return;
    this.#onPoint(shown.words(square), shown.place(square));
    this.#picking?.onHold(shown.place(square));
  }

  /**
   * Draw nearer or farther around the point between two fingers, which the place below follows.
   * @param {HTMLCanvasElement} canvas
   * @param {Point} at
   * @param {Point} moved
   * @param {number} factor
   */
  #pinch(canvas, [x, y], [east, south], factor) {
    const shown = this.#shown.find((one) => one.holder.canvas === canvas);
    if (!shown?.layout) return;
    const zoom = Math.max(1, Math.min(NEAREST, this.#eye.zoom * factor));
    const moved = { ...shown.layout, west: shown.layout.west + east, north: shown.layout.north + south };
    // The room is what the board is laid out in.
    Object.assign(this.#eye, eyeNearer(shown.holder.room.getBoundingClientRect(), moved, this.#eye, [x, y], zoom));
    this.draw();
  }

  /**
   * Have places picked by a click, and by the keys while the board has the focus.
   * @param {HTMLCanvasElement} canvas
   * @param {Gestures} gestures
   * @param {Picking} picking
   */
  #beginPicking(canvas, gestures, { onPick, isMarked }) {
    const pick = (/** @type {Square} */ square) => {
      const { words, place } = this.#shown[0];
      this.#cursor = square;
      onPick(place(square));
      this.#onPoint(words(square), place(square));
    };
    canvas.tabIndex = 0;
    // A screen reader hands the keys of an image to nothing.
    canvas.setAttribute('role', 'application');
    canvas.onclick = (event) => {
      const { layout } = this.#shown[0];
      const square = !gestures.isGesture && layout && squareAt(layout, event.offsetX, event.offsetY);
      if (square) pick(square);
    };
    canvas.onkeydown = (event) => {
      const step = ARROWS[event.key];
      if (step) this.#move(step);
      else if (event.key in JUMPS) this.#jump(JUMPS[event.key], isMarked);
      else if (event.key === 'Enter' && this.#cursor) pick(this.#cursor);
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
  }

  /** @param {Square} step */
  #move([dx, dy]) {
    const { columns, rows } = this.#shown[0].size;
    const [x, y] = this.#cursor ?? [Math.floor(columns / 2), Math.floor(rows / 2)];
    const within = (/** @type {number} */ number, /** @type {number} */ most) => Math.max(0, Math.min(most - 1, number));
    this.#pointAt([within(x + dx, columns), within(y + dy, rows)]);
  }

  /**
   * Go to the next marked place, or the one before, row by row and around; stay where there is none.
   * @param {number} step 1 or -1
   * @param {(at: [number, number]) => boolean} isMarked
   */
  #jump(step, isMarked) {
    const { size, place } = this.#shown[0];
    const count = size.columns * size.rows;
    const [x, y] = this.#cursor ?? [step < 0 ? 0 : -1, 0];
    for (let gone = 1; gone <= count; gone += 1) {
      const at = (y * size.columns + x + step * gone + count) % count;
      /** @type {Square} */
      const square = [at % size.columns, Math.floor(at / size.columns)];
      if (isMarked(place(square))) return this.#pointAt(square);
    }
  }

  /** @param {Square} square */
  #pointAt(square) {
    const { words, place } = this.#shown[0];
    this.#cursor = square;
    this.#onPoint(words(square), place(square));
    this.draw();
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
  const help = holder.canvas.tabIndex < 0 ? 'see the table of pieces' : KEYS;
  holder.canvas.setAttribute('aria-label', `${name}: ${surface ? surface.site.join(' ') : 'space'}; ${help}`);
  return { holder, ...shown, layout: null };
}

/**
 * @param {Frame} frame
 * @returns {Drawing}
 */
function spaceShown(frame) {
  const chart = CHARTS.get(frame) ?? chartOf(frame);
  CHARTS.set(frame, chart);
  const { width, height } = boardSize(chart.board);
  return {
    size: { columns: width, rows: height },
    paint: (pen, layout, look) => drawBoard(pen, chart, layout, look),
    words: (square) => squareWords(chart, square),
    place: (square) => square,
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
    words: ([x, y]) => [cellName(surface.rows[y][x].at), ...surface.rows[y][x].standing.map(({ name }) => name)].join(' · '),
    place: ([x, y]) => surface.rows[y][x].at,
  };
}

/**
 * @param {Shown} shown
 * @param {Eye} eye
 * @param {Look} look
 * @param {Square | null} cursor
 */
function drawShown(shown, eye, look, cursor) {
  const { width, height } = shown.holder.room.getBoundingClientRect();
  const pen = penOf(shown.holder.canvas, width, height);
  shown.layout = layoutOf({ width, height }, shown.size, eye);
  shown.paint(pen, shown.layout, look);
  if (cursor) drawCursor(pen, cursor, shown.layout, look.colours.ink);
}

/** @param {string} words */
function tellPointed(words) {
  found('pointed').textContent = words;
}

/**
 * @param {Pen} pen
 * @param {Square} square
 * @param {Layout} layout
 * @param {string} colour
 */
function drawCursor(pen, [x, y], { west, north, unit }, colour) {
  pen.strokeStyle = colour;
  pen.lineWidth = 2;
  pen.strokeRect(west + x * unit - 1, north + y * unit - 1, unit + 2, unit + 2);
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
