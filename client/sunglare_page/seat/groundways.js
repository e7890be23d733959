// The ways to act on surface maps, as far as a sheet has them: landings and starts on bodies, marches of
// ground units, their attacks, and fire at points.

/** @import { Cell, Deploy, GroundOdds, Land, Move, Sheet, Site, StationReach, View } from 'wire' */
/** @import { Order } from './plan.js' */
/** @import { Entry, Way, Wish } from './ways.js' */

import { orderLine } from './orderline.js';

/** What a start on a body takes the place of. */
const FLIGHT = ['turn', 'thrust', 'sensors'];

/**
 * Return a way for each body, and each map of it, on which a ship may land or start: on a map any cell may be pointed at.
 * @param {Sheet} sheet
 * @param {Wish} wish
 * @returns {Way[]}
 */
function landings({ orders = [] }, { labels }) {
  /** @type {Map<string, Way>} */
  const ways = new Map();
  for (const order of orders) {
    const landing = landingOf(order);
    if (!landing || (order.t !== 'land' && order.t !== 'deploy')) continue;
    const { body, environs } = landing;
    const name = [order.t === 'land' ? 'land' : 'deploy on', body, environs ?? ''].join(' ').trim();
    const way = environs == null ? { name, entries: [] } : landingOn(name, [body, environs], order, labels);
    if (!ways.has(name)) ways.set(name, way);
    const cell = landing.cell ?? undefined;
    ways.get(name)?.entries.push(named(order, labels, cell));
  }
  return [...ways.values()];
}

/**
 * @param {string} name
 * @param {Site} site
 * @param {Land | Deploy} order on the middle of the map
 * @param {Map<string, string>} labels
 * @returns {Way}
 */
function landingOn(name, site, order, labels) {
  const free = (/** @type {Cell} */ cell) => named(onCell(order, cell), labels, cell);
  return { name, site, entries: [], free };
}

/**
 * Return where an order has its ship landed, if it does.
 * @param {Order} order
 */
function landingOf(order) {
  if (order.t === 'deploy') return order.landed;
  return order.t === 'land' ? order : null;
}

/**
 * @param {Land | Deploy} order
 * @param {Cell} cell
 * @returns {Order}
 */
function onCell(order, cell) {
  if (order.t === 'land') return { ...order, cell };
  return order.landed ? { ...order, landed: { ...order.landed, cell } } : order;
}

/**
 * @param {Order} order
 * @param {Map<string, string>} labels
 * @param {Cell} [at]
 * @returns {Entry}
 */
function named(order, labels, at) {
  return { text: orderLine(order, labels), orders: [order], ...(at ? { at } : {}), ...begun(order) };
}

/**
 * A ship that starts on a body begins no course, and keeps its sensors folded.
 * @param {Order} order
 */
function begun({ t, ship }) {
  return t === 'deploy' ? { instead: { piece: ship, kinds: FLIGHT } } : {};
}

/**
 * @param {Sheet} sheet
 * @param {View} view
 * @param {Wish} wish
 * @returns {Way[]}
 */
function attacks({ piece, attacks: all = [] }, view, { labels }) {
  const weapons = [...new Set(all.map(({ weapon }) => weapon))];
  return weapons.map((weapon) => ({
    name: `fire ${weapon}`,
    site: siteOf(view, piece),
    entries: all.filter((odds) => odds.weapon === weapon).map((odds) => attackOn(piece, odds, view, labels)),
  }));
}

/**
 * @param {string} ship
 * @param {GroundOdds} odds
 * @param {View} view
 * @param {Map<string, string>} labels
 * @returns {Entry}
 */
function attackOn(ship, { weapon, at, hundredths, damage }, view, labels) {
  return {
    text: `${weapon} at ${labels.get(at) ?? at} · ${hundredths} % · damage ${damage}`,
    at: cellOf(view, at),
    orders: [{ t: 'fire', ship, weapon, at }],
  };
}

/**
 * Return the surface map on which an own ground unit stands, if it stands on one.
 * @param {View} view
 * @param {string} unit
 */
function siteOf(view, unit) {
  return view.ground?.find(({ id }) => id === unit)?.site ?? undefined;
}

/**
 * @param {View} view
 * @param {string} handle
 */
