// Prints what each audience was shown in every frame of a replay file: a line of JSON for each,
// with audience, number, turn, window, and all texts of its view in order.
// It knows the file from PROTOCOL.md alone, section "The record".

import { readFileSync } from "node:fs";

import { ExtensionCodec, decodeMulti } from "@msgpack/msgpack";

const parts = [];

const extensionCodec = new ExtensionCodec();
extensionCodec.register({
  type: 1,
  encode: () => null,
  decode: (data) => parts[new DataView(data.buffer, data.byteOffset).getUint32(0)],
});

function* textsOf(value) {
  if (typeof value === "string") {
    yield value;
  } else if (value !== null && typeof value === "object") {
    for (const inner of Object.values(value)) yield* textsOf(inner);
  }
}

function print(audience, sent) {
  if (sent.t !== "frame") return;
  const texts = [...textsOf(sent.view)].sort();
  console.log(JSON.stringify([audience, sent.seq, sent.turn, sent.window, ...texts]));
}

const values = decodeMulti(readFileSync(process.argv[2]), { extensionCodec });
const header = values.next().value;
// The records, the trailer and its hash; then the first value of the layers.
for (let number = 0; number < header.records + 3; number += 1) values.next();
for (const value of values) {
  if (!Array.isArray(value)) break;
  if (value.length === 1) parts.push(value[0]);
  else print(...value);
}
