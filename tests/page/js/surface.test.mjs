// The view-model of a surface map: who stands on which cell.

import assert from 'node:assert/strict';
import { test } from 'node:test';

const page = (name) => import(`file://${process.env.PAGE}/${name}`);
const { hasGround, surfaceOf } = await page('board/surface.js');

const BOARD = { planets: [{ name: 'Ceres', environs: [{ number: 1, width: 8, height: 6 }, { number: 2 }] }] };
const MIDDLE = [2, 1];

function standing(...own) {
  const view = { t: 'view', audience: 'A', board: BOARD, own };
  const places = surfaceOf(view, ['Ceres', 1]).rows.flat();
  return places.flatMap(({ at, standing }) => standing.map(({ name, isOwn, side }) => [at, name, isOwn, side]));
}

function ship(landed, fields = {}) {
  return { id: 'S1', landed, ...fields };
}

test('a ship that landed stands on its cell, without one in the middle of the map', () => {
  const landing = { body: 'Ceres', environs: 1, sector: 'N' };
  assert.deepEqual(standing(ship({ ...landing, cell: [3, 0] })), [[[3, 0], 'S1', true, 'A']]);
  assert.deepEqual(standing(ship(landing)), [[MIDDLE, 'S1', true, 'A']]);
});

test('a ship in space, on another map, on an asteroid or destroyed stands on no cell', () => {
  const landing = { body: 'Ceres', environs: 1, sector: 'N' };
  const others = [null, { ...landing, environs: 2 }, { body: 'Iris', sector: 'N' }];
  assert.deepEqual(standing(...others.map((landed) => ship(landed))), []);
  assert.deepEqual(standing(ship(landing, { fate: 'destroyed' })), []);
});

test('a side has to do with surface maps once it has a unit, an agent or a landed ship, or holds a token', () => {
  assert.equal(hasGround({ own: [ship(null)], surfaces: [{ site: ['Ceres', 1] }] }), false);
  assert.equal(hasGround({ ground: [{ id: 'G1' }] }), true);
  assert.equal(hasGround({ agents: [{ id: 'P1' }] }), true);
  assert.equal(hasGround({ own: [ship({ body: 'Ceres', environs: 1 })] }), true);
  assert.equal(hasGround({ surfaces: [{ site: ['Ceres', 1], tokens: [{ label: 'U1' }] }] }), true);
});
