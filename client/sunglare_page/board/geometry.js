// The grid: squares, boxes of five by five, compass points. As `sunglare_protocol/geometry.py`.

/** @import { Board, ScanSize, Square } from 'wire' */

/** @typedef {{west: number, north: number, east: number, south: number}} Area both corners included */

export const BOX_EDGE = 5;

export const COMPASS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'];

/**
 * Return the name of the box in which a square lies, such as `C4`.
 * @param {Square} square
 */
export function boxOf([x, y]) {
  return `${String.fromCharCode(65 + Math.floor(x / BOX_EDGE))}${Math.floor(y / BOX_EDGE) + 1}`;
}

/**
 * Return the middle square of the box that is called so.
 * @param {string} name
 * @returns {Square}
 */
export function boxCentre(name) {
  const column = name.charCodeAt(0) - 65;
  const row = Number(name.slice(1)) - 1;
  return [column * BOX_EDGE + 2, row * BOX_EDGE + 2];
}

/**
 * Return how many squares a board is wide and high.
 * @param {Board} board
 */
export function boardSize(board) {
  return { width: (board.columns ?? 8) * BOX_EDGE, height: (board.rows ?? 8) * BOX_EDGE };
}

/** @type {Record<ScanSize, number>} */
const REACH = { '1sq': 0, '3sq': 1, '1box': 2, '3box': 7 };

/**
 * Return the squares that a declared scan covers, without those off the board.
 * @param {Board} board
 * @param {ScanSize} size
 * @param {string | Square} at
 * @returns {Area}
 */
export function scanArea(board, size, at) {
  const [x, y] = typeof at === 'string' ? boxCentre(at) : size.endsWith('box') ? boxCentre(boxOf(at)) : at;
  const { width, height } = boardSize(board);
  const reach = REACH[size] ?? 0;
  return {
    west: Math.max(0, x - reach),
    north: Math.max(0, y - reach),
    east: Math.min(width - 1, x + reach),
    south: Math.min(height - 1, y + reach),
  };
}
