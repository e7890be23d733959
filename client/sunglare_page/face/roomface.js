// A room before the start: who sits where, what differs from the usual, a link for friends, a seat, and
// whether one is ready.

import { RefusedError } from '../watch/link.js';
import { calledIn } from '../watch/seats.js';
import { printable, spoken } from '../story/words.js';
import { writeFragment } from '../watch/fragment.js';
import { titleOf } from './hall.js';
import { choice, found, made } from './dom.js';

const EVERY_MS = 3000;

/** How strong a bot may be asked for; the highest level is the bot itself. */
const LEVELS = [1, 2, 3, 4, 5];

/**
 * Shows one room at a time, to whom sits in it and to whom comes.
 */
export class RoomFace {
  #ears;
  #link;
  #seat = null;
  #line = null;
  #card = null;
  #code = '';
  #timer = null;

  /**
   * @param {import('../watch/link.js').Link} link asks about a room in which one does not sit yet
   * @param {{onSit: (side: string) => void, onWatch: () => void, onStart: () => void, onLeft: () => void,
   *   say: (sentence: string) => void}} ears hear that a seat is wanted, that one only watches, that the match has begun
   *   without one, and that the seat was left
   */
  constructor(link, ears) {
    this.#link = link;
    this.#ears = ears;
    found('ready').onclick = () => this.#toggleReady();
    found('leave').onclick = () => this.#leave();
    found('watch').onclick = () => ears.onWatch();
    found('bot').onclick = () => this.#seatBot();
    found('copy-link').onclick = () => this.#copy();
    // Who does not look would miss the moment at which entropy is asked for.
    found('bot-level').append(...LEVELS.map((level) => made('option', { value: String(level) }, String(level))));
    document.addEventListener('visibilitychange', () => this.#seat?.isReady && document.hidden && this.#ready(false));
  }

  /**
   * Show a room to somebody without a seat, or to the seat.
   * @param {string} match
   * @param {string} code of a private one
   * @param {import('../seat/seat.js').Seat | null} seat
   */
  open(match, code, seat) {
    this.#code = code;
    this.#seat = seat;
    this.#line = { match };
    found('room').hidden = false;
    found('room-seats').replaceChildren();
    found('link').value = `${location.origin}/${writeFragment({ match, code })}`;
    this.refresh();
  }

  close() {
    clearTimeout(this.#timer);
    this.#seat = this.#line = null;
    found('room').hidden = true;
  }

  /** Ask who is there now. */
  async refresh() {
    clearTimeout(this.#timer);
    const line = this.#line;
    if (!line) return;
    const told = await this.#told(line.match);
    if (this.#line !== line && this.#line?.match !== line.match) return;
    if (told) this.#show(told);
    if (told && told.line.state !== 'lobby') this.#ears.onStart();
    else if (this.#line) this.#timer = setTimeout(() => this.refresh(), EVERY_MS);
  }

  #told(match) {
    const code = this.#code ? { code: this.#code } : {};
    const asked = this.#seat ? this.#seat.info(this.#code) : this.#link.ask('info', { match, ...code });
    return asked.catch(() => null);
  }

  #show({ line, card }) {
    this.#line = line;
    this.#card = card;
    found('title').textContent = titleOf(line);
    found('room-title').textContent = printable(card.title);
    found('room-brief').textContent = printable(card.brief);
    found('room-options').textContent = optionsOf(card);
    const items = line.seats.map((seat) => this.#itemOf(seat));
    found('room-seats').replaceChildren(...items);
    const isFree = line.seats.some(({ state }) => state === 'free');
    found('room-mine').hidden = !this.#seat;
    found('watch').hidden = Boolean(this.#seat);
    found('bot-form').hidden = !this.#seat?.bots.length || !isFree;
    this.#offerBots();
    const isReady = Boolean(this.#seat?.isReady);
    found('ready').textContent = isReady ? 'Not ready' : 'Ready';
    found('ready').setAttribute('aria-pressed', String(isReady));
  }

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
    const isLevelled = name !== 'random' && level < LEVELS.at(-1);
    this.#try(this.#seat.say('bot', { name: isLevelled ? `${name}-${level}` : name }));
  }

  #toggleReady() {
    this.#ready(!this.#seat.isReady);
  }

  #ready(isReady) {
    this.#try(this.#seat.ready(isReady));
  }

  async #leave() {
    await this.#try(this.#seat.say('leave'));
    this.#ears.onLeft();
  }

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
    navigator.clipboard?.writeText(found('link').value).then(
      () => this.#ears.say('The link is copied.'),
      () => {},
    );
  }
}

/** Return the clock, and the options that are not what they are by default. */
function optionsOf({ options, unusual = [] }) {
  const others = unusual.filter((name) => name !== 'clock').map((name) => `${spoken(name)} ${options[name]}`);
  const different = others.length ? ` Not as usual: ${others.join(', ')}.` : '';
  return printable(`Clock: ${options.clock}.${different}`);
}
