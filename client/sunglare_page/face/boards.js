// The boards of a moment: one, or one for each side, next to one another; drawn, pointed at, drawn
// nearer and moved.

import { chartOf } from '../board/chart.js';
import { boardSize, boxOf } from '../board/geometry.js';
import { surfaceOf } from '../board/surface.js';
import { drawBoard } from './boardface.js';
import { found, made, penOf } from './dom.js';
import { layoutOf, squareAt } from './layout.js';
import { TERRAIN, drawSurface } from './surfaceface.js';
import { vectorText } from '../story/words.js';

const NEAREST = 6;

/** Shows boards and keeps how near they are drawn. */
export class Boards {
  #shown = [];
  #eye = { zoom: 1, x: 0.5, y: 0.5 };
  #look = null;

  constructor() {
    new ResizeObserver(() => this.draw()).observe(found('boards'));
  }

  /**
   * Show what these layers were sent, on boards of space or of a surface.
   * @param {{name: string, frame: object}[]} views
   * @param {[string, number] | null} site
   * @param {{colours: object, sides: string[], chosen: string | null}} look
   */
  show(views, site, look) {
    this.#look = look;
    const holder = found('boards');
    while (holder.children.length > views.length) holder.lastChild.remove();
    while (holder.children.length < views.length) holder.append(this.#newBoard());
    holder.dataset.count = String(views.length);
    this.#shown = views.map(({ name, frame }, index) => shownOf(holder.children[index], name, frame, site));
    this.draw();
  }

  draw() {
    this.#shown.forEach((shown) => drawShown(shown, this.#eye, this.#look));
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
    canvas.onpointerleave = () => (found('pointed').textContent = '');
    canvas.ondblclick = () => this.zoom(this.#eye.zoom > 1 ? 1 / NEAREST : 2);
    return made('figure', {}, made('figcaption', {}), made('div', {}, canvas));
  }

  #point(event, canvas) {
    const shown = this.#shown.find((one) => one.canvas === canvas);
    if (!shown) return;
    if (event.buttons & 1 && this.#eye.zoom > 1) this.#drag(event, shown);
    const square = squareAt(shown.layout, event.offsetX, event.offsetY);
    found('pointed').textContent = square ? shown.words(square) : '';
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
  };
}

function surfaceShown(surface) {
  return {
    size: { columns: surface.rows[0]?.length ?? 1, rows: surface.rows.length },
    paint: (pen, layout, look) => drawSurface(pen, surface, layout, look),
    words: ([x, y]) => surface.rows[y][x].standing.map(({ name }) => name).join(', '),
  };
}

function drawShown(shown, eye, look) {
  const { width, height } = shown.canvas.parentElement.getBoundingClientRect();
  const pen = penOf(shown.canvas, width, height);
  shown.layout = layoutOf({ width, height }, shown.size, eye);
  shown.paint(pen, shown.layout, look);
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
