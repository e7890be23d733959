// The replay file `.sgr`: its header and, layer by layer, what each audience was sent. A file that
// is cut, foreign or hostile is read up to its last whole message, and `fault` says in one sentence
// what is wrong with the rest. The format is that of `sunglare_protocol/replay/`. The hash of its
// index is passed over: whether a file was changed, `sunglare verify` says.

/** @import { Post } from '../watch/match.js' */

import { Decoder, ExtensionCodec } from '../vendor/msgpack.js';
import { PartReader, REFERENCE } from './parts.js';
import { CutError, ReplayError, endOf } from './values.js';

export { ReplayError } from './values.js';

/** The largest file that is read. */
export const FILE_BYTES_MOST = 64 * 1024 * 1024;

const RECORD = 'sunglare-record';
const FRAMES = 'sunglare-frames';
const LAYERS = 'sunglare-layers';
const INDEX = 'sunglare-index';
const LAYERED = 4;
const LAYERS_VERSION = 1;

const CUT = 'This file was cut: its end is missing.';
const DAMAGED = 'This file is damaged.';
const NOTHING = 'There is nothing in this file of what was sent.';

/** @typedef {Record<string, unknown>} Values a map of MessagePack */

/**
 * What a file shows: its header, the messages of each layer by its name, and why there is no more.
 * @typedef {{header: Values, layers: Map<string, Post[]>, fault: string}} Replay
 */

/**
 * Return what a file shows.
 * @param {Uint8Array} bytes
 * @param {() => Promise<void>} [breathe] is awaited between two values, so that a page stays alive
 * @returns {Promise<Replay>}
 * @throws {ReplayError} if it is no replay at all
 */
export async function readReplay(bytes, breathe = async () => {}) {
  if (bytes.length > FILE_BYTES_MOST) {
    throw new ReplayError(`This file is too large: ${FILE_BYTES_MOST >> 20} MiB are the most.`);
  }
  const reader = new ValueReader(bytes);
  const header = headerOf(reader);
  /** @type {Replay['layers']} */
  const layers = new Map();
  const fault = await read(reader, header, layers, breathe);
  return { header, layers, fault };
}

