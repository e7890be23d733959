// The show: one match before its viewers. It knows which step is shown, through whose eyes and
// which map, and has everything drawn and written that follows from these.

/** @import { TruthView, View } from 'wire' */
/** @import { Look } from './face/palette.js' */
/** @import { Moment as Wish } from './watch/fragment.js' */
/** @import { Held } from './watch/knowledge.js' */
/** @import { Match, Sight } from './watch/match.js' */
/** @import { Moment } from './watch/moments.js' */

import { marksOf } from './board/marks.js';
import { sitesOf } from './board/surface.js';
import { AnalysisFace } from './face/analysisface.js';
import { Boards } from './face/boards.js';
import { choice, found, replaceInside } from './face/dom.js';
import { palette } from './face/palette.js';
import { tellKnowledge, tellPieces, tellStory } from './face/panels.js';
import { pillText } from './face/pill.js';
import { isDark } from './face/theme.js';
import { beginTimebar, tellTime } from './face/timebar.js';
import { printable, siteName } from './story/words.js';
import { writeFragment } from './watch/fragment.js';
import { knowledgeOf } from './watch/knowledge.js';
import { PUBLIC, TRUTH } from './watch/match.js';
import { momentsOf, nextMoment } from './watch/moments.js';
import { Player, turnBeside } from './watch/player.js';

/** The eyes of all sides at once, on boards side by side. */
const ALL = 'all';

/** Shows one match at a time. */
export class Show {
  #boards = new Boards();
  #player = new Player(() => this.draw());
  #analysis = new AnalysisFace(() => this.draw());
  /** @type {Match | null} */
  #match = null;
  #eyes = PUBLIC;
  #place = '';
  /** @type {string | null} */
  #chosen = null;
  /** @type {Moment[]} */
  #moments = [];
  /** @type {Record<string, (Held | null)[]>} */
  #knowledge = {};
  #told = '';
  /** @type {Wish | null} */
  #wish = null;
  #code = '';

  /** Whether it comes from a server, and whether the line to that stands. */
  isLive = false;
  isUp = true;

  /**
   * @param {object} ears
   * @param {(fragment: string, match: string, turn: number, code: string) => void} ears.onMoment called for each moment shown
   * @param {() => void} ears.onFault called when a moment of a file makes no sense
   */
  constructor({ onMoment, onFault }) {
    this.onMoment = onMoment;
    this.onFault = onFault;
    beginTimebar(this.#player, () => this.#moments);
    new ResizeObserver(() => this.draw()).observe(found('moments'));
  }

  get match() {
    return this.#match;
  }

  get #steps() {
    return this.#match?.steps ?? [];
  }

  get isPlaying() {
    return this.#player.isPlaying;
  }

