// A seat before its player: the board, the own pieces, and what each may do in the open window, by the
// click or the key that orders it.

/** @import { Cell, ScanSize, Site, Square } from 'wire' */
/** @import { SeatPort } from '../seat/seat.js' */
/** @import { Piece } from '../seat/turn.js' */
/** @import { Entry, Way } from '../seat/ways.js' */
/** @import { Post } from '../watch/match.js' */

import { hasGround, sitesOf } from '../board/surface.js';
import { Turn } from '../seat/turn.js';
import { SIZES, entriesAt, isOnMap, looseOf, marks } from '../seat/ways.js';
import { stageLine } from '../story/story.js';
import { printable, siteName } from '../story/words.js';
import { Boards } from './boards.js';
import { CardFace } from './cardface.js';
import { ClockFace } from './clockface.js';
import { deployForm, deployOf } from './deployface.js';
import { choice, found, made, replaceInside } from './dom.js';
import { GrantFace } from './grantface.js';
import { palette } from './palette.js';
import { PlanFace } from './planface.js';
import { isShown, reachOf } from './reach.js';
import { TalkFace } from './talkface.js';
import { helpOf, hintOf, isGiven, stands } from './standing.js';
import { isDark } from './theme.js';
import { Voice } from './voice.js';

/** So many entries of a place are said while one points at it. */
const POINTED_MOST = 2;

/** What the player has chosen: a piece, a way to act, the size of scans and whether they ask for the Sense roll. */
const FIRST = { piece: '', way: '', size: /** @type {ScanSize} */ ('1box'), isSensing: true };

/** Shows one seat at a time. */
export class SeatFace {
  #boards;
  #card;
  #clock = new ClockFace();
  #plan = new PlanFace();
  #voice = new Voice();
  #talk;
  #grants;
  #say;
  /** @type {SeatPort | null} */
  #seat = null;
  /** @type {Turn | null} */
  #turn = null;
  #chosen = FIRST;
  /** Whether the player has chosen anything since the window opened. */
  #hasChosen = false;
  /** @type {Site | null} the surface map that is shown, or space */
  #site = null;
  /** @type {Square | Cell | null} the place that was picked for the way */
  #at = null;
  /** @type {Map<string, Square>} where each ship comes to by its orders, as far as its entries said so */
  #ends = new Map();
  /** What the list of entries was last made of, as JSON. */
  #listed = '';

  /** @param {(sentence: string) => void} say */
  constructor(say) {
    this.#say = say;
    this.#talk = new TalkFace(say);
    this.#card = new CardFace(say);
    this.#grants = new GrantFace(say);
    this.#boards = new Boards(
      found('field-boards'),
      (words, at) => this.#point(words, at),
      { onPick: (at) => this.#pick(at), onHold: (at) => this.#lookAt(at), isMarked: (at) => this.#isMarked(at) },
    );
    found('field-nearer').onclick = () => this.#boards.zoom(1.5);
    found('field-farther').onclick = () => this.#boards.zoom(1 / 1.5);
    found('sense').onchange = () => this.#choose({ isSensing: found('sense').checked });
  }

