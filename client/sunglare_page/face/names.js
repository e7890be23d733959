// Names next to the pieces of a board: what they say, where they find room, and how they are written.

/** @import { Mark } from '../board/marks.js' */
/** @import { Pen } from './dom.js' */
/** @import { Layout, Point } from './layout.js' */
/** @import { Colours, Look } from './palette.js' */

import { middleOf } from './layout.js';
import { sideColour } from './palette.js';

const NAMES_MOST = 2;
const MARGIN = 40;
const COLUMNS_MOST = 1000;

/** So many texts are remembered with their lengths. */
const WIDTHS_MOST = 1000;

/** @type {Map<string, Map<string, number>>} how long texts are, by the font, as measuring one takes as long as writing it */
const WIDTHS = new Map();

/** How high a line of text is. */
const LINE = 11;

/** @typedef {{x: number, y: number, width: number}} Place where a name stands: its western end, its height, how long */

/** @typedef {{text: string, x: number, y: number, colour: string}} Text */

/**
 * Write texts with rims, so that they can be read on any ground: first all rims, as a pen that changes its
 * style for each text takes longer.
 * @param {Pen} pen
 * @param {Text[]} texts
 * @param {Colours} colours
 */
export function drawTexts(pen, texts, colours) {
  pen.lineWidth = 3;
  pen.lineJoin = 'round';
  pen.strokeStyle = colours.paper;
  for (const { text, x, y } of texts) pen.strokeText(text, x, y);
  for (const { text, x, y, colour } of texts) {
    pen.fillStyle = colour;
    pen.fillText(text, x, y);
  }
}

/**
 * Return what measures texts in the font that the pen has now.
 * @param {Pen} pen
 * @returns {(text: string) => number}
 */
export function measuring(pen) {
  const { font } = pen;
  const widths = WIDTHS.get(font) ?? new Map();
  WIDTHS.set(font, widths);
  return (text) => {
    let width = widths.get(text);
    if (width === undefined) {
      if (widths.size >= WIDTHS_MOST) widths.clear();
      width = pen.measureText(text).width;
      widths.set(text, width);
    }
    return width;
  };
}

/** @type {Place[]} */
const NONE = [];

/** Where names stand already, by rows as high as a line, so that each is compared with few others. */
export class Taken {
  /** @type {Map<number, Place[]>} */
  #rows = new Map();

  /** @param {Place} place */
  take(place) {
    listed(this.#rows, Math.floor(place.y / LINE), place);
  }

  /**
   * Return whether no name stands in a place.
   * @param {Place} place
   */
  isFree(place) {
    const row = Math.floor(place.y / LINE);
    for (let at = row - 1; at <= row + 1; at += 1) {
      for (const other of this.#rows.get(at) ?? NONE) if (overlap(place, other)) return false;
    }
    return true;
  }
}

/**
 * @param {Place} one
 * @param {Place} other
 */
function overlap(one, other) {
  return one.x < other.x + other.width && other.x < one.x + one.width && Math.abs(one.y - other.y) < LINE;
}

/**
 * Write names next to the pieces where they find room; those of one square together.
 * @param {Pen} pen
 * @param {Mark[]} all
 * @param {Layout} layout
 * @param {number} reach
 * @param {Look & {taken: Taken}} look
 */
export function drawNames(pen, all, layout, reach, { colours, sides, taken }) {
  /** @type {Map<number, Mark[]>} */
  const bySquare = new Map();
  for (const mark of all) listed(bySquare, mark.square[0] + mark.square[1] * COLUMNS_MOST, mark);
  pen.textAlign = 'left';
  const edge = layout.west + layout.columns * layout.unit + MARGIN;
  const widthOf = measuring(pen);
  const names = [];
  for (const marks of bySquare.values()) {
    const text = namesText(marks);
    const middle = middleOf(layout, marks[0].square);
    const place = roomFor(widthOf(text), middle, reach, { taken, edge, mayGive: isFaint(marks) });
    if (!place) continue;
    taken.take(place);
    names.push({ text, x: place.x, y: place.y, colour: sideColour(colours, sides, marks[0].side) });
  }
  drawTexts(pen, names, colours);
}

/**
 * Return whether all that stands somewhere is remembered: its names give way where it is crowded.
 * @param {Mark[]} marks
 */
function isFaint(marks) {
  return marks.every(({ fix, isOwn }) => !isOwn && (fix === 'memory' || fix === 'coasting'));
}

/** @param {Mark[]} marks */
function namesText(marks) {
  const shown = marks.slice(0, NAMES_MOST).map(({ name, age }) => (age ? `${name} −${age}` : name));
  const more = marks.length - shown.length;
  return more > 0 ? `${shown.join(' ')} +${more}` : shown.join(' ');
}

/**
 * Return the first place around a piece that no other name has taken; null if that may be.
 * @param {number} width
 * @param {Point} middle
 * @param {number} reach
 * @param {{taken: Taken, edge: number, mayGive: boolean}} limits
 */
function roomFor(width, [x, y], reach, { taken, edge, mayGive }) {
  for (let number = 0; number < PLACES.length; number += 1) {
    const place = PLACES[number](x, y, reach + 3, width);
    if (place.x + width < edge && taken.isFree(place)) return place;
  }
  return mayGive ? null : PLACES[0](x, y, reach + 3, width);
}

/**
 * The places around a piece, the best first: on its right, above and below that, on its left, above and below it.
 * @type {((x: number, y: number, away: number, width: number) => Place)[]}
 */
const PLACES = [
  (x, y, away, width) => ({ x: x + away, y, width }),
  (x, y, away, width) => ({ x: x + away, y: y - LINE, width }),
  (x, y, away, width) => ({ x: x + away, y: y + LINE, width }),
  (x, y, away, width) => ({ x: x - away - width, y, width }),
  (x, y, away, width) => ({ x: x - width / 2, y: y - away - 5, width }),
  (x, y, away, width) => ({ x: x - width / 2, y: y + away + 6, width }),
];

/**
 * Add a value to the list of a key.
 * @template K, V
 * @param {Map<K, V[]>} lists
 * @param {K} key
 * @param {V} value
 */
export function listed(lists, key, value) {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
