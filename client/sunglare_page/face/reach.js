// What a player plans, drawn on the board under the pieces: the places that the chosen way reaches, and
// the orders given so far.

import { scanArea } from '../board/geometry.js';
import { middleOf } from './layout.js';

const FAINT = 0.3;

/**
 * Return what draws the reach of a way, and the plan, on the map that is shown.
 * @param {import('../seat/ways.js').Way | null} way
 * @param {import('../seat/plan.js').Order[]} plan
 * @param {{view: object, site: [string, number] | null, ends: Map<string, [number, number]>}} map `ends` has where
 *   each ship comes to by its orders, as far as that is known
 */
export function reachOf(way, plan, { view, site, ends }) {
  return (pen, layout, { colours }) => {
    pen.save();
    if (way && isShown(way, site)) drawPlaces(pen, way, layout, site, colours);
    if (!site) drawPlan(pen, plan, view, ends, layout, colours);
    pen.restore();
  };
}

function isShown(way, site) {
  return String(way.site ?? '') === String(site ?? '');
}

function drawPlaces(pen, way, layout, site, colours) {
  pen.fillStyle = colours.scan;
  pen.globalAlpha = FAINT;
  const places = new Map(way.entries.filter(({ at }) => at).map(({ at }) => [String(at), at]));
  for (const at of places.values()) fill(pen, onMap(at, layout, site), layout);
  pen.globalAlpha = 1;
}

/** Return where a place is drawn: cells of a surface count from the south. */
function onMap([x, y], { rows }, site) {
  return site ? [x, rows - 1 - y] : [x, y];
}

function fill(pen, [x, y], { west, north, unit }) {
  pen.fillRect(west + x * unit + 1, north + y * unit + 1, Math.max(1, unit - 2), Math.max(1, unit - 2));
}

function drawPlan(pen, plan, view, ends, layout, colours) {
  pen.strokeStyle = colours.ink;
  pen.lineWidth = 2;
  for (const [ship, end] of ends) drawCourse(pen, startOf(view, ship, plan), end, layout);
  for (const order of plan) {
    if (order.t === 'scan') drawScan(pen, view.board, order, layout, colours);
    if (order.t === 'fire') drawShot(pen, view, order, layout);
  }
}

/** Return where a ship stands before it moves: where it is deployed, if it is. */
function startOf(view, ship, plan) {
  const deployed = plan.find((order) => order.t === 'deploy' && order.ship === ship);
  return deployed?.at ?? (view.own ?? []).find(({ id }) => id === ship)?.square;
}

function drawCourse(pen, from, end, layout) {
  if (from) line(pen, middleOf(layout, from), middleOf(layout, end));
}

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

function drawShot(pen, view, { ship, at }, layout) {
  const from = (view.own ?? []).find(({ id }) => id === ship)?.square;
  const to = (view.contacts ?? []).find(({ handle }) => handle === at)?.square;
  pen.setLineDash([4, 3]);
  if (from && to) line(pen, middleOf(layout, from), middleOf(layout, to));
  pen.setLineDash([]);
}

function line(pen, from, to) {
  pen.beginPath();
  pen.moveTo(...from);
  pen.lineTo(...to);
  pen.stroke();
}
