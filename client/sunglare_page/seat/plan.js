// The orders of a window before it closes: given, replaced by others about the same, taken back. As
// `sunglare_client/terminal/staging.py`.

/** @typedef {NonNullable<import('wire').GiveOrders['orders']>[number]} Order */

/** Steps of an agent follow one another; none replaces the one before. */
const STEPS = ['walk', 'go_aboard', 'step_out'];

/**
 * Orders of one kind: a weapon is fired, held or bombards, and a ship listens or sweeps.
 * @type {Record<string, string>}
 */
const KINDS = { hold: 'fire', bombard: 'fire', sweep: 'listen' };

/**
 * Return what there may be one of for a ship, besides the kind: a turret, a weapon, a launcher.
 * @param {Order} order
 */
function partOf(order) {
  if (order.t === 'rotate') return order.turret;
  if (order.t === 'launch') return order.weapon || order.what;
  return 'weapon' in order ? order.weapon : '';
}

/**
 * Return what an order is about, which another order about the same takes the place of.
 * @param {Order} order
 */
function subjectOf(order) {
  return [KINDS[order.t] ?? order.t, order.ship, partOf(order)].join(' ');
}

/**
 * Return the plan with new orders, each in the place of the one about the same; they may do away
 * with kinds of orders of their piece as well, as a course does with `turn` and `thrust`.
 * @param {Order[]} plan
 * @param {Order[]} orders
 * @param {{piece: string, kinds: string[]} | null} instead
 * @returns {Order[]}
 */
export function added(plan, orders, instead = null) {
  const subjects = orders.map(subjectOf);
  const isReplaced = (/** @type {Order} */ order) =>
    (instead !== null && order.ship === instead.piece && instead.kinds.includes(order.t)) ||
    (!STEPS.includes(order.t) && subjects.includes(subjectOf(order)));
  return [...plan.filter((order) => !isReplaced(order)), ...orders];
}

/**
 * Return the plan without the order at this place.
 * @param {Order[]} plan
 * @param {number} place
 */
export function without(plan, place) {
  return plan.filter((_, index) => index !== place);
}

/**
 * Return the pieces that have orders.
 * @param {Order[]} plan
 */
export function busyIn(plan) {
  return new Set(plan.flatMap((order) => [order.ship, ...((order.t === 'mission' && order.others) || [])]));
}
