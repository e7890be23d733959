// The match in which the players of the one that is shown meet again, offered as a link.

/** @import { Post } from '../watch/match.js' */

import { writeFragment } from '../watch/fragment.js';
import { found } from './dom.js';

const REMATCH = 'rematch ';

/**
 * Return the match that a post names as the rematch; an empty text for any other post.
 * @param {Post} post
 */
export function rematchIn(post) {
  const text = post.t === 'news' && post.kind === 'server' ? (post.text ?? '') : '';
  return text.startsWith(REMATCH) ? text.slice(REMATCH.length) : '';
}

/**
 * Offer that match, or none; a private one has the code of the one before.
 * @param {string} match
 * @param {string} [code]
 */
export function offerAgain(match, code) {
  found('again').hidden = !match;
  found('again-link').href = match ? writeFragment({ match, code }) : '';
}
