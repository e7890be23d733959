// A seat before its player: the board, the pieces, what each may do, the plan, and the lock. What is
// chosen here is asked of the turn; a key, a click and a touch do the same.

import { marksOf } from '../board/marks.js';
import { sitesOf } from '../board/surface.js';
import { Turn } from '../seat/turn.js';
import { orderLine } from '../seat/orderline.js';
import { SIZES, entriesAt, isOnMap } from '../seat/ways.js';
import { newsLine, overLines } from '../story/news.js';
import { idleLines, lossLine } from '../story/reviews.js';
import { frameLines, stageLine } from '../story/story.js';
import { printable, siteName, spoken } from '../story/words.js';
import { Boards } from './boards.js';
import { ClockFace } from './clockface.js';
import { deployForm } from './deployface.js';
import { choice, found, made } from './dom.js';
import { palette } from './palette.js';
import { reachOf } from './reach.js';
import { isDark } from './theme.js';

/** So many lines of the story stay in sight. */
const STORY_MOST = 60;

/** Shows one seat at a time. */
export class SeatFace {
  #boards;
  #clock = new ClockFace();
  #seat = null;
  #turn = null;
  #piece = '';
  #way = '';
  #size = '1box';
  #isSensing = true;
  /** @type {[string, number] | null} the surface map that is shown, or space */
  #site = null;
  /** @type {[number, number] | null} the place that was picked for the way */
  #at = null;
  #ends = new Map();
  #say;

