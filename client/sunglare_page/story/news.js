// News and the end of a match, in sentences, as `sunglare_client/text/news.py` has them.

/** @import { Ending, News, Over } from 'wire' */

import { printable } from './words.js';

/** @type {Record<string, string>} */
const SENTENCES = {
  'seat joined': '{side} has joined',
  'seat left': '{side} has left the seat',
  'seat ready': '{side} is ready',
  'seat not ready': '{side} is not ready any more',
  'seat unrevealed': '{side} added nothing to the dice in time: the seat is free',
  'seat closed': 'the room is closed',
  'seat resigned': '{side} has given up',
  'seat forfeit': '{side} was absent for too long and is out',
  'seat away': '{side} is away: the line is down',
  'seat autopilot': '{side} is on the autopilot',
  'seat back': '{side} is back',
  'pause asked': '{side} asks for a pause',
  'pause paused': 'the match is paused',
  'pause over': 'the pause is over',
  'pause absent': 'the match waits for {side}',
  'draw agreed': 'all agree on a draw',
  'clock excused': 'no orders were given; this time it is excused',
  'clock missed': 'no orders were given; after three such windows the seat is absent',
  'clock halved': 'again no orders were given; the windows are half as long now',
  'clock ready': '{side} has locked',
  'clock not ready': '{side} thinks on',
  'clock restarted': 'the server was away; the window lasts longer by that and 20 s',
  'server server/journal': 'nothing can be stored: the match stands still',
  'server server/again': 'the server works again; the window lasts that much longer',
  'server server/fault': 'a fault of the server has stopped the match',
  'server match/rules': 'the server plays other rules: the match ends undecided',
  'server reveal': 'the match is about to start',
  'server unrated': 'two players share a network: the match is not rated',
  'server wants a rematch': '{side} wants a rematch',
  'server wants no rematch': '{side} wants no rematch any more',
  'server does not end': 'the server does not end after all',
};

/**
 * Those that name a player, a bot or a thing, by how the text begins.
 * @type {Record<string, string>}
 */
const NAMING = {
  'truth ': '{name} may watch the truth of this match, late',
  'no truth ': '{name} may not watch the truth of this match any more',
  'caster ': "{name} may watch the truth of this match at once, by the operator's leave",
  'no caster ': '{name} may not watch the truth of this match at once any more',
  'rematch ': 'the rematch waits for its players: {name}',
  'code ': 'with this code anyone may join or watch it: {name}',
  'eyes ': '{name} may see what {side} sees',
  'no eyes ': '{name} may not see any more what {side} sees',
};

const HALF_DAY_MS = 12 * 3_600_000;

/** @type {Record<Ending, string>} */
const ENDINGS = {
  turns: 'the last turn is over',
  last_side: 'only one side is left',
  occupied: 'one side has stood alone for long enough on the ground that decides',
  piece_lost: 'a piece is lost that had to survive',
  resigned: 'all other sides resigned',
  draw: 'a draw was agreed',
  adjourned: 'the match was broken off',
  forfeit: 'all other sides were absent',
  no_game: 'a side was absent from turn 1, so it was no game',
};

/**
 * Return that the server ends at a time of day, how soon that is, and what is said of it.
 * @param {News & {ends_ms: number}} news
 * @param {number} nowMs
 */
function endLine(news, nowMs) {
  const then = new Date(nowMs + news.ends_ms);
  const time = then.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  const day = news.ends_ms > HALF_DAY_MS ? `${then.toLocaleDateString()} ` : '';
  const left = news.ends_ms < 60_000 ? `${Math.round(news.ends_ms / 1000)} s` : `${Math.round(news.ends_ms / 60_000)} min`;
  return printable(`the server ends at ${day}${time}, in ${left}${news.text?.replace(/^ends/, '') ?? ''}`);
}

/** Return a side with its player's name, if there is one; the side first, where no name can forge it. */
const called = (/** @type {string} */ side, /** @type {Record<string, string>} */ names) =>
  (names[side] ? `${side} (${names[side]})` : side);

/**
 * Return a piece of news as one line; times of day count from `nowMs`, when it was heard. `names` are those of the
 * players by side.
 * @param {News} news
 * @param {number} nowMs
 * @param {Record<string, string>} names
 */
export function newsLine(news, nowMs = Date.now(), names = {}) {
  if (news.ends_ms != null) return endLine({ ...news, ends_ms: news.ends_ms }, nowMs);
  if (news.kind === 'chat') return printable(`${called(news.side ?? '-', names)} says: ${news.text}`);
  const known = SENTENCES[`${news.kind} ${news.text ?? ''}`];
  const line = named(news) ?? known?.replace('{side}', news.side ?? 'the operator');
  return printable(line ?? [news.kind, news.side, news.text].filter(Boolean).join(' '));
}

/**
 * Return news that name something as a sentence.
 * @param {News} news
 */
function named({ kind, text = '', side }) {
  const start = kind === 'server' ? Object.keys(NAMING).find((one) => text.startsWith(one)) : undefined;
  if (start === undefined) return undefined;
  const words = { name: text.slice(start.length), side: side ?? 'the operator' };
  return NAMING[start].replace(/\{(name|side)\}/g, (_, what) => words[/** @type {'name' | 'side'} */ (what)]);
}

/**
 * Return how a match ended, who won and all points, with the names of the players.
 * @param {Over} over
 * @param {Record<string, string>} names
 */
export function overLines(over, names) {
  const { winner, ending, points } = over.result;
  const tally = Object.keys(points).sort().map((side) => `${called(side, names)} ${points[side]}`);
  const end = winner == null ? 'a draw' : `${called(winner, names)} wins`;
  return [`THE END: ${end}; ${ENDINGS[ending] ?? ending}.`, `points: ${tally.join(', ')}`].map(printable);
}
