// How a seat stands, in a sentence: what the match waits for, or how it ended.

/** @import { Result } from 'wire' */
/** @import { SeatPort } from '../seat/seat.js' */
/** @import { Turn } from '../seat/turn.js' */

/**
 * Say how the match ended for a side.
 * @param {Result} result
 * @param {string} side
 */
function resultOf({ winner, points }, side) {
  const tally = Object.entries(points).map(([name, count]) => `${name} ${count}`);
  const end = winner === side ? 'You have won' : winner == null ? 'A draw' : `${winner} has won`;
  return `${end}; points: ${tally.join(', ')}.`;
}

/**
 * Say what the match waits for.
 * @param {SeatPort} seat
 * @param {Turn} turn
 */
export function stands(seat, turn) {
  if (seat.over) return resultOf(seat.over.result, seat.side);
  if (seat.isOver) return 'Solved: the board shows what came next.';
  if (!seat.isUp) return 'The line is cut; it comes back by itself.';
  if (!turn.isAsked) return 'You wait for another side.';
  if (turn.isLocked) return 'Locked: you wait for the others.';
  if (turn.isPassed) return 'No order would make a difference here: passed.';
  if (turn.isLesson) return 'Give your orders, then the answer.';
  return turn.isLocking ? 'It locks in a moment.' : 'Give your orders, then lock.';
}
