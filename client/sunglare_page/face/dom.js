// A little help with elements: found by their ids, and made with what they hold.

/** Return the element with this id. */
export function found(id) {
  return document.getElementById(id);
}

/**
 * Return a new element; what is given as a string becomes text and never markup.
 * @param {string} tag
 * @param {Record<string, unknown>} properties
 * @param {...(Node | string)} children
 */
export function made(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** Return a button of a group of which one is chosen. */
export function choice(text, isChosen, onclick) {
  const button = made('button', { type: 'button', onclick }, text);
  button.setAttribute('aria-pressed', String(isChosen));
  return button;
}

/** Size a canvas to the points of the screen, and return its pen, with which one draws in CSS pixels. */
export function penOf(canvas, width, height) {
  const scale = window.devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const pen = canvas.getContext('2d');
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  return pen;
}