  /**
   * Show a match, at a moment if one is wished for.
   * @param {Match} match
   * @param {Wish} wish
   * @param {boolean} isLive
   */
  open(match, wish, isLive) {
    this.#player.pause();
    const isOther = this.#match?.id !== match.id;
    this.#match = match;
    this.isLive = isLive;
    this.isUp = true;
    if (isOther) Object.assign(this.#player, { index: 0 });
    this.#wish = wish;
    this.#code = wish.code ?? '';
    this.#place = wish.place;
    this.#eyes = wish.eyes || (isOther ? '' : this.#eyes);
    this.#player.isFollowing = isLive && !wish.window;
    found('show').hidden = false;
    found('share').hidden = false;
    found('title').textContent = titleOf(match);
    this.refresh();
  }

  close() {
    // Before the player draws once more, which would write the old moment over the new address.
    this.#match = null;
    this.#player.pause();
    for (const id of ['show', 'share', 'save', 'pill']) found(id).hidden = true;
  }

  /** Note that the match has grown. */
  refresh() {
    if (!this.#match?.steps.length) return;
    this.#player.grow(this.#match.steps.length);
    this.#moments = momentsOf(this.#match);
    this.#knowledge = knowledgeOf(this.#match);
    const wanted = this.#wish?.window ? this.#match.indexOf(this.#wish.window) : -1;
    if (wanted >= 0) {
      this.#wish = null;
      this.#player.go(wanted);
    } else this.draw();
  }

  play() {
    this.#player.play();
  }

  /** Return what a key does, by its name. */
  get keys() {
    const player = this.#player;
    const numbers = Object.fromEntries(
      ['1', '2', '3', '4', '5', '6', '7'].map((key, index) => [key, () => this.#look(this.#choices[index]?.eyes)]),
    );
    return this.#whileShown({
      ...numbers,
      ' ': () => player.toggle(),
      ArrowLeft: () => player.go(player.index - 1),
      ArrowRight: () => player.go(player.index + 1),
      'Shift+ArrowLeft': () => player.go(turnBeside(this.#steps, player.index, -1)),
      'Shift+ArrowRight': () => player.go(turnBeside(this.#steps, player.index, 1)),
      '[': () => player.go(nextMoment(this.#moments, player.index, -1)),
      ']': () => player.go(nextMoment(this.#moments, player.index, 1)),
      Home: () => player.go(0),
      End: () => player.go(player.last),
      '+': () => player.hurry(1),
      '-': () => player.hurry(-1),
      z: () => this.#boards.zoom(1.5),
      x: () => this.#boards.zoom(1 / 1.5),
      n: () => this.#chooseNext(),
      m: () => this.#analysis.toggle('spots'),
      b: () => this.#analysis.toggle('scans'),
    });
  }

  draw() {
    try {
      this.#drawMoment();
    } catch (error) {
      // A file may hold anything; what a server sends is as it should be, or we have a fault.
      if (this.isLive) throw error;
      this.onFault();
    }
  }

  #drawMoment() {
    const [match, views] = [this.#match, this.#views()];
    if (!match || !views.length) return;
    const shown = views[0];
    /** @type {Look} */
    const look = {
      colours: palette(isDark()),
      sides: match.sides,
      chosen: this.#chosen,
      overlay: this.#analysis.show(match, shown, this.#site(shown.frame.view)),
    };
    this.#drawChoices(shown.frame.view);
    this.#boards.show(views, this.#site(shown.frame.view), look);
    tellTime(match, this.#player, this.#moments, look.colours);
    tellKnowledge(this.#knowledge, this.#player.index, look);
    this.#tell(match, views);
    this.onMoment(this.fragment(shown), match.id, match.steps[shown.index].turn, this.#code);
  }

  /**
   * Return the fragment of the moment that is shown.
   * @param {Sight | undefined} shown
   */
  fragment(shown = this.#views()[0]) {
    const isNewest = this.isLive && this.#player.isFollowing;
    const window = isNewest || !shown ? '' : this.#steps[this.#player.index].window;
    return writeFragment({ match: this.#match?.id, code: this.#code, window, eyes: this.#eyes, place: this.#place });
  }

  /**
   * Write story and pieces only if there is something new, or screen readers would say it again.
   * @param {Match} match
   * @param {Sight[]} views
   */
  #tell(match, views) {
    const [shown] = views;
    const step = match.steps[shown.index];
    const key = JSON.stringify([match.id, step.window, this.#eyes, match.newsOf(step).length, Boolean(match.over)]);
    if (key !== this.#told) tellStory(match, views);
    this.#told = key;
    tellPieces(shown.frame.view, this.#chosen, (name) => this.#choose(name));
    const now = { isLive: this.isLive, isUp: this.isUp, isOver: Boolean(match.over), isAtEnd: this.#player.isAtEnd };
    const newest = match.steps[match.steps.length - 1].turn;
    found('pill').hidden = false;
    found('pill').textContent = pillText({ ...now, turn: step.turn, newest });
  }

  /**
   * Return what is to be shown: the frames of the eyes that look, with their names.
   * @returns {Sight[]}
   */
  #views() {
    const match = this.#match;
    if (!match?.steps.length) return [];
    const layers = match.layers;
    if (this.#eyes !== ALL && !layers.includes(this.#eyes)) this.#eyes = layers[0];
    const eyes = this.#eyes === ALL ? sidesOf(match) : [this.#eyes];
    return eyes.flatMap((layer) => {
      const shown = match.shownAt(layer, this.#player.index);
      return shown ? [{ ...shown, layer, name: nameOf(layer, match) }] : [];
    });
  }

  get #choices() {
    return this.#match ? choicesOf(this.#match) : [];
  }

  /** @param {View | TruthView} view */
  #drawChoices(view) {
    const eyes = this.#choices.map(({ eyes, text }, index) =>
      choice(`${index + 1} ${text}`, eyes === this.#eyes, () => this.#look(eyes)),
    );
    replaceInside(found('eyes'), eyes);
    const sites = sitesOf(view.board).map(siteName);
    const places = sites.length ? ['', ...sites] : [];
    const buttons = places.map((place) => choice(place || 'Space', place === this.#place, () => this.#goTo(place)));
    replaceInside(found('places'), buttons);
  }

  /** @param {View | TruthView} view */
  #site(view) {
    return sitesOf(view.board).find((site) => siteName(site) === this.#place) ?? null;
  }

  /** @param {string | undefined} eyes */
  #look(eyes) {
    if (!eyes) return;
    this.#eyes = eyes;
    this.draw();
  }

  /** @param {string} place */
  #goTo(place) {
    this.#place = place;
    this.draw();
  }

  /** @param {string} name */
  #choose(name) {
    this.#chosen = this.#chosen === name ? null : name;
    const mark = marksOf(this.#views()[0].frame.view).find((one) => one.name === this.#chosen);
    if (mark && !this.#place) this.#boards.look(mark.square);
    this.draw();
  }

  #chooseNext() {
    const names = marksOf(this.#views()[0].frame.view).map(({ name }) => name);
    if (names.length) this.#choose(names[(names.indexOf(this.#chosen ?? '') + 1) % names.length]);
  }

  /**
   * @param {Record<string, () => void>} actions
   * @returns {Record<string, () => void>}
   */
  #whileShown(actions) {
    const guarded = Object.entries(actions).map(([key, act]) => [key, () => this.#steps.length && act()]);
    return Object.fromEntries(guarded);
  }
}

/**
 * Return the sides through whose eyes one can look.
 * @param {Match} match
 */
function sidesOf(match) {
  return match.layers.filter((layer) => layer !== TRUTH && layer !== PUBLIC);
}

/**
 * Return the eyes one can look through: truth, sides, public, all sides side by side.
 * @param {Match} match
 */
function choicesOf(match) {
  const single = match.layers.map((eyes) => ({ eyes, text: nameOf(eyes, match) }));
  return sidesOf(match).length > 1 ? [...single, { eyes: ALL, text: 'Side by side' }] : single;
}

/**
 * @param {string} layer
 * @param {Match} match
 */
function nameOf(layer, match) {
  if (layer === TRUTH) return 'Truth';
  if (layer === PUBLIC) return 'Public';
  return match.names[layer] ? printable(`${layer} ${match.names[layer]}`) : layer;
}

/** @param {Match} match */
function titleOf(match) {
  return printable(match.scenario.replaceAll('-', ' ')) || 'A match';
}
