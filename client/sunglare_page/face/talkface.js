// The talk of a match that one plays: the story, the chat, and the offers of a draw, a pause or a rematch.

/** @import { SeatPort } from '../seat/seat.js' */
/** @import { Post } from '../watch/match.js' */

import { newsLine, overLines } from '../story/news.js';
import { frameLines } from '../story/story.js';
import { choice, found, made, replaceInside } from './dom.js';
import { isLoud } from './panels.js';

/** So many lines of the story stay in sight. */
const STORY_MOST = 60;

/** Has what concerns a player besides what is loud: who was found, who is shot at, and what that breaks. */
const FELT = /^CONTACT|is fired at|loses a system/;

/** So many lines of what happened stand above the orders. */
const LOUD_MOST = 5;

/**
 * Return whether news say only that a side has locked, or thinks on, which would crowd out all else.
 * @param {Post} post
 */
function isOfLocks(post) {
  return post.t === 'news' && post.kind === 'clock' && /ready$/.test(post.text ?? '');
}

/**
 * Return whether news are of what seals the dice, which seats take note of by themselves.
 * @param {Post} post
 */
function isOfSealing(post) {
  return post.t === 'news' && post.kind === 'server' && /^pledge /.test(post.text ?? '');
}

/** Shows the story of one seat at a time, and says what its player says. */
export class TalkFace {
  /** @type {SeatPort | null} */
  #seat = null;
  #say;
  /** @type {string[]} what mattered most since the last PLOT */
  #happened = [];
  /** The phase of the open window. */
  #phase = '';
  /** @type {Set<string>} the sides whose chat is not heard */
  #muted = new Set();

  /** @param {(sentence: string) => void} say */
  constructor(say) {
    this.#say = say;
    found('talk').onsubmit = (event) => {
      event.preventDefault();
      this.#chat();
    };
    found('resign').onclick = () => window.confirm('Give the match up?') && this.#speak('resign');
    found('draw').onclick = () => this.#speak('draw');
    found('pause').onclick = () => this.#speak('pause', { on: !this.#isPaused() });
    found('rematch').onclick = () => this.#speak('rematch');
  }

  /** @param {SeatPort} seat */
  open(seat) {
    this.#seat = seat;
    this.#muted.clear();
    this.#listOthers(seat);
    found('field-story').replaceChildren();
    found('happened').replaceChildren();
    this.#happened = [];
    this.#phase = '';
    this.#offer(false);
  }

  /**
   * Tell what a post says; `labels` has what foreign pieces are called.
   * @param {Post} post
   * @param {Map<string, string>} labels
   */
  hear(post, labels) {
    if (post.t === 'frame') this.#tellWindow(frameLines(post, labels), post.view.stage.phase);
    else if (post.t === 'news') this.#tell(this.isHeard(post) ? [newsLine(post)] : []);
    else this.#tell(overLines(post, {}));
    this.#offer(post.t === 'over');
  }

  /**
   * Return whether a post is for the player's eyes and ears.
   * @param {Post} post
   */
  isHeard(post) {
    return !isOfLocks(post) && !isOfSealing(post);
  }

  /**
   * List the other sides, each with what may be done about its player.
   * @param {SeatPort} seat
   */
  #listOthers(seat) {
    const others = (seat.card?.sides ?? []).filter((side) => side !== seat.side);
    const items = others.map((side) => {
      const mute = choice('Mute', this.#muted.has(side), () => this.#mute(seat, side));
      const report = made('button', { type: 'button', onclick: () => this.#report(side) }, 'Report');
      return made('li', {}, `${side} `, mute, ' ', report);
    });
    replaceInside(found('other-sides'), items);
  }

  /**
   * Have a side's chat left out, or not any more; the button shows it once the server does so.
   * @param {SeatPort} seat
   * @param {string} side
   */
  async #mute(seat, side) {
    const isOn = !this.#muted.has(side);
    try {
      await seat.say('mute', { side, on: isOn });
    } catch (error) {
      this.#say(error instanceof Error ? error.message : String(error));
      return;
    }
    if (seat !== this.#seat) return;
    if (isOn) this.#muted.add(side);
    else this.#muted.delete(side);
    this.#listOthers(seat);
  }

  /** @param {string} side */
  #report(side) {
    const text = window.prompt(`What shall the operator know of the player of ${side}?`)?.trim();
    if (text) this.#speak('report', { side, text });
  }

  /**
   * Offer what may be agreed on while the match runs, or after it.
   * @param {boolean} isOver
   */
  #offer(isOver) {
    for (const id of ['resign', 'draw', 'pause']) found(id).hidden = isOver;
    found('pause').textContent = this.#isPaused() ? 'End the pause' : 'Pause';
    found('rematch').hidden = !isOver;
  }

  /** Return whether the clock of the match stands still. */
  #isPaused() {
    return Boolean(this.#seat?.frame && this.#seat.closesAt === null);
  }

  /**
   * Tell what came of a window; what matters most since the last PLOT stands above the orders, too.
   * @param {string[]} lines
   * @param {string} phase that of the window that opens
   */
  #tellWindow(lines, phase) {
    this.#tell(lines);
    if (this.#phase === 'plot') this.#happened = [];
    this.#phase = phase;
    this.#happened.push(...lines.filter((line) => isLoud(line) || FELT.test(line)));
    const newest = [...new Set(this.#happened)].slice(-LOUD_MOST);
    replaceInside(found('happened'), newest.map((line) => made('li', {}, line)));
  }

  /** @param {string[]} lines */
  #tell(lines) {
    const story = found('field-story');
    story.append(...lines.map((line) => made('li', { className: isLoud(line) ? 'loud' : '' }, line)));
    while (story.children.length > STORY_MOST) story.firstChild?.remove();
    // Only the list: to scroll its last line into view would move all that stands around it, too.
    story.scrollTop = story.scrollHeight;
  }

  #chat() {
    const text = found('words').value;
    found('words').value = '';
    if (text.trim()) this.#speak('chat', { text });
  }

  /**
   * @param {'chat' | 'draw' | 'pause' | 'rematch' | 'report' | 'resign'} kind
   * @param {{text?: string, side?: string, on?: boolean}} fields
   */
  #speak(kind, fields = {}) {
    this.#seat?.say(kind, fields).catch((error) => this.#say(error.message));
  }
}
