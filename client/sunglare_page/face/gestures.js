// Fingers on a board: a long press, two that pinch or pan, and which clicks are the end of one of these. One finger alone
// scrolls the page, as everywhere.

/** @import { Point } from './layout.js' */

/** A finger that rests so long asks what lies there. */
const HOLD_MS = 500;

/** A finger that moves farther, in CSS pixels, does not rest. */
const STILL_PX = 10;

/**
 * Hears of gestures: of the point at which a finger or the other button of the mouse rests, and of two fingers that move:
 * the point between them, how far that has moved, and how many times as far apart they are.
 * @typedef {object} Ears
 * @property {(at: Point) => void} onHold
 * @property {(at: Point, moved: Point, factor: number) => void} onPinch
 */

/** Hears the gestures on one canvas. */
export class Gestures {
  #canvas;
  #ears;
  /** @type {Map<number, Point>} the fingers that touch the canvas, by their pointers */
  #fingers = new Map();
  /** @type {Point} where the first finger came down */
  #start = [0, 0];
  /** @type {number | undefined} */
  #timer;
  #isGesture = false;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Ears} ears
   */
  constructor(canvas, ears) {
    this.#canvas = canvas;
    this.#ears = ears;
    canvas.addEventListener('pointerdown', (event) => this.#down(event));
    canvas.addEventListener('pointermove', (event) => this.#move(event));
    for (const kind of /** @type {const} */ (['pointerup', 'pointercancel'])) {
      canvas.addEventListener(kind, (event) => this.#up(event));
    }
    canvas.addEventListener('contextmenu', (event) => this.#menu(event));
    // Of two fingers the browser would scroll or enlarge the page.
    canvas.addEventListener('touchstart', (event) => event.touches.length > 1 && event.preventDefault(), { passive: false });
    canvas.addEventListener('touchmove', (event) => event.touches.length > 1 && event.preventDefault(), { passive: false });
  }

  /** Whether the click that comes now only ends a gesture. */
  get isGesture() {
    return this.#isGesture;
  }

  /** @param {PointerEvent} event */
  #down(event) {
    const at = this.#placeOf(event);
    if (!this.#fingers.size) {
      this.#isGesture = false;
      this.#start = at;
    }
    if (event.pointerType === 'mouse') return;
    this.#fingers.set(event.pointerId, at);
    clearTimeout(this.#timer);
    if (this.#fingers.size === 1) this.#timer = setTimeout(() => this.#hold(at), HOLD_MS);
    else this.#isGesture = true;
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const at = this.#placeOf(event);
    if (event.buttons && distance(at, this.#start) > STILL_PX) {
      clearTimeout(this.#timer);
      this.#isGesture = true;
    }
    const before = [...this.#fingers.values()];
    if (!this.#fingers.has(event.pointerId)) return;
    this.#fingers.set(event.pointerId, at);
    if (before.length === 2) this.#pinch(before, [...this.#fingers.values()]);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    clearTimeout(this.#timer);
    this.#fingers.delete(event.pointerId);
  }

  /** @param {MouseEvent} event */
  #menu(event) {
    event.preventDefault();
    clearTimeout(this.#timer);
    this.#hold(this.#placeOf(event));
  }

  /** @param {Point} at */
  #hold(at) {
    this.#isGesture = true;
    this.#ears.onHold(at);
  }

  /**
   * @param {Point[]} before
   * @param {Point[]} after
   */
  #pinch(before, after) {
    const [from, to] = [middle(before), middle(after)];
    const factor = distance(after[0], after[1]) / Math.max(1, distance(before[0], before[1]));
    this.#ears.onPinch(to, [to[0] - from[0], to[1] - from[1]], factor);
  }

  /**
   * Return where on the canvas an event is; a finger that has left it is outside.
   * @param {MouseEvent} event
   * @returns {Point}
   */
  #placeOf({ clientX, clientY }) {
    const { left, top } = this.#canvas.getBoundingClientRect();
    return [clientX - left, clientY - top];
  }
}

/**
 * @param {Point} one
 * @param {Point} other
 */
function distance(one, other) {
  return Math.hypot(one[0] - other[0], one[1] - other[1]);
}

/**
 * @param {Point[]} points two of them
 * @returns {Point}
 */
function middle([one, other]) {
  return [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];
}
