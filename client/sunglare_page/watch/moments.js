// The key moments of a match: contacts, tracks, damage, losses, and where the match turned. They are
// what the timeline marks, and what `[` and `]` go to.

/** @import { Frame } from 'wire' */
/** @import { Match, Step } from './match.js' */

import { TRUTH } from './match.js';

/** The kinds of moments, the weightiest last, each with its letter and its word. */
export const KINDS = [
  { kind: 'contact', letter: 'c', word: 'contact' },
  { kind: 'tracked', letter: 'C', word: 'tracked' },
  { kind: 'damage', letter: 'x', word: 'damage' },
  { kind: 'destroyed', letter: 'X', word: 'destroyed' },
  { kind: 'turning', letter: '!', word: 'turning point' },
];

const RANKS = KINDS.map(({ kind }) => kind);

/** @typedef {NonNullable<Frame['notices']>[number]} Notice */

/** @typedef {{index: number, kinds: string[]}} Moment a step, and what happened before its window */

/**
 * Return the key moments of a match so far, in their order.
 * @param {Match} match
 * @returns {Moment[]}
 */
export function momentsOf(match) {
  /** @type {Moment[]} */
  const found = [];
  /** @type {string | null} */
  let leader = null;
  /** @type {Set<string>} */
  const seen = new Set();
  match.steps.forEach((step, index) => {
    /** @type {Set<string>} */
    const kinds = new Set(noticesOf(step).map(kindOf).filter((kind) => kind !== null));
    const leads = leaderOf(step) ?? leader;
    const isFirst = ['contact', 'destroyed'].some((kind) => kinds.has(kind) && !seen.has(kind));
    if (isFirst || (leader !== null && leads !== leader) || hasLostASide(step)) kinds.add('turning');
    leader = leads;
    kinds.forEach((kind) => seen.add(kind));
    if (kinds.size) found.push({ index, kinds: [...kinds].sort((one, other) => RANKS.indexOf(one) - RANKS.indexOf(other)) });
  });
  return found;
}

/**
 * Return the step of the next moment after a step, or before it; the step itself without any.
 * @param {Moment[]} moments
 * @param {number} index
 * @param {number} direction
 */
export function nextMoment(moments, index, direction) {
  const beyond = moments.filter((moment) => (moment.index - index) * direction > 0);
  return (direction > 0 ? beyond[0] : beyond.at(-1))?.index ?? index;
}

/**
 * Return the notices of the window before a step: from the truth where it is known, else from all.
 * @param {Step} step
 */
function noticesOf(step) {
  const truth = step.frames.get(TRUTH);
  const frames = truth ? [truth] : [...step.frames.values()];
  return frames.flatMap((frame) => frame.notices ?? []);
}

/** @param {Step} step */
function hasLostASide(step) {
  return noticesOf(step).some((notice) => notice.t === 'side_out');
}

/**
 * Return the side that leads on points, as the truth has them; null if that is unknown or a tie.
 * @param {Step} step
 */
function leaderOf(step) {
  const view = step.frames.get(TRUTH)?.view;
  const points = Object.entries((view?.t === 'truth' && view.points) || {});
  const most = Math.max(0, ...points.map(([, number]) => number));
  const leaders = points.filter(([, number]) => number === most && most > 0);
  return leaders.length === 1 ? leaders[0][0] : null;
}

const CONTACTS = ['contact', 'token', 'fighter', 'found'];
const LOSSES = ['destroyed', 'own_destroyed', 'own_killed'];
const GONE_IN_PEACE = /^(landed|left|aboard)/;

/**
 * Return which kind of moment a notice makes, if any.
 * @param {Notice} notice
 */
function kindOf(notice) {
  if (notice.t === 'truth_held') return kindOfRung(notice.fix);
  if (notice.t === 'truth_token') return notice.how === 'lost' ? null : 'contact';
  if (notice.t === 'truth_gone') return GONE_IN_PEACE.test(notice.cause) ? null : 'destroyed';
  if (CONTACTS.includes(notice.t)) return 'contact';
  if (notice.t === 'track') return 'tracked';
  if (LOSSES.includes(notice.t)) return 'destroyed';
  return damageOf(notice) > 0 ? 'damage' : null;
}

/**
 * Return the damage that a notice reports, the most of it where it is to several pieces.
 * @param {Notice} notice
 */
function damageOf(notice) {
  // A file may have anything for a notice.
  const damage = typeof notice === 'object' && 'damage' in notice ? (notice.damage ?? 0) : 0;
  return Array.isArray(damage) ? Math.max(0, ...damage) : damage;
}

/** @param {string} fix */
function kindOfRung(fix) {
  if (fix === 'tracked' || fix === 'solution') return 'tracked';
  return fix === 'contact' || fix === 'detected' ? 'contact' : null;
}

