// What lies on the squares of a board below all pieces: shadows, wells, bodies, the set-up zone. As
// the ground of `sunglare_client/map/chart.py`, which a test compares.

/** @import { Board, Planet, TruthView, View } from 'wire' */

import { boardSize, boxOf } from './geometry.js';

export const SPACE = 'space';
const SOFT = [SPACE, 'well', 'shadow', 'zone'];

const WELL_RADIUS_SQUARED = { small: 20, large: 30 };
const BODY_REACH = { small: 0, large: 1 };
const ASTEROID_SHADOW_LENGTH = 5;

/** @typedef {(x: number, y: number, what: string) => void} Put */

/**
 * Return what lies on each square, row by row from the north.
 * @param {View | TruthView} view
 * @returns {string[][]}
 */
export function groundOf(view) {
  const { board } = view;
  const { width, height } = boardSize(board);
  /** @type {string[][]} */
  const rows = Array.from({ length: height }, () => Array(width).fill(SPACE));
  /** @type {Put} */
  const put = (x, y, what) => {
    if (x >= 0 && y >= 0 && x < width && y < height) rows[y][x] = what;
  };
  putShadows(board, height, put);
  for (const planet of board.planets ?? []) putPlanet(planet, put);
  for (const { at } of board.asteroids ?? []) put(...at, 'asteroid');
  putZone(view, rows);
  return rows;
}

/**
 * @param {Board} board
 * @param {number} height
 * @param {Put} put
 */
function putShadows(board, height, put) {
  for (const { at, size } of board.planets ?? []) {
    const reach = BODY_REACH[size];
    for (let y = at[1] + reach + 1; y < height; y += 1) {
      for (let x = at[0] - reach; x <= at[0] + reach; x += 1) put(x, y, 'shadow');
    }
  }
  for (const { at } of board.asteroids ?? []) {
    for (let step = 1; step <= ASTEROID_SHADOW_LENGTH; step += 1) put(at[0], at[1] + step, 'shadow');
  }
}

/**
 * Put a planet's well, then its body.
 * @param {Planet} planet
 * @param {Put} put
 */
function putPlanet({ at, size }, put) {
  const most = WELL_RADIUS_SQUARED[size];
  const around = Math.floor(Math.sqrt(most));
  for (let dy = -around; dy <= around; dy += 1) {
    for (let dx = -around; dx <= around; dx += 1) {
      if (Math.max(Math.abs(dx), Math.abs(dy)) <= BODY_REACH[size]) put(at[0] + dx, at[1] + dy, 'planet');
      else if (dx * dx + dy * dy <= most) put(at[0] + dx, at[1] + dy, 'well');
    }
  }
}

/**
 * Put the zone in which a side may deploy, while it may.
 * @param {View | TruthView} view
 * @param {string[][]} rows
 */
function putZone(view, rows) {
  const zone = new Set(view.t === 'truth' ? [] : view.zone);
  if (zone.size === 0 || view.stage.turn !== 1 || view.stage.phase !== 'plot') return;
  rows.forEach((row, y) =>
    row.forEach((what, x) => {
      if (SOFT.includes(what) && zone.has(boxOf([x, y]))) row[x] = 'zone';
    }),
  );
}
