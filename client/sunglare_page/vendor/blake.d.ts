/** What the page uses of the vendored BLAKE2b. */

/** A hash that is being made. */
export interface Hash {
  outlen: number;
}

/** Return a new hash of so many bytes, 1 to 64. */
export function blake2bInit(outlen: number): Hash;

/** Take in more of what is hashed. */
export function blake2bUpdate(hash: Hash, input: Uint8Array): void;

/** Return the hash of all that was taken in. */
export function blake2bFinal(hash: Hash): Uint8Array;
