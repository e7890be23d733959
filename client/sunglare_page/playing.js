// Playing: the seat that this page has, in its room before the start, in its match, and after it. Who
// has no seat yet sees the room, and takes one there.

/** @import { Link } from './watch/link.js' */
/** @import { Post } from './watch/match.js' */

import { found } from './face/dom.js';
import { LessonFace } from './face/lessonface.js';
import { notify, offerNotices } from './face/notices.js';
import { RoomFace } from './face/roomface.js';
import { SeatFace } from './face/seatface.js';
import { OnePage } from './seat/onepage.js';
import { Seat } from './seat/seat.js';
import { printable } from './story/words.js';
import { LostError, RefusedError } from './watch/link.js';
import { writeFragment } from './watch/fragment.js';

const ELSEWHERE = 'You play this match on another page or another device. Only one of them can play.';
const AWAY = 'The server is away; try again in a moment.';

/**
 * Hear that one only watches, that there is nothing to play any more, and in which room one is now.
 * @typedef {object} Ears
 * @property {(sentence: string) => void} say
 * @property {(match: string, code: string) => void} onWatch
 * @property {() => void} onHome
 * @property {(match: string, code: string) => void} onPlace
 */

/** Plays one match at a time. */
export class Playing {
  #url;
  #ears;
  #room;
  #face;
  #lesson;
  #page = new OnePage();
  /** @type {Seat | null} */
  #seat = null;
  #match = '';
  #code = '';

  /**
   * @param {string} url where the game is played
   * @param {Link} link asks about rooms in which one does not sit
   * @param {Ears} ears
   */
  constructor(url, link, ears) {
    this.#url = url;
    this.#ears = ears;
    this.#face = new SeatFace(ears.say);
    this.#lesson = new LessonFace(link, this.#face, ears.say);
    this.#room = new RoomFace(link, {
      onSit: (side) => this.sit({ match: this.#match, code: this.#code, isMine: false, side }),
      onWatch: () => ears.onWatch(this.#match, this.#code),
      onStart: () => this.#seat || ears.onWatch(this.#match, this.#code),
      onLeft: () => ears.onHome(),
      say: ears.say,
    });
    found('take-over').onclick = () => this.sit({ match: this.#match, code: this.#code, isMine: true, isSure: true });
  }

  get isOpen() {
    return this.#match !== '';
  }

  /**
   * Show a room to a visitor without a seat.
   * @param {string} match
   * @param {string} code
   */
  visit(match, code) {
    this.#begin(match, code);
    this.#room.open(match, code, null);
  }

  /**
   * Take a seat, or the own one again; with a bot as the opponent the match begins at once. From another page of this
   * browser the seat is taken only if the player is sure.
   * @param {{match: string, code: string, isMine: boolean, side?: string, bot?: string, isSure?: boolean}} wish
   */
  async sit({ match, code, isMine, side, bot, isSure = false }) {
    this.#begin(match, code);
    const isElsewhere = isMine && !isSure && (await this.#page.isElsewhere(match));
    if (this.#match !== match) return;
    if (isElsewhere) {
      this.#tellElsewhere();
      return;
    }
    this.#page.play(match);
    /** @type {Seat} */
    const seat = new Seat(this.#url, match, (post) => this.#hear(seat, post));
    this.#seat = seat;
    try {
      await seat.sit({ isMine, code, side });
      if (bot) {
        await seat.say('bot', { name: bot });
        await seat.ready(true);
      }
    } catch (error) {
      if (this.#seat !== seat) return;
      if (!(error instanceof RefusedError || error instanceof LostError)) throw error;
      this.#ears.say(error instanceof RefusedError ? error.message : AWAY);
      if (!seat.side) this.visit(match, code);
    }
  }

  /**
   * Give a lesson.
   * @param {string} lesson
   * @throws {RefusedError} if there is none of this name
   */
  learn(lesson) {
    this.close();
    return this.#lesson.open(lesson);
  }

  draw() {
    this.#face.draw();
  }

  close() {
    this.#seat?.close();
    this.#seat = null;
    this.#match = '';
    this.#page.play('');
    this.#room.close();
    this.#lesson.close();
    this.#face.close();
    found('elsewhere').hidden = true;
    document.title = 'Sunglare';
  }

  /**
   * @param {string} match
   * @param {string} code
   */
  #begin(match, code) {
    this.close();
    this.#match = match;
    this.#code = code;
    this.#ears.onPlace(match, code);
  }

  /**
   * @param {Seat} seat
   * @param {Post | null} post
   */
  #hear(seat, post) {
    if (seat !== this.#seat) return;
    if (seat.standing === 'room') this.#showRoom(seat, post);
    else if (seat.standing === 'elsewhere') this.#tellElsewhere();
    else if (seat.standing === 'gone') this.#tellGone(seat.reason);
    else if (seat.standing !== 'coming') this.#showMatch(seat, post);
  }

  /**
   * @param {Seat} seat
   * @param {Post | null} post
   */
  #showRoom(seat, post) {
    if (post === null && found('room').hidden) this.#room.open(this.#match, this.#code, seat);
    else this.#room.refresh();
  }

  /**
   * @param {Seat} seat
   * @param {Post | null} post
   */
  #showMatch(seat, post) {
    if (found('field').hidden) {
      this.#room.close();
      this.#face.open(seat);
      found('title').textContent = printable(seat.card?.title ?? '');
      offerNotices(seat.card?.options.clock ?? '');
    }
    this.#face.hear(post);
    if (post?.t === 'frame' && this.#face.isAsked) notify(this.#match);
    document.title = this.#face.isAsked ? '● Your turn: Sunglare' : 'Sunglare';
    found('record').href = writeFragment({ match: this.#match, code: this.#code, eyes: 'omni' });
    for (const id of ['record', 'log']) found(id).hidden = !seat.over;
    if (post?.t === 'over') {
      URL.revokeObjectURL(found('log').href);
      found('log').href = URL.createObjectURL(new Blob([seat.log.text], { type: 'application/jsonl' }));
    }
  }

  #tellElsewhere() {
    this.#page.play('');
    this.#room.close();
    this.#face.close();
    found('elsewhere').hidden = false;
    found('elsewhere-word').textContent = ELSEWHERE;
  }

  /** @param {string} reason */
  #tellGone(reason) {
    this.#ears.onHome();
    this.#ears.say(reason);
  }
}
