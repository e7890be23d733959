// What the page makes of the compact form: each edit by the wording of the protocol, and its faults.

import assert from 'node:assert/strict';
import { test } from 'node:test';

const { Unfolding, folded } = await import(`file://${process.env.PAGE}/watch/compact.js`);

const EDITS = [
  [{ a: 1, b: 2 }, { a: null, c: 3 }, { b: 2, c: 3 }],
  [{ a: { b: 1, c: 2 } }, { a: { c: 3 } }, { a: { b: 1, c: 3 } }],
  [{ a: 1 }, { a: { b: 2 } }, { a: { b: 2 } }],
  [{ a: [1, 2] }, { a: [3] }, { a: [3] }],
  [{ a: { b: 1, c: 2 } }, { a: { '=': { b: null } } }, { a: { b: null } }],
  [['a', 'b', 'c'], { '-': [0, 2] }, ['b']],
  [['a', 'b'], { '+': [[0, 'x'], [2, 'y']] }, ['x', 'a', 'y', 'b']],
  [[{ n: 1 }, { n: 2, m: 3 }], { '~': [[1, { n: 4 }]] }, [{ n: 1 }, { n: 4, m: 3 }]],
  [[{ n: 1 }, { n: 2 }, { n: 3 }], { '-': [0], '+': [[2, { n: 9 }]], '~': [[1, { n: 7 }]] }, [{ n: 2 }, { n: 7 }, { n: 9 }]],
];

const first = { t: 'frame', match: 'm', seq: 1, pad: '..', view: { t: 'side', audience: 'A', own: [{ id: 'S1' }] } };
const change = { t: 'change', match: 'm', feed: 'A', seq: 3, on: 1, edit: { view: { own: { '~': [[0, { hull: 2 }]] } } } };

test('an edit is told by what it is applied to, which stays as it is', () => {
  for (const [old, edit, made] of EDITS) {
    const before = structuredClone(old);
    assert.deepEqual(folded(old, edit), made);
    assert.deepEqual(old, before);
  }
});

test('a change is the frame that it makes, without the padding of the one before', () => {
  const line = new Unfolding();
  assert.equal(line.whole(first), first);
  const { pad: _, ...bare } = first;
  assert.deepEqual(line.whole(change), { ...bare, seq: 3, view: { ...first.view, own: [{ id: 'S1', hull: 2 }] } });
});

test('feeds of one match do not change each other, and what is no frame goes through', () => {
  const line = new Unfolding();
  line.whole(first);
  line.whole({ t: 'frame', match: 'm', seq: 7, view: { t: 'truth' } });
  assert.equal(line.whole(change).seq, 3);
  const news = { t: 'news', match: 'm', seq: 4 };
  assert.equal(line.whole(news), news);
});

test('a change of a frame that did not come is a fault', () => {
  const line = new Unfolding();
  assert.throws(() => line.whole(change), /frame 1/);
  line.whole({ ...first, seq: 2 });
  assert.throws(() => line.whole(change), /frame 1/);
});
