// An order as the line by which a player gives it in the terminal, as `sunglare_client/verbs/` has
// it; a test compares the two.

/** @import { Cell, Landing, Move, Site, Stand } from 'wire' */
/** @import { Order } from './plan.js' */

import { cellName, spoken } from '../story/words.js';

/**
 * What stands in a line; what is empty is left out.
 * @typedef {string | number | false | null | undefined} Word
 */

/** @typedef {(handle: string | null | undefined) => string} Called says what a foreign piece is called */

/**
 * By kind of order: the verb, and the words after it.
 * @type {{[K in Order['t']]: (order: Extract<Order, {t: K}>, called: Called) => Word[]}}
 */
const LINES = {
  deploy: (order) => [
    'deploy',
    order.ship,
    square(order.at),
    `vector ${square(order.vector ?? [0, 0])} facing ${order.facing ?? 'N'}`,
    order.landed && `landed ${landedText(order.landed)}`,
    order.cloaked != null && (order.cloaked ? 'cloaked' : 'shown'),
  ],
  turn: (order) => ['turn', order.ship, order.steps < 0 ? order.steps : `+${order.steps}`],
  thrust: (order) => (order.to.length ? ['thrust', order.ship, ...order.to] : ['drift', order.ship]),
  power: (order) => ['power', order.ship, switched(order.on), order.ecm != null && `ecm ${switched(order.ecm)}`],
  sensors: (order) => ['sensors', order.ship, order.out ? 'out' : 'in'],
  cloak: (order) => ['cloak', order.ship, switched(order.on)],
  rotate: (order) => ['rotate', order.ship, word(order.turret), order.to],
  land: (order) => ['land', order.ship, word(order.body), order.sector, order.environs, named(order.cell)],
  lift: (order) => ['lift', order.ship],
  launch: (order) =>
    order.at ? ['launch', gun(order), square(order.at), order.cold && 'cold'] : ['launch', order.ship, order.what],
  aim: (order) => ['aim', order.ship, square(order.at)],
  scan: (order) => [
    'scan',
    order.ship,
    order.type,
    order.size,
    typeof order.at === 'string' ? order.at : square(order.at),
    !order.sense && 'nosense',
  ],
  listen: (order) => ['listen', order.ship, switched(order.on ?? true)],
  sweep: (order) => ['sweep', order.ship],
  probe: (order, called) => ['probe', order.ship, called(order.at)],
  fire: (order, called) => ['fire', gun(order), called(order.at) || named(order.point), order.system && spoken(order.system)],
  hold: (order) => ['hold', gun(order)],
  bombard: (order) => ['bombard', gun(order), siteText(order.at), named(order.cell)],
  defend: (order) => ['defend', order.ship, order.policy],
  station: (order) => [
    'station',
    order.ship,
    siteText(order.at),
    named(order.cell),
    order.hidden && 'hidden',
    order.stacked && `with ${order.stacked}`,
  ],
  move: (order) => ['move', order.ship, way(order), order.token && 'token'],
  walk: (order) => ['walk', order.ship, order.environs],
  go_aboard: (order) => ['board', order.ship, order.into],
  step_out: (order) => ['leave', order.ship, order.environs],
  mission: (order, called) => [
    'mission',
    order.ship,
    order.kind,
    called(order.at),
    order.name && word(order.name),
    order.silence && 'silence',
    order.others?.length ? `with ${order.others.join(' ')}` : '',
  ],
  stand: (order) => ['stand', order.strike ? 'side' : order.ship, stances(order)],
  search: (order) => [
    'search',
    order.ship,
    order.leader && `leader ${order.leader}`,
    `strike ${order.strike ?? 'patrol'}`,
  ],
};

/**
 * Return an order as a line; `labels` has what foreign pieces are called by their handles.
 * @param {Order} order
 * @param {Map<string, string>} labels
 * @returns {string}
 */
export function orderLine(order, labels = new Map()) {
  const line = /** @type {(order: Order, called: Called) => Word[]} */ (LINES[order.t]);
  const words = line(order, (handle) => (handle == null ? '' : (labels.get(handle) ?? handle)));
  return words.filter((one) => one !== '' && one !== false && one != null).join(' ');
}

/**
 * Return a name as it is typed: without blanks.
 * @param {string} name
 */
function word(name) {
  return name.replaceAll(' ', '');
}

/** @param {[number, number]} place */
function square([x, y]) {
  return `${x},${y}`;
}

/** @param {Site} site */
function siteText([body, environs]) {
  return `${word(body)} ${environs}`;
}

/** @param {boolean} isOn */
function switched(isOn) {
  return isOn ? 'on' : 'off';
}

/** @param {{ship: string, weapon?: string}} order */
function gun({ ship, weapon = '' }) {
  return `${ship}.${word(weapon)}`;
}

/** @param {Cell | null | undefined} cell */
function named(cell) {
  return cell ? cellName(cell) : '';
}

/** @param {Landing} landing */
function landedText({ body, sector, environs, cell }) {
  return [word(body), environs ?? sector, named(cell)].filter((one) => one !== '').join(' ');
}

/** @param {Move} move */
function way({ path = [], jump, load, unload }) {
  if (load) return `load ${load}`;
  if (unload) return 'unload';
  const cells = path.map(cellName).join(' ');
  return jump ? `jump ${cells}` : cells;
}

/** @param {Stand} stand */
function stances({ bound_for: goal, fight, wounds, hides_by: hides, strike }) {
  return [
    goal != null && `bound for ${word(goal)}`,
    fight && `fight ${fight}`,
    wounds && ['wounds', ...wounds].join(' '),
    hides && `hides by ${hides}`,
    strike && `strike ${strike}`,
  ]
    .filter(Boolean)
    .join(', ');
}
