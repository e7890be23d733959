// The layer `analysis`: read, laid out on a board, and in words.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const page = (name) => import(`file://${process.env.PAGE}/${name}`);
const { analysisOf } = await page('replay/analysis.js');
const { boxesOf, hauntsOf, numbersOf, scanLines, spotLines } = await page('board/analysis.js');
const { matchOfFile } = await page('watch/source.js');

const BOARD = { columns: 2, rows: 2 };
const SPOT = { of: 'C1', basis: 'lost', side: 'B', squares: [3, 2, 13, 1] };
const SCAN = { ship: 'S1', type: 'ir', size: '1box', at: 'B1', found: ['B.S1', 'B.S2'], tracked: ['B.S2'], left: 40 };

function one(fields) {
  return analysisOf([{ t: 'analysis', seq: 1, turn: 1, window: '1.plot', ...fields }]).get('1.plot');
}

test('the analysis of a whole file has every window that took orders, and a file without has none', async () => {
  const { match } = await matchOfFile(new Uint8Array(readFileSync(process.env.MATCH)));
  const windows = match.steps.map(({ window }) => window).filter((window) => !window.includes('over'));
  assert.deepEqual([...match.analysis.keys()], windows.slice(0, match.analysis.size));
  assert.ok(match.analysis.size >= windows.length - 1);
  assert.deepEqual(match.layers, ['omni', 'A', 'B', 'public']);
  assert.equal(analysisOf([]).size, 0);
});

test('runs are squares of the board, each once, whatever they say', () => {
  assert.deepEqual(numbersOf([3, 2, 13, 1], 100), [3, 4, 13]);
  assert.deepEqual(numbersOf([0, 3, 1, 4, 98, 9, -5, 7], 100), [0, 1, 2, 3, 4, 98, 99]);
  assert.deepEqual(numbersOf([5], 100), []);
  assert.equal(numbersOf(Array(20000).fill(1e15), 100).length, 0);
});

test('where a side may be is what all others know together, and what each piece of it may be', () => {
  const analysis = one({ spots: { A: [SPOT, { ...SPOT, squares: [4, 2] }], C: [{ ...SPOT, side: undefined }] } });
  const [nobodys, ofB] = hauntsOf(analysis, BOARD);
  assert.deepEqual([nobodys.side, nobodys.squares], ['', [3, 4, 13]]);
  assert.deepEqual([ofB.side, ofB.squares.sort((x, y) => x - y)], ['B', [3, 4, 5, 13]]);
  assert.deepEqual(ofB.parts, [[3, 4, 13], [4, 5]]);
});

test('what each side knows is told in words', () => {
  const held = { ...SPOT, basis: 'held', squares: [13, 1] };
  const heard = { of: 'ir 3box B2', basis: 'scan', side: 'A', squares: [0, 1] };
  assert.deepEqual(spotLines(one({ spots: { A: [held, SPOT], B: [heard], C: [heard, held] } }), BOARD), [
    'A knows: C1 of B is held at 3,1',
    'A knows: C1 of B was lost and is in one of 3 squares',
    'B, C know: the ship of A that made ir 3box B2 has scanned from one of 1 square',
    'C knows: C1 of B is held at 3,1',
  ]);
});

test('the best scans are boxes with the names under which they are told', () => {
  const square = { ...SCAN, size: '1sq', at: [9, 9], tracked: [], left: 0 };
  const radar = { ...SCAN, type: 'radar', left: 1 };
  const analysis = one({ scans: { A: [SCAN, square, radar], B: [] } });
  assert.deepEqual(boxesOf(analysis, BOARD).map(({ name }) => name), ['A#1', 'A#2', 'A#3']);
  assert.deepEqual(boxesOf(analysis, BOARD)[0].area, { west: 5, north: 0, east: 9, south: 4 });
  assert.deepEqual(scanLines(analysis), [
    'A#1: S1, ir 1box at B1: finds B.S1 B.S2, tracks B.S2; leaves everybody 40 squares to look for S1',
    'A#2: S1, ir 1sq at 9,9: finds B.S1 B.S2; tells everybody that S1 is on a body',
    'A#3: S1, radar 1box at B1: finds B.S1 B.S2, tracks B.S2; shows everybody the square of S1',
    'B: no scan of it would have found anything',
  ]);
  assert.equal(scanLines(one({})), null);
});

test('whatever is not as it should be is left out', () => {
  const odd = [null, 7, {}, { ...SPOT, basis: 'guess' }, { ...SPOT, squares: ['x'] }, { ...SPOT, of: {} }];
  const scans = [null, { ...SCAN, at: {} }, { ...SCAN, at: '<b>' }, { ...SCAN, found: 1 }, { ...SCAN, size: '9' }];
  const analysis = one({ spots: { A: [...odd, SPOT], B: 5 }, scans: { A: scans } });
  assert.deepEqual([...analysis.spots], [['A', [SPOT]]]);
  assert.deepEqual([...analysis.scans], [['A', []]]);
  assert.equal(analysisOf([{ t: 'analysis', window: 5 }, { t: 'frame', window: '1.plot' }]).size, 0);
  assert.equal(one({ spots: null, scans: [] }).spots.size, 0);
});
