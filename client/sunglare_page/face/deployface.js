// How a ship begins at the square that was picked for it: the way it faces, its vector, and its cloak.

/** @import { Compass, Deploy } from 'wire' */

import { COMPASS } from '../board/geometry.js';
import { made } from './dom.js';

/**
 * How the ship starts, by the word: as the scenario has it, or otherwise.
 * @type {Record<string, {cloaked?: boolean}>}
 */
const STATES = { 'as it comes': {}, cloaked: { cloaked: true }, shown: { cloaked: false } };

/**
 * What is known of the start: `speed` is how far a vector may go in x and in y, `cloaks` whether it may start cloaked, and shown.
 * @typedef {{ship: string, at: [number, number], speed: number, cloaks?: boolean[]}} Begun
 */

/**
 * Return a form for a deployment; `onOrder` hears the order once its button is pressed.
 * @param {Begun} begun
 * @param {(order: Deploy) => void} onOrder
 * @returns {HTMLElement}
 */
export function deployForm({ ship, at, speed, cloaks = [] }, onOrder) {
  const speeds = Array.from({ length: 2 * speed + 1 }, (_, place) => String(place - speed));
  const facing = select('Faces', COMPASS, COMPASS[0]);
  const [east, south] = [select('Moves east', speeds, '0'), select('Moves south', speeds, '0')];
  const states = Object.keys(STATES).filter((word) => cloaks.includes(STATES[word].cloaked ?? cloaks[0]));
  const state = select('Starts', states, states[0]);
  const give = () => {
    const vector = /** @type {[number, number]} */ ([Number(valueOf(east)), Number(valueOf(south))]);
    onOrder({ t: 'deploy', ship, at, vector, facing: /** @type {Compass} */ (valueOf(facing)), ...STATES[valueOf(state)] });
  };
  const button = made('button', { type: 'button', onclick: give }, `Deploy ${ship} at ${at.join(',')}`);
  return made('li', { className: 'form' }, facing, east, south, ...(cloaks.length ? [state] : []), button);
}

/**
 * @param {string} label
 * @param {string[]} values
 * @param {string} chosen
 */
function select(label, values, chosen) {
  const options = values.map((value) => made('option', { value, selected: value === chosen }, value));
  return made('label', {}, `${label} `, made('select', {}, ...options));
}

/** @param {HTMLLabelElement} label */
function valueOf(label) {
  return label.querySelector('select')?.value ?? '';
}
