// A match as it is watched: the windows so far, and for each what every audience was sent at its
// opening. Live feeds and replays fill it alike, in any order; the eyes are the layers it has.

/** @import { Frame, News, Over } from 'wire' */
/** @import { Analysis } from '../replay/analysis.js' */

import { learnLabels } from '../story/story.js';

/** The layer of the whole truth, and that of what is public. */
export const TRUTH = 'omni';
export const PUBLIC = 'public';

const PHASES = ['plot', 'scan', 'detect', 'engage', 'over'];

/** @typedef {Frame | News | Over} Post */

/** @typedef {{frame: Frame, index: number}} Shown what a layer was sent at a step, or last before it */

/** @typedef {Shown & {layer: string, name: string}} Sight */

/**
 * What was sent when a window opened: a frame for each layer, and the news until the next window.
 * @typedef {{window: string, turn: number, frames: Map<string, Frame>, heard: Map<string, News[]>}} Step
 */

/** What is known of one match. */
export class Match {
  /** @type {Step[]} */
  steps = [];
  /** @type {Over | null} */
  over = null;
  /** @type {Map<string, Analysis>} what is known after the end, by window */
  analysis = new Map();
  /** @type {Set<string>} */
  #layers = new Set();
  /** @type {Map<string, Step>} the step of the newest frame of each layer, to which its news belong */
  #newest = new Map();
  /** @type {Map<string, Map<string, string>>} */
  #labels = new Map();
  /** @type {Map<string, Step>} */
  #byWindow = new Map();

  /**
   * @param {string} id
   * @param {string} scenario
   * @param {Record<string, string>} names the players' names by side
   */
  constructor(id, scenario, names) {
    this.id = id;
    this.scenario = scenario;
    this.names = names;
  }

  /**
   * Take a message of a layer: a frame, news, or the end.
   * @param {string} layer
   * @param {Post} message
   */
  take(layer, message) {
    if (message.t === 'frame') this.#takeFrame(layer, message);
    else if (message.t === 'over') this.over = message;
    else if (message.t === 'news') this.#newest.get(layer)?.heard.get(layer)?.push(message);
  }

  /**
   * Return what was said and done from the opening of a step's window to the next one.
   * @param {Step} step
   */
  newsOf(step) {
    return step.heard.get(this.#newsLayer()) ?? [];
  }

  /** Return the layers there are, the truth first, then the sides, then the public. */
  get layers() {
    const sides = [...this.#layers].filter((layer) => layer !== TRUTH && layer !== PUBLIC).sort();
    return [TRUTH, ...sides, PUBLIC].filter((layer) => this.#layers.has(layer));
  }

  /** Return the sides of the match, as far as they are known. */
  get sides() {
    const frame = this.steps.at(-1)?.frames.values().next().value;
    return frame?.view.stage.sides ?? Object.keys(this.names).sort();
  }

  /**
   * Return what a layer was sent at a step or, where that has not come yet, last before it.
   * @param {string} layer
   * @param {number} index
   * @returns {Shown | null}
   */
  shownAt(layer, index) {
    for (let at = Math.min(index, this.steps.length - 1); at >= 0; at -= 1) {
      const frame = this.steps[at].frames.get(layer);
      if (frame) return { frame, index: at };
    }
    return null;
  }

  /**
   * Return what a layer calls the pieces whose handles it has.
   * @param {string} layer
   */
  labelsOf(layer) {
    return this.#labels.get(layer) ?? new Map();
  }

  /**
   * Return the number of the step that opened a window, of a turn alone that of its first, or -1.
   * @param {string} window
   */
  indexOf(window) {
    const turn = /^\d+$/.test(window) ? Number(window) : null;
    return this.steps.findIndex((step) => (turn === null ? step.window === window : step.turn === turn));
  }

  /**
   * @param {string} layer
   * @param {Frame} frame
   */
  #takeFrame(layer, frame) {
    if (!isFrame(frame)) return;
    this.#layers.add(layer);
    const labels = this.labelsOf(layer);
    this.#labels.set(layer, labels);
    learnLabels(frame.view, labels);
    const step = this.#stepOf(frame);
    step.frames.set(layer, frame);
    if (!step.heard.has(layer)) step.heard.set(layer, []);
    this.#newest.set(layer, step);
  }

  /** @param {Frame} frame */
  #stepOf(frame) {
    const known = this.#byWindow.get(frame.window);
    if (known) return known;
    /** @type {Step} */
    const step = { window: frame.window, turn: frame.view.stage.turn, frames: new Map(), heard: new Map() };
    this.#byWindow.set(frame.window, step);
    let place = this.steps.length;
    while (place > 0 && isBefore(frame.window, this.steps[place - 1].window)) place -= 1;
    this.steps.splice(place, 0, step);
    return step;
  }

  /** Return the one layer whose news are shown: they are the same in all, but for those to a seat. */
  #newsLayer() {
    return this.#layers.has(PUBLIC) ? PUBLIC : this.layers[0];
  }
}

/**
 * Return whether a frame has what every frame has; a hostile file may have anything.
 * @param {Frame} frame
 */
function isFrame(frame) {
  const { view } = frame;
  const isBoard = Number(view?.board?.columns ?? 8) <= 26 && Number(view?.board?.rows ?? 8) <= 26;
  return typeof frame.window === 'string' && Number.isInteger(view?.stage?.turn) && Boolean(view.board) && isBoard;
}

/**
 * Return whether a window opened before another one.
 * @param {string} window
 * @param {string} other
 */
function isBefore(window, other) {
  const [here, there] = [placeOf(window), placeOf(other)];
  const differs = here.findIndex((part, index) => part !== there[index]);
  return differs >= 0 && here[differs] < there[differs];
}

/**
 * Return the turn, the phase and the slot of a window as numbers, such as `3.scan.2`.
 * @param {string} window
 */
function placeOf(window) {
  const [turn, phase, slot] = window.split('.');
  return [Number(turn), PHASES.indexOf(phase), Number(slot ?? 0)];
}
