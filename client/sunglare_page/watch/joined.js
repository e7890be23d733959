// The bytes of a record, which come in pieces.

/**
 * Return the bytes of all pieces, one after the other.
 * @param {Uint8Array[]} pieces
 */
export function joined(pieces) {
  const bytes = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
  let place = 0;
  for (const piece of pieces) {
    bytes.set(piece, place);
    place += piece.length;
  }
  return bytes;
}
