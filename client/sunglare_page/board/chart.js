// A board as a view-model: what lies on its squares, the marks of its pieces, the scans and the
// give-aways of the window that has just closed. Drawing adds nothing to it.

/** @import { Board, Frame, ScanAnswered, Square, TruthShot, TruthView, View } from 'wire' */
/** @import { Area } from './geometry.js' */
/** @import { Mark } from './marks.js' */

import { scanArea } from './geometry.js';
import { groundOf } from './ground.js';
import { marksOf } from './marks.js';

/**
 * @typedef {object} Chart
 * @property {Board} board
 * @property {string[][]} ground
 * @property {Mark[]} marks
 * @property {{side: string, area: Area, text: string}[]} scans
 * @property {{square: Square, kind: string}[]} flashes places that gave a ship away
 * @property {{from: Square, to: Square, hits: boolean}[]} shots
 */

/**
 * Return the board of a frame.
 * @param {Frame} frame
 * @returns {Chart}
 */
export function chartOf(frame) {
  const { view } = frame;
  const notices = frame.notices ?? [];
  const marks = marksOf(view);
  return {
    board: view.board,
    ground: groundOf(view),
    marks,
    scans: notices.filter((notice) => notice.t === 'scan').map((notice) => scanOf(view.board, notice)),
    flashes: notices
      .filter((notice) => notice.t === 'radar' || notice.t === 'shot' || notice.t === 'sweep')
      .map(({ square, t }) => ({ square, kind: t })),
    shots: notices.filter((notice) => notice.t === 'truth_shot').flatMap((notice) => shotOf(notice, view)),
  };
}

/**
 * @param {Board} board
 * @param {ScanAnswered} notice
 */
function scanOf(board, notice) {
  const { side, type, size, at } = notice;
  return { side, area: scanArea(board, size, at), text: `${side} ${type} ${size}` };
}

/**
 * Return the line of a shot, where both ends are still known.
 * @param {TruthShot} notice
 * @param {View | TruthView} view
 */
function shotOf(notice, view) {
  const pieces = view.t === 'truth' ? (view.pieces ?? []) : [];
  const squareOf = (/** @type {string} */ side, /** @type {string} */ id) =>
    pieces.find((piece) => piece.side === side && piece.id === id)?.square;
  const from = squareOf(notice.side, notice.ship);
  const to = squareOf(notice.owner, notice.target);
  return from && to ? [{ from, to, hits: notice.damage > 0 }] : [];
}