/** Reads the values of a file one after the other. */
class ValueReader {
  #bytes;
  #decoder;
  #place = 0;
  #parts = new PartReader();

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.#bytes = bytes;
    const extensionCodec = new ExtensionCodec();
    extensionCodec.register({ type: REFERENCE, encode: () => null, decode: (data) => this.#parts.hook(data) });
    this.#decoder = new Decoder({ extensionCodec });
  }

  next() {
    return this.#decoded(this.skip());
  }

  /** Pass over the next value and return where it begins. */
  skip() {
    const start = this.#place;
    this.#place = endOf(this.#bytes, start);
    return start;
  }

  /** Return the next value of the layers that is no part. */
  nextOfLayers() {
    for (;;) {
      const start = this.skip();
      if (!isMapAt(this.#bytes, start)) this.#parts.begin(this.#place - start);
      const value = this.#decoded(start);
      if (!Array.isArray(value) || value.length !== 1) return value;
      this.#parts.add(value[0]);
    }
  }

  /** @param {number} start */
  #decoded(start) {
    return this.#decoder.decode(this.#bytes.subarray(start, this.#place));
  }

  /**
   * Return the value that some bytes are.
   * @param {Uint8Array} bytes
   */
  inside(bytes) {
    if (endOf(bytes, 0) !== bytes.length) throw new ReplayError(DAMAGED);
    return this.#decoder.decode(bytes);
  }
}

/**
 * Return whether a value is a map by its first byte: the index is one, and as long as it is.
 * @param {Uint8Array} bytes
 * @param {number} place
 */
function isMapAt(bytes, place) {
  const head = bytes[place];
  return (head & 0xf0) === 0x80 || head === 0xde || head === 0xdf;
}

/** @param {ValueReader} reader */
function headerOf(reader) {
  /** @type {unknown} */
  let header = null;
  try {
    header = reader.next();
  } catch {
    // Whatever it is, it does not begin as a replay does.
  }
  if (!isMap(header) || (header.format !== RECORD && header.format !== FRAMES)) {
    throw new ReplayError('This is no record of a match.');
  }
  return header;
}

/**
 * Fill `layers` and return what is wrong with the rest of the file, or nothing.
 * @param {ValueReader} reader
 * @param {Values} header
 * @param {Replay['layers']} layers
 * @param {() => Promise<void>} breathe
 */
async function read(reader, header, layers, breathe) {
  const isLayered = header.format === FRAMES || (Number(header.version) >= LAYERED && header.trailer !== false);
  if (!isLayered) return NOTHING;
  try {
    if (header.format === FRAMES) await readFrames(reader, header, layers, breathe);
    else await readRecord(reader, header, layers, breathe);
    return '';
  } catch (error) {
    if (error instanceof CutError) return CUT;
    return error instanceof ReplayError ? error.message : DAMAGED;
  }
}

/**
 * Read what one side was sent before the end.
 * @param {ValueReader} reader
 * @param {Values} header
 * @param {Replay['layers']} layers
 * @param {() => Promise<void>} breathe
 */
async function readFrames(reader, header, layers, breathe) {
  const messages = layerOf(layers, String(header.audience));
  for (let left = countOf(header.frames); left > 0; left -= 1) {
    const value = reader.next();
    if (!(value instanceof Uint8Array)) throw new ReplayError(DAMAGED);
    const { pad, ...sent } = checked(reader.inside(value));
    messages.push(posted(sent));
    await breathe();
  }
}

/**
 * Pass over the records, the trailer and its hash; read the layers behind them.
 * @param {ValueReader} reader
 * @param {Values} header
 * @param {Replay['layers']} layers
 * @param {() => Promise<void>} breathe
 */
async function readRecord(reader, header, layers, breathe) {
  for (let left = countOf(header.records) + 2; left > 0; left -= 1) {
    reader.skip();
    await breathe();
  }
  checkFirst(reader.next());
  for (;;) {
    const value = reader.nextOfLayers();
    if (isMap(value)) {
      if (value.format !== INDEX || !isMap(value.layers)) throw new ReplayError('Its index is damaged.');
      checkAllThere(Object.keys(value.layers), layers);
      return;
    }
    if (!Array.isArray(value) || value.length !== 2 || typeof value[0] !== 'string') {
      throw new ReplayError('There is something in it that is no message.');
    }
    layerOf(layers, value[0]).push(posted(checked(value[1])));
    await breathe();
  }
}

/**
 * Say of whom nothing is there: every audience is sent a frame at least.
 * @param {string[]} names
 * @param {Replay['layers']} layers
 */
function checkAllThere(names, layers) {
  const lost = names.filter((name) => !layers.has(name));
  if (lost.length) throw new ReplayError(`What was sent to ${lost.join(', ')} is missing in it.`);
}

/** @param {unknown} value */
function checkFirst(value) {
  if (!isMap(value) || value.format !== LAYERS) throw new ReplayError(NOTHING);
  if (value.version !== LAYERS_VERSION) {
    throw new ReplayError('What was sent is written in a newer way than this page knows.');
  }
}

/** @param {unknown} value */
function countOf(value) {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw new ReplayError(DAMAGED);
  return value;
}

/** @param {unknown} value */
function checked(value) {
  if (!isMap(value)) throw new ReplayError('There is something in it that is no message.');
  return value;
}

/**
 * Return a map as the message it should be; `Match` passes over one that is not.
 * @param {Values} sent
 */
function posted(sent) {
  return /** @type {Post} */ (/** @type {unknown} */ (sent));
}

/**
 * @param {Replay['layers']} layers
 * @param {string} name
 * @returns {Post[]}
 */
function layerOf(layers, name) {
  const layer = layers.get(name) ?? [];
  layers.set(name, layer);
  return layer;
}

/**
 * @param {unknown} value
 * @returns {value is Values}
 */
function isMap(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
}