function cellOf(view, handle) {
  const tokens = (view.surfaces ?? []).flatMap((surface) => surface.tokens ?? []);
  return tokens.find((token) => token.handle === handle)?.cell;
}

/**
 * @param {Sheet} sheet
 * @returns {Way[]}
 */
function bombardments({ piece, bombards = [] }) {
  return bombards.map(({ weapon, at: site, cells = [], hundredths, damage, lands }) => {
    /** @type {(cell: Cell) => Entry} */
    const entry = (cell) => ({
      text: `${weapon} · ${hundredths} % · damage ${damage}${lands ? ` · lands in turn ${lands}` : ''}`,
      at: cell,
      orders: [{ t: 'bombard', ship: piece, weapon, at: site, cell }],
    });
    const where = cells.length ? { entries: cells.map(entry) } : { entries: [], free: entry };
    return { name: `bombard ${weapon} ${site.join(' ')}`, site, ...where };
  });
}

/**
 * Return where a ground unit may start, and how it may march; a walk as a token, and a path with one cell more than the
 * planned one, stand among the sheet's other orders.
 * @param {Sheet} sheet
 * @param {View} view
 * @returns {Way[]}
 */
function marches({ piece, orders = [], stations = [], walks = [], jumps = [] }, view) {
  const site = siteOf(view, piece);
  const paths = orders.flatMap((order) => (order.t === 'move' && order.path?.length ? [order] : []));
  const isExample = (/** @type {Move} */ { path, token }) => Boolean(token) && String(path) === String(walks[0]);
  const tokens = paths.some(isExample) ? walks : [];
  const longer = paths.filter((order) => !isExample(order));
  return [
    ...stations.flatMap((reach) => [station(piece, reach, false), station(piece, reach, true)]),
    { name: 'walk', site, entries: walks.map((path) => march({ t: 'move', ship: piece, path })) },
    { name: 'walk as a token', site, entries: tokens.map((path) => march({ t: 'move', ship: piece, path, token: true })) },
    { name: 'walk on', site, entries: longer.map(march) },
    { name: 'jump', site, entries: jumps.map((cell) => march({ t: 'move', ship: piece, path: [cell], jump: true })) },
  ];
}

/**
 * @param {string} ship
 * @param {StationReach} reach
 * @param {boolean} isHidden
 * @returns {Way}
 */
function station(ship, { at, cells }, isHidden) {
  const [word, hidden] = isHidden ? [' hidden', { hidden: true }] : ['', {}];
  const entries = cells.map((cell) => ({
    text: `start here${word}`,
    at: cell,
    orders: [/** @type {Order} */ ({ t: 'station', ship, at, cell, ...hidden })],
  }));
  return { name: `station ${at.join(' ')}${word}`, site: at, entries };
}

/**
 * @param {Move} order
 * @returns {Entry}
 */
function march(order) {
  const path = order.path ?? [];
  return { text: order.jump ? 'jump' : `walk ${path.length} cells`, at: path.at(-1), orders: [order] };
}

/**
 * @param {Sheet} sheet
 * @param {View} view
 * @param {Wish} wish
 * @returns {Way[]}
 */
function beams({ piece, orders = [] }, view, { labels }) {
  /** @type {Map<string, Way>} */
  const ways = new Map();
  for (const order of orders) {
    if (order.t !== 'fire' || !order.point) continue;
    const name = `fire ${order.weapon}`;
    if (!ways.has(name)) ways.set(name, { name, site: siteOf(view, piece), entries: [] });
    ways.get(name)?.entries.push({ text: orderLine(order, labels), at: order.point, orders: [order] });
  }
  return [...ways.values()];
}

/**
 * Return the ways that a sheet has on surface maps.
 * @param {Sheet} sheet
 * @param {View} view
 * @param {Wish} wish
 * @returns {Way[]}
 */
export function groundWays(sheet, view, wish) {
  return [
    ...landings(sheet, wish),
    ...attacks(sheet, view, wish),
    ...bombardments(sheet),
    ...beams(sheet, view, wish),
    ...marches(sheet, view),
  ];
}

/**
 * Return whether an order of a sheet stands in one of these ways.
 * @param {Order} order
 */
export function isOnGround(order) {
  if (order.t === 'move') return Boolean(order.path?.length);
  return Boolean(landingOf(order)) || (order.t === 'fire' && Boolean(order.point));
}
