// The pieces of a view as marks on its board: own ones first, then foreign ones by their rung. As
// `sunglare_client/map/marks.py`, which a test compares; then what a picture can show and rows of
// text cannot: the vector, the side in the truth, the type.

/** @import { Compass, ContactView, Fate, Fix, Landing, OwnView, PieceKind } from 'wire' */
/** @import { PieceView, Square, TruthView, Vector, View } from 'wire' */

/**
 * Which of several foreign pieces lies on top: the one held best.
 * @type {Fix[]}
 */
export const RUNGS = ['solution', 'tracked', 'detected', 'contact', 'coasting', 'memory'];

/**
 * A piece on a board. `fix` is how it is held: in the truth by whichever other side holds it best.
 * @typedef {object} Mark
 * @property {Square} square
 * @property {string} what
 * @property {string} name
 * @property {boolean} isOwn
 * @property {string | null} side
 * @property {Fix | null} fix
 * @property {Compass | null} facing
 * @property {number} age
 * @property {Vector | null} vector
 * @property {string} type
 * @property {State} piece what it was made of
 */

/**
 * What a piece says of its state, as far as it has a word of it.
 * @typedef {{landed?: Landing | null, powered?: boolean, damage?: number, hull?: number, alert?: boolean}} State
 */

/**
 * Return a mark for every piece in play, in the order in which they lie on one another.
 * @param {View | TruthView} view
 * @returns {Mark[]}
 */
export function marksOf(view) {
  if (view.t === 'truth') return inPlay(view.pieces).map(trueMark);
  const held = inPlay(view.contacts);
  held.sort((one, other) => RUNGS.indexOf(one.fix) - RUNGS.indexOf(other.fix));
  const own = inPlay(view.own).map((ship) => ownMark(ship, view.audience));
  return [...own, ...held.map((contact) => heldMark(contact, view.stage.turn))];
}

/**
 * Return whether a piece is in play.
 * @param {{fate?: Fate}} piece
 */
export function isInPlay(piece) {
  return (piece.fate ?? 'in_play') === 'in_play';
}

/**
 * @template {{fate?: Fate}} P
 * @param {P[]} pieces
 */
function inPlay(pieces = []) {
  return pieces.filter(isInPlay);
}

/**
 * @param {OwnView} ship
 * @param {string} side
 * @returns {Mark}
 */
function ownMark(ship, side) {
  const { id, square, facing, vector, type } = ship;
  return { square, what: whatIs(ship), name: id, isOwn: true, side, fix: null, facing, age: 0, vector, type, piece: ship };
}

/**
 * @param {ContactView} contact
 * @param {number} turn
 * @returns {Mark}
 */
function heldMark(contact, turn) {
  return {
    square: contact.square,
    what: 'held',
    name: contact.label,
    isOwn: false,
    side: contact.side ?? null,
    fix: contact.fix,
    facing: contact.facing ?? null,
    age: Math.max(0, turn - contact.turn),
    vector: contact.vector ?? null,
    type: contact.type ?? '',
    piece: contact,
  };
}

/**
 * @param {PieceView} piece
 * @returns {Mark}
 */
function trueMark(piece) {
  const { square, side, facing, vector, type } = piece;
  const held = (piece.held ?? []).map((holding) => holding.fix);
  const fix = RUNGS.find((rung) => held.includes(rung)) ?? null;
  const name = `${side}.${piece.id}`;
  return { square, what: whatIs(piece), name, isOwn: false, side, fix, facing, age: 0, vector, type, piece };
}

/** @param {{cloaked?: boolean, kind?: PieceKind, landed?: Landing | null}} piece */
function whatIs(piece) {
  if (piece.cloaked) return 'cloaked';
  if (piece.kind === 'remote') return 'remote';
  return piece.landed == null ? 'ship' : 'landed';
}
