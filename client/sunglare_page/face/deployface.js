// How a ship begins at the square that was picked for it: the way it faces, its vector, and its cloak.

/** @import { Compass, Deploy } from 'wire' */
/** @import { Order } from '../seat/plan.js' */
/** @import { Entry } from '../seat/ways.js' */

import { COMPASS } from '../board/geometry.js';
import { made } from './dom.js';

/**
 * How the ship starts, by the word: as the scenario has it, or otherwise.
 * @type {Record<string, {cloaked?: boolean}>}
 */
const STATES = { 'as it comes': {}, cloaked: { cloaked: true }, shown: { cloaked: false } };

/**
 * A deployment as it is so far: `speed` is how far a vector may go in x and in y, `cloaks` whether the ship may start
 * cloaked, and shown.
 * @typedef {{order: Deploy, speed: number, cloaks?: boolean[]}} Begun
 */

/**
 * Return the deployment that stands in a plan for the place of an entry, or else the one of the entry.
 * @param {Order[]} plan
 * @param {Entry} entry
 */
export function deployOf(plan, { orders: [begun], at }) {
  const given = plan.find(
    (order) => order.t === 'deploy' && order.ship === begun.ship && String(order.at) === String(at) && !order.landed,
  );
  return /** @type {Deploy} */ (given ?? begun);
}

/**
 * Return a form for a deployment; `onOrder` hears the order once its button is pressed.
 * @param {Begun} begun
 * @param {(order: Deploy) => void} onOrder
 * @returns {HTMLElement}
 */
export function deployForm({ order: { ship, at, ...begun }, speed, cloaks = [] }, onOrder) {
  const speeds = Array.from({ length: 2 * speed + 1 }, (_, place) => String(place - speed));
  const [x, y] = begun.vector ?? [0, 0];
  const facing = select('Faces', COMPASS, begun.facing ?? COMPASS[0]);
  const [east, south] = [select('Moves east', speeds, String(x)), select('Moves south', speeds, String(y))];
  const states = Object.keys(STATES).filter((word) => cloaks.includes(STATES[word].cloaked ?? cloaks[0]));
  const chosen = states.find((word) => STATES[word].cloaked === (begun.cloaked ?? undefined));
  const state = select('Starts', states, chosen ?? states[0]);
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
