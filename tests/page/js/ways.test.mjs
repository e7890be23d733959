// The ways to act that the page reads from a sheet: each form of an order that a sheet has can be chosen.

import assert from 'node:assert/strict';
import { test } from 'node:test';

const page = (name) => import(`file://${process.env.PAGE}/${name}`);
const { entriesAt, isOnMap, looseOf, waysOf } = await page('seat/ways.js');
const { added, busyIn } = await page('seat/plan.js');

const SITE = ['Ceres', 2];
const VIEW = { own: [{ id: 'S1' }], ground: [{ id: 'G1', site: SITE }] };
const WISH = { size: '1box', isSensing: true, labels: new Map() };
const ways = (sheet) => waysOf({ t: 'sheet', ...sheet }, VIEW, WISH);
const named = (sheet, name) => ways(sheet).find((way) => way.name === name);

test('a ship lands on any cell that is pointed at, or where the sheet says', () => {
  const land = { t: 'land', ship: 'S1', body: 'Ceres', environs: 2 };
  const way = named({ piece: 'S1', orders: [land, { ...land, cell: [3, 4] }] }, 'land Ceres 2');
  assert.deepEqual(way.site, SITE);
  assert.deepEqual(looseOf(way).map(({ orders }) => orders), [[land]]);
  assert.deepEqual(entriesAt(way, [0, 1])[0].orders, [{ ...land, cell: [0, 1] }]);
  assert.equal(entriesAt(way, [0, 1])[0].text, 'land S1 Ceres 2 A2');
});

test('a ship starts on a body, in the place of its course', () => {
  const landed = { body: 'Ceres', sector: 'N', environs: 2 };
  const deploy = { t: 'deploy', ship: 'S1', at: [9, 9], facing: 'N', landed };
  const way = named({ piece: 'S1', orders: [deploy] }, 'deploy on Ceres 2');
  const [entry] = entriesAt(way, [1, 0]);
  assert.deepEqual(entry.orders[0].landed, { ...landed, cell: [1, 0] });
  const flight = [{ t: 'turn', ship: 'S1', steps: 1 }];
  assert.deepEqual(added(flight, entry.orders, entry.instead), entry.orders);
});

test('on an asteroid the sectors are a list', () => {
  const land = { t: 'land', ship: 'S1', body: 'Rock', sector: 'N' };
  const way = named({ piece: 'S1', orders: [land, { ...land, sector: 'S' }] }, 'land Rock');
  assert.equal(isOnMap(way), false);
  assert.equal(looseOf(way).length, 2);
});

test('a ship with a cloak may be deployed cloaked, and one without has no choice', () => {
  const cloaked = { t: 'deploy', ship: 'S1', at: [9, 9], cloaked: true };
  const sheet = { piece: 'S1', deploys: [[9, 9]], deploy_speed: 2 };
  assert.deepEqual(named({ ...sheet, orders: [cloaked] }, 'deploy').entries[0].cloaks, [true]);
  assert.equal(named({ ...sheet, orders: [cloaked] }, 'other orders'), undefined);
  assert.deepEqual(named(sheet, 'deploy').entries[0].cloaks, []);
});

test('a mission of a group stands beside that of an agent alone, and its agents are busy', () => {
  const spy = { t: 'mission', ship: 'P1', kind: 'spy' };
  const group = { ...spy, others: ['P2', 'P3'] };
  const missions = [{ order: spy, hundredths: 50 }, { order: group, hundredths: 70 }];
  const sheet = { piece: 'P1', missions };
  assert.equal(named(sheet, 'mission').entries[0].text, 'mission P1 spy · 50 %');
  assert.equal(named(sheet, 'mission of a group').entries[0].text, 'mission P1 spy with P2 P3 · 70 %');
  assert.deepEqual([...busyIn([group])], ['P1', 'P2', 'P3']);
});

test('remote sensors are launched in any number up to the most', () => {
  const launch = { t: 'launch', ship: 'G1', what: 'remote' };
  const { entries } = named({ piece: 'G1', orders: [launch], remotes: 2 }, 'other orders');
  assert.deepEqual(entries.map(({ orders }) => orders.length), [1, 2]);
  assert.deepEqual(added([launch], entries[1].orders).length, 2);
});

test('a unit starts hidden, walks as a token, and goes on cell by cell', () => {
  const path = [[1, 1]];
  const move = { t: 'move', ship: 'G1', path };
  const longer = { ...move, path: [...path, [2, 2]] };
  const sheet = { piece: 'G1', stations: [{ at: SITE, cells: path }], walks: [path], orders: [{ ...move, token: true }, longer] };
  assert.equal(entriesAt(named(sheet, 'station Ceres 2 hidden'), [1, 1])[0].orders[0].hidden, true);
  assert.deepEqual(entriesAt(named(sheet, 'walk'), [1, 1])[0].orders, [move]);
  assert.equal(entriesAt(named(sheet, 'walk as a token'), [1, 1])[0].orders[0].token, true);
  assert.deepEqual(entriesAt(named(sheet, 'walk on'), [2, 2])[0].orders, [longer]);
  assert.equal(named({ ...sheet, orders: [] }, 'walk as a token'), undefined);
});

test('a beam is put on a cell of the map of its unit', () => {
  const beam = { t: 'fire', ship: 'G1', weapon: 'TAG', point: [4, 0] };
  const way = named({ piece: 'G1', orders: [beam] }, 'fire TAG');
  assert.deepEqual([way.site, entriesAt(way, [4, 0])[0].orders], [SITE, [beam]]);
});

test('the end of a course says what the fire from there would do, and is marked for it', () => {
  const course = { to: [9, 9], facing: 'N', orders: [], fire: { h1: 140 } };
  const wish = { ...WISH, labels: new Map([['h1', 'C2']]) };
  const [way] = waysOf({ t: 'sheet', piece: 'S1', courses: [course, { ...course, fire: {} }] }, VIEW, wish);
  assert.equal(way.entries[0].text, 'faces N · thrust 0 · would hit C2 for 1.4 if that drifts');
  assert.deepEqual(way.entries.map(({ hits }) => hits), [true, false]);
});

test('all weapons that bear on a piece are fired at it together', () => {
  const shot = (weapon, at) => ({ weapon, at, band: 1, range: 1, relation: 'front', mean_hundredths: 70 });
  const view = { ...VIEW, contacts: [{ handle: 'h1', label: 'C1', square: [4, 5] }, { handle: 'h2', label: 'C2', square: [6, 5] }] };
  const sheet = { t: 'sheet', piece: 'S1', shots: [shot('B1', 'h1'), shot('B1', 'h2'), shot('P1', 'h1')] };
  const [way, ...others] = waysOf(sheet, view, { ...WISH, labels: new Map([['h1', 'C1']]) });
  assert.deepEqual([way.name, ...others.map(({ name }) => name)], ['fire all', 'fire B1', 'fire P1']);
  assert.deepEqual(way.entries.map(({ text }) => text), ['B1, P1 at C1 · 1.4 damage on average']);
  assert.deepEqual(entriesAt(way, [4, 5])[0].orders.map(({ weapon, at }) => `${weapon} ${at}`), ['B1 h1', 'P1 h1']);
});
