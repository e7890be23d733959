// The hashes that seal a match: what a seat pledges before the start of the entropy that it reveals when
// the server asks, and the chain of its frames. As `sunglare_protocol/seals.py`.

/** @import { Frame } from 'wire' */

import { encode } from '../vendor/msgpack.js';
import { blake2bFinal, blake2bInit, blake2bUpdate } from '../vendor/blake.js';

const ENTROPY_BYTES = 32;
const HASH_BYTES = 32;
const LENGTH_BYTES = 8;
const CHAIN_BYTES = 16;

/** The link before the first frame. */
export const CHAIN_START = new Uint8Array(CHAIN_BYTES);

/** Return fresh unpredictable entropy. */
export function newEntropy() {
  return crypto.getRandomValues(new Uint8Array(ENTROPY_BYTES));
}

/**
 * Return the hash by which a seat pledges its entropy, in hexadecimal digits.
 * @param {Uint8Array} entropy
 * @returns {string}
 */
export function pledgeOf(entropy) {
  const hash = blake2bInit(HASH_BYTES);
  for (const part of [new TextEncoder().encode('sunglare pledge'), entropy]) {
    blake2bUpdate(hash, counted(part));
  }
  return hexadecimal(blake2bFinal(hash));
}

/**
 * Return the link that follows on another one when a frame comes: of the whole frame without `pad`, in the shortest
 * MessagePack, with the keys of every map in order.
 * @param {Uint8Array} before
 * @param {Frame} frame
 */
export function linkOf(before, frame) {
  const { pad: _, ...form } = frame;
  const hash = blake2bInit(CHAIN_BYTES);
  blake2bUpdate(hash, before);
  blake2bUpdate(hash, encode(form, { sortKeys: true }));
  return blake2bFinal(hash);
}

/**
 * Return a part preceded by its length in 8 bytes, most significant first.
 * @param {Uint8Array} part
 */
function counted(part) {
  const bytes = new Uint8Array(LENGTH_BYTES + part.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(part.length));
  bytes.set(part, LENGTH_BYTES);
  return bytes;
}

/**
 * Return bytes as hexadecimal digits in small letters.
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function hexadecimal(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
