// The modules of a seat: the plan, the ways to act that a sheet has, when a lock may leave, and hashes.

import assert from 'node:assert/strict';
import { test } from 'node:test';

const page = (name) => import(`file://${process.env.PAGE}/${name}`);
const { added, busyIn, without } = await page('seat/plan.js');
const { entriesAt, isOnMap, waysOf } = await page('seat/ways.js');
const { earliestMs, waits } = await page('seat/pacing.js');
const { blake2bFinal, blake2bInit, blake2bUpdate } = await page('vendor/blake.js');
const { hexadecimal, newEntropy } = await page('seat/seals.js');
const { clockText } = await page('face/clockface.js');

const turn = { t: 'turn', ship: 'S1', steps: 1 };
const thrust = { t: 'thrust', ship: 'S1', to: ['N'] };
const other = { t: 'thrust', ship: 'S2', to: ['E'] };

test('an order takes the place of the one about the same', () => {
  const again = { t: 'thrust', ship: 'S1', to: ['S', 'S'] };
  assert.deepEqual(added([turn, thrust, other], [again]), [turn, other, again]);
});

test('a course takes the place of turn and thrust of its ship alone', () => {
  const course = { piece: 'S1', kinds: ['turn', 'thrust'] };
  assert.deepEqual(added([turn, thrust, other], [], course), [other]);
});

test('a weapon is fired or held, and a ship listens or sweeps', () => {
  const fire = { t: 'fire', ship: 'S1', weapon: 'B1', at: 'aaaaaa' };
  const hold = { t: 'hold', ship: 'S1', weapon: 'B1' };
  const second = { t: 'fire', ship: 'S1', weapon: 'B2', at: 'aaaaaa' };
  assert.deepEqual(added([fire, second], [hold]), [second, hold]);
  const sweep = { t: 'sweep', ship: 'S1' };
  assert.deepEqual(added([{ t: 'listen', ship: 'S1' }], [sweep]), [sweep]);
});

test('the steps of an agent follow one another', () => {
  const steps = [{ t: 'walk', ship: 'P1', environs: 2 }, { t: 'walk', ship: 'P1', environs: 3 }];
  assert.deepEqual(added([steps[0]], [steps[1]]), steps);
});

test('an order is taken back by its place, and a piece with one is busy', () => {
  assert.deepEqual(without([turn, other], 0), [other]);
  assert.deepEqual([...busyIn([turn, thrust, other])], ['S1', 'S2']);
});

const VIEW = {
  cloak_rules: { cloaks: true },
  contacts: [{ label: 'C3', handle: 'aaaaaa', square: [4, 5] }],
  surfaces: [{ site: ['Ceres', 1], tokens: [{ label: 'T1', handle: 'tttttt', cell: [2, 3] }] }],
  ground: [{ id: 'G1', site: ['Ceres', 1], cell: [0, 0] }],
};
const WISH = { size: '1box', isSensing: true, labels: new Map([['aaaaaa', 'C3'], ['tttttt', 'T1']]) };

function wayOf(name, sheet, wish = WISH) {
  return waysOf({ piece: 'S1', ...sheet }, VIEW, wish).find((way) => way.name === name);
}

test('a place means every course that ends there, and one that loses the ship says so', () => {
  const courses = [
    { to: [3, 3], facing: 'N', orders: [thrust], thrust: 1 },
    { to: [3, 3], facing: 'NE', orders: [turn, thrust], thrust: 2, fate: 'destroyed' },
    { to: [3, 4], facing: 'N' },
  ];
  const way = wayOf('fly', { courses, heard: [0, 17, 33] });
  const [safe, lost, ...more] = entriesAt(way, [3, 3]);
  assert.deepEqual(more, []);
  assert.deepEqual(safe.orders, [thrust]);
  assert.equal(safe.text, 'faces N · thrust 1 · heard 17 % at most');
  assert.equal(safe.loss, false);
  assert.equal(lost.loss, true);
  assert.deepEqual(entriesAt(way, [9, 9]), []);
  assert.deepEqual(entriesAt(way, [3, 4])[0].orders, []);
});

test('a scan of a box is meant by all squares of the box, and says what it tells all sides', () => {
  const sheet = {
    scans: [
      { type: 'ir', size: '1box', finds_from: 2, finds_from_in_glare: 8 },
      { type: 'radar', size: '1box', finds_from: 1, finds_from_in_glare: 7, gives_away: true },
      { type: 'ir', size: '1sq', finds_from: 0, finds_from_in_glare: 6 },
    ],
    places: [
      { size: '1box', at: 'A1', glare: true, candidates: [1600, 200, 90, 40] },
      { size: '1sq', at: [0, 0], candidates: [1600, 1, 1, 1] },
    ],
  };
  const [entry] = entriesAt(wayOf('ir', sheet), [4, 4]);
  assert.deepEqual(entry.orders, [{ t: 'scan', ship: 'S1', type: 'ir', size: '1box', at: 'A1', sense: true }]);
  assert.match(entry.text, /from 8 · in the GLARE/);
  assert.match(entry.learn, /one of 40 squares/);
  assert.match(entriesAt(wayOf('radar', sheet), [0, 0])[0].learn, /where its ship is/);
  assert.deepEqual(entriesAt(wayOf('ir', sheet), [5, 4]), []);
  const small = wayOf('ir', sheet, { ...WISH, size: '1sq', isSensing: false });
  assert.equal(entriesAt(small, [0, 0])[0].orders[0].sense, false);
});

