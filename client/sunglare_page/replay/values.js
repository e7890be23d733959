// Where values of MessagePack end, without decoding them: so a file is read value by value, and one
// that was cut, or that promises more than it has, is noticed before anything is made of it.

/** A file ends too early. */
export class CutError extends Error {}

/** A file has something that can't be read. */
export class ReplayError extends Error {}

const DEPTH_MOST = 64;

/**
 * Return the place behind the value that begins at `place`.
 * @param {Uint8Array} bytes
 * @param {number} place
 * @returns {number}
 * @throws {CutError} if the file ends within it
 * @throws {ReplayError} if it is no value
 */
export function endOf(bytes, place) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const open = [1];
  while (open.length > 0) {
    if (open[open.length - 1] === 0) {
      open.pop();
      continue;
    }
    open[open.length - 1] -= 1;
    const head = headAt(view, place);
    place = head.end;
    if (place > bytes.length) throw new CutError();
    if (head.inside > bytes.length - place) throw new CutError();
    if (head.inside > 0) open.push(head.inside);
    if (open.length > DEPTH_MOST) throw new ReplayError('It is nested too deeply.');
  }
  return place;
}

/**
 * Return where a value ends, but for the values inside it, and how many of these there are.
 * @param {DataView} view
 * @param {number} place
 * @returns {{end: number, inside: number}}
 */
function headAt(view, place) {
  if (place >= view.byteLength) throw new CutError();
  const code = view.getUint8(place);
  if (code < 0x80 || code >= 0xe0) return { end: place + 1, inside: 0 };
  if (code < 0x90) return { end: place + 1, inside: 2 * (code & 0x0f) };
  if (code < 0xa0) return { end: place + 1, inside: code & 0x0f };
  if (code < 0xc0) return { end: place + 1 + (code & 0x1f), inside: 0 };
  if (code === 0xc1) throw new ReplayError('There is a byte in it that means nothing.');
  if (code in FIXED) return { end: place + 1 + FIXED[code], inside: 0 };
  if (code in COUNTED) return countedAt(view, place, ...COUNTED[code]);
  const [width, each] = FULL[code];
  return { end: place + 1 + width, inside: each * numberAt(view, place + 1, width) };
}

/**
 * How many bytes follow on codes of a fixed length.
 * @type {Record<number, number>}
 */
const FIXED = {
  0xc0: 0, 0xc2: 0, 0xc3: 0, 0xca: 4, 0xcb: 8, 0xcc: 1, 0xcd: 2, 0xce: 4, 0xcf: 8,
  0xd0: 1, 0xd1: 2, 0xd2: 4, 0xd3: 8, 0xd4: 2, 0xd5: 3, 0xd6: 5, 0xd7: 9, 0xd8: 17,
};

/**
 * Codes with a count of bytes: how wide it is, and how many bytes stand next to those counted.
 * @type {Record<number, [number, number]>}
 */
const COUNTED = {
  0xc4: [1, 0], 0xc5: [2, 0], 0xc6: [4, 0], 0xc7: [1, 1], 0xc8: [2, 1], 0xc9: [4, 1],
  0xd9: [1, 0], 0xda: [2, 0], 0xdb: [4, 0],
};

/**
 * Codes with a count of values: how wide it is, and how many values each counts.
 * @type {Record<number, [number, number]>}
 */
const FULL = { 0xdc: [2, 1], 0xdd: [4, 1], 0xde: [2, 2], 0xdf: [4, 2] };

/**
 * @param {DataView} view
 * @param {number} place
 * @param {number} width
 * @param {number} beside
 */
function countedAt(view, place, width, beside) {
  return { end: place + 1 + width + beside + numberAt(view, place + 1, width), inside: 0 };
}

/**
 * @param {DataView} view
 * @param {number} place
 * @param {number} width
 */
function numberAt(view, place, width) {
  if (place + width > view.byteLength) throw new CutError();
  if (width === 1) return view.getUint8(place);
  return width === 2 ? view.getUint16(place) : view.getUint32(place);
}
