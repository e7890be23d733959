// Who sits in a match, as the page calls them: bots are marked, the server's and others alike.

/** @import { SeatInfo } from 'wire' */

/**
 * Return what a player is called who has this name.
 * @param {string} name
 * @param {boolean} [isBot]
 */
export function nameText(name, isBot) {
  return name && isBot ? `${name} (bot)` : name;
}

/**
 * Return who holds a seat of a match's line, by name; nothing for one that is free.
 * @param {SeatInfo} seat
 */
export function calledIn({ name, state, bot }) {
  return nameText(name ?? '', state === 'bot' || bot);
}
