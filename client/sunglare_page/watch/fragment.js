// A shared moment as the fragment of an address: `#m=match&c=code&t=window&w=eyes&v=what`, or a lesson:
// `#l=name`. The code is that of a private match; a fragment is never sent to the server, so it stands in
// no log of a proxy.

/**
 * What is shown: the match, its code if it is private, the window (empty: the newest; a turn alone: its first), whose eyes,
 * and space or a surface map; or a lesson.
 * @typedef {{match: string, code: string, window: string, eyes: string, place: string, lesson: string}} Moment
 */

const SAFE = {
  m: /^[a-z2-7]{26}$/,
  c: /^[a-z2-7-]{1,40}$/i,
  t: /^\d{1,4}(\.[a-z]+(\.\d)?)?$/,
  w: /^[a-zA-Z]{1,8}$/,
  v: /^.{1,60}$/u,
  l: /^[a-z0-9-]{1,40}$/,
};

/**
 * Return what a fragment asks for; whatever is not as it should be is left out.
 * @param {string} fragment
 * @returns {Moment}
 */
export function readFragment(fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const field = (/** @type {keyof typeof SAFE} */ key) => {
    const value = fields.get(key) ?? '';
    return SAFE[key].test(value) ? value : '';
  };
  const [match, code, window, eyes, place, lesson] = /** @type {const} */ (['m', 'c', 't', 'w', 'v', 'l']).map(field);
  return { match, code, window, eyes, place, lesson };
}

/**
 * Return the fragment that asks for a moment.
 * @param {Partial<Moment>} moment
 * @returns {string}
 */
export function writeFragment({ match = '', code = '', window = '', eyes = '', place = '', lesson = '' }) {
  const all = { m: match, c: code, t: window, w: eyes, v: place, l: lesson };
  const fields = Object.entries(all).filter(([, value]) => value);
  return fields.length ? `#${new URLSearchParams(fields)}` : '';
}
