// The match in which the players of the one that is shown meet again, offered as a link.

import { writeFragment } from '../watch/fragment.js';
import { found } from './dom.js';

const REMATCH = 'rematch ';

/** Return the match that a post names as the rematch; an empty text for any other post. */
export function rematchIn(post) {
  const isTold = post.t === 'news' && post.kind === 'server' && post.text?.startsWith(REMATCH);
  return isTold ? post.text.slice(REMATCH.length) : '';
}

/** Offer that match, or none; a private one has the code of the one before. */
export function offerAgain(match, code) {
  found('again').hidden = !match;
  found('again-link').href = match ? writeFragment({ match, code, window: '', eyes: '', place: '' }) : '';
}
