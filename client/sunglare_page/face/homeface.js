// What a newcomer sees first: a match against a bot by one click, a room for a friend, a quick match,
// and the own matches with whose turn it is.

/** @import { LessonLine, Lessons, MatchLine } from 'wire' */
/** @import { Answers, Fields, Link } from '../watch/link.js' */
/** @import { Post } from '../watch/match.js' */

import { RefusedError } from '../watch/link.js';
import { writeFragment } from '../watch/fragment.js';
import { AccountFace } from './accountface.js';
import { found, made } from './dom.js';
import { GlimpseFace } from './glimpseface.js';
import { seatsOf, titleOf, whereOf } from './hall.js';

/** The match that a newcomer begins with. */
const FIRST = { scenario: 'shadow-of-ceres', bot: 'scout', level: 'scout-1' };

/** How one plays against a bot: on a clock with a beat a slot of each side's own would last half a minute each turn. */
const WITH_BOT = { clock: 'friendly', scan_slots: 'sealed' };

/** So many of the own matches that are over are listed, the newest. */
const OVER_MOST = 5;

const EVERY_MS = 5000;

/**
 * A room that was opened, or found, in which one is to sit; with a bot the match is to begin at once.
 * @typedef {{match: string, code: string, bot: string}} Entry
 */

/** Begins matches, and lists the own ones, as long as it is open. */
export class HomeFace {
  #link;
  #ears;
  #account;
  #glimpse;
  /** @type {number | undefined} */
  #timer;
  /** What the list of the own matches was last told, as JSON. */
  #mine = '';
  #isOpen = false;
  #isWaiting = false;

  /**
   * @param {string} url where the game is played
   * @param {Link} link
   * @param {{onRoom: (entry: Entry) => void, say: (sentence: string) => void}} ears
   */
  constructor(url, link, ears) {
    this.#link = link;
    this.#ears = ears;
    this.#account = new AccountFace(url, link, ears.say);
    this.#glimpse = new GlimpseFace(link);
    found('play-bot').onclick = () => this.#playBot();
    found('invite').onclick = () => this.#invite();
    found('quick').onclick = () => this.#toggleQuick();
  }

  open() {
    this.#isOpen = true;
    this.#glimpse.open();
    this.#tellMine();
    this.#tellLessons();
  }

  /**
   * Take in a post of a feed.
   * @param {Post} post
   */
  hear(post) {
    this.#glimpse.hear(post);
  }

  draw() {
    this.#glimpse.draw();
  }

  close() {
    this.#isOpen = false;
    this.#glimpse.close();
    this.#isWaiting = false;
    clearTimeout(this.#timer);
    this.#drawQuick();
  }

  /** Return the bot that a beginner beats, or another one where the server does not seat it. */
  #firstBot() {
    const bots = this.#link.welcome?.bots ?? [];
    return bots.includes(FIRST.bot) ? FIRST.level : bots[0];
  }

  async #playBot() {
    const room = await this.#asked('create', { scenario: FIRST.scenario, options: WITH_BOT });
    if (room) this.#ears.onRoom({ match: room.match, code: '', bot: this.#firstBot() ?? '' });
  }

  async #invite() {
    const scenario = found('scenario').value.trim() || FIRST.scenario;
    const room = await this.#asked('create', { scenario, options: { clock: WITH_BOT.clock }, private: true });
    if (room) this.#ears.onRoom({ match: room.match, code: room.code ?? '', bot: '' });
  }

  async #toggleQuick() {
    this.#isWaiting = !this.#isWaiting;
    this.#drawQuick();
    if (!this.#isWaiting) await this.#asked('unquick', {});
    while (this.#isWaiting) await this.#waitOn();
  }

  /** Go on waiting for opponents; one who falls silent waits no longer. */
  async #waitOn() {
    const told = await this.#asked('quick', { family: FIRST.scenario, rated: false });
    if (!told || told.match) this.#isWaiting = false;
    this.#drawQuick();
    if (told?.match) this.#ears.onRoom({ match: told.match, code: '', bot: '' });
    if (this.#isWaiting) await new Promise((resolve) => setTimeout(resolve, told?.again_ms));
  }

  #drawQuick() {
    found('quick').textContent = this.#isWaiting ? 'Stop waiting' : 'Quick match';
    found('quick').setAttribute('aria-pressed', String(this.#isWaiting));
  }

  async #tellMine() {
    clearTimeout(this.#timer);
    const told = await this.#link.ask('list', { which: 'mine', most: 20 }).catch(() => null);
    const lines = told?.mine ?? [];
    const [over, open] = [true, false].map((isOver) => lines.filter(({ state }) => (state === 'over') === isOver));
    if (told) this.#showMine([...open, ...over.slice(0, OVER_MOST)]);
    this.#account.show();
    found('play-bot').hidden = !this.#firstBot();
    if (this.#isOpen) this.#timer = setTimeout(() => this.#tellMine(), EVERY_MS);
  }

  /** List the lessons, and offer the first one to those who have solved none. */
  async #tellLessons() {
    const told = /** @type {Lessons | null} */ (await this.#link.ask('lesson', { act: 'list' }).catch(() => null));
    if (!told) return;
    found('lessons').replaceChildren(...told.lessons.map(lessonItem));
    found('lessons-part').hidden = false;
    found('first-lesson').hidden = told.lessons.some(({ solved }) => solved);
    found('first-lesson').setAttribute('href', writeFragment({ lesson: told.lessons[0].lesson }));
  }

  /**
   * List the own matches; a list that stays the same is left alone.
   * @param {MatchLine[]} lines
   */
  #showMine(lines) {
    const told = JSON.stringify(lines);
    if (told === this.#mine) return;
    this.#mine = told;
    found('mine').replaceChildren(...lines.map(itemOf));
    found('mine-part').hidden = !lines.length;
  }

  /**
   * @template {keyof Answers} K
   * @param {K} kind
   * @param {Fields<K>} fields
   */
  async #asked(kind, fields) {
    try {
      return await this.#link.ask(kind, fields);
    } catch (error) {
      const choices = error instanceof RefusedError && error.choices.length ? ` ${error.choices.join(', ')}` : '';
      this.#ears.say(error instanceof RefusedError ? error.message + choices : 'The server is away; try again in a moment.');
      return null;
    }
  }
}

/** @param {LessonLine} line */
function lessonItem({ lesson, number, title, solved }) {
  const link = made('a', { href: writeFragment({ lesson }) }, `${number}. ${title}`);
  return made('li', {}, link, ...(solved ? [made('span', { className: 'where' }, '✓ solved')] : []));
}

/** @param {MatchLine} line */
function itemOf(line) {
  const link = made('a', { href: writeFragment({ match: line.match }) }, made('b', {}, titleOf(line)), ' ', seatsOf(line));
  const turn = line.your_turn ? made('b', { className: 'turn' }, 'YOUR TURN') : '';
  return made('li', {}, link, made('span', { className: 'where' }, ` ${whereOf(line)} `, turn));
}
