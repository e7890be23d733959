// The compact form of the line: a frame as its changes against the one before it. What an
// edit does depends on what it is applied to: a map, a list, or anything else, which it replaces.

/** @import { Change, Frame, ServerMessage } from 'wire' */

/**
 * What an edit does to a list: places to leave out, then items to put in, then changes of items.
 * @typedef {{'-'?: number[], '+'?: [number, unknown][], '~'?: [number, unknown][]}} ListEdit
 */

/** The last frame of each feed, of which the next change makes another one. */
export class Unfolding {
  /** @type {Map<string, Frame>} */
  #frames = new Map();

  /**
   * Return a message as the map form has it: a change as the frame that it makes.
   * @param {ServerMessage} message
   * @returns {Exclude<ServerMessage, Change>}
   */
  whole(message) {
    if (message.t === 'frame') this.#frames.set(streamOf(message.match, feedOf(message)), message);
    return message.t === 'change' ? this.#made(message) : message;
  }

  /** @param {Change} change */
  #made({ match, feed, seq, on, edit }) {
    const stream = streamOf(match, feed);
    const before = this.#frames.get(stream);
    if (before?.seq !== on) throw new Error(`It changes frame ${on}, which did not come before it.`);
    const frame = /** @type {Frame} */ (folded({ ...before, seq }, edit));
    delete frame.pad;
    this.#frames.set(stream, frame);
    return frame;
  }
}

/**
 * Return what an edit makes of `old`, which stays as it is.
 * @param {unknown} old
 * @param {unknown} edit
 * @returns {unknown}
 */
export function folded(old, edit) {
  if (!isMap(edit) || !(isMap(old) || Array.isArray(old))) return edit;
  if (Object.keys(edit).join() === '=') return edit['='];
  return isMap(old) ? foldedMap(old, edit) : foldedList(old, edit);
}

/**
 * @param {Record<string, unknown>} old
 * @param {Record<string, unknown>} edit
 */
function foldedMap(old, edit) {
  const made = { ...old };
  for (const [key, value] of Object.entries(edit)) {
    if (value === null) delete made[key];
    else made[key] = folded(old[key], value);
  }
  return made;
}

/**
 * @param {unknown[]} old
 * @param {ListEdit} edit
 */
function foldedList(old, edit) {
  const gone = new Set(edit['-'] ?? []);
  const items = old.filter((_, place) => !gone.has(place));
  for (const [place, item] of edit['+'] ?? []) items.splice(place, 0, item);
  for (const [place, change] of edit['~'] ?? []) items[place] = folded(items[place], change);
  return items;
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isMap(value) {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

/** @param {Frame} frame */
function feedOf(frame) {
  return 'audience' in frame.view ? frame.view.audience : 'omni';
}

/**
 * @param {string} match
 * @param {string} feed
 */
function streamOf(match, feed) {
  return `${match} ${feed}`;
}
