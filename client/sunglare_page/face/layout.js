// Where squares lie on a canvas: the whole board fits, or a part of it that was drawn nearer.

/** @import { Square } from 'wire' */

const MARGIN = 18;

/** @typedef {[number, number]} Point a place on a canvas */

/** @typedef {{zoom: number, x: number, y: number}} Eye the middle of what is seen is a part of the board, from 0 to 1 */

/**
 * How a board lies on a canvas: the corner of its square (0, 0), and how wide a square is.
 * @typedef {{unit: number, west: number, north: number, columns: number, rows: number}} Layout
 */

/**
 * Return the layout of a board on a canvas.
 * @param {{width: number, height: number}} canvas
 * @param {{columns: number, rows: number}} board in squares
 * @param {Eye} eye
 * @returns {Layout}
 */
export function layoutOf(canvas, { columns, rows }, eye = { zoom: 1, x: 0.5, y: 0.5 }) {
  const fit = Math.min((canvas.width - 2 * MARGIN) / columns, (canvas.height - 2 * MARGIN) / rows);
  const unit = Math.max(1, fit) * eye.zoom;
  return {
    unit,
    west: along(canvas.width, columns * unit, eye.x),
    north: along(canvas.height, rows * unit, eye.y),
    columns,
    rows,
  };
}

/**
 * Return where a board begins: in the middle if it fits, else so that it fills the canvas.
 * @param {number} room
 * @param {number} length
 * @param {number} middle
 */
function along(room, length, middle) {
  if (length <= room - 2 * MARGIN + 1) return (room - length) / 2;
  return Math.min(MARGIN, Math.max(room - MARGIN - length, room / 2 - length * middle));
}

/**
 * Return the square under a point of the canvas; null off the board.
 * @param {Layout} layout
 * @param {number} x
 * @param {number} y
 * @returns {Square | null}
 */
export function squareAt(layout, x, y) {
  const column = Math.floor((x - layout.west) / layout.unit);
  const row = Math.floor((y - layout.north) / layout.unit);
  return column >= 0 && row >= 0 && column < layout.columns && row < layout.rows ? [column, row] : null;
}

/**
 * Return the middle of a square on the canvas.
 * @param {Layout} layout
 * @param {Square} square
 * @returns {Point}
 */
export function middleOf(layout, [x, y]) {
  return [layout.west + (x + 0.5) * layout.unit, layout.north + (y + 0.5) * layout.unit];
}
