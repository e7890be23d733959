// The hall: the public matches that run, the latest that are over, and the way to open a file.

/** @import { Listing, MatchLine, Result } from 'wire' */
/** @import { Link } from '../watch/link.js' */

import { printable } from '../story/words.js';
import { writeFragment } from '../watch/fragment.js';
import { calledIn } from '../watch/seats.js';
import { focusInside, found, made } from './dom.js';
import { LadderFace } from './ladder.js';

const PAGE = 20;
const EVERY_MS = 5000;

/** Lists matches as long as it is open. */
export class Hall {
  #link;
  /** @type {number | undefined} */
  #timer;
  /** @type {MatchLine[]} */
  #over = [];
  /** What the list of running matches was last told, as JSON. */
  #running = '';
  #ladder;

  /** @param {Link} link */
  constructor(link) {
    this.#link = link;
    this.#ladder = new LadderFace(link);
    found('more').onclick = () => this.#tellOver(found('more').value);
  }

  open() {
    found('hall').hidden = false;
    this.#over = [];
    this.#tellOver();
    this.#tellRunning();
    this.#ladder.open();
  }

  close() {
    found('hall').hidden = true;
    clearTimeout(this.#timer);
  }

  async #tellRunning() {
    clearTimeout(this.#timer);
    const told = await this.#asked('running');
    if (told) this.#showRunning(told.running ?? []);
    if (!found('hall').hidden) this.#timer = setTimeout(() => this.#tellRunning(), EVERY_MS);
  }

  /**
   * List the running matches; a list that stays the same is left alone, as nothing is to be drawn then.
   * @param {MatchLine[]} lines
   */
  #showRunning(lines) {
    const told = JSON.stringify(lines);
    if (told !== this.#running) fill('running', lines, 'No public match is running now.');
    this.#running = told;
  }

  /** @param {string} [after] */
  async #tellOver(after) {
    const told = await this.#asked('over', after);
    if (!told) return;
    this.#over.push(...(told.over ?? []));
    fill('over', this.#over, 'No public match has ended yet.');
    const more = told.more?.over;
    found('more').hidden = !more;
    found('more').value = more ?? '';
  }

  /**
   * @param {Listing} which
   * @param {string} [after]
   */
  #asked(which, after) {
    return this.#link.ask('list', { which, most: PAGE, ...(after ? { after } : {}) }).catch(() => null);
  }
}

/**
 * @param {string} id
 * @param {MatchLine[]} lines
 * @param {string} nothing
 */
function fill(id, lines, nothing) {
  const items = lines.length ? lines.map(itemOf) : [made('li', { className: 'none' }, nothing)];
  const list = found(id);
  const focused = document.activeElement?.getAttribute('href');
  list.replaceChildren(...items);
  if (focused) focusInside(list, `a[href="${CSS.escape(focused)}"]`);
}

/** @param {MatchLine} line */
function itemOf(line) {
  const link = made('a', { href: writeFragment({ match: line.match }) }, made('b', {}, titleOf(line)), ' ', seatsOf(line));
  return made('li', {}, link, made('span', { className: 'where' }, ` ${whereOf(line)}`));
}

/**
 * Return in words how far a match has come, and who won one that is over.
 * @param {MatchLine} line
 */
export function whereOf({ state, turn, phase, clock, rated, result, mine }) {
  // Of a match that has been over for long the server does not say in which turn it ended.
  const over = turn ? `ended in turn ${turn}` : 'over';
  const stands = state === 'over' ? over : turn ? `turn ${turn}, ${phase}` : 'just begun';
  return [stands, result && winnerOf(result, mine), clock, rated && 'rated'].filter(Boolean).join(', ');
}

/**
 * @param {Result} result
 * @param {string | null} [mine] the caller's own side
 */
function winnerOf({ winner, ending }, mine) {
  if (ending === 'adjourned') return 'broken off';
  return winner == null ? 'a draw' : winner === mine ? 'you won' : `${winner} won`;
}

/**
 * Return what a match is called: by its host, else by its scenario.
 * @param {MatchLine} line
 */
export function titleOf(line) {
  return printable(line.title || line.scenario.replaceAll('-', ' '));
}

/**
 * Return who plays in a match, side by side.
 * @param {Pick<MatchLine, 'seats'>} line
 */
export function seatsOf(line) {
  const seats = line.seats.map((seat) => `${seat.side} ${calledIn(seat) || 'free'}`);
  return printable(seats.join(' against '));
}
