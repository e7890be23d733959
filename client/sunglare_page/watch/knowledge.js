// Who knows what: for each side and step how many foreign pieces it holds, and on which rung. From
// the truth where it is known, else from what the side itself was sent.

/** @import { Fix, TruthView } from 'wire' */
/** @import { Match, Step } from './match.js' */

import { isInPlay } from '../board/marks.js';
import { TRUTH } from './match.js';

/**
 * The rungs in three groups, from the surest on.
 * @type {{name: string, rungs: Fix[]}[]}
 */
export const GROUPS = [
  { name: 'tracked', rungs: ['solution', 'tracked'] },
  { name: 'contact', rungs: ['detected', 'contact', 'coasting'] },
  { name: 'memory', rungs: ['memory'] },
];

/**
 * What a side holds: how many pieces in each group, and how many there are, where that is known.
 * @typedef {{counts: number[], all: number | null}} Held
 */

/**
 * Return what each side holds at a step; null for a side of which nothing is known then.
 * @param {Step} step
 * @param {string[]} sides
 * @returns {Record<string, Held | null>}
 */
export function heldAt(step, sides) {
  const truth = step.frames.get(TRUTH)?.view;
  return Object.fromEntries(sides.map((side) => [side, truth?.t === 'truth' ? byTruth(truth, side) : bySide(step, side)]));
}

/**
 * Return for each side its series over all steps.
 * @param {Match} match
 * @returns {Record<string, (Held | null)[]>}
 */
export function knowledgeOf(match) {
  const steps = match.steps.map((step) => heldAt(step, match.sides));
  return Object.fromEntries(match.sides.map((side) => [side, steps.map((held) => held[side])]));
}

/**
 * @param {TruthView} view
 * @param {string} side
 * @returns {Held}
 */
function byTruth(view, side) {
  const foreign = (view.pieces ?? []).filter((piece) => piece.side !== side && isInPlay(piece));
  const rungs = foreign.map((piece) => (piece.held ?? []).find((holding) => holding.side === side)?.fix);
  return { counts: countsOf(rungs), all: foreign.length };
}

/**
 * @param {Step} step
 * @param {string} side
 * @returns {Held | null}
 */
function bySide(step, side) {
  const view = step.frames.get(side)?.view;
  if (view?.t !== 'side') return null;
  return { counts: countsOf((view.contacts ?? []).filter(isInPlay).map((contact) => contact.fix)), all: null };
}

/** @param {(Fix | undefined)[]} rungs */
function countsOf(rungs) {
  return GROUPS.map((group) => rungs.filter((rung) => rung && group.rungs.includes(rung)).length);
}

/**
 * Return a series as one sentence about its last step, for readers.
 * @param {string} side
 * @param {Held | null} held
 */
export function heldWords(side, held) {
  if (!held) return `${side}: not known yet`;
  const [tracked, contact, memory] = held.counts;
  const of = held.all === null ? '' : ` of ${held.all}`;
  return `${side} tracks ${tracked}${of}, has ${contact} as contacts, remembers ${memory}`;
}
