// Draws a chart of space on a canvas. What is drawn is the chart's; this chooses shapes and places.

/** @import { Chart } from '../board/chart.js' */
/** @import { Pen } from './dom.js' */
/** @import { Layout, Point } from './layout.js' */
/** @import { Colours, Look } from './palette.js' */
/** @import { Way } from './shapes.js' */

import { BOX_EDGE } from '../board/geometry.js';
import { middleOf } from './layout.js';
import { putNames } from './namelayer.js';
import { Taken, drawTexts, listed, measuring } from './names.js';
import { sideColour } from './palette.js';
import { drawFlash, drawPiece, drawWays } from './shapes.js';

const LEAST_REACH = 5;
const MOST_REACH = 13;

/** How far the words of a scan stand from its frame. */
const LINE = 9;

const LETTERS = '11px ui-monospace, monospace';

/**
 * Draw a board.
 * @param {Pen} pen
 * @param {Chart} chart
 * @param {Layout} layout
 * @param {Look} look
 */
export function drawBoard(pen, chart, layout, look) {
  pen.font = LETTERS;
  pen.fillStyle = look.colours.paper;
  pen.fillRect(0, 0, pen.canvas.width, pen.canvas.height);
  drawGround(pen, chart, layout, look.colours);
  drawBoxes(pen, layout, look.colours);
  const taken = drawBodies(pen, chart, layout, look.colours);
  drawScans(pen, chart, layout, { ...look, taken });
  drawShots(pen, chart, layout, look.colours);
  look.overlay?.(pen, layout, look);
  drawMarks(pen, chart, layout, { ...look, taken });
}

/**
 * @param {Pen} pen
 * @param {Chart} chart
 * @param {Layout} layout
 * @param {Colours} colours
 */
function drawGround(pen, chart, layout, colours) {
  /** @type {Record<string, string>} */
  const fills = { well: colours.well, shadow: colours.shadow, planet: colours.body, zone: colours.well };
  chart.ground.forEach((row, y) => {
    for (let start = 0; start < row.length; ) {
      let end = start + 1;
      while (end < row.length && row[end] === row[start]) end += 1;
      if (row[start] in fills) {
        pen.fillStyle = fills[row[start]];
        fillSquares(pen, layout, start, y, end - start);
      }
      for (let x = start; x < end; x += 1) markSquare(pen, row[start], middleOf(layout, [x, y]), layout.unit, colours);
      start = end;
    }
  });
}

/**
 * Fill a run of squares up to whole points of the screen, so that no seams show.
 * @param {Pen} pen
 * @param {Layout} layout
 * @param {number} x
 * @param {number} y
 * @param {number} length
 */
function fillSquares(pen, { west, north, unit }, x, y, length) {
  const [left, top] = [Math.round(west + x * unit), Math.round(north + y * unit)];
  const [right, bottom] = [Math.round(west + (x + length) * unit), Math.round(north + (y + 1) * unit)];
  pen.fillRect(left, top, right - left, bottom - top);
}

/**
 * Distinguish shadow from well by more than its grey: strokes in the one, dots in the other.
 * @param {Pen} pen
 * @param {string} what
 * @param {Point} middle
 * @param {number} unit
 * @param {Colours} colours
 */
function markSquare(pen, what, [x, y], unit, colours) {
  if (what === 'shadow') {
    pen.strokeStyle = colours.faint;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(x - unit / 2, y + unit / 2);
    pen.lineTo(x + unit / 2, y - unit / 2);
    pen.stroke();
  } else if (what === 'well') {
    pen.fillStyle = colours.faint;
    pen.fillRect(x - 1, y - 1, 2, 2);
  }
}

/**
 * Draw the grid of boxes, with their letters above and their numbers on the left.
 * @param {Pen} pen
 * @param {Layout} layout
 * @param {Colours} colours
 */
function drawBoxes(pen, layout, colours) {
  const { west, north, unit, columns, rows } = layout;
  pen.strokeStyle = colours.faint;
  pen.lineWidth = 1;
  pen.beginPath();
  for (let x = 0; x <= columns; x += BOX_EDGE) line(pen, west + x * unit, north, west + x * unit, north + rows * unit);
  for (let y = 0; y <= rows; y += BOX_EDGE) line(pen, west, north + y * unit, west + columns * unit, north + y * unit);
  pen.stroke();
  pen.fillStyle = colours.ink;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  const [above, beside] = [Math.max(9, north - 9), Math.max(9, west - 9)];
  for (let box = 0; box * BOX_EDGE < columns; box += 1) {
    pen.fillText(String.fromCharCode(65 + box), west + (box + 0.5) * BOX_EDGE * unit, above);
  }
  for (let box = 0; box * BOX_EDGE < rows; box += 1) {
    pen.fillText(String(box + 1), beside, north + (box + 0.5) * BOX_EDGE * unit);
  }
}

/**
 * @param {Pen} pen
 * @param {number} x
 * @param {number} y
 * @param {number} toX
 * @param {number} toY
 */
