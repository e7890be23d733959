// Notices on the desktop that it is one's turn, in matches that take days: asked for once, by a button,
// and shown only while the page is open and out of sight.

import { found } from './dom.js';

const SLOW = 'correspondence';
const TITLE = 'Sunglare: it is your turn';

/** Offer notices in a match on this clock, where the browser has any and was not asked before. */
export function offerNotices(/** @type {string} */ clock) {
  const button = found('notify');
  button.hidden = clock !== SLOW || !('Notification' in window) || Notification.permission !== 'default';
  button.onclick = async () => {
    await Notification.requestPermission();
    button.hidden = true;
  };
}

/**
 * Say that a match waits for its player, who does not look.
 * @param {string} match
 */
export function notify(match) {
  const mayNotify = 'Notification' in window && Notification.permission === 'granted';
  if (mayNotify && document.hidden) new Notification(TITLE, { tag: match });
}