  /** @param {(sentence: string) => void} say */
  constructor(say) {
    this.#say = say;
    this.#boards = new Boards(
      found('field-boards'),
      (words) => (found('field-pointed').textContent = words),
      (at) => this.#pick(at),
    );
    found('undo').onclick = () => this.#turn.undo();
    found('lock').onclick = () => this.#pressLock();
    found('sense').onchange = () => this.#set({ isSensing: found('sense').checked });
    found('talk').onsubmit = (event) => this.#talk(event);
    found('resign').onclick = () => this.#resign();
    found('draw').onclick = () => this.#speak('draw');
    found('pause').onclick = () => this.#speak('pause');
    found('rematch').onclick = () => this.#speak('rematch');
  }

  /** @param {import('../seat/seat.js').Seat} seat */
  open(seat) {
    this.#seat = seat;
    this.#turn = new Turn(seat, { onChange: () => this.draw(), say: this.#say });
    found('field').hidden = false;
    found('field-story').replaceChildren();
  }

  /** Whether the match waits for this player. */
  get isAsked() {
    return Boolean(this.#turn?.isAsked && !this.#turn.isLocked && !this.#turn.isPassed);
  }

  close() {
    this.#turn?.end();
    this.#clock.stop();
    this.#seat = this.#turn = null;
    found('field').hidden = true;
  }

  /** Take in a post of the seat. */
  hear(post) {
    if (post?.t === 'frame') {
      this.#tell(frameLines(post, this.#turn.labels));
      this.#begin();
    } else if (post?.t === 'news') this.#tell([newsLine(post)]);
    else if (post?.t === 'over') this.#tell(overLines(post, {}));
    this.draw();
  }

  #begin() {
    this.#at = null;
    this.#ends = new Map();
    this.#turn.begin();
    const names = this.#turn.pieces.map(({ piece }) => piece.id);
    if (!names.includes(this.#piece)) this.#piece = names[0] ?? '';
  }

  draw() {
    if (!this.#seat?.frame) return;
    const ways = this.#turn.isAsked && this.#piece ? this.#turn.waysOf(this.#piece, this.#wish) : [];
    const way = ways?.find(({ name }) => name === this.#way) ?? ways?.[0] ?? null;
    this.#noteEnds();
    this.#drawHead();
    this.#drawPieces();
    this.#drawWays(ways, way);
    this.#drawEntries(way);
    this.#drawPlan();
    this.#drawBoard(way);
  }

  get #wish() {
    return { size: this.#size, isSensing: this.#isSensing };
  }

  #set(changed) {
    if ('piece' in changed) this.#piece = changed.piece;
    if ('way' in changed) this.#way = changed.way;
    if ('size' in changed) this.#size = changed.size;
    if ('isSensing' in changed) this.#isSensing = changed.isSensing;
    this.#at = null;
    this.draw();
  }

  #drawHead() {
    const { view } = this.#seat.frame;
    found('turn').textContent = `You are ${this.#seat.side}, ${stageLine(view.stage)}. ${this.#stands()}`;
    this.#clock.show(this.#seat);
  }

  /** Say what the match waits for. */
  #stands() {
    if (this.#seat.over) return 'The match is over.';
    if (!this.#seat.isUp) return 'The line is cut; it comes back by itself.';
    if (!this.#turn.isAsked) return 'You wait for another side.';
    if (this.#turn.isLocked) return 'Locked: you wait for the others.';
    if (this.#turn.isPassed) return 'Nothing to decide: passed.';
    return this.#turn.isLocking ? 'It locks in a moment.' : 'Give your orders, then lock.';
  }

  #drawPieces() {
    const buttons = this.#turn.pieces.map(({ piece, isBusy }) => {
      const text = printable(`${isBusy ? '✓ ' : ''}${piece.id} ${piece.name ?? ''}`);
      return choice(text, piece.id === this.#piece, () => this.#choosePiece(piece));
    });
    replaceChoices('own', buttons);
  }

  #choosePiece(piece) {
    if (piece.square) this.#boards.look(piece.square);
    this.#site = piece.site && piece.cell ? piece.site : null;
    this.#set({ piece: piece.id });
  }

  #drawWays(ways, way) {
    const buttons = (ways ?? []).map(({ name, site }) =>
      choice(spoken(name), name === way?.name, () => this.#chooseWay(name, site)),
    );
    replaceChoices('ways', buttons);
    const isScan = this.#turn.view.stage.phase === 'scan' && (ways ?? []).length > 0;
    const sizes = SIZES.map((size) => choice(size, size === this.#size, () => this.#set({ size })));
    replaceChoices('sizes', isScan ? sizes : []);
    found('sensing').hidden = !isScan;
  }

  #chooseWay(name, site) {
    this.#site = site ?? null;
    this.#set({ way: name });
  }

  /** List what may be chosen: all of a list, or what the picked place means. */
  #drawEntries(way) {
    const entries = !way ? [] : isOnMap(way) ? (this.#at ? entriesAt(way, this.#at) : []) : way.entries;
    const items = entries.map((entry) => this.#itemOf(entry, way));
    found('entries').replaceChildren(...items);
    found('hint').textContent = this.#hint(way, entries);
  }

  #hint(way, entries) {
    if (!this.#turn.isAsked || this.#turn.isLocked) return '';
    if (!way) return 'This piece has nothing to do in this window.';
    if (!isOnMap(way)) return '';
    if (!this.#at) return `${spoken(way.name)}: pick a place on the board.`;
    return entries.length ? '' : `${spoken(way.name)} does not reach that place.`;
  }

  #itemOf(entry, way) {
    if (way.name === 'deploy') {
      const begun = { ship: this.#piece, at: entry.at, speed: entry.speed };
      return deployForm(begun, (order) => this.#turn.order({ orders: [order] }));
    }
    const more = entry.more ? [made('small', {}, entry.more)] : [];
    const learn = entry.learn ? [made('small', { className: 'learn' }, `EVERYBODY WILL LEARN: ${entry.learn}`)] : [];
    const button = made('button', { type: 'button', onclick: () => this.#turn.order(entry) }, entry.text, ...more);
    button.classList.toggle('loss', Boolean(entry.loss));
    return made('li', {}, button, ...learn);
  }

  /** Pick a place: what it means is ordered at once if it is one thing alone that loses nothing. */
  #pick(at) {
    const here = marksOf(this.#turn.view).find(
      (mark) => mark.isOwn && !this.#site && mark.square[0] === at[0] && mark.square[1] === at[1],
    );
    const ways = this.#turn.waysOf(this.#piece, this.#wish) ?? [];
    const way = ways.find(({ name }) => name === this.#way) ?? ways[0];
    const entries = way ? entriesAt(way, at) : [];
    this.#at = at;
    const [only] = entries;
    if (entries.length === 1 && way.name !== 'deploy' && !only.loss) this.#turn.order(only);
    else if (!entries.length && here && here.name !== this.#piece) this.#choosePiece(here.piece);
    else this.draw();
  }

  /** Note where each ship comes to, as the entries say from which its orders were chosen. */
  #noteEnds() {
    for (const { piece } of this.#turn.pieces) {
      if (piece.square) this.#noteEnd(piece.id);
    }
  }

  #noteEnd(ship) {
    const mine = this.#turn.plan.filter((order) => order.ship === ship && (order.t === 'turn' || order.t === 'thrust'));
    const fly = this.#ways(ship)?.find(({ name }) => name === 'fly');
    const entry = fly?.entries.find(({ orders }) => JSON.stringify(orders) === JSON.stringify(mine));
    if (entry) this.#ends.set(ship, entry.at);
  }

  /** Return the ways of the chosen piece alone: no other sheet is asked for to draw. */
  #ways(ship) {
    return ship === this.#piece && this.#turn.isAsked ? this.#turn.waysOf(ship, this.#wish) : null;
  }

  #drawPlan() {
    const { plan, labels, review } = this.#turn;
    const canChange = this.#turn.isAsked && !this.#turn.isLocked;
    const items = plan.map((order, place) => {
      const text = orderLine(order, labels);
      const drop = made('button', { type: 'button', onclick: () => this.#turn.drop(place) }, '✕');
      drop.setAttribute('aria-label', `Take back ${text}`);
      return made('li', {}, made('code', {}, text), ...(canChange ? [' ', drop] : []));
    });
    found('plan').replaceChildren(...(items.length ? items : [made('li', { className: 'none' }, 'No orders.')]));
    found('doubts').textContent = review ? this.#doubts(review) : '';
    found('undo').disabled = !canChange || !this.#turn.canUndo;
    found('lock').disabled = !this.#turn.isAsked;
    found('lock').textContent = this.#lockText();
    found('resign').hidden = found('draw').hidden = found('pause').hidden = Boolean(this.#seat.over);
    found('rematch').hidden = !this.#seat.over;
  }

  /** Say what would be lost, and what is left undone. */
  #doubts({ losses = [], idle = [] }) {
    const undone = idleLines(idle, this.#turn.view.stage.phase, this.#turn.labels);
    return [...losses.map(lossLine), ...undone].join('\n');
  }

  #lockText() {
    if (this.#turn.isLocked || this.#turn.isLocking) return 'Unlock';
    return this.#turn.review ? 'Lock all the same' : 'Lock';
  }

  #pressLock() {
    if (this.#turn.isLocked || this.#turn.isLocking) this.#turn.unlock();
    else this.#turn.lock(Boolean(this.#turn.review));
  }

  #drawBoard(way) {
    const { frame, side } = this.#seat;
    const { view } = frame;
    const colours = palette(isDark());
    const overlay = reachOf(this.#turn.isAsked ? way : null, this.#turn.plan, { view, site: this.#site, ends: this.#ends });
    const sites = sitesOf(view.board);
    const buttons = (sites.length ? [null, ...sites] : []).map((site) =>
      choice(site ? siteName(site) : 'Space', String(site ?? '') === String(this.#site ?? ''), () => this.#goTo(site)),
    );
    replaceChoices('sites', buttons);
    const look = { colours, sides: view.stage.sides ?? [side], chosen: this.#piece, overlay };
    this.#boards.show([{ name: `What ${side} knows`, frame }], this.#site, look);
  }

  #goTo(site) {
    this.#site = site;
    this.#at = null;
    this.draw();
  }

  #tell(lines) {
    const story = found('field-story');
    story.append(...lines.map((line) => made('li', {}, line)));
    while (story.children.length > STORY_MOST) story.firstChild.remove();
    story.lastChild?.scrollIntoView({ block: 'nearest' });
  }

  #talk(event) {
    event.preventDefault();
    const field = found('words');
    if (!field.value.trim()) return;
    this.#speak('chat', { text: field.value });
    field.value = '';
  }

  #resign() {
    if (window.confirm('Give the match up?')) this.#speak('resign');
  }

  #speak(kind, fields) {
    this.#seat.say(kind, fields).catch((error) => this.#say(error.message));
  }
}

/** Put buttons in the place of others; the one that had the focus keeps it. */
function replaceChoices(id, buttons) {
  const group = found(id);
  const focused = [...group.children].indexOf(document.activeElement);
  group.replaceChildren(...buttons);
  if (focused >= 0) group.children[focused]?.focus();
}
