// The names next to pieces: where they find room, and in which order they are drawn.

import assert from 'node:assert/strict';
import { test } from 'node:test';

const page = (name) => import(`file://${process.env.PAGE}/${name}`);
const { Taken, drawNames } = await page('face/names.js');
const { layoutOf } = await page('face/layout.js');

const LINE = 11;
const COLOURS = { paper: 'white', ink: 'black', unknown: 'grey', sides: ['blue', 'red'] };

/** Return whether two places have a point in common. */
function meet(one, other) {
  const apart = one.x + one.width <= other.x || other.x + other.width <= one.x;
  return !apart && Math.abs(one.y - other.y) < LINE;
}

/** Return what is written, with its place, when these pieces are drawn; a letter is 7 wide. */
function written(marks) {
  const found = [];
  const pen = {
    measureText: (text) => ({ width: 7 * text.length }),
    strokeText: (text, x, y) => found.push({ ink: pen.strokeStyle, text, x, y, width: 7 * text.length }),
    fillText: (text, x, y) => found.push({ ink: pen.fillStyle, text, x, y, width: 7 * text.length }),
  };
  const layout = layoutOf({ width: 700, height: 700 }, { columns: 40, rows: 40 });
  drawNames(pen, marks, layout, 8, { colours: COLOURS, sides: ['A', 'B'], taken: new Taken() });
  return found;
}

function mark(name, square, fields = {}) {
  return { name, square, age: 0, isOwn: true, fix: null, side: 'A', ...fields };
}

test('a place is free if no name that was put down before meets it, above or below the top of the board', () => {
  const taken = new Taken();
  const known = [];
  for (let number = 0; number < 400; number += 1) {
    const place = { x: (number * 37) % 300, y: ((number * 53) % 260) - 30, width: 10 + (number % 30) };
    const isFree = !known.some((other) => meet(place, other));
    assert.equal(taken.isFree(place), isFree, JSON.stringify(place));
    if (!isFree) continue;
    taken.take(place);
    known.push(place);
  }
  assert.ok(known.length > 20 && known.length < 300);
});

test('names of neighbours do not meet, those of one square stand together, and rims lie below them', () => {
  const marks = [mark('S1', [9, 9]), mark('S2', [10, 9]), mark('S3', [9, 10], { side: 'B' }), mark('S4', [9, 9])];
  const texts = written(marks);
  assert.deepEqual(texts.map(({ text, ink }) => [text, ink]), [
    ['S1 S4', 'white'], ['S2', 'white'], ['S3', 'white'], ['S1 S4', 'blue'], ['S2', 'blue'], ['S3', 'red'],
  ]);
  const [one, two, three] = texts;
  assert.ok(!meet(one, two) && !meet(one, three) && !meet(two, three));
});

test('the name of a memory gives way where it is crowded, that of an own piece never', () => {
  const crowd = Array.from({ length: 30 }, (_, number) => mark(`S${number}`, [18 + (number % 6), 18 + Math.floor(number / 6)]));
  const memory = mark('C1', [24, 20], { isOwn: false, fix: 'memory', age: 3 });
  const names = (marks) => written(marks).map(({ text }) => text);
  assert.ok(names([memory]).includes('C1 −3'));
  assert.ok(!names([...crowd, memory]).includes('C1 −3'));
  for (const { name } of crowd) assert.ok(names(crowd).includes(name));
});
