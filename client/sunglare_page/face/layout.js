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
 * Return the eye that sees the same place of the board under a point of the canvas once it is so much nearer; it goes as
 * near and as far as it may.
 * @param {{width: number, height: number}} canvas
 * @param {Layout} layout as the board lies now
 * @param {Eye} eye
 * @param {Point} at
 * @param {number} zoom how near the new eye is
 * @returns {Eye}
 */
export function eyeNearer(canvas, { unit, west, north, columns, rows }, eye, [x, y], zoom) {
  const edge = (unit / eye.zoom) * zoom;
  return {
    zoom,
    x: middleAlong(canvas.width, edge * columns, (x - west) / (unit * columns), x),
    y: middleAlong(canvas.height, edge * rows, (y - north) / (unit * rows), y),
  };
}

/**
 * Return the part of a board, from 0 to 1, that is in the middle of a room when `part` of it lies at a point, as far as the
 * board then fills the room.
 * @param {number} room
 * @param {number} length
 * @param {number} part
 * @param {number} point
 */
function middleAlong(room, length, part, point) {
  const least = Math.min(0.5, (room / 2 - MARGIN) / length);
  return Math.max(least, Math.min(1 - least, part - (point - room / 2) / length));
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
