// The names of a board as a picture of their own: most drawings show the same pieces at the same places, such as under a
// cursor that moves or a plan that grows, and a picture is put down in the time of one name.

/** @import { Chart } from '../board/chart.js' */
/** @import { Pen } from './dom.js' */
/** @import { Layout } from './layout.js' */
/** @import { Look } from './palette.js' */
/** @import { Taken } from './names.js' */

import { contextOf, made } from './dom.js';
import { drawNames } from './names.js';

/** @typedef {{key: string, picture: HTMLCanvasElement | null}} Layer with a picture once the same was drawn twice */

/** @type {WeakMap<Chart, Layer>} */
const LAYERS = new WeakMap();

/**
 * Write the names of a board's pieces.
 * @param {Pen} pen
 * @param {Chart} chart
 * @param {Layout} layout
 * @param {number} reach
 * @param {Look & {taken: Taken}} look
 */
export function putNames(pen, chart, layout, reach, look) {
  const key = keyOf(pen, layout, look);
  const before = LAYERS.get(chart);
  if (before?.key !== key) {
    LAYERS.set(chart, { key, picture: null });
    drawNames(pen, chart.marks, layout, reach, look);
    return;
  }
  before.picture ??= pictureOf(pen, (other) => drawNames(other, chart.marks, layout, reach, look));
  pen.save();
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.drawImage(before.picture, 0, 0);
  pen.restore();
}

/**
 * Return all on which the picture of a chart's names depends.
 * @param {Pen} pen
 * @param {Layout} layout
 * @param {Look} look
 */
function keyOf(pen, { unit, west, north }, { colours, sides }) {
  const { width, height } = pen.canvas;
  return [pen.font, width, height, window.devicePixelRatio, unit, west, north, colours.paper, ...sides].join(' ');
}

/**
 * Return a picture of the size of a canvas, drawn by a pen with the same settings.
 * @param {Pen} pen
 * @param {(pen: Pen) => void} draw
 */
function pictureOf(pen, draw) {
  const { width, height } = pen.canvas;
  const picture = made('canvas', { width, height });
  const other = contextOf(picture);
  other.setTransform(pen.getTransform());
  other.font = pen.font;
  other.textBaseline = pen.textBaseline;
  draw(other);
  return picture;
}
