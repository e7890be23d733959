// The story of a match as text: each notice as a sentence, and what windows are called.

/** @import { Frame, Stage, TruthView, View } from 'wire' */
/** @import { Mark } from '../board/marks.js' */

import table from './sentences.js';
import { readSentences } from './template.js';
import { printable } from './words.js';

const SENTENCES = readSentences(table);

/**
 * Return a notice as a sentence; one that this page does not know by the name of its kind alone.
 * @param {{t: string}} notice
 */
export function sentence(notice) {
  try {
    return printable(SENTENCES.get(notice.t)?.(notice) ?? `(${notice.t})`);
  } catch {
    return printable(`(${notice?.t})`);
  }
}

/**
 * Return where a match stands: the turn, the window, and whose slot it is.
 * @param {Stage} stage
 */
export function stageLine(stage) {
  const where = `turn ${stage.turn} of ${stage.turns}`;
  if (stage.phase === 'over') return `${where}: the match is over`;
  return `${where}: ${stage.phase.toUpperCase()}${stage.slot ? `, slot of ${stage.slot}` : ''}`;
}

/**
 * Return a frame in words, line by line, with labels where it names pieces by their handles.
 * @param {Frame} frame
 * @param {Map<string, string>} labels
 * @returns {string[]}
 */
export function frameLines(frame, labels = new Map()) {
  return (frame.notices ?? []).map((notice) => withLabels(sentence(notice), labels));
}

/**
 * Learn the labels of all that is held in a view; they may be named when the pieces are gone.
 * @param {View | TruthView} view
 * @param {Map<string, string>} labels
 */
export function learnLabels(view, labels) {
  if (view.t === 'truth') return;
  const tokens = (view.surfaces ?? []).flatMap((surface) => surface.tokens ?? []);
  for (const piece of [...(view.contacts ?? []), ...tokens]) {
    if (piece.handle) labels.set(piece.handle, piece.label);
  }
}

/**
 * @param {string} line
 * @param {Map<string, string>} labels
 */
function withLabels(line, labels) {
  return line.replace(/\w+/g, (word) => labels.get(word) ?? word);
}

/**
 * Return what is known of each piece of a view, as rows of words: for readers, not for eyes.
 * @param {Mark[]} marks
 */
export function pieceRows(marks) {
  return marks.map((mark) => ({
    name: printable(mark.name),
    kind: printable(mark.type || (mark.what === 'held' ? 'unknown' : mark.what)),
    rung: mark.isOwn ? 'own' : (mark.fix ?? 'by nobody'),
    square: mark.square,
    vector: mark.vector,
    facing: mark.facing,
    age: mark.age,
    state: stateOf(mark),
  }));
}

/** @param {Mark} mark */
function stateOf({ what, piece }) {
  const words = [];
  if (what === 'cloaked') words.push('cloaked');
  if (piece.landed) words.push(printable(`landed on ${piece.landed.body}`));
  if (piece.powered === false) words.push('power off');
  if (piece.damage) words.push(`damage ${piece.damage}${piece.hull ? ` of ${piece.hull}` : ''}`);
  if (piece.alert) words.push('agents near it');
  return words.join(', ');
}

