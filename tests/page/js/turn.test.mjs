// The turn of a seat over a line that this test answers by hand: what is meant for a window stays there.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';

const page = (name) => import(`file://${process.env.PAGE}/${name}`);
const { Decoder, encode } = await page('vendor/msgpack.js');
const { Seat } = await page('seat/seat.js');
const { Turn } = await page('seat/turn.js');

const MATCH = 'm'.repeat(26);
const CARD = { title: 'Duel', options: { clock: 'test' }, sides: ['A', 'B'] };
const THRUST = { t: 'thrust', ship: 'S1', to: ['N'] };

/** The line of a page, of which a test is the other end. */
class Line {
  static OPEN = 1;
  static newest = null;
  readyState = 1;
  sent = [];

  constructor() {
    Line.newest = this;
    setTimeout(() => this.onopen());
  }

  send(data) {
    this.sent.push(new Decoder().decode(data));
  }

  close() {}

  post(message) {
    this.onmessage({ data: encode(message) });
  }

  /** Return the next message of a kind, once it has come. */
  async next(kind) {
    for (let left = 200; left > 0; left -= 1) {
      const at = this.sent.findIndex(({ t }) => t === kind);
      if (at >= 0) return this.sent.splice(0, at + 1).at(-1);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error(`no ${kind} came`);
  }

  async answer(kind, answer) {
    this.post({ ...answer, id: (await this.next(kind)).id });
  }
}

function frame(window, seq) {
  const [turn, phase] = window.split('.');
  const stage = { turn: Number(turn), turns: 20, phase, window, sides: ['A', 'B'] };
  const view = { t: 'side', audience: 'A', stage, board: {} };
  return { t: 'frame', match: MATCH, seq, turn: stage.turn, window, closes_ms: 60_000, bank_ms: 0, view };
}

function review(fields = {}) {
  return { t: 'answer', match: MATCH, answer: { t: 'review', has_decision: true, ...fields } };
}

let seat;
let turn;
let line;

beforeEach(async () => {
  globalThis.WebSocket = Line;
  seat = new Seat('ws://page', MATCH, (post) => post?.t === 'frame' && turn.begin());
  turn = new Turn(seat, { onChange: () => {}, onFirst: () => {}, say: () => {} });
  await new Promise((resolve) => setTimeout(resolve, 1));
  line = Line.newest;
  await line.answer('hello', { t: 'welcome', token: 'x'.repeat(20), name: 'Ada', bots: [] });
  const sat = seat.sit({ isMine: true });
  await line.answer('resume', { t: 'resumed', match: MATCH, side: 'A', kind: 'reset', since_ms: 0, last_id: 9, card: CARD });
  await sat;
  line.post(frame('1.plot', 1));
  await line.answer('ask', review());
});

afterEach(() => seat.close());

test('an order is given with all others of the window, and a lock after it', async () => {
  turn.order({ orders: [THRUST] });
  const given = await line.next('orders');
  assert.deepEqual([given.window, given.orders, given.lock], ['1.plot', [THRUST], false]);
  assert.ok(given.id > 9);
  turn.lock(true);
  line.post({ t: 'accepted', id: given.id });
  const locked = await line.next('orders');
  assert.deepEqual([locked.orders, locked.lock, locked.rev > given.rev], [[THRUST], true, true]);
});

test('a lock that was pressed as a window closed does not lock the next one', async () => {
  turn.lock();
  const asked = await line.next('ask');
  line.post(frame('1.detect', 2));
  line.post({ ...review(), id: asked.id });
  await line.answer('ask', review());
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(turn.isLocking, false);
  assert.deepEqual(line.sent.filter(({ t }) => t === 'orders'), []);
});

test('an order that waits for another one is not given in the next window', async () => {
  turn.order({ orders: [THRUST] });
  turn.order({ orders: [{ t: 'turn', ship: 'S1', steps: 1 }] });
  const { id } = await line.next('orders');
  line.post(frame('1.detect', 2));
  line.post({ t: 'accepted', id });
  await line.answer('ask', review());
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual(turn.plan, []);
  assert.deepEqual(line.sent.filter(({ t }) => t === 'orders'), []);
});

test('orders that are refused are taken out of the plan, and those before stay', async () => {
  turn.order({ orders: [THRUST] });
  line.post({ t: 'accepted', id: (await line.next('orders')).id });
  turn.order({ orders: [{ t: 'turn', ship: 'S1', steps: 3 }] });
  await line.answer('orders', { t: 'refused', code: 'order/turn', text: 'The ship cannot turn that far.' });
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(turn.plan, [THRUST]);
});

test('a change shows at once, and is given with those after it once the one before is answered', async () => {
  const turned = { t: 'turn', ship: 'S1', steps: 1 };
  turn.order({ orders: [THRUST] });
  const { id } = await line.next('orders');
  turn.order({ orders: [turned] });
  turn.order({ orders: [{ t: 'sensors', ship: 'S1', out: true }] });
  turn.undo();
  assert.deepEqual(turn.plan, [THRUST, turned]);
  line.post({ t: 'accepted', id });
  const given = await line.next('orders');
  assert.deepEqual(given.orders, [THRUST, turned]);
  line.post({ t: 'accepted', id: given.id });
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(line.sent.filter(({ t }) => t === 'orders'), []);
  turn.undo();
  assert.deepEqual(turn.plan, [THRUST]);
});

test('a window without a decision is passed', async () => {
  line.post(frame('1.engage', 2));
  await line.answer('ask', review({ has_decision: false }));
  const { window, orders, lock } = await line.next('orders');
  assert.deepEqual([window, orders, lock], ['1.engage', [], true]);
});

test('a command that the line lost is sent again under its number', async () => {
  turn.order({ orders: [THRUST] });
  const { id } = await line.next('orders');
  line.readyState = 3;
  line.onclose();
  for (let left = 200; left > 0 && Line.newest === line; left -= 1) await new Promise((resolve) => setTimeout(resolve, 10));
  line = Line.newest;
  await line.answer('hello', { t: 'welcome', token: 'x'.repeat(20), name: 'Ada', bots: [] });
  await line.answer('resume', { t: 'resumed', match: MATCH, side: 'A', kind: 'exact', since_ms: 0, last_id: 9, card: CARD, seq: 1 });
  assert.equal((await line.next('orders')).id, id);
});
