// The shapes of pieces, as paths around a middle: shape first, colour second. As in
// `sunglare_client/export/pieces.py`: own pieces are filled, foreign ones drawn by their rung, memories in
// broken lines; of the truth those that no other side holds are hollow, and ships have the arrow of their
// side.

/** @import { Compass, Vector } from 'wire' */
/** @import { Mark } from '../board/marks.js' */
/** @import { Pen } from './dom.js' */
/** @import { Point } from './layout.js' */

/** @type {Point[]} */
const ARROW = [[0, -1.05], [0.8, 0.85], [0, 0.5], [-0.8, 0.85]];

/**
 * The ships of each side in the truth: an arrow head, one with a notch, one with a stem, a kite.
 * @type {Record<string, Point[]>}
 */
const TRUE_ARROWS = {
  A: [[0, -1.05], [0.85, 0.85], [-0.85, 0.85]],
  B: [[0, -1.05], [1, 1], [0, 0.3], [-1, 1]],
  C: [[0, -1.05], [0.85, 0], [0.35, 0], [0.35, 1], [-0.35, 1], [-0.35, 0], [-0.85, 0]],
  D: [[0, -1.15], [0.65, 0.5], [0, 1.15], [-0.65, 0.5]],
};

/** @typedef {{paper: string, ink: string, colour: string}} Inks */

const POINTS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'];

/**
 * Draw a piece.
 * @param {Pen} pen
 * @param {Mark} mark
 * @param {Point} middle
 * @param {number} reach half the height of the shape
 * @param {Inks} inks
 */
export function drawPiece(pen, mark, [x, y], reach, inks) {
  pen.save();
  pen.translate(x, y);
  outline(pen, mark, reach);
  const style = styleOf(mark);
  pen.setLineDash(style === 'memory' ? [2, 2] : []);
  pen.lineWidth = style === 'filled' ? 1 : 2;
  pen.fillStyle = style === 'filled' ? inks.colour : inks.paper;
  pen.strokeStyle = style === 'filled' ? inks.ink : inks.colour;
  if (style !== 'memory') pen.fill();
  pen.stroke();
  if (mark.fix === 'solution' || mark.fix === 'detected') dot(pen, reach, style, inks);
  pen.restore();
}

/**
 * Return whether a piece is drawn filled, hollow, or as a memory.
 * @param {Mark} mark
 */
function styleOf(mark) {
  if (mark.what === 'cloaked') return 'hollow';
  if (mark.isOwn) return 'filled';
  if (mark.what !== 'held') return mark.fix === null ? 'hollow' : 'filled';
  if (mark.fix === 'tracked' || mark.fix === 'solution') return 'filled';
  return mark.fix === 'memory' || mark.fix === 'coasting' ? 'memory' : 'hollow';
}

/**
 * @param {Pen} pen
 * @param {Mark} mark
 * @param {number} reach
 */
function outline(pen, mark, reach) {
  pen.beginPath();
  if (mark.what === 'cloaked') pen.arc(0, 0, reach * 0.85, 0, 2 * Math.PI);
  else if (mark.what === 'landed') path(pen, reach, [-0.8, 0.7], [-0.8, -0.2], [0, -0.9], [0.8, -0.2], [0.8, 0.7]);
  else if (mark.what === 'remote') path(pen, reach, [-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]);
  else if (mark.what === 'ship' && mark.facing) arrow(pen, reach, mark.facing, mark);
  else path(pen, reach, [0, -1], [1, 0], [0, 1], [-1, 0]);
}

/**
 * @param {Pen} pen
 * @param {number} reach
 * @param {Compass} facing
 * @param {Mark} mark
 */
function arrow(pen, reach, facing, { side, isOwn }) {
  pen.rotate((POINTS.indexOf(facing) * Math.PI) / 4);
  path(pen, reach, ...((isOwn ? null : TRUE_ARROWS[side ?? '']) ?? ARROW));
}

/**
 * @param {Pen} pen
 * @param {number} reach
 * @param {...Point} points
 */
function path(pen, reach, ...points) {
  points.forEach(([x, y], index) => (index ? pen.lineTo(x * reach, y * reach) : pen.moveTo(x * reach, y * reach)));
  pen.closePath();
}

/**
 * Draw the dot of a cloaked ship that was found.
 * @param {Pen} pen
 * @param {number} reach
 * @param {string} style
 * @param {Inks} inks
 */
function dot(pen, reach, style, inks) {
  pen.beginPath();
  pen.arc(0, 0, reach * 0.25, 0, 2 * Math.PI);
  pen.fillStyle = style === 'filled' ? inks.paper : inks.colour;
  pen.fill();
}

/**
 * Draw the way that a piece goes in a turn: a dotted line, and a small ring at its end.
 * @param {Pen} pen
 * @param {Point} middle
 * @param {Vector} vector
 * @param {number} unit
 * @param {string} colour
 */
export function drawVector(pen, [x, y], [dx, dy], unit, colour) {
  pen.save();
  pen.strokeStyle = colour;
  pen.lineWidth = 1.2;
  pen.setLineDash([1.5, 3]);
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(x + dx * unit, y + dy * unit);
  pen.stroke();
  pen.setLineDash([]);
  pen.beginPath();
  pen.arc(x + dx * unit, y + dy * unit, 2, 0, 2 * Math.PI);
  pen.stroke();
  pen.restore();
}

/**
 * Draw what gave a ship away: rays around its square.
 * @param {Pen} pen
 * @param {Point} middle
 * @param {number} reach
 * @param {string} colour
 */
export function drawFlash(pen, [x, y], reach, colour) {
  pen.save();
  pen.strokeStyle = colour;
  pen.lineWidth = 1.5;
  pen.beginPath();
  for (let ray = 0; ray < 8; ray += 1) {
    const [dx, dy] = [Math.cos((ray * Math.PI) / 4), Math.sin((ray * Math.PI) / 4)];
    pen.moveTo(x + dx * reach, y + dy * reach);
    pen.lineTo(x + dx * reach * 1.6, y + dy * reach * 1.6);
  }
  pen.stroke();
  pen.restore();
}
