// The analysis of a window as a view-model: the squares where each side may be, the boxes of the best
// scans, and both in words. Drawing adds nothing to it.

/** @import { Board } from 'wire' */
/** @import { Analysis, BestScan, Spot } from '../replay/analysis.js' */
/** @import { Area } from './geometry.js' */

import { printable } from '../story/words.js';
import { boardSize, scanArea } from './geometry.js';

/** Types that show all sides where their ship is, as `sunglare_rules/sensors/scans.py`. */
const TELLING = ['radar'];

/**
 * The squares where pieces of one side may be, and those of each piece; `side` is '' where no side
 * knows whose they are.
 * @typedef {{side: string, squares: number[], parts: number[][]}} Haunt
 */

/**
 * Return where the pieces of each side may be, as far as any other side knows.
 * @param {Analysis} analysis
 * @param {Board} board
 * @returns {Haunt[]}
 */
export function hauntsOf(analysis, board) {
  const { width, height } = boardSize(board);
  /** @type {Map<string, number[][]>} */
  const bySide = new Map();
  for (const { side, squares } of [...analysis.spots.values()].flat()) {
    bySide.set(side, [...(bySide.get(side) ?? []), numbersOf(squares, width * height)]);
  }
  return [...bySide].sort().map(([side, parts]) => ({ side, squares: [...new Set(parts.flat())], parts }));
}

/**
 * Return the numbers of the squares of some runs, each once, those on the board.
 * @param {number[]} runs
 * @param {number} count
 */
export function numbersOf(runs, count) {
  /** @type {number[]} */
  const numbers = [];
  let free = 0;
  for (let at = 0; at + 1 < runs.length; at += 2) {
    const end = Math.min(runs[at] + runs[at + 1], count);
    for (let number = Math.max(free, runs[at]); number < end; number += 1) numbers.push(number);
    free = Math.max(free, end);
  }
  return numbers;
}

/**
 * Return the boxes of the best scans of a window, numbered for each side from 1.
 * @param {Analysis} analysis
 * @param {Board} board
 * @returns {{side: string, name: string, area: Area}[]}
 */
export function boxesOf(analysis, board) {
  return [...analysis.scans].flatMap(([side, scans]) =>
    scans.map(({ size, at }, index) => ({ side, name: `${side}#${index + 1}`, area: scanArea(board, size, at) })),
  );
}

const SURE = { held: 'is held at', lost: 'was lost and is in one of', scan: 'has scanned from one of' };

/**
 * Return what is known of where others may be, a line for each piece and, of scans, for all who heard.
 * @param {Analysis} analysis
 * @param {Board} board
 */
export function spotLines(analysis, board) {
  /** @type {Map<string, {text: string, lookers: string[]}>} */
  const knowing = new Map();
  for (const [looker, spots] of analysis.spots) {
    for (const spot of spots) {
      const text = spotText(spot, boardSize(board));
      // The same label is another piece to each side, a scan is the same to all.
      const key = spot.basis === 'scan' ? text : `${looker} ${text}`;
      knowing.set(key, { text, lookers: [...new Set([...(knowing.get(key)?.lookers ?? []), looker])] });
    }
  }
  return [...knowing.values()].map(({ text, lookers }) =>
    printable(`${lookers.join(', ')} ${lookers.length > 1 ? 'know' : 'knows'}: ${text}`),
  );
}

/**
 * @param {Spot} spot
 * @param {{width: number, height: number}} size
 */
function spotText({ of, basis, side, squares }, { width, height }) {
  const numbers = numbersOf(squares, width * height);
  const what = basis === 'scan' ? `the ship of ${side} that made ${of}` : `${of}${side ? ` of ${side}` : ''}`;
  const where = basis === 'held' ? placesText(numbers, width) : countText(numbers.length);
  return `${what} ${SURE[basis]} ${where}`;
}

/**
 * @param {number[]} numbers
 * @param {number} width
 */
function placesText(numbers, width) {
  return numbers.map((number) => `${number % width},${Math.floor(number / width)}`).join(' ');
}

/** @param {number} count */
function countText(count) {
  return count === 1 ? '1 square' : `${count} squares`;
}

/**
 * Return the best scans of a window in words; null where it took none.
 * @param {Analysis} analysis
 */
export function scanLines(analysis) {
  if (!analysis.scans.size) return null;
  return [...analysis.scans].flatMap(([side, scans]) => {
    if (!scans.length) return [printable(`${side}: no scan of it would have found anything`)];
    return scans.map((scan, index) => printable(scanLine(`${side}#${index + 1}`, scan)));
  });
}

/**
 * @param {string} name
 * @param {BestScan} scan
 */
function scanLine(name, { ship, type, size, at, found, tracked, left }) {
  const place = typeof at === 'string' ? at : at.join();
  const tracks = tracked.length ? `, tracks ${tracked.join(' ')}` : '';
  return `${name}: ${ship}, ${type} ${size} at ${place}: finds ${found.join(' ')}${tracks}; ${givenAway(ship, type, left)}`;
}

/**
 * @param {string} ship
 * @param {string} type
 * @param {number} left
 */
function givenAway(ship, type, left) {
  if (TELLING.includes(type)) return `shows everybody the square of ${ship}`;
  return left ? `leaves everybody ${countText(left)} to look for ${ship}` : `tells everybody that ${ship} is on a body`;
}
