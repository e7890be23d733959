// A little help with elements: found by their ids, and made with what they hold.

/** @typedef {CanvasRenderingContext2D} Pen */

/**
 * The elements of `index.html` by their ids, those that are more than plain ones by name.
 * @typedef {{
 *   'account-file': HTMLInputElement,
 *   'again-link': HTMLAnchorElement,
 *   'bot-level': HTMLSelectElement,
 *   'bot-name': HTMLSelectElement,
 *   file: HTMLInputElement,
 *   link: HTMLInputElement,
 *   log: HTMLAnchorElement,
 *   lock: HTMLButtonElement,
 *   moments: HTMLCanvasElement,
 *   more: HTMLButtonElement,
 *   'more-ranks': HTMLButtonElement,
 *   'glimpse-board': HTMLCanvasElement,
 *   grantee: HTMLInputElement,
 *   'grant-feed': HTMLSelectElement,
 *   'new-name': HTMLInputElement,
 *   'onward-line': HTMLInputElement,
 *   record: HTMLAnchorElement,
 *   save: HTMLAnchorElement,
 *   scenario: HTMLInputElement,
 *   scrub: HTMLInputElement,
 *   sense: HTMLInputElement,
 *   undo: HTMLButtonElement,
 *   words: HTMLInputElement,
 *   [id: string]: HTMLElement,
 * }} Elements
 */

const FOCUSED = 'button, input, select';

/**
 * Return the element with this id, which must be there.
 * @template {string} I
 * @param {I} id
 */
export function found(id) {
  return /** @type {Elements[I]} */ (document.getElementById(id));
}

/**
 * Move the focus to the first of some elements inside another one, if there is any.
 * @param {Element} group
 * @param {string} selector
 */
export function focusInside(group, selector) {
  /** @type {HTMLElement | null} */
  const element = group.querySelector(selector);
  element?.focus();
}

/**
 * Put elements in the place of those that a group has. What was pressed or chosen there has the focus; what now stands at
 * its place keeps that, or else one would have to come back from the top of the page.
 * @param {HTMLElement} group
 * @param {Node[]} elements
 */
export function replaceInside(group, elements) {
  const before = [...group.querySelectorAll(FOCUSED)].findIndex((one) => one === document.activeElement);
  group.replaceChildren(...elements);
  if (before < 0) return;
  /** @type {NodeListOf<HTMLElement>} */
  const after = group.querySelectorAll(FOCUSED);
  after[Math.min(before, after.length - 1)]?.focus();
}

/**
 * Return a new element; what is given as a string becomes text and never markup.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Partial<HTMLElementTagNameMap[T]>} properties
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function made(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/**
 * Return a button of a group of which one is chosen.
 * @param {string} text
 * @param {boolean} isChosen
 * @param {() => void} onclick
 */
export function choice(text, isChosen, onclick) {
  const button = made('button', { type: 'button', onclick }, text);
  button.setAttribute('aria-pressed', String(isChosen));
  return button;
}

/**
 * Size a canvas to the points of the screen, and return its pen, with which one draws in CSS pixels.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 */
export function penOf(canvas, width, height) {
  const scale = window.devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const pen = contextOf(canvas);
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  return pen;
}

/**
 * Return the pen of a canvas; there is always one of a canvas that has no other kind.
 * @param {HTMLCanvasElement} canvas
 */
export function contextOf(canvas) {
  return /** @type {Pen} */ (canvas.getContext('2d'));
}
