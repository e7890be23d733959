// A room before the start: who sits where, what differs from the usual, a link for friends, a seat, and
// whether one is ready.

/** @import { MatchInfo, ScenarioCard, SeatInfo } from 'wire' */
/** @import { Seat } from '../seat/seat.js' */
/** @import { Link } from '../watch/link.js' */

import { RefusedError } from '../watch/link.js';
import { calledIn } from '../watch/seats.js';
import { printable, spoken } from '../story/words.js';
import { writeFragment } from '../watch/fragment.js';
import { titleOf } from './hall.js';
import { choice, found, made, replaceInside } from './dom.js';

const EVERY_MS = 3000;

/** How strong a bot may be asked for; at the highest level its name is that of the bot alone. */
const LEVELS = [1, 2, 3, 4, 5];
const HIGHEST = 5;

/**
 * Hear that a seat is wanted, that one only watches, that the match has begun without one, and that the seat was left.
 * @typedef {object} Ears
 * @property {(side: string) => void} onSit
 * @property {() => void} onWatch
 * @property {() => void} onStart
 * @property {() => void} onLeft
 * @property {(sentence: string) => void} say
 */

/** Shows one room at a time, to whom sits in it and to whom comes. */
export class RoomFace {
  #ears;
  #link;
  /** @type {Seat | null} */
  #seat = null;
  #match = '';
  #code = '';
  /** What the list of the seats was last told, as JSON. */
  #told = '';
  /** @type {number | undefined} */
  #timer;

  /**
   * @param {Link} link asks about a room in which one does not sit yet
   * @param {Ears} ears
   */
  constructor(link, ears) {
    this.#link = link;
    this.#ears = ears;
    found('ready').onclick = () => this.#ready(!this.#seat?.isReady);
    found('leave').onclick = () => this.#leave();
    found('watch').onclick = () => ears.onWatch();
    found('bot').onclick = () => this.#seatBot();
    found('copy-link').onclick = () => this.#copy();
    // Who does not look would miss the moment at which entropy is asked for.
    found('bot-level').append(...LEVELS.map((level) => made('option', { value: String(level) }, String(level))));
    document.addEventListener('visibilitychange', () => this.#seat?.isReady && document.hidden && this.#ready(false));
  }

  /**
   * Show a room to a visitor or to a seat.
   * @param {string} match
   * @param {string} code of a private one
   * @param {Seat | null} seat
   */
  open(match, code, seat) {
    this.#code = code;
    this.#seat = seat;
    this.#match = match;
    found('room').hidden = false;
    found('room-seats').replaceChildren();
    this.#told = '';
    found('link').value = `${location.origin}/${writeFragment({ match, code })}`;
    this.refresh();
  }

  close() {
    clearTimeout(this.#timer);
    this.#seat = null;
    this.#match = '';
    found('room').hidden = true;
  }

  /** Ask who is there now. */
  async refresh() {
    clearTimeout(this.#timer);
    const [match, seat] = [this.#match, this.#seat];
    if (!match) return;
    const code = this.#code ? { code: this.#code } : {};
    const asked = seat ? seat.info(this.#code) : this.#link.ask('info', { match, ...code });
    const told = await asked.catch(() => null);
    if (this.#match !== match || this.#seat !== seat) return;
    if (told) this.#show(told);
    if (told && told.line.state !== 'lobby') this.#ears.onStart();
    else this.#timer = setTimeout(() => this.refresh(), EVERY_MS);
  }

  /** @param {MatchInfo} told */
  #show({ line, card }) {
    found('title').textContent = titleOf(line);
    found('room-title').textContent = printable(card.title);
    found('room-brief').textContent = printable(card.brief);
    found('room-options').textContent = optionsOf(card);
    this.#showSeats(line.seats);
    const isFree = line.seats.some(({ state }) => state === 'free');
    found('room-mine').hidden = !this.#seat;
    found('watch').hidden = Boolean(this.#seat);
    found('bot-form').hidden = !this.#seat?.bots.length || !isFree;
    found('room-wait').textContent = this.#seat?.isReady ? waitsFor(line.seats) : '';
    this.#offerBots();
    const isReady = Boolean(this.#seat?.isReady);
    found('ready').textContent = isReady ? 'Not ready' : 'Ready';
    found('ready').setAttribute('aria-pressed', String(isReady));
  }

  /**
   * List the seats; a list that stays the same is left alone, as it is read aloud and may have the focus.
   * @param {SeatInfo[]} seats
   */
  #showSeats(seats) {
    const told = JSON.stringify([this.#seat?.side, seats]);
    if (told === this.#told) return;
    this.#told = told;
    replaceInside(found('room-seats'), seats.map((seat) => this.#itemOf(seat)));
  }

  /** @param {SeatInfo} seat */
  #itemOf(seat) {
    const who = seat.state === 'free' ? 'free' : printable(calledIn(seat));
    const text = `${seat.side}: ${who}${seat.ready ? ', ready' : ''}${seat.side === this.#seat?.side ? ' (you)' : ''}`;
    const sit = choice(`Play ${seat.side}`, false, () => this.#ears.onSit(seat.side));
    sit.removeAttribute('aria-pressed');
    return made('li', {}, text, ...(seat.state === 'free' && !this.#seat ? [' ', sit] : []));
  }

  #offerBots() {
    if (found('bot-name').options.length || !this.#seat) return;
    found('bot-name').append(...this.#seat.bots.map((name) => made('option', { value: name }, name)));
  }

  #seatBot() {
    const [name, level] = [found('bot-name').value, Number(found('bot-level').value)];
    const isLevelled = name !== 'random' && level < HIGHEST;
    this.#try(this.#seat?.say('bot', { name: isLevelled ? `${name}-${level}` : name }));
  }

  /** @param {boolean} isReady */
  #ready(isReady) {
    this.#try(this.#seat?.ready(isReady));
  }

  async #leave() {
    await this.#try(this.#seat?.say('leave'));
    this.#ears.onLeft();
  }

  /** @param {Promise<unknown> | undefined} asked */
  async #try(asked) {
    try {
      await asked;
    } catch (error) {
      this.#ears.say(error instanceof RefusedError ? error.message : 'The line is cut; try again in a moment.');
    }
    await this.refresh();
  }

  #copy() {
    found('link').select();
    const copied = navigator.clipboard?.writeText(found('link').value) ?? Promise.reject();
    copied.then(
      () => this.#ears.say('The link is copied.'),
      () => this.#ears.say('The link is selected: copy it with the keys of your browser.'),
    );
  }
}

/**
 * Say what a room waits for whose seat is ready.
 * @param {SeatInfo[]} seats
 */
function waitsFor(seats) {
  const isFree = seats.some(({ state }) => state === 'free');
  return isFree ? 'Ready; the match begins once the free seats are taken.' : 'Ready; the match begins once all are.';
}

/**
 * Return the clock, and the options that are not what they are by default.
 * @param {ScenarioCard} card
 */
function optionsOf({ options, unusual = [] }) {
  const others = unusual.filter((name) => name !== 'clock').map((name) => `${spoken(name)} ${options[name]}`);
  const different = others.length ? ` Not as usual: ${others.join(', ')}.` : '';
  return printable(`Clock: ${options.clock}.${different}`);
}
