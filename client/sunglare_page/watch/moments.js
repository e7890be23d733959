// The key moments of a match: contacts, tracks, damage, losses, and where the match turned. They are
// what the timeline marks, and what `[` and `]` go to.

import { TRUTH } from './match.js';

/** The kinds of moments, the weightiest last, each with its letter and its word. */
export const KINDS = [
  { kind: 'contact', letter: 'c', word: 'contact' },
  { kind: 'tracked', letter: 'C', word: 'tracked' },
  { kind: 'damage', letter: 'x', word: 'damage' },
  { kind: 'destroyed', letter: 'X', word: 'destroyed' },
  { kind: 'turning', letter: '!', word: 'turning point' },
];

const RANK = new Map(KINDS.map(({ kind }, index) => [kind, index]));

/** @typedef {{index: number, kinds: string[]}} Moment a step, and what happened before its window */

/**
 * Return the key moments of a match so far, in their order.
 * @param {import('./match.js').Match} match
 * @returns {Moment[]}
 */
export function momentsOf(match) {
  const found = [];
  let leader = null;
  const seen = new Set();
  match.steps.forEach((step, index) => {
    const kinds = new Set(noticesOf(step).map(kindOf).filter(Boolean));
    const leads = leaderOf(step) ?? leader;
    const isFirst = ['contact', 'destroyed'].some((kind) => kinds.has(kind) && !seen.has(kind));
    if (isFirst || (leader !== null && leads !== leader) || hasLostASide(step)) kinds.add('turning');
    leader = leads;
    kinds.forEach((kind) => seen.add(kind));
    if (kinds.size) found.push({ index, kinds: [...kinds].sort((one, other) => RANK.get(one) - RANK.get(other)) });
  });
  return found;
}

/** Return the step of the next moment after a step, or before it; the step itself without any. */
export function nextMoment(moments, index, direction) {
  const beyond = moments.filter((moment) => (moment.index - index) * direction > 0);
  return (direction > 0 ? beyond[0] : beyond.at(-1))?.index ?? index;
}

/** Return the notices of the window before a step: from the truth where it is known, else from all. */
function noticesOf(step) {
  const truth = step.frames.get(TRUTH);
  const frames = truth ? [truth] : [...step.frames.values()];
  return frames.flatMap((frame) => frame.notices ?? []);
}

function hasLostASide(step) {
  return noticesOf(step).some((notice) => notice.t === 'side_out');
}

/** Return the side that leads on points, as the truth has them; null if that is unknown or a tie. */
function leaderOf(step) {
  const points = Object.entries(step.frames.get(TRUTH)?.view.points ?? {});
  const most = Math.max(0, ...points.map(([, number]) => number));
  const leaders = points.filter(([, number]) => number === most && most > 0);
  return leaders.length === 1 ? leaders[0][0] : null;
}

const CONTACTS = ['contact', 'token', 'fighter', 'found'];
const LOSSES = ['destroyed', 'own_destroyed', 'own_killed'];
const GONE_IN_PEACE = /^(landed|left|aboard)/;

/** Return which kind of moment a notice makes, if any. */
function kindOf(notice) {
  if (notice.t === 'truth_held') return kindOfRung(notice.fix);
  if (notice.t === 'truth_token') return notice.how === 'lost' ? null : 'contact';
  if (notice.t === 'truth_gone') return GONE_IN_PEACE.test(notice.cause) ? null : 'destroyed';
  if (CONTACTS.includes(notice.t)) return 'contact';
  if (notice.t === 'track') return 'tracked';
  if (LOSSES.includes(notice.t)) return 'destroyed';
  return notice.damage > 0 ? 'damage' : null;
}

function kindOfRung(fix) {
  if (fix === 'tracked' || fix === 'solution') return 'tracked';
  return fix === 'contact' || fix === 'detected' ? 'contact' : null;
}

