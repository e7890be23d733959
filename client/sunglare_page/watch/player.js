// Which step of a match is shown: by hand, by playing on, or always the newest while it is live.

/** @import { Step } from './match.js' */

const STEP_MS = 900;

/** How fast it plays, as a multiple. */
export const SPEEDS = [0.5, 1, 2, 4, 8];

/** Shows one step after the other; `onMove` hears when another one is to be shown. */
export class Player {
  #onMove;
  /** @type {number | undefined} */
  #timer;
  #count = 0;

  /** @param {() => void} onMove */
  constructor(onMove) {
    this.#onMove = onMove;
    this.index = 0;
    this.speed = 1;
    /** Whether the newest step is shown as soon as it comes. */
    this.isFollowing = false;
  }

  get isPlaying() {
    return this.#timer !== undefined;
  }

  get last() {
    return Math.max(0, this.#count - 1);
  }

  get isAtEnd() {
    return this.index >= this.last;
  }

  /**
   * Note how many steps there are by now.
   * @param {number} count
   */
  grow(count) {
    this.#count = count;
    if (this.isFollowing) this.index = this.last;
    this.index = Math.min(this.index, this.last);
  }

  /**
   * Show a step; one that was chosen by hand is not left by what comes.
   * @param {number} index
   */
  go(index) {
    this.index = Math.max(0, Math.min(this.last, index));
    this.isFollowing = this.isAtEnd;
    this.#onMove();
  }

  play() {
    if (this.isPlaying) return;
    if (this.isAtEnd) this.index = 0;
    this.#next();
    this.#onMove();
  }

  pause() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#onMove();
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  /**
   * Choose a speed, that many places faster or slower.
   * @param {number} places
   */
  hurry(places) {
    const at = SPEEDS.indexOf(this.speed) + places;
    this.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at))];
    this.#onMove();
  }

  #next() {
    this.#timer = setTimeout(() => {
      if (this.isAtEnd) this.pause();
      else {
        this.#next();
        this.go(this.index + 1);
      }
    }, STEP_MS / this.speed);
  }
}

/**
 * Return the step at which the turn before or after that of a step begins.
 * @param {Pick<Step, 'turn'>[]} steps
 * @param {number} index
 * @param {number} direction
 */
export function turnBeside(steps, index, direction) {
  const turn = steps[index]?.turn ?? 0;
  if (direction > 0) {
    const next = steps.findIndex((step) => step.turn > turn);
    return next < 0 ? steps.length - 1 : next;
  }
  const start = steps.findIndex((step) => step.turn === turn);
  const goal = start < index ? turn : (steps[start - 1]?.turn ?? turn);
  return Math.max(0, steps.findIndex((step) => step.turn === goal));
}
