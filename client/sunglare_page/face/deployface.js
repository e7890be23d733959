// How a ship begins at the square that was picked for it: the way it faces, and its vector.

/** @import { Compass, Deploy } from 'wire' */

import { COMPASS } from '../board/geometry.js';
import { made } from './dom.js';

/**
 * Return a form for a deployment; `onOrder` hears the order once its button is pressed.
 * @param {{ship: string, at: [number, number], speed: number}} begun `speed` is how far a vector may go in x and in y
 * @param {(order: Deploy) => void} onOrder
 * @returns {HTMLElement}
 */
export function deployForm({ ship, at, speed }, onOrder) {
  const speeds = Array.from({ length: 2 * speed + 1 }, (_, place) => String(place - speed));
  const facing = select('Faces', COMPASS, COMPASS[0]);
  const [east, south] = [select('Moves east', speeds, '0'), select('Moves south', speeds, '0')];
  const give = () => {
    const vector = /** @type {[number, number]} */ ([Number(valueOf(east)), Number(valueOf(south))]);
    onOrder({ t: 'deploy', ship, at, vector, facing: /** @type {Compass} */ (valueOf(facing)) });
  };
  const button = made('button', { type: 'button', onclick: give }, `Deploy ${ship} at ${at.join(',')}`);
  return made('li', { className: 'form' }, facing, east, south, button);
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
