// Lines of the story as whole sentences for readers who hear them, as `sunglare_client/text/aloud.py` makes them of the
// same table; a test compares the two.

import table from './spoken.js';

/** @type {[RegExp, string][]} */
const SAID = table.said.map(([what, words]) => [new RegExp(what, 'g'), words]);
const CHAT = new RegExp(table.chat);
const FACING = new RegExp(table.facing, 'g');
const VECTOR = new RegExp(table.vector, 'g');
const SHOUTED = new RegExp(table.shouted, 'g');
const LIST = new RegExp(table.list, 'g');
const SENSORS = new RegExp(table.sensors, 'g');
const GAP = new RegExp(table.gap, 'g');

/** @type {Record<string, string>} */
const COMPASS = table.compass;
/** @type {Record<string, string>} */
const RATINGS = table.ratings;

/**
 * Return a line as a sentence; empty if nothing of it can be said. Chat stays as it is.
 * @param {string} line
 * @returns {string}
 */
export function aloud(line) {
  const chat = CHAT.exec(line);
  if (chat) return `${chat[1]} says: ${chat[2]}`;
  let text = line.trim().replace(FACING, (_, before, word, point) => before + word + COMPASS[point]);
  for (const [what, words] of SAID) text = text.replace(what, words);
  text = text.replace(VECTOR, (_, east, south) => `vector ${signed(east)} and ${signed(south)}`);
  text = text.replace(SHOUTED, (word) => word.toLowerCase()).replace(LIST, ratings);
  text = text.replace(GAP, ', ').split(/\s+/).filter(Boolean).join(' ');
  if (!text) return '';
  const [first] = text;
  return first.toUpperCase() + text.slice(first.length) + (table.ends.includes(text.at(-1) ?? '') ? '' : '.');
}

/** @param {string} part */
function signed(part) {
  return part.replaceAll('+', 'plus ').replaceAll('-', 'minus ');
}

/**
 * Return the ratings of all five sensors in words.
 * @param {string} found
 */
function ratings(found) {
  return ` ${[...found.matchAll(SENSORS)].map(([, kind, rank]) => `${RATINGS[kind]} ${rank}`).join(', ')}`;
}
