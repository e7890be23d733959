// How a seat stands, in a sentence: what the match waits for, what its player may do, or how it ended.

/** @import { Cell, Result, Square } from 'wire' */
/** @import { SeatPort } from '../seat/seat.js' */
/** @import { Turn } from '../seat/turn.js' */
/** @import { Entry, Way } from '../seat/ways.js' */

import { isOnMap } from '../seat/ways.js';
import { printable } from '../story/words.js';

/**
 * What each window is for, in a sentence or two for who plays a first match.
 * @type {Record<string, string>}
 */
const WINDOWS = {
  plot:
    'Ships keep their speed: the dotted line is the way of the next turn, and near a planet its pull is added. ' +
    'Pick a marked place to end this turn there; from a crossed one you would hit what you hold, if it only drifts.',
  scan:
    'Your side makes two scans. One box sees fainter ships than nine; the column above a ship, toward the sun, dazzles it. ' +
    'Scan your tracks again where they stand now, or you lose them.',
  detect: 'Ask for the data of ships that are identified, and hunt cloaked ones.',
  engage: 'Weapons fire at contacts and tracks alike, within their arcs and range. Pick one to see what it is.',
};

const SLOT = 'A slot may last its whole time, so that no side learns how long you thought.';

const FIRST_TURN = 'Choose where each ship starts (deploy) before it flies, or leave it where the dice have put it.';

/**
 * Say how the match ended for a side.
 * @param {Result} result
 * @param {string} side
 */
function resultOf({ winner, points }, side) {
  const tally = Object.entries(points).map(([name, count]) => `${name} ${count}`);
  const end = winner === side ? 'You have won' : winner == null ? 'It is a draw' : `You have lost; ${winner} has won`;
  return `The match is over. ${end}; points: ${tally.join(', ')}.`;
}

/**
 * Say what the match waits for.
 * @param {SeatPort} seat
 * @param {Turn} turn
 */
export function stands(seat, turn) {
  if (seat.over) return resultOf(seat.over.result, seat.side);
  if (seat.isOver) return 'Solved: the board shows how the real match went on.';
  if (!seat.isUp) return 'The line is cut; it comes back by itself.';
  if (!turn.isAsked) return 'You wait for another side.';
  if (turn.isLocked && turn.view.stage.slot) return `Locked. ${SLOT}`;
  if (turn.isLocked) return 'Locked: you wait for the others.';
  if (turn.isPassed) return 'No order would make a difference here: passed.';
  if (turn.isLesson) return 'Give your orders, then the answer.';
  return turn.isLocking ? 'It locks in a moment.' : 'Give your orders, then lock.';
}

/**
 * Say what the open window is for; before the first one also what the match is about.
 * @param {SeatPort} seat
 * @param {Turn} turn
 */
export function helpOf(seat, turn) {
  const { phase, turn: number } = turn.view.stage;
  if (!turn.isAsked || seat.isLesson) return '';
  const isFirst = phase === 'plot' && number === 1;
  const words = isFirst ? [printable(seat.card?.brief ?? ''), WINDOWS.plot, FIRST_TURN] : [WINDOWS[phase]];
  return words.filter(Boolean).join(' ');
}

/**
 * Say what is to be done to choose: of a way that is pointed at, what the picked place means and whether it is ordered.
 * @param {Way | null} way
 * @param {Square | Cell | null} at
 * @param {Entry[]} placed
 * @param {Turn} turn
 */
export function hintOf(way, at, placed, turn) {
  if (!way) return 'This piece has nothing to do in this window.';
  if (!isOnMap(way)) return '';
  if (!placed.length) return `${way.name}: ${at ? 'that place is out of its reach' : 'pick a place on the board'}.`;
  if (placed.length === 1 && !placed[0].loss) return '';
  const isOrdered = placed.some((entry) => entry.speed !== undefined || isGiven(entry, turn));
  return isOrdered ? 'The marked one is ordered; choose another if you like.' : 'Nothing of this is ordered yet: choose.';
}

/**
 * Return whether all orders of an entry stand in the plan, and no other of the kinds that they would replace.
 * @param {Entry} entry
 * @param {Turn} turn
 */
export function isGiven({ orders, instead }, { plan }) {
  const given = plan.map((order) => JSON.stringify(order));
  const others = plan.filter((order) => order.ship === instead?.piece && instead.kinds.includes(order.t));
  const count = orders.filter((order) => given.includes(JSON.stringify(order))).length;
  return orders.length > 0 && count === orders.length && (!instead || others.length === count);
}
