// Places, dice and names in words, as `sunglare_client/text/` has them.

/** @import { Cell, Site, Square } from 'wire' */

import { boxOf } from '../board/geometry.js';

const CONTROLS = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu;
const BLANKS = /[\t\n\r\v\f\u0085\u2028\u2029]/g;
const LONGEST = 2000;

/**
 * Return another author's text as one line without anything that turns it about.
 * @param {unknown} text
 */
export function printable(text) {
  return String(text).slice(0, LONGEST).replace(BLANKS, ' ').replace(CONTROLS, '?');
}

/**
 * Return a name of the wire, such as `visual_hull`, as words.
 * @param {string} name
 */
export function spoken(name) {
  return String(name).replaceAll('_', ' ');
}

/**
 * Return a number with its sign.
 * @param {number} number
 */
export function signed(number) {
  return number < 0 ? `${number}` : `+${number}`;
}

/**
 * Return a square with the box it lies in, as in `7,27 B6`.
 * @param {Square} square
 */
export function placeText([x, y]) {
  return x < 0 || y < 0 ? `${x},${y}` : `${x},${y} ${boxOf([x, y])}`;
}

/**
 * Return a vector, as in `v(+1,-4)`.
 * @param {number[]} vector
 */
export function vectorText(vector) {
  return `v(${vector.map((part) => (part ? signed(part) : '0')).join(',')})`;
}

/**
 * Return the name of a cell of a surface map, such as `C4`.
 * @param {Cell} cell
 */
export function cellName([column, row]) {
  return `${String.fromCharCode(65 + column)}${row + 1}`;
}

/**
 * Return the name of a surface map, such as `Orlog 3`.
 * @param {Site} site
 */
export function siteName([body, environs]) {
  return `${body} ${environs}`;
}

/**
 * Return a point of a surface map: its cell, and east and north of the corner in inches.
 * @param {[number, number]} point
 */
export function pointText([east, north]) {
  const cell = cellName([Math.floor(east / 2000), Math.floor(north / 2000)]);
  return `${cell} (${inches(east)}, ${inches(north)} in)`;
}

/**
 * Return thousandths of an inch as inches with at most one decimal, a quarter rounded to even.
 * @param {number} units
 */
function inches(units) {
  return units % 1000 === 250 ? Math.floor(units / 1000) + 0.2 : Number((units / 1000).toFixed(1));
}

/**
 * Return a bearing that was rounded down to 30 degrees.
 * @param {number | null} [bearing]
 */
export function bearingText(bearing) {
  if (bearing == null) return 'its own square';
  return `bearing ${threeDigits(bearing)} to ${threeDigits(bearing + 30)}`;
}

/** @param {number} number */
function threeDigits(number) {
  return String(number).padStart(3, '0');
}
