// What is offered after a match over the truth: where each side may still be, as hatching, and the
// best scans of the window, as outlines; both as lists next to the board, too.

/** @import { Board, Site } from 'wire' */
/** @import { Haunt } from '../board/analysis.js' */
/** @import { Area } from '../board/geometry.js' */
/** @import { Match, Sight } from '../watch/match.js' */
/** @import { Pen } from './dom.js' */
/** @import { Layout, Point } from './layout.js' */
/** @import { Look, Overlay } from './palette.js' */

import { boxesOf, hauntsOf, scanLines, spotLines } from '../board/analysis.js';
import { boardSize } from '../board/geometry.js';
import { TRUTH } from '../watch/match.js';
import { found, made } from './dom.js';
import { sideColour } from './palette.js';

const GAP = 8;
const FAINT = 0.6;

/**
 * How the hatching of each side runs, as steps along both axes; another for an unknown side.
 * @type {Point[]}
 */
const WAYS = [[1, -1], [1, 1], [1, 0], [0, 1]];

/** The layers of the analysis, switched by hand. */
export class AnalysisFace {
  #isOn = { spots: false, scans: false };
  #isOffered = false;
  #onChange;

  /** @param {() => void} onChange called when another layer is wanted */
  constructor(onChange) {
    this.#onChange = onChange;
    found('spots').onclick = () => this.toggle('spots');
    found('scans').onclick = () => this.toggle('scans');
  }

  /**
   * Switch a layer, where it is offered.
   * @param {'spots' | 'scans'} what
   */
  toggle(what) {
    if (!this.#isOffered) return;
    this.#isOn[what] = !this.#isOn[what];
    this.#onChange();
  }

  /**
   * Offer the layers for what is shown, list those that are on, and return what paints them.
   * @param {Match} match
   * @param {Sight} shown
   * @param {Site | null} site the surface map that is shown, on which nothing is painted
   * @returns {Overlay | null}
   */
  show(match, { layer, frame, index }, site) {
    this.#isOffered = layer === TRUTH && match.analysis.size > 0;
    const analysis = this.#isOffered ? match.analysis.get(match.steps[index].window) : undefined;
    const { board } = frame.view;
    found('analysis').hidden = !this.#isOffered;
    this.#tell('spots', analysis && spotLines(analysis, board), 'No side knows where anything may be.');
    this.#tell('scans', analysis && scanLines(analysis), 'This window takes no scans.');
    found('hindsight').hidden = !this.#isOffered || !(this.#isOn.spots || this.#isOn.scans);
    if (!analysis || site) return null;
    const { spots, scans } = this.#isOn;
    return (pen, layout, look) => {
      if (spots) hauntsOf(analysis, board).forEach((haunt) => drawHaunt(pen, haunt, board, layout, look));
      if (scans) boxesOf(analysis, board).forEach((box) => drawBox(pen, box, layout, look));
    };
  }

  /**
   * @param {'spots' | 'scans'} what
   * @param {string[] | null | undefined} lines
   * @param {string} otherwise
   */
  #tell(what, lines, otherwise) {
    found(what).setAttribute('aria-pressed', String(this.#isOn[what]));
    found(`${what}-told`).hidden = !this.#isOn[what];
    if (!this.#isOn[what]) return;
    const items = (lines?.length ? lines : [otherwise]).map((line) => made('li', {}, line));
    found(`${what}-told`).querySelector('ul')?.replaceChildren(...items);
  }
}

/**
 * Hatch the squares of a side, and draw a line around those of each piece.
 * @param {Pen} pen
 * @param {Haunt} haunt
 * @param {Board} board
 * @param {Layout} layout
 * @param {Look} look
 */
function drawHaunt(pen, { side, squares, parts }, board, layout, { colours, sides }) {
  const { width } = boardSize(board);
  pen.save();
  pen.strokeStyle = sideColour(colours, sides, side);
  pen.lineWidth = 1.5;
  for (const part of parts) drawRim(pen, part, width, layout);
  pen.beginPath();
  for (const number of squares) pen.rect(...cornerOf(number, width, layout), layout.unit, layout.unit);
  pen.clip();
  pen.globalAlpha = FAINT;
  pen.lineWidth = 1;
  pen.beginPath();
  const at = sides.indexOf(side);
  for (const way of at < 0 ? WAYS.slice(0, 2) : [WAYS[at % WAYS.length]]) hatch(pen, way, layout);
  pen.stroke();
  pen.restore();
}

/**
 * @param {number} number
 * @param {number} width
 * @param {Layout} layout
 * @returns {Point}
 */
function cornerOf(number, width, { west, north, unit }) {
  return [west + (number % width) * unit, north + Math.floor(number / width) * unit];
}

/**
 * Draw the edges of squares next to which there is no other.
 * @param {Pen} pen
 * @param {number[]} squares
 * @param {number} width
 * @param {Layout} layout
 */
function drawRim(pen, squares, width, layout) {
  const all = new Set(squares);
  const { unit } = layout;
  pen.beginPath();
  for (const number of squares) {
    const [x, y] = cornerOf(number, width, layout);
    const [isWest, isEast] = [number % width === 0, number % width === width - 1];
    if (isWest || !all.has(number - 1)) segment(pen, x, y, 0, unit);
    if (isEast || !all.has(number + 1)) segment(pen, x + unit, y, 0, unit);
    if (!all.has(number - width)) segment(pen, x, y, unit, 0);
    if (!all.has(number + width)) segment(pen, x, y + unit, unit, 0);
  }
  pen.stroke();
}

/**
 * @param {Pen} pen
 * @param {number} x
 * @param {number} y
 * @param {number} dx
 * @param {number} dy
 */
function segment(pen, x, y, dx, dy) {
  pen.moveTo(x, y);
  pen.lineTo(x + dx, y + dy);
}

/**
 * Lay lines of one way over the whole board.
 * @param {Pen} pen
 * @param {Point} way
 * @param {Layout} layout
 */
function hatch(pen, [dx, dy], { west, north, unit, columns, rows }) {
  const [width, height] = [columns * unit, rows * unit];
  if (!dy) for (let y = 0; y < height; y += GAP) segment(pen, west, north + y, width, 0);
  else if (!dx) for (let x = 0; x < width; x += GAP) segment(pen, west + x, north, 0, height);
  else {
    const top = dy > 0 ? north : north + height;
    for (let x = -height; x < width; x += GAP * 1.4) segment(pen, west + x, top, height, height * dy);
  }
}

/**
 * Outline a scan: a rim, a line of its side, and its number in the corner.
 * @param {Pen} pen
 * @param {{side: string, name: string, area: Area}} box
 * @param {Layout} layout
 * @param {Look} look
 */
function drawBox(pen, { side, name, area }, { west, north, unit }, { colours, sides }) {
  const [x, y] = [west + area.west * unit, north + area.north * unit];
  const [width, height] = [(area.east - area.west + 1) * unit, (area.south - area.north + 1) * unit];
  const rims = [{ style: colours.paper, line: 6 }, { style: sideColour(colours, sides, side), line: 3 }];
  for (const { style, line } of rims) {
    pen.strokeStyle = style;
    pen.lineWidth = line;
    pen.strokeRect(x, y, width, height);
  }
  pen.textAlign = 'left';
  pen.textBaseline = 'bottom';
  pen.strokeStyle = colours.paper;
  pen.lineWidth = 4;
  pen.strokeText(name, x + 3, y - 2);
  pen.fillStyle = colours.ink;
  pen.fillText(name, x + 3, y - 2);
  pen.textBaseline = 'middle';
}