  /**
   * Show a seat; what it was sent comes by `hear`.
   * @param {SeatPort} seat
   */
  open(seat) {
    this.#seat = seat;
    this.#turn = new Turn(seat, {
      onChange: () => this.draw(),
      onFirst: (piece) => this.#hasChosen || this.#choose({ piece }),
      say: this.#say,
    });
    this.#listed = '';
    this.#boards.begin();
    this.#card.open(seat);
    this.#talk.open(seat);
    this.#grants.open(seat);
    this.#voice.open(seat);
    found('field').hidden = false;
  }

  /** Whether the match waits for this player. */
  get isAsked() {
    const turn = this.#turn;
    return turn !== null && turn.isAsked && !turn.isLocked && !turn.isPassed;
  }

  close() {
    this.#turn?.end();
    this.#clock.stop();
    this.#voice.close();
    this.#seat = this.#turn = null;
    found('field').hidden = true;
  }

  /**
   * Take in a post of the seat, or none where its line has come or gone.
   * @param {Post | null} post
   */
  hear(post) {
    const turn = this.#turn;
    if (post && turn) this.#talk.hear(post, turn.labels);
    if (post?.t === 'frame' && turn) this.#begin(turn);
    if (post && turn && this.#talk.isHeard(post)) this.#voice.hear(post, turn.labels);
    this.draw();
  }

  /**
   * Begin the window that has just opened.
   * @param {Turn} turn
   */
  #begin(turn) {
    this.#at = null;
    found('field-pointed').textContent = '';
    this.#hasChosen = false;
    this.#ends = new Map();
    turn.begin();
    if (turn.view.stage.window === '1.plot' && !turn.isLesson) this.#card.show('why', 'points');
    else this.#card.refresh();
    const names = turn.pieces.map(({ piece }) => piece.id);
    if (!names.includes(this.#chosen.piece)) this.#chosen = { ...this.#chosen, piece: names[0] ?? '' };
  }

  draw() {
    const [seat, turn] = [this.#seat, this.#turn];
    if (!seat?.frame || !turn) return;
    const ways = this.#ways(turn);
    const way = this.#wayOf(ways);
    this.#noteEnd(turn, ways);
    found('help').textContent = helpOf(seat, turn);
    found('field').classList.toggle('ended', Boolean(seat.over));
    const place = seat.over ? '' : `You are ${seat.side}, ${stageLine(turn.view.stage)}. `;
    found('turn').textContent = `${place}${stands(seat, turn)}`;
    this.#clock.show(seat);
    this.#drawPieces(turn);
    this.#drawWays(turn, ways, way);
    this.#drawEntries(turn, way);
    this.#plan.show(turn);
    this.#voice.follow(turn);
    this.#drawBoard(seat, turn, way);
  }

  /**
   * Return the ways to act of the chosen piece, as far as they are known.
   * @param {Turn} turn
   */
  #ways(turn) {
    const { piece, size, isSensing } = this.#chosen;
    const mayOrder = turn.isAsked && !turn.isLocked && piece !== '';
    return (mayOrder && turn.waysOf(piece, { size, isSensing })) || [];
  }

  /** @param {Way[]} ways */
  #wayOf(ways) {
    return ways.find(({ name }) => name === this.#chosen.way) ?? ways[0] ?? null;
  }

  /** @param {Partial<typeof FIRST>} changed */
  #choose(changed) {
    this.#chosen = { ...this.#chosen, ...changed };
    this.#hasChosen = true;
    this.#at = null;
    this.draw();
  }

  /** @param {Turn} turn */
  #drawPieces(turn) {
    const buttons = turn.pieces.map(({ piece, isBusy }) => {
      const hull = 'hull' in piece ? ` ${piece.hull - (piece.damage ?? 0)}/${piece.hull}` : '';
      const text = printable(`${isBusy ? '✓ ' : ''}${piece.id} ${piece.name}${hull}`);
      return choice(text, piece.id === this.#chosen.piece, () => this.#choosePiece(piece));
    });
    replaceInside(found('own'), buttons);
  }

  /** @param {Piece} piece */
  #choosePiece(piece) {
    if ('square' in piece) this.#boards.look(piece.square);
    this.#card.show('look', piece.id);
    this.#site = ('cell' in piece && piece.cell && piece.site) || null;
    this.#choose({ piece: piece.id });
  }

  /**
   * @param {Turn} turn
   * @param {Way[]} ways
   * @param {Way | null} way
   */
  #drawWays(turn, ways, way) {
    const buttons = ways.map(({ name, site }) =>
      choice(name, name === way?.name, () => {
        this.#site = site ?? null;
        this.#choose({ way: name });
      }),
    );
    replaceInside(found('ways'), buttons);
    const isScan = turn.view.stage.phase === 'scan' && ways.length > 0;
    const sizes = SIZES.map((size) => choice(size, size === this.#chosen.size, () => this.#choose({ size })));
    replaceInside(found('sizes'), isScan ? sizes : []);
    found('sensing').hidden = !isScan;
  }

  /**
   * List what may be chosen: all of a list; on a map what is of no place of its own, and what the picked place means.
   * @param {Turn} turn
   * @param {Way | null} way
   */
  #drawEntries(turn, way) {
    const placed = this.#placed(way);
    this.#listEntries(turn, way ? [...looseOf(way), ...placed] : []);
    found('hint').textContent = turn.isAsked && !turn.isLocked ? hintOf(way, this.#at, placed, turn) : '';
  }

  /**
   * List entries; those that are listed already stay, with what was filled into their fields.
   * @param {Turn} turn
   * @param {Entry[]} entries
   */
  #listEntries(turn, entries) {
    const listed = JSON.stringify([turn.view.stage.window, entries, entries.map((entry) => isGiven(entry, turn))]);
    if (listed === this.#listed) return;
    this.#listed = listed;
    replaceInside(found('entries'), entries.map((entry) => this.#itemOf(turn, entry)));
  }

  /**
   * Return what the picked place means.
   * @param {Way | null} way
   */
  #placed(way) {
    return way && this.#at && isOnMap(way) && isShown(way, this.#site) ? entriesAt(way, this.#at) : [];
  }

  /**
   * @param {Turn} turn
   * @param {Entry} entry
   */
  #itemOf(turn, entry) {
    if (entry.speed !== undefined && entry.at) {
      const begun = { order: deployOf(turn.plan, entry), speed: entry.speed, cloaks: entry.cloaks };
      return deployForm(begun, (order) => turn.order({ orders: [order] }));
    }
    const more = entry.more ? [made('small', {}, entry.more)] : [];
    const learn = entry.learn ? [made('small', { className: 'learn' }, `EVERYBODY WILL LEARN: ${entry.learn}`)] : [];
    const button = made('button', { type: 'button', onclick: () => turn.order(entry) }, entry.text, ...more);
    button.classList.toggle('loss', Boolean(entry.loss));
    button.setAttribute('aria-pressed', String(isGiven(entry, turn)));
    return made('li', {}, button, ...learn);
  }

  /**
   * Say what lies at a place, and what the chosen way means there.
   * @param {string} words
   * @param {Square | Cell | null} at
   */
  #point(words, at) {
    const way = this.#turn && this.#wayOf(this.#ways(this.#turn));
    const meant = at && way && isOnMap(way) && isShown(way, this.#site) ? entriesAt(way, at) : [];
    const more = meant.length > POINTED_MOST ? [`${meant.length - POINTED_MOST} more`] : [];
    const told = [words, ...meant.slice(0, POINTED_MOST).map(({ text }) => text), ...more];
    found('field-pointed').textContent = told.filter(Boolean).join(' | ');
  }

  /**
   * Return whether the chosen way means something at a place; for a box that is so in its middle alone.
   * @param {Square | Cell} at
   */
  #isMarked(at) {
    const way = this.#turn && this.#wayOf(this.#ways(this.#turn));
    return Boolean(way && isShown(way, this.#site) && marks(way, at));
  }

  /**
   * Pick a place: the first thing that it means and that loses nothing is ordered at once, if none of them is. Where it means
   * nothing, an own piece that stands there is chosen.
   * @param {Square | Cell} at
   */
  #pick(at) {
    const turn = this.#turn;
    if (!turn) return;
    this.#at = at;
    const entries = this.#placed(this.#wayOf(this.#ways(turn)));
    const first = entries.find(({ loss }) => !loss);
    if (first && !entries.some((entry) => isGiven(entry, turn))) turn.order(first);
    const { there, here } = this.#standing(turn, at);
    if (there) this.#card.show('look', there.handle ?? there.label);
    if (!entries.length && !there && here) this.#choosePiece(here);
    else this.draw();
  }

  /**
   * Return the contact and the own ship at a place of space.
   * @param {Turn} turn
   * @param {Square | Cell} at
   */
  #standing({ view }, at) {
    const { contacts = [], own = [] } = this.#site ? {} : view;
    const isThere = (/** @type {{square: Square}} */ { square }) => String(square) === String(at);
    return { there: contacts.find(isThere), here: own.find(isThere) };
  }

  /**
   * Show the card of what stands at a place; nothing is chosen or ordered by that.
   * @param {Square | Cell} at
   */
  #lookAt(at) {
    const { there, here } = this.#turn ? this.#standing(this.#turn, at) : {};
    const about = there ? (there.handle ?? there.label) : here?.id;
    if (about) this.#card.show('look', about);
  }

  /**
   * Note where the chosen ship comes to, as the entry says from which its orders were chosen.
   * @param {Turn} turn
   * @param {Way[]} ways
   */
  #noteEnd(turn, ways) {
    const ship = this.#chosen.piece;
    const mine = turn.plan.filter((order) => order.ship === ship && (order.t === 'turn' || order.t === 'thrust'));
    const fly = ways.find(({ name }) => name === 'fly');
    const entry = fly?.entries.find(({ orders }) => JSON.stringify(orders) === JSON.stringify(mine));
    if (entry?.at) this.#ends.set(ship, entry.at);
  }

  /**
   * @param {SeatPort} seat
   * @param {Turn} turn
   * @param {Way | null} way
   */
  #drawBoard(seat, turn, way) {
    const { view, plan } = turn;
    const sites = this.#site || hasGround(view) ? sitesOf(view.board) : [];
    const buttons = (sites.length ? [null, ...sites] : []).map((site) =>
      choice(site ? siteName(site) : 'Space', String(site) === String(this.#site), () => {
        this.#site = site;
        this.#at = null;
        this.draw();
      }),
    );
    replaceInside(found('sites'), buttons);
    const overlay = reachOf(way, plan, { view, site: this.#site, ends: this.#ends });
    const look = { colours: palette(isDark()), sides: view.stage.sides ?? [], chosen: this.#chosen.piece, overlay };
    if (seat.frame) this.#boards.show([{ name: `What ${seat.side} knows`, frame: seat.frame }], this.#site, look);
  }
}

