// A board as a view-model: what lies on its squares, the marks of its pieces, the scans and the
// give-aways of the window that has just closed. Drawing adds nothing to it.

import { scanArea } from './geometry.js';
import { groundOf } from './ground.js';
import { marksOf } from './marks.js';

/**
 * @typedef {object} Chart
 * @property {object} board
 * @property {string[][]} ground
 * @property {import('./marks.js').Mark[]} marks
 * @property {{side: string, area: import('./geometry.js').Area, text: string}[]} scans
 * @property {{square: [number, number], kind: string}[]} flashes places that gave a ship away
 * @property {{from: [number, number], to: [number, number], hits: boolean}[]} shots
 */

const FLASHES = ['radar', 'shot', 'sweep'];

/**
 * Return the board of a frame.
 * @param {object} frame
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
      .filter((notice) => FLASHES.includes(notice.t))
      .map(({ square, t }) => ({ square, kind: t })),
    shots: notices.filter((notice) => notice.t === 'truth_shot').flatMap((notice) => shotOf(notice, view)),
  };
}

function scanOf(board, notice) {
  const { side, type, size, at } = notice;
  return { side, area: scanArea(board, size, at), text: `${side} ${type} ${size}` };
}

/** Return the line of a shot, where both ends are still known. */
function shotOf(notice, view) {
  const squareOf = (side, id) => (view.pieces ?? []).find((piece) => piece.side === side && piece.id === id)?.square;
  const from = squareOf(notice.side, notice.ship);
  const to = squareOf(notice.owner, notice.target);
  return from && to ? [{ from, to, hits: notice.damage > 0 }] : [];
}
