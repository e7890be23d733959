// Draws how many foreign pieces a side holds, over time: tracked ones filled, contacts hatched,
// memories in outline, one above the other.

/** @import { Held } from '../watch/knowledge.js' */
/** @import { Pen } from './dom.js' */
/** @import { Look } from './palette.js' */

import { contextOf, penOf } from './dom.js';
import { sideColour } from './palette.js';

const HEIGHT = 36;

/**
 * Draw the series of a side, with the step that is shown.
 * @param {HTMLCanvasElement} canvas
 * @param {(Held | null)[]} series
 * @param {number} index
 * @param {Look & {side: string}} look
 */
export function drawKnowledge(canvas, series, index, { colours, sides, side }) {
  const width = canvas.clientWidth || 240;
  const pen = penOf(canvas, width, HEIGHT);
  const most = Math.max(1, ...series.map((held) => held?.all ?? sum(held?.counts ?? [])));
  const step = width / Math.max(1, series.length);
  pen.fillStyle = colours.paper;
  pen.fillRect(0, 0, width, HEIGHT);
  const inks = { colour: sideColour(colours, sides, side), hatch: hatched(pen, sideColour(colours, sides, side)) };
  series.forEach((held, at) => held && drawColumn(pen, held, at * step, step, (HEIGHT - 2) / most, inks));
  pen.strokeStyle = colours.faint;
  pen.strokeRect(0.5, 0.5, width - 1, HEIGHT - 1);
  pen.strokeStyle = colours.ink;
  pen.lineWidth = 2;
  pen.strokeRect(Math.min(index * step, width - 2), 0, Math.max(2, step), HEIGHT);
}

/**
 * @param {Pen} pen
 * @param {Held} held
 * @param {number} x
 * @param {number} width
 * @param {number} unit
 * @param {{colour: string, hatch: CanvasPattern | null}} inks
 */
function drawColumn(pen, { counts }, x, width, unit, { colour, hatch }) {
  const fills = [colour, hatch, null];
  let y = HEIGHT - 1;
  counts.forEach((count, group) => {
    const height = count * unit;
    y -= height;
    pen.fillStyle = fills[group] ?? 'transparent';
    pen.fillRect(x, y, Math.max(1, width), height);
    if (group === 2 && count) {
      pen.fillStyle = colour;
      pen.fillRect(x, y, Math.max(1, width), 1);
    }
  });
}

/**
 * @param {Pen} pen
 * @param {string} colour
 */
function hatched(pen, colour) {
  const tile = document.createElement('canvas');
  tile.width = tile.height = 4;
  const ink = contextOf(tile);
  ink.strokeStyle = colour;
  ink.moveTo(0, 4);
  ink.lineTo(4, 0);
  ink.stroke();
  return pen.createPattern(tile, 'repeat');
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
