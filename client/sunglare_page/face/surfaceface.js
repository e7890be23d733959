// Draws a surface map on a canvas: a letter of terrain for each cell, with the pieces on top.

/** @import { Place, Standing, Surface } from '../board/surface.js' */
/** @import { Pen } from './dom.js' */
/** @import { Layout } from './layout.js' */
/** @import { Colours, Look } from './palette.js' */

import { sideColour } from './palette.js';

/** What the letters of terrain mean. */
export const TERRAIN = 'terrain: , rough; w woods; ~ water; 1-4 building; a-c hill; a cell is 2 inches wide';

/**
 * Draw a surface map.
 * @param {Pen} pen
 * @param {Surface} surface
 * @param {Layout} layout
 * @param {Look} look
 */
export function drawSurface(pen, surface, layout, look) {
  pen.fillStyle = look.colours.paper;
  pen.fillRect(0, 0, pen.canvas.width, pen.canvas.height);
  pen.textBaseline = 'middle';
  pen.textAlign = 'center';
  surface.rows.forEach((row, y) => row.forEach((place, x) => drawCell(pen, place, x, y, layout, look.colours)));
  drawRulers(pen, surface, layout, look.colours);
  look.overlay?.(pen, layout, look);
  surface.rows.forEach((row, y) => row.forEach((place, x) => drawStanding(pen, place, x, y, layout, look)));
}

/**
 * @param {Pen} pen
 * @param {Place} place
 * @param {number} x
 * @param {number} y
 * @param {Layout} layout
 * @param {Colours} colours
 */
function drawCell(pen, place, x, y, { west, north, unit }, colours) {
  const [left, top] = [west + x * unit, north + y * unit];
  pen.strokeStyle = colours.faint;
  pen.lineWidth = 1;
  pen.strokeRect(left, top, unit, unit);
  if (place.isLit) drawLamp(pen, left, top, unit, colours);
  if (place.terrain === '.') return;
  pen.fillStyle = place.terrain === '~' ? colours.shadow : colours.well;
  pen.fillRect(left + 0.5, top + 0.5, unit - 1, unit - 1);
  pen.fillStyle = colours.body;
  pen.font = `${Math.min(14, unit * 0.5)}px ui-monospace, monospace`;
  pen.fillText(place.terrain, left + unit * 0.25, top + unit * 0.3);
}

/**
 * Mark a cell that lamps light when it is not day by a small ring in its north-eastern corner.
 * @param {Pen} pen
 * @param {number} left
 * @param {number} top
 * @param {number} unit
 * @param {Colours} colours
 */
function drawLamp(pen, left, top, unit, colours) {
  pen.strokeStyle = colours.ink;
  pen.beginPath();
  pen.arc(left + unit * 0.85, top + unit * 0.15, Math.max(1, unit * 0.07), 0, 2 * Math.PI);
  pen.stroke();
}

/**
 * @param {Pen} pen
 * @param {Surface} surface
 * @param {Layout} layout
 * @param {Colours} colours
 */
function drawRulers(pen, surface, { west, north, unit, rows }, colours) {
  pen.font = '11px ui-monospace, monospace';
  pen.fillStyle = colours.ink;
  surface.rows[0]?.forEach((_, x) => {
    pen.fillText(String.fromCharCode(65 + x), west + (x + 0.5) * unit, Math.max(9, north - 9));
  });
  surface.rows.forEach((_, y) => pen.fillText(String(rows - y), Math.max(9, west - 9), north + (y + 0.5) * unit));
}

/**
 * Draw who stands on a cell: a square for a unit, a diamond for a blip, broken lines for memories.
 * @param {Pen} pen
 * @param {Place} place
 * @param {number} x
 * @param {number} y
 * @param {Layout} layout
 * @param {Look} look
 */
function drawStanding(pen, { standing }, x, y, { west, north, unit }, { colours, sides }) {
  if (!standing.length) return;
  const top = standing[0];
  const [middleX, middleY] = [west + (x + 0.5) * unit, north + (y + 0.5) * unit];
  const reach = unit * 0.32;
  const colour = sideColour(colours, sides, top.side);
  pen.beginPath();
  if (top.what === 'blip') diamond(pen, middleX, middleY, reach);
  else pen.rect(middleX - reach, middleY - reach, 2 * reach, 2 * reach);
  pen.setLineDash(top.age ? [2, 2] : []);
  pen.fillStyle = top.isOwn || top.what === 'unit' ? colour : colours.paper;
  if (!top.age) pen.fill();
  pen.strokeStyle = top.age ? colour : colours.ink;
  pen.stroke();
  pen.setLineDash([]);
  writeNames(pen, standing, middleX, middleY + reach + 6, colours);
}

/**
 * @param {Pen} pen
 * @param {number} x
 * @param {number} y
 * @param {number} reach
 */
function diamond(pen, x, y, reach) {
  pen.moveTo(x, y - reach);
  pen.lineTo(x + reach, y);
  pen.lineTo(x, y + reach);
  pen.lineTo(x - reach, y);
  pen.closePath();
}

/**
 * @param {Pen} pen
 * @param {Standing[]} standing
 * @param {number} x
 * @param {number} y
 * @param {Colours} colours
 */
function writeNames(pen, standing, x, y, colours) {
  const more = standing.length > 1 ? ` +${standing.length - 1}` : '';
  pen.font = '10px ui-monospace, monospace';
  pen.lineWidth = 3;
  pen.strokeStyle = colours.paper;
  pen.strokeText(standing[0].name + more, x, y);
  pen.fillStyle = colours.ink;
  pen.fillText(standing[0].name + more, x, y);
  pen.lineWidth = 1;
}
