// The boards of a moment: one, or one for each side, next to one another; drawn, pointed at, drawn
// nearer and moved; and places of them picked, by a click, a tap or the keys.

import { chartOf } from '../board/chart.js';
import { boardSize, boxOf } from '../board/geometry.js';
import { surfaceOf } from '../board/surface.js';
import { drawBoard } from './boardface.js';
import { found, made, penOf } from './dom.js';
import { layoutOf, squareAt } from './layout.js';
import { TERRAIN, drawSurface } from './surfaceface.js';
import { cellName, vectorText } from '../story/words.js';

const NEAREST = 6;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Shows boards and keeps how near they are drawn. */
export class Boards {
  #shown = [];
  #eye = { zoom: 1, x: 0.5, y: 0.5 };
  #look = null;
  #holder;
  #onPoint;
  #onPick;
  /** @type {[number, number] | null} the square that the keys have come to */
  #cursor = null;

  /**
   * @param {HTMLElement} holder
   * @param {(words: string) => void} onPoint hears what lies where one points
   * @param {((at: [number, number]) => void) | null} onPick hears the square, or the cell, that is picked; without it none is
   */
  constructor(holder = found('boards'), onPoint = (words) => (found('pointed').textContent = words), onPick = null) {
    this.#holder = holder;
    this.#onPoint = onPoint;
    this.#onPick = onPick;
    new ResizeObserver(() => this.draw()).observe(holder);
  }

  /**
   * Show what these layers were sent, on boards of space or of a surface.
   * @param {{name: string, frame: object}[]} views
   * @param {[string, number] | null} site
   * @param {{colours: object, sides: string[], chosen: string | null}} look
   */
  show(views, site, look) {
    this.#look = look;
    const holder = this.#holder;
    while (holder.children.length > views.length) holder.lastChild.remove();
    while (holder.children.length < views.length) holder.append(this.#newBoard());
    holder.dataset.count = String(views.length);
    this.#shown = views.map(({ name, frame }, index) => shownOf(holder.children[index], name, frame, site));
    this.draw();
  }

  draw() {
    this.#shown.forEach((shown) => drawShown(shown, this.#eye, this.#look, this.#cursor));
  }

  /** Draw nearer or farther. */
  zoom(factor) {
    this.#eye.zoom = Math.max(1, Math.min(NEAREST, this.#eye.zoom * factor));
    if (this.#eye.zoom === 1) Object.assign(this.#eye, { x: 0.5, y: 0.5 });
    this.draw();
  }

  /** Bring a square into the middle, if not all is shown. */
  look([x, y]) {
    const { columns, rows } = this.#shown[0].size;
    Object.assign(this.#eye, { x: (x + 0.5) / columns, y: (y + 0.5) / rows });
  }

  #newBoard() {
    const canvas = made('canvas', {});
    canvas.setAttribute('role', 'img');
    canvas.onpointermove = (event) => this.#point(event, canvas);
    canvas.onpointerleave = () => this.#onPoint('');
    if (this.#onPick) this.#beginPicking(canvas);
    else canvas.ondblclick = () => this.zoom(this.#eye.zoom > 1 ? 1 / NEAREST : 2);
    return made('figure', {}, made('figcaption', {}), made('div', {}, canvas));
  }

  #point(event, canvas) {
    const shown = this.#shown.find((one) => one.canvas === canvas);
    if (!shown) return;
    if (event.buttons & 1 && this.#eye.zoom > 1) this.#drag(event, shown);
    const square = squareAt(shown.layout, event.offsetX, event.offsetY);
    this.#onPoint(square ? shown.words(square) : '');
  }

  /** Have squares picked by a click, and by the arrows and Enter while the board has the focus. */
  #beginPicking(canvas) {
    canvas.tabIndex = 0;
    canvas.onclick = (event) => {
      const [shown] = this.#shown;
      const square = squareAt(shown.layout, event.offsetX, event.offsetY);
      if (square) this.#pick(square);
    };
    canvas.onkeydown = (event) => {
      const step = ARROWS[event.key];
      if (step) this.#move(step);
      else if (event.key === 'Enter' && this.#cursor) this.#pick(this.#cursor);
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
  }

  #move([dx, dy]) {
    const { size, words } = this.#shown[0];
    const [x, y] = this.#cursor ?? [Math.floor(size.columns / 2), Math.floor(size.rows / 2)];
    const within = (place, most) => Math.max(0, Math.min(most - 1, place));
    this.#cursor = [within(x + dx, size.columns), within(y + dy, size.rows)];
    this.#onPoint(words(this.#cursor));
    this.draw();
  }

  #pick(square) {
    this.#cursor = square;
    this.#onPick(this.#shown[0].place(square));
  }

  #drag(event, { layout }) {
    const { unit, columns, rows } = layout;
    this.#eye.x = Math.max(0, Math.min(1, this.#eye.x - event.movementX / (unit * columns)));
    this.#eye.y = Math.max(0, Math.min(1, this.#eye.y - event.movementY / (unit * rows)));
    this.draw();
  }
}

/** Return what is to be drawn on a board, and what to say of its squares. */
function shownOf(figure, name, frame, site) {
  const canvas = figure.querySelector('canvas');
  const surface = site ? surfaceOf(frame.view, site) : null;
  const shown = surface ? surfaceShown(surface) : spaceShown(frame);
  const caption = figure.querySelector('figcaption');
  caption.textContent = surface ? `${name}   ${TERRAIN}` : name;
  canvas.setAttribute('aria-label', `${name}: ${surface ? surface.site.join(' ') : 'space'}; see the table of pieces`);
  return { canvas, ...shown, layout: null };
}

function spaceShown(frame) {
  const chart = chartOf(frame);
  const { width, height } = boardSize(chart.board);
  return {
    size: { columns: width, rows: height },
    paint: (pen, layout, look) => drawBoard(pen, chart, layout, look),
    words: (square) => squareWords(chart, square),
    place: (square) => square,
  };
}

function surfaceShown(surface) {
  return {
    size: { columns: surface.rows[0]?.length ?? 1, rows: surface.rows.length },
    paint: (pen, layout, look) => drawSurface(pen, surface, layout, look),
    words: ([x, y]) => [cellName(surface.rows[y][x].at), ...surface.rows[y][x].standing.map(({ name }) => name)].join(' · '),
    place: ([x, y]) => surface.rows[y][x].at,
  };
}

function drawShown(shown, eye, look, cursor) {
  const { width, height } = shown.canvas.parentElement.getBoundingClientRect();
  const pen = penOf(shown.canvas, width, height);
  shown.layout = layoutOf({ width, height }, shown.size, eye);
  shown.paint(pen, shown.layout, look);
  if (cursor) drawCursor(pen, cursor, shown.layout, look.colours);
}

function drawCursor(pen, [x, y], { west, north, unit }, colours) {
  pen.strokeStyle = colours.ink;
  pen.lineWidth = 2;
  pen.strokeRect(west + x * unit - 1, north + y * unit - 1, unit + 2, unit + 2);
}

/** Return what lies on a square, in words. */
function squareWords(chart, [x, y]) {
  const here = chart.marks.filter(({ square }) => square[0] === x && square[1] === y);
  const pieces = here.map((mark) => {
    const rung = mark.isOwn ? 'own' : (mark.fix ?? 'held by nobody');
    return [mark.name, mark.type, rung, mark.vector ? vectorText(mark.vector) : ''].filter(Boolean).join(' ');
  });
  const ground = chart.ground[y][x];
  return [`${x},${y} ${boxOf([x, y])}`, ground === 'space' ? '' : ground, ...pieces].filter(Boolean).join(' · ');
}
