// The shapes of pieces, as paths around a middle: shape first, colour second. As in
// `sunglare_client/export/pieces.py`: own pieces are filled, foreign ones drawn by their rung, memories in
// broken lines; of the truth those that no other side holds are hollow, and ships have the arrow of their
// side.

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

const CIRCLE = 2 * Math.PI;
const POINTS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'];

/**
 * Each arrow turned to all compass points: a path with turned points costs less than a turned pen.
 * @type {Map<Point[], Point[][]>}
 */
const TURNED = new Map(
  [ARROW, ...Object.values(TRUE_ARROWS)].map((points) => [points, POINTS.map((_, eighth) => turned(points, eighth))]),
);

/** @type {Record<'landed' | 'remote' | 'diamond', Point[]>} */
const OTHERS = {
  landed: [[-0.8, 0.7], [-0.8, -0.2], [0, -0.9], [0.8, -0.2], [0.8, 0.7]],
  remote: [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]],
  diamond: [[0, -1], [1, 0], [0, 1], [-1, 0]],
};

const MEMORY = [2, 2];
/** @type {number[]} */
const WHOLE = [];

/** @typedef {{paper: string, ink: string, colour: string}} Inks */

/** @typedef {{from: Point, to: Point}} Way where a piece stands, and where it goes in a turn */

/**
 * Draw a piece; the pen's style is another one then, but for its dashes.
 * @param {Pen} pen
 * @param {Mark} mark
 * @param {Point} middle
 * @param {number} reach half the height of the shape
 * @param {Inks} inks
 */
export function drawPiece(pen, mark, middle, reach, inks) {
  const style = styleOf(mark);
  pen.beginPath();
  if (mark.what === 'cloaked') pen.arc(middle[0], middle[1], reach * 0.85, 0, CIRCLE);
  else path(pen, middle, reach, outlineOf(mark));
  pen.lineWidth = style === 'filled' ? 1 : 2;
  pen.strokeStyle = style === 'filled' ? inks.ink : inks.colour;
  if (style === 'memory') pen.setLineDash(MEMORY);
  else {
    pen.fillStyle = style === 'filled' ? inks.colour : inks.paper;
    pen.fill();
  }
  pen.stroke();
  if (style === 'memory') pen.setLineDash(WHOLE);
  if (mark.fix === 'solution' || mark.fix === 'detected') dot(pen, middle, reach, style, inks);
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
 * Return the outline of a piece around its middle, as wide as half its height is 1.
 * @param {Mark} mark
 */
function outlineOf({ what, facing, side, isOwn }) {
  if (what === 'landed' || what === 'remote') return OTHERS[what];
  if (what !== 'ship' || !facing) return OTHERS.diamond;
  const arrow = (isOwn ? null : TRUE_ARROWS[side ?? '']) ?? ARROW;
  return TURNED.get(arrow)?.[POINTS.indexOf(facing)] ?? arrow;
}

/**
 * Return points turned clockwise by so many eighths of a circle.
 * @param {Point[]} points
 * @param {number} eighths
 * @returns {Point[]}
 */
function turned(points, eighths) {
  const [sin, cos] = [Math.sin((eighths * Math.PI) / 4), Math.cos((eighths * Math.PI) / 4)];
  return points.map(([x, y]) => [x * cos - y * sin, x * sin + y * cos]);
}

/**
 * @param {Pen} pen
 * @param {Point} middle
 * @param {number} reach
 * @param {Point[]} points
 */
function path(pen, [x, y], reach, points) {
  pen.moveTo(x + points[0][0] * reach, y + points[0][1] * reach);
  for (let at = 1; at < points.length; at += 1) pen.lineTo(x + points[at][0] * reach, y + points[at][1] * reach);
  pen.closePath();
}

/**
 * Draw the dot of a cloaked ship that was found.
 * @param {Pen} pen
 * @param {Point} middle
 * @param {number} reach
 * @param {string} style
 * @param {Inks} inks
 */
function dot(pen, [x, y], reach, style, inks) {
  pen.beginPath();
  pen.arc(x, y, reach * 0.25, 0, CIRCLE);
  pen.fillStyle = style === 'filled' ? inks.paper : inks.colour;
  pen.fill();
}

/**
 * Draw the ways of pieces of one colour: dotted lines, and a small ring at the end of each.
 * @param {Pen} pen
 * @param {Way[]} ways
 * @param {string} colour
 */
export function drawWays(pen, ways, colour) {
  pen.strokeStyle = colour;
  pen.lineWidth = 1.2;
  pen.setLineDash([1.5, 3]);
  pen.beginPath();
  for (const { from, to } of ways) {
    pen.moveTo(...from);
    pen.lineTo(...to);
  }
  pen.stroke();
  pen.setLineDash(WHOLE);
  pen.beginPath();
  for (const { to } of ways) {
    pen.moveTo(to[0] + 2, to[1]);
    pen.arc(to[0], to[1], 2, 0, CIRCLE);
  }
  pen.stroke();
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
