// The shapes of pieces: in the truth a ship has the arrow of its side, so that no colour is needed.

import assert from 'node:assert/strict';
import { test } from 'node:test';

const { drawPiece } = await import(`file://${process.env.PAGE}/face/shapes.js`);

const INKS = { paper: 'white', ink: 'black', colour: 'red' };

/** Return the path that is drawn of a mark. */
function drawn(mark) {
  const points = [];
  const pen = new Proxy(
    {},
    {
      get: (_, name) => (...given) => name === 'moveTo' || name === 'lineTo' ? points.push(given.join()) : undefined,
      set: () => true,
    },
  );
  drawPiece(pen, { what: 'ship', fix: null, facing: 'N', isOwn: false, ...mark }, [0, 0], 10, INKS);
  return points.join(' ');
}

test('a ship of the truth has another outline for each side', () => {
  const outlines = ['A', 'B', 'C', 'D'].map((side) => drawn({ side }));
  assert.equal(new Set(outlines).size, 4);
});

test('an own ship has the same outline whatever the side', () => {
  const own = ['A', 'B', 'C', 'D'].map((side) => drawn({ side, isOwn: true }));
  assert.equal(new Set(own).size, 1);
});

test('the tip of a ship lies where it faces', () => {
  const tips = { N: [0, -10.5], E: [10.5, 0], S: [0, 10.5], W: [-10.5, 0] };
  for (const [facing, [x, y]] of Object.entries(tips)) {
    const [first] = drawn({ facing, isOwn: true }).split(' ');
    const [toX, toY] = first.split(',').map(Number);
    assert.ok(Math.abs(toX - x) + Math.abs(toY - y) < 1e-9, `${facing}: ${first}`);
  }
});
