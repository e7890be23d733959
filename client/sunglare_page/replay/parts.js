// Parts of a replay: values that were written once and are referred to by whatever comes later. A
// short file can refer to much, so what a value is unfolded is counted, and how many parts lie within
// each other, and it ends there. A message is bounded as in the reader in Python; how much all of
// them come to is not, as parts are shared here and nothing is unfolded until it is shown.

import { ReplayError } from './values.js';

/** The extension type of a reference to a part. */
export const REFERENCE = 1;

const UNFOLDED_BYTES_MOST = 1 << 20;
const DEPTH_MOST = 24;
const NUMBER_BYTES = 4;

/** Puts parts back; `hook` is for the decoder of the values. */
export class PartReader {
  /** @type {{value: unknown, bytes: number, depth: number}[]} */
  #parts = [];
  #bytes = 0;
  #depth = 0;

  /**
   * Return the part that a reference leads to.
   * @param {Uint8Array} data
   * @returns {unknown}
   */
  hook(data) {
    const number = data.length === NUMBER_BYTES ? new DataView(data.buffer, data.byteOffset).getUint32(0) : -1;
    const part = this.#parts[number];
    if (part === undefined) throw new ReplayError('It refers to something that does not stand before it.');
    this.#depth = Math.max(this.#depth, part.depth);
    if (this.#depth > DEPTH_MOST) throw new ReplayError('It is deeper than any message.');
    this.#unfold(part.bytes);
    return part.value;
  }

  /**
   * Take what was just decoded as the next part.
   * @param {unknown} value
   */
  add(value) {
    this.#parts.push({ value, bytes: this.#bytes, depth: this.#depth + 1 });
  }

  /**
   * Begin the next value, which has so many bytes of its own: nothing else is unfolded yet.
   * @param {number} bytes
   */
  begin(bytes) {
    this.#bytes = 0;
    this.#depth = 0;
    this.#unfold(bytes);
  }

  /** @param {number} bytes */
  #unfold(bytes) {
    this.#bytes += bytes;
    if (this.#bytes > UNFOLDED_BYTES_MOST) throw new ReplayError('Unfolded it is larger than any message.');
  }
}
