// The ladder in the hall: who is how strong in rated matches, and how sure that is.

/** @import { Ladder, LadderLine } from 'wire' */
/** @import { Link } from '../watch/link.js' */

import { printable } from '../story/words.js';
import { nameText } from '../watch/seats.js';
import { choice, found, made } from './dom.js';

const PAGE = 20;
const HEADS = ['Rank', 'Name', 'Rating', 'Interval', 'Matches'];

/** Shows the ladder of a family, and offers the others; nothing where there are no ratings. */
export class LadderFace {
  #link;
  /** @type {LadderLine[]} */
  #lines = [];

  /** @param {Link} link */
  constructor(link) {
    this.#link = link;
    found('more-ranks').onclick = () => this.#tell(found('more-ranks').value, this.#lines.at(-1)?.rank);
  }

  /** Ask for the ladder again, of the first family. */
  open() {
    return this.#tell();
  }

  /** @param {string} [family] */
  async #tell(family, after = 0) {
    const wish = { most: PAGE, after, ...(family ? { family } : {}) };
    const told = await this.#link.ask('ladder', wish).catch(() => null);
    found('ladder').hidden = !told?.family;
    if (!told?.family) return;
    this.#lines = after ? [...this.#lines, ...(told.lines ?? [])] : (told.lines ?? []);
    this.#show(told, told.family);
  }

  /**
   * @param {Ladder} told
   * @param {string} family
   */
  #show({ families = [], more = false }, family) {
    const ways = families.map((one) => choice(familyOf(one), one === family, () => this.#tell(one)));
    found('families').replaceChildren(...ways);
    found('families').hidden = ways.length < 2;
    const heads = HEADS.map((head) => made('th', { scope: 'col' }, head));
    found('ranks').replaceChildren(
      made('caption', {}, familyOf(family)),
      made('thead', {}, made('tr', {}, ...heads)),
      made('tbody', {}, ...this.#lines.map(rowOf)),
    );
    found('more-ranks').hidden = !more;
    found('more-ranks').value = family;
  }
}

/** @param {LadderLine} line */
function rowOf(line) {
  return made('tr', {}, ...cellsOf(line).map((text) => made('td', {}, text)));
}

/**
 * Return what a line of a ladder says, cell by cell: never a rating without its interval.
 * @param {LadderLine} line
 */
export function cellsOf({ rank, name, bot, rating, low, high, matches }) {
  return [`${rank}`, printable(nameText(name, bot)), `${rating}`, `${low} to ${high}`, `${matches}`];
}

/** @param {string} family */
function familyOf(family) {
  return printable(family.replaceAll('-', ' '));
}
