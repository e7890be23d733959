// What a player plans, drawn on the board under the pieces: the places that the chosen way reaches, and
// the orders given so far.

/** @import { Board, Scan, Site, Square, View } from 'wire' */
/** @import { Order } from '../seat/plan.js' */
/** @import { Way } from '../seat/ways.js' */
/** @import { Pen } from './dom.js' */
/** @import { Layout } from './layout.js' */
/** @import { Colours, Overlay } from './palette.js' */

import { scanArea } from '../board/geometry.js';
import { middleOf } from './layout.js';

const FAINT = 0.3;

/**
 * The map that is shown, of space or of a site; `ends` has where each ship comes to by its orders, as far as that is known.
 * @typedef {{view: View, site: Site | null, ends: Map<string, Square>}} Shown
 */

/**
 * Return what draws the reach of a way, and the plan, on the map that is shown.
 * @param {Way | null} way
 * @param {Order[]} plan
 * @param {Shown} shown
 * @returns {Overlay}
 */
export function reachOf(way, plan, { view, site, ends }) {
  return (pen, layout, { colours }) => {
    pen.save();
    if (way && isShown(way, site)) drawPlaces(pen, way, layout, site, colours);
    if (!site) drawPlan(pen, plan, view, ends, layout, colours);
    pen.restore();
  };
}

/**
 * Return whether a way is pointed at on this map, of space or of a site.
 * @param {Way} way
 * @param {Site | null} site
 */
export function isShown(way, site) {
  return String(way.site ?? '') === String(site ?? '');
}

/**
 * @param {Pen} pen
 * @param {Way} way
 * @param {Layout} layout
 * @param {Site | null} site
 * @param {Colours} colours
 */
function drawPlaces(pen, way, { west, north, unit, rows }, site, colours) {
  pen.fillStyle = pen.strokeStyle = colours.scan;
  pen.lineWidth = 1;
  pen.globalAlpha = FAINT;
  const places = new Map(way.entries.flatMap(({ at }) => (at ? [[String(at), at]] : [])));
  const safe = new Set(way.entries.filter(({ loss }) => !loss).map(({ at }) => String(at)));
  const firing = new Set(way.entries.filter(({ loss, hits }) => hits && !loss).map(({ at }) => String(at)));
  for (const [name, [x, y]] of places) {
    // Cells of a surface count from the south.
    const row = site ? rows - 1 - y : y;
    const [left, top, edge] = [west + x * unit + 1, north + row * unit + 1, Math.max(1, unit - 2)];
    // Where the piece would be lost, whatever leads there, the place is hollow.
    if (safe.has(name)) pen.fillRect(left, top, edge, edge);
    else pen.strokeRect(left, top, edge, edge);
    if (firing.has(name)) drawCross(pen, left, top, edge);
  }
  pen.globalAlpha = 1;
}

/**
 * Mark a place from which the ship would hit something.
 * @param {Pen} pen
 * @param {number} left
 * @param {number} top
 * @param {number} edge
 */
function drawCross(pen, left, top, edge) {
  pen.globalAlpha = 1;
  pen.beginPath();
  pen.moveTo(left, top);
  pen.lineTo(left + edge, top + edge);
  pen.moveTo(left + edge, top);
  pen.lineTo(left, top + edge);
  pen.stroke();
  pen.globalAlpha = FAINT;
}

/**
 * @param {Pen} pen
 * @param {Order[]} plan
 * @param {View} view
 * @param {Map<string, Square>} ends
 * @param {Layout} layout
 * @param {Colours} colours
 */
function drawPlan(pen, plan, view, ends, layout, colours) {
  pen.strokeStyle = colours.ink;
  pen.lineWidth = 2;
  for (const [ship, end] of ends) line(pen, startOf(view, ship, plan), end, layout);
  for (const order of plan) {
    if (order.t === 'scan') drawScan(pen, view.board, order, layout, colours);
    if (order.t === 'fire') {
      pen.setLineDash([4, 3]);
      line(pen, squareOf(view, order.ship), view.contacts?.find(({ handle }) => handle === order.at)?.square, layout);
      pen.setLineDash([]);
    }
  }
}

/**
 * @param {View} view
 * @param {string} ship
 */
function squareOf(view, ship) {
  return view.own?.find(({ id }) => id === ship)?.square;
}

/**
 * Return where a ship stands before it moves: where it is deployed, if it is.
 * @param {View} view
 * @param {string} ship
 * @param {Order[]} plan
 */
function startOf(view, ship, plan) {
  const deployed = plan.find((order) => order.t === 'deploy' && order.ship === ship);
  return deployed?.t === 'deploy' ? deployed.at : squareOf(view, ship);
}

/**
 * @param {Pen} pen
 * @param {Board} board
 * @param {Scan} scan
 * @param {Layout} layout
 * @param {Colours} colours
 */
function drawScan(pen, board, { size, at }, { west, north, unit }, colours) {
  const area = scanArea(board, size, at);
  pen.strokeStyle = colours.scan;
  pen.strokeRect(
    west + area.west * unit,
    north + area.north * unit,
    (area.east - area.west + 1) * unit,
    (area.south - area.north + 1) * unit,
  );
}

/**
 * Draw a line between two squares, if both are known.
 * @param {Pen} pen
 * @param {Square | undefined} from
 * @param {Square | undefined} to
 * @param {Layout} layout
 */
function line(pen, from, to, layout) {
  if (!from || !to) return;
  pen.beginPath();
  pen.moveTo(...middleOf(layout, from));
  pen.lineTo(...middleOf(layout, to));
  pen.stroke();
}
