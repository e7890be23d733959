// The reader of replays: whole files, cut ones, foreign and hostile ones. `MATCH` is a real file.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const page = (name) => import(`file://${process.env.PAGE}/${name}`);
const { FILE_BYTES_MOST, ReplayError, readReplay } = await page('replay/replay.js');
const { CutError, endOf } = await page('replay/values.js');
const { encode, ExtensionCodec } = await page('vendor/msgpack.js');

const whole = new Uint8Array(readFileSync(process.env.MATCH));

// How much closer together the places lie at which a file is cut or changed.
const density = Number(process.env.DENSITY ?? 1);
const all = await readReplay(whole);
const counted = (replay) => [...replay.layers.values()].reduce((sum, layer) => sum + layer.length, 0);

const codec = new ExtensionCodec();
class Reference {
  constructor(number) {
    this.number = number;
  }
}
codec.register({
  type: 1,
  encode: (value) => (value instanceof Reference ? new Uint8Array([0, 0, 0, value.number]) : null),
  decode: () => null,
});

/** Return a record file with these values in its layers. */
function fileOf(...values) {
  const head = { format: 'sunglare-record', version: 4, records: 0, trailer: true };
  const first = { format: 'sunglare-layers', version: 1 };
  return joined(head, {}, new Uint8Array(16), first, ...values);
}

function joined(...values) {
  const parts = values.map((value) => encode(value, { extensionCodec: codec }));
  return new Uint8Array(parts.flatMap((part) => [...part]));
}

test('a whole file has as many messages for each audience as were sent, and no fault', () => {
  assert.equal(all.fault, '');
  assert.deepEqual([...all.layers.keys()].sort(), ['A', 'B', 'analysis', 'omni', 'public']);
  for (const [name, layer] of all.layers) {
    assert.deepEqual(layer.map((message) => message.seq), layer.map((_, index) => index + 1));
    assert.equal(layer.at(-1).t, name === 'analysis' ? name : 'over');
  }
});

test('an audience of which nothing is there is named, and the others are shown', async () => {
  const at = Buffer.from(whole).indexOf(Buffer.from('\xa6layers\x85', 'latin1')) + 7;
  const empty = Buffer.from([0x86, 0xa1, 0x43, 0x90]);
  const found = await readReplay(Buffer.concat([whole.subarray(0, at), empty, whole.subarray(at + 1)]));
  assert.equal(found.fault, 'What was sent to C is missing in it.');
  assert.deepEqual(found.layers, all.layers);
});

test('a file that was cut anywhere shows a beginning of what the whole one shows, and says so', async () => {
  const step = Math.floor(whole.length / (20 * density));
  for (let end = whole.length - 20; end > 2000; end -= step) {
    const cut = await readReplay(whole.subarray(0, end));
    assert.equal(cut.fault, 'This file was cut: its end is missing.');
    for (const [name, layer] of cut.layers) {
      assert.deepEqual(layer, all.layers.get(name).slice(0, layer.length));
    }
  }
});

test('a file of which any byte was changed is read to its end or to a sentence', async () => {
  let faults = 0;
  for (let place = 200; place < whole.length; place += Math.floor(2931 / density)) {
    const changed = whole.slice();
    changed[place] ^= 0xff;
    const read = await readReplay(changed).catch((error) => error);
    if (read instanceof Error) assert.ok(read instanceof ReplayError);
    else if (read.fault) {
      faults += 1;
      assert.match(read.fault, /^[A-Z].*\.$/);
    } else assert.ok(counted(read) <= counted(all));
  }
  assert.ok(faults > 0);
});

test('what is no replay is refused in a sentence', async () => {
  for (const bytes of [new Uint8Array(), encode('no'), encode({ format: 'chess' }), new TextEncoder().encode('GIF89a')]) {
    await assert.rejects(readReplay(bytes), /This is no record of a match/);
  }
});

test('a file of more than 64 MiB is not read', async () => {
  await assert.rejects(readReplay({ length: FILE_BYTES_MOST + 1 }), /too large: 64 MiB/);
});

test('a match that could not be folded has nothing to show', async () => {
  for (const header of [{ version: 2 }, { version: 4, trailer: false }]) {
    const read = await readReplay(joined({ format: 'sunglare-record', records: 0, ...header }));
    assert.match(read.fault, /nothing in this file/);
  }
});

test('the frames that a side saved before the end are its layer', async () => {
  const sent = encode({ t: 'news', seq: 1, pad: '....' });
  const read = await readReplay(joined({ format: 'sunglare-frames', audience: 'A', frames: 1 }, sent));
  assert.deepEqual([...read.layers], [['A', [{ t: 'news', seq: 1 }]]]);
  assert.equal(read.fault, '');
});

test('a part is put back wherever it is referred to', async () => {
  const part = ['a text that is long enough'];
  const read = await readReplay(fileOf(part, ['A', { t: 'news', text: new Reference(0) }], { format: 'sunglare-index' }));
  assert.deepEqual(read.layers.get('A'), [{ t: 'news', text: part[0] }]);
});

test('a reference to what does not stand before it ends the reading', async () => {
  const read = await readReplay(fileOf(['A', { t: 'news' }], ['A', { text: new Reference(0) }]));
  assert.equal(read.layers.get('A').length, 1);
  assert.match(read.fault, /does not stand before it/);
});

test('a short file that would unfold to much is shown up to there', async () => {
  const doubled = (number) => [[new Reference(number), new Reference(number)]];
  const bomb = Array.from({ length: 40 }, (_, number) => doubled(number));
  const read = await readReplay(fileOf(['A', { t: 'news' }], ['long enough to be a part of its own'], ...bomb));
  assert.equal(read.layers.get('A').length, 1);
  assert.match(read.fault, /larger than any message/);
});

test('a message that is larger than any is not shown, with parts or without', async () => {
  const read = await readReplay(fileOf(['A', { t: 'news' }], ['A', { text: 'x'.repeat(1 << 20) }]));
  assert.equal(read.layers.get('A').length, 1);
  assert.match(read.fault, /larger than any message/);
});

test('parts within parts are shown up to where they are too deep', async () => {
  const chain = Array.from({ length: 30 }, (_, number) => [[new Reference(number)]]);
  const read = await readReplay(fileOf(['A', { t: 'news' }], ['long enough to be a part of its own'], ...chain));
  assert.equal(read.layers.get('A').length, 1);
  assert.match(read.fault, /deeper than any message/);
});

test('values that promise more than there is end where the file does', () => {
  for (const head of [[0xdd, 0xff, 0xff, 0xff, 0xff], [0xdf, 0xff, 0xff, 0xff, 0xff], [0xc6, 0xff, 0xff, 0xff, 0xff], [0xdb]]) {
    assert.throws(() => endOf(new Uint8Array(head), 0), CutError);
  }
});

test('values that are nested without end are refused', () => {
  assert.throws(() => endOf(new Uint8Array(100000).fill(0x91), 0), /nested too deeply/);
});

test('every kind of value ends where the next one begins', () => {
  const values = [null, true, 1, -1, 200, -200, 70000, -70000, 2 ** 40, -(2 ** 40), 1.5, 'a', 'b'.repeat(40), 'c'.repeat(300)];
  values.push('d'.repeat(70000), [1], Array(20).fill(1), { a: 1 }, new Uint8Array(3), new Uint8Array(300), new Uint8Array(70000));
  values.push(Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, index])), Array(70000).fill(0));
  for (const value of values) {
    const bytes = encode([value, 7]);
    assert.equal(endOf(bytes, 1), bytes.length - 1);
  }
});