test('a scan that repeats that of last turn is as strong as it says of that place', () => {
  const sheet = {
    scans: [
      { type: 'ir', size: '1box', finds_from: 2 },
      { type: 'ir', size: '1box', at: 'A1', finds_from: 1 },
    ],
    places: [{ size: '1box', at: 'A1', candidates: [1] }, { size: '1box', at: 'B1', candidates: [1] }],
  };
  const way = wayOf('ir', sheet);
  assert.match(entriesAt(way, [0, 0])[0].text, /from 1$/);
  assert.match(entriesAt(way, [5, 0])[0].text, /from 2$/);
});

test('a weapon is pointed at the square of what it may fire at, and one without a target is a button', () => {
  const shots = [
    { weapon: 'B1', at: 'aaaaaa', arc: 'front', band: 1, range: 3, relation: 'behind', mean_hundredths: 150 },
    { weapon: 'N1', band: 1, range: 0, relation: 'in_front', mean_hundredths: 0 },
  ];
  const beam = wayOf('fire B1', { shots });
  assert.deepEqual(entriesAt(beam, [4, 5])[0].orders, [{ t: 'fire', ship: 'S1', weapon: 'B1', at: 'aaaaaa' }]);
  assert.match(beam.entries[0].text, /^B1 at C3 · front arc, range 3, behind · 1.5 damage on average$/);
  const nova = wayOf('fire N1', { shots });
  assert.equal(isOnMap(nova), false);
  assert.deepEqual(nova.entries[0].orders, [{ t: 'fire', ship: 'S1', weapon: 'N1' }]);
});

test('a ground unit walks, and fires at tokens, on its own surface map', () => {
  const sheet = {
    piece: 'G1',
    walks: [[[0, 1], [1, 1]]],
    attacks: [{ weapon: 'R1', at: 'tttttt', hundredths: 42, damage: 2 }],
  };
  const walk = wayOf('walk', sheet);
  assert.deepEqual(walk.site, ['Ceres', 1]);
  assert.deepEqual(entriesAt(walk, [1, 1])[0].orders, [{ t: 'move', ship: 'G1', path: [[0, 1], [1, 1]] }]);
  assert.equal(entriesAt(wayOf('fire R1', sheet), [2, 3])[0].text, 'R1 at T1 · 42 % · damage 2');
});

test('listening and sweeps are offered only where a class has a cloak', () => {
  const sheet = { piece: 'S1', listen: { own: 0, loudest: 0, hundredths: [0, 17] }, sweep: { mean_hundredths: [100] } };
  const names = (view) => waysOf(sheet, view, WISH).map(({ name }) => name);
  assert.deepEqual(names(VIEW), ['listen or sweep']);
  assert.deepEqual(names({ ...VIEW, cloak_rules: { cloaks: false } }), []);
});

test('a bombardment that holds for all of a map is meant by each of its cells', () => {
  const bombards = [{ weapon: 'C1', at: ['Ceres', 1], hundredths: 58, damage: 3 }];
  const way = wayOf('bombard C1 Ceres 1', { bombards });
  assert.deepEqual(entriesAt(way, [7, 2])[0].orders[0].cell, [7, 2]);
});

test('what is launched may be sent to each square that the sheet lists, and the rest are buttons', () => {
  const orders = [
    { t: 'launch', ship: 'S1', what: 'missiles', weapon: 'M1', at: [1, 1] },
    { t: 'sensors', ship: 'S1', out: true },
    { t: 'probe', ship: 'S1', at: 'aaaaaa' },
  ];
  const way = wayOf('launch M1', { orders, aims: [[8, 9], [9, 9]] });
  assert.deepEqual(entriesAt(way, [8, 9])[0].orders[0].at, [8, 9]);
  assert.deepEqual(entriesAt(way, [1, 1]), []);
  assert.deepEqual(wayOf('other orders', { orders }).entries.map(({ text }) => text), ['sensors S1 out']);
  assert.equal(entriesAt(wayOf('probe', { orders }), [4, 5])[0].text, 'probe S1 C3');
});

test('a lock of DETECT and ENGAGE, and of a window that is passed, waits from 1 to 3 s on a clock with a beat', () => {
  assert.equal(earliestMs('friendly', () => 0), 1000);
  assert.equal(earliestMs('friendly', () => 0.5), 2000);
  assert.equal(earliestMs('local', () => 0.5), 0);
  assert.deepEqual(['plot', 'scan', 'detect', 'engage'].map((phase) => waits(phase, false)), [false, false, true, true]);
  assert.equal(waits('plot', true), true);
});

test('hashes are those of the standard', () => {
  const hash = blake2bInit(64);
  blake2bUpdate(hash, new TextEncoder().encode('abc'));
  // RFC 7693, appendix A.
  assert.equal(
    hexadecimal(blake2bFinal(hash)),
    'ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1' +
      '7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923',
  );
});

test('entropy is long, and new each time', () => {
  const [one, second] = [newEntropy(), newEntropy()];
  assert.equal(one.length, 32);
  assert.notDeepEqual(one, second);
});

test('a clock shows minutes and seconds, and what is in the bank', () => {
  assert.equal(clockText(61_000), '1:01');
  assert.equal(clockText(400, 90_500), '0:01 +90 s in the bank');
});