function line(pen, x, y, toX, toY) {
  pen.moveTo(Math.round(x) + 0.5, Math.round(y) + 0.5);
  pen.lineTo(Math.round(toX) + 0.5, Math.round(toY) + 0.5);
}

/**
 * Draw asteroids and the names of all bodies; return where these stand.
 * @param {Pen} pen
 * @param {Chart} chart
 * @param {Layout} layout
 * @param {Colours} colours
 */
function drawBodies(pen, chart, layout, colours) {
  const taken = new Taken();
  const widthOf = measuring(pen);
  /** @type {(text: string, middle: Point, above: number) => void} */
  const name = (text, [x, y], above) => {
    drawTexts(pen, [{ text, x, y: y - above, colour: colours.ink }], colours);
    const width = widthOf(text);
    taken.take({ x: x - width / 2, y: y - above, width });
  };
  pen.textAlign = 'center';
  for (const asteroid of chart.board.asteroids ?? []) {
    const [x, y] = middleOf(layout, asteroid.at);
    pen.fillStyle = colours.body;
    pen.beginPath();
    pen.arc(x, y, Math.max(3, layout.unit * 0.45), 0, 2 * Math.PI);
    pen.fill();
    name(asteroid.name, [x, y], layout.unit + 5);
  }
  for (const planet of chart.board.planets ?? []) {
    name(planet.name, middleOf(layout, planet.at), layout.unit * (planet.size === 'large' ? 2 : 1) + 5);
  }
  return taken;
}

/**
 * @param {Pen} pen
 * @param {Chart} chart
 * @param {Layout} layout
 * @param {Look & {taken: Taken}} look
 */
function drawScans(pen, chart, layout, { colours, taken }) {
  const { west, north, unit } = layout;
  pen.textAlign = 'left';
  for (const { area, text } of chart.scans) {
    const [x, y] = [west + area.west * unit, north + area.north * unit];
    const [width, height] = [(area.east - area.west + 1) * unit, (area.south - area.north + 1) * unit];
    pen.strokeStyle = colours.scan;
    pen.lineWidth = 2;
    pen.setLineDash([6, 3]);
    pen.strokeRect(x, y, width, height);
    pen.setLineDash([]);
    const long = pen.measureText(text).width;
    const places = [y + LINE, y - LINE, y + height - LINE, y + height + LINE].map((at) => ({ x: x + 4, y: at, width: long }));
    const place = places.find((one) => taken.isFree(one)) ?? places[0];
    taken.take(place);
    drawTexts(pen, [{ text, x: place.x, y: place.y, colour: colours.scan }], colours);
  }
}

/**
 * @param {Pen} pen
 * @param {Chart} chart
 * @param {Layout} layout
 * @param {Colours} colours
 */
function drawShots(pen, chart, layout, colours) {
  for (const { from, to, hits } of chart.shots) {
    pen.strokeStyle = colours.ink;
    pen.lineWidth = hits ? 2 : 1;
    pen.setLineDash(hits ? [] : [2, 4]);
    pen.beginPath();
    pen.moveTo(...middleOf(layout, from));
    pen.lineTo(...middleOf(layout, to));
    pen.stroke();
    pen.setLineDash([]);
  }
}

/**
 * @param {Pen} pen
 * @param {Chart} chart
 * @param {Layout} layout
 * @param {Look & {taken: Taken}} look
 */
function drawMarks(pen, chart, layout, look) {
  const { colours, sides } = look;
  const reach = Math.min(MOST_REACH, Math.max(LEAST_REACH, layout.unit * 0.6));
  for (const { square } of chart.flashes) drawFlash(pen, middleOf(layout, square), reach, colours.ink);
  const { paper, ink } = colours;
  for (const [colour, ways] of waysOf(chart, layout, look)) drawWays(pen, ways, colour);
  for (const mark of [...chart.marks].reverse()) {
    const middle = middleOf(layout, mark.square);
    drawPiece(pen, mark, middle, reach, { paper, ink, colour: sideColour(colours, sides, mark.side) });
    if (mark.name === look.chosen) drawRing(pen, middle, reach * 1.7, ink);
  }
  putNames(pen, chart, layout, reach, look);
}

/**
 * Return where pieces go, by the colour in which that is drawn.
 * @param {Chart} chart
 * @param {Layout} layout
 * @param {Look} look
 */
function waysOf(chart, layout, { colours, sides }) {
  /** @type {Map<string, Way[]>} */
  const ways = new Map();
  for (const { square: [x, y], vector, what, side } of chart.marks) {
    if (!vector?.some(Boolean) || what === 'landed') continue;
    const way = { from: middleOf(layout, [x, y]), to: middleOf(layout, [x + vector[0], y + vector[1]]) };
    listed(ways, sideColour(colours, sides, side), way);
  }
  return ways;
}

/**
 * @param {Pen} pen
 * @param {Point} middle
 * @param {number} reach
 * @param {string} colour
 */
function drawRing(pen, [x, y], reach, colour) {
  pen.strokeStyle = colour;
  pen.lineWidth = 2;
  pen.beginPath();
  pen.arc(x, y, reach, 0, 2 * Math.PI);
  pen.stroke();
}
