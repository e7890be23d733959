// The ways to act with a piece, read from its sheet: each has a name, and entries that a player chooses,
// on the map or as a button. What the server has not listed is not offered; nothing is reckoned here.

/** @import { Cell, ListedShot, ScanPlace, ScanSize, ScanStrength, ScanType } from 'wire' */
/** @import { Sheet, Site, Square, View } from 'wire' */
/** @import { Order } from './plan.js' */

import { boxCentre, boxOf } from '../board/geometry.js';
import { spoken } from '../story/words.js';
import { groundWays, isOnGround } from './groundways.js';
import { orderLine } from './orderline.js';

/**
 * One thing that may be ordered. `at` is its square on the map of space, or its cell on that of `site`; `box` is the name
 * of the box all of whose squares mean it. `loss` says that the piece would be lost, `hits` that it would then hit something,
 * if that only drifts, `learn` what all sides will learn,
 * `speed` how far a deployed ship may move in x and in y, `cloaks` whether it may start cloaked and shown; `more` is smaller
 * print.
 * @typedef {object} Entry
 * @property {string} text
 * @property {Order[]} orders
 * @property {Square | Cell} [at]
 * @property {string} [box]
 * @property {boolean} [loss]
 * @property {boolean} [hits]
 * @property {{piece: string, kinds: string[]}} [instead]
 * @property {string} [learn]
 * @property {number} [speed]
 * @property {boolean[]} [cloaks]
 * @property {string} [more]
 */

/**
 * A way to act: `site` is the surface map on which it is pointed at; `free` makes an entry of any place.
 * @typedef {{name: string, entries: Entry[], site?: Site, free?: (at: Square | Cell) => Entry}} Way
 */

/**
 * What the player has chosen for all ways: the size of a scan, whether it asks for the Sense roll, and what the pieces of
 * others are called.
 * @typedef {{size: ScanSize, isSensing: boolean, labels: Map<string, string>}} Wish
 */

/**
 * The sizes of a scan, the smallest first.
 * @type {ScanSize[]}
 */
export const SIZES = ['1sq', '3sq', '1box', '3box'];

const FLIGHT = ['turn', 'thrust'];

/**
 * Return the ways to act that a sheet has, those on the map first.
 * @param {Sheet} sheet
 * @param {View} view
 * @param {Wish} wish
 */
export function waysOf(sheet, view, wish) {
  /** @type {Way[]} */
  const all = [
    ...deployments(sheet, view),
    ...courses(sheet, wish),
    ...scans(sheet, wish),
    ...shots(sheet, view, wish),
    ...groundWays(sheet, view, wish),
    ...(view.cloak_rules?.cloaks ? hearing(sheet) : []),
    ...missions(sheet, wish),
    ...others(sheet, view, wish),
  ];
  return all.filter(({ entries, free }) => entries.length || free);
}

/**
 * A ship that is deployed faces as it does, if the player wants nothing else.
 * @param {Sheet} sheet
 * @param {View} view
 * @returns {Way[]}
 */
function deployments({ piece, orders = [], deploys = [], deploy_speed: speed = 0 }, { own = [] }) {
  const facing = own.find(({ id }) => id === piece)?.facing;
  const cloaks = orders.flatMap((order) => (order.t === 'deploy' && order.cloaked != null ? [order.cloaked] : []));
  return [
    {
      name: 'deploy',
      entries: deploys.map((at) => ({
        text: '',
        at,
        speed,
        cloaks,
        orders: [{ t: 'deploy', ship: piece, at, facing }],
        instead: { piece, kinds: FLIGHT },
      })),
    },
  ];
}

/**
 * @param {Sheet} sheet
 * @param {Wish} wish
 * @returns {Way[]}
 */
function courses({ piece, courses: ends = [], heard = [] }, { labels }) {
  const instead = { piece, kinds: FLIGHT };
  const entries = ends.map((end) => {
    const chance = heard[end.thrust ?? 0];
    const gives = Object.entries(end.signatures ?? {}).map(([type, strength]) => `${spoken(type)} ${strength}`);
    const fate = FATES[end.fate ?? 'in_play'];
    const hits = Object.entries(end.fire ?? {}).map(([at, mean]) => `${labels.get(at) ?? at} for ${mean / 100}`);
    const fire = hits.length && `would hit ${hits.join(', ')} if that drifts`;
    const words = [`faces ${end.facing}`, `thrust ${end.thrust ?? 0}`, fire, chance && `heard ${chance} % at most`, fate];
    const loss = end.fate !== undefined && end.fate !== 'in_play';
    const more = gives.length ? `gives off ${gives.join(', ')}` : '';
    const text = words.filter(Boolean).join(' · ');
    return { text, more, at: end.to, orders: end.orders ?? [], instead, loss, hits: hits.length > 0 };
  });
  return [{ name: 'fly', entries }];
}

/** @type {Record<string, string>} */
const FATES = { destroyed: 'CRASHES', escaped: 'LEAVES THE MAP' };

/**
 * @param {Sheet} sheet
 * @param {Wish} wish
 * @returns {Way[]}
 */
function scans({ piece, scans: strengths = [], places = [] }, { size, isSensing }) {
  const types = [...new Set(strengths.map(({ type }) => type))];
  return types.map((type) => {
    const mine = strengths.filter((one) => one.type === type && one.size === size);
    const entries = places
      .filter((place) => place.size === size)
      .map((place) => scanAt(piece, type, place, mine, isSensing));
    return { name: type, entries };
  });
}

/**
 * @param {string} ship
 * @param {ScanType} type
 * @param {ScanPlace} place
 * @param {ScanStrength[]} strengths
 * @param {boolean} sense
 * @returns {Entry}
 */
function scanAt(ship, type, place, strengths, sense) {
  const { size, at } = place;
  const isHere = (/** @type {ScanStrength} */ one) => one.at != null && String(one.at) === String(at);
  const found = strengths.find(isHere) ?? strengths.find((one) => one.at == null);
  const from = place.glare ? found?.finds_from_in_glare : found?.finds_from;
  const spot = typeof at === 'string' ? { box: at } : { at };
  return {
    ...spot,
    text: `${type} ${size} at ${at} · finds signatures from ${from}${place.glare ? ' · in the GLARE' : ''}`,
    learn: learnt(type, place, found?.gives_away),
    orders: [{ t: 'scan', ship, type, size, at, sense }],
  };
}

/**
 * Return what all sides learn of a scan.
 * @param {ScanType} type
 * @param {ScanPlace} place
 * @param {boolean} [givesAway]
 */
function learnt(type, place, givesAway) {
  const { size, at, glare, from_well: isFrom, touches_well: touches, blocked = [], candidates } = place;
  const answers = [
    glare && 'it touches the sunglare of its ship',
    isFrom && 'its ship stands in a well',
    touches && 'it covers a well or a body',
    blocked.length && `behind ${blocked.map((part) => `${part.planet} ${part.sector}`).join(', ')}`,
  ].filter(Boolean);
  const gives = givesAway ? 'where its ship is' : `its ship is on one of ${candidates.at(-1)} squares`;
  return [`${type} ${size} at ${at}`, ...answers, gives].join('; ');
}

/**
 * @param {Sheet} sheet
 * @param {View} view
 * @param {Wish} wish
 * @returns {Way[]}
 */
function shots({ piece, shots: all = [] }, view, { labels }) {
  const weapons = [...new Set(all.map(({ weapon }) => weapon))];
  const single = weapons.map((weapon) => ({
    name: `fire ${weapon}`,
    entries: all.filter((shot) => shot.weapon === weapon).map((shot) => shotAt(piece, shot, view, labels)),
  }));
  return [{ name: 'fire all', entries: broadsides(piece, all, view, labels) }, ...single];
}

/**
 * Return the fire of all weapons that bear on a piece, for each on which several do.
 * @param {string} ship
 * @param {ListedShot[]} all
 * @param {View} view
 * @param {Map<string, string>} labels
 * @returns {Entry[]}
 */
function broadsides(ship, all, view, labels) {
  const targets = [...new Set(all.flatMap(({ at }) => at ?? []))];
  return targets.flatMap((at) => {
    const shots = all.filter((shot) => shot.at === at);
    if (shots.length < 2) return [];
    const mean = shots.reduce((sum, shot) => sum + shot.mean_hundredths, 0) / 100;
    const weapons = shots.map(({ weapon }) => weapon);
    const orders = weapons.map((weapon) => /** @type {Order} */ ({ t: 'fire', ship, weapon, at }));
    const text = `${weapons.join(', ')} at ${labels.get(at) ?? at} · ${mean} damage on average`;
    return [{ text, at: squareOf(view, at), orders }];
  });
}

/**
 * @param {string} ship
 * @param {ListedShot} shot
 * @param {View} view
 * @param {Map<string, string>} labels
 * @returns {Entry}
 */
function shotAt(ship, shot, view, labels) {
  const { weapon, at, arc, range, relation, mean_hundredths: mean } = shot;
  const bearing = [arc && `${spoken(arc)} arc`, `range ${range}`, relation && spoken(relation)].filter(Boolean);
  const aimed = `${labels.get(at ?? '') ?? at} · ${bearing.join(', ')} · ${mean / 100} damage on average`;
  return {
    text: `${weapon} at ${at == null ? 'all ahead' : aimed}`,
    at: squareOf(view, at),
    orders: [{ t: 'fire', ship, weapon, ...(at == null ? {} : { at }) }],
  };
}

/**
 * Return where a piece that is held stands, if that is known.
 * @param {View} view
 * @param {string | null} [handle]
 */
function squareOf(view, handle) {
  return handle == null ? undefined : view.contacts?.find((contact) => contact.handle === handle)?.square;
}

/**
 * @param {Sheet} sheet
 * @returns {Way[]}
 */
function hearing({ piece, listen, sweep }) {
  /** @type {Entry[]} */
  const entries = [];
  if (listen) {
    const chances = (listen.hundredths ?? []).map((chance, index) => `${chance} % at thrust ${index + 1}`);
    const text = `listen · a cloaked ship is heard with ${chances.join(', ') || 'no chance'}`;
    entries.push({ text, orders: [{ t: 'listen', ship: piece }] });
  }
  if (sweep) {
    const text = 'sweep · finds the nearest cloaked ship in sight for certain';
    const learn = `where ${piece} is, and that it sweeps`;
    entries.push({ text, learn, orders: [{ t: 'sweep', ship: piece }] });
  }
  return [{ name: 'listen or sweep', entries }];
}

/**
 * @param {Sheet} sheet
 * @param {Wish} wish
 * @returns {Way[]}
 */
function missions({ piece, steps = [], missions: all = [], search }, { labels }) {
  /** @type {Entry[]} */
  const walks = steps.map(({ order, anew = [] }) => {
    const seen = anew.length ? `detected by it: ${anew.join(', ')}` : 'nobody new is detected';
    return { text: `${orderLine(order, labels)} · ${seen}`, orders: [order] };
  });
  const sent = all.map(({ order, hundredths }) => ({
    text: `${orderLine(order, labels)} · ${hundredths} %`,
    orders: [order],
    isGroup: Boolean(order.others?.length),
  }));
  /** @type {Entry[]} */
  const searches = search
    ? [{ text: `search · ${search.least} to ${search.most} %`, orders: [{ t: 'search', ship: piece }] }]
    : [];
  return [
    { name: 'step', entries: walks },
    { name: 'mission', entries: sent.filter(({ isGroup }) => !isGroup) },
    { name: 'mission of a group', entries: sent.filter(({ isGroup }) => isGroup) },
    { name: 'search', entries: searches },
  ];
}

/**
 * What a sheet has of orders alone. A launch at a square, and the aim of a volley, stand for those to all its squares.
 * @param {Sheet} sheet
 * @param {View} view
 * @param {Wish} wish
 * @returns {Way[]}
 */
function others({ orders = [], aims = [], remotes = 0 }, view, { labels }) {
  /** @type {Map<string, Way>} */
  const sent = new Map();
  /** @type {Entry[]} */
  const probes = [];
  /** @type {Entry[]} */
  const rest = [];
  for (const order of orders) {
    if (isOnGround(order) || isOfHearing(order, view) || (order.t === 'deploy' && order.cloaked != null)) continue;
    if (order.t === 'probe') probes.push(plain(order, labels, squareOf(view, order.at)));
    else if (order.t === 'aim' || (order.t === 'launch' && order.at)) {
      const name = order.t === 'aim' ? 'aim' : `launch ${order.weapon}${order.cold ? ' cold' : ''}`;
      if (!sent.has(name)) sent.set(name, { name, entries: aims.map((at) => plain({ ...order, at }, labels, at)) });
    } else if (order.t === 'launch' && order.what === 'remote') rest.push(...launches(order, remotes, labels));
    else rest.push(plain(order, labels));
  }
  return [...sent.values(), { name: 'probe', entries: probes }, { name: 'other orders', entries: rest }];
}

/**
 * Return whether an order stands among those of hearing, or is of no use as no class has a cloak.
 * @param {Order} order
 * @param {View} view
 */
function isOfHearing(order, view) {
  return order.t === 'sweep' || (order.t === 'listen' && (order.on !== false || !view.cloak_rules?.cloaks));
}

/**
 * Return an entry for each number of remote sensors, which take an order each.
 * @param {Order} order
 * @param {number} most
 * @param {Map<string, string>} labels
 * @returns {Entry[]}
 */
function launches(order, most, labels) {
  return Array.from({ length: most }, (_, before) => ({
    text: before ? `${orderLine(order, labels)} ${before + 1}` : orderLine(order, labels),
    orders: Array(before + 1).fill(order),
  }));
}

/**
 * @param {Order} order
 * @param {Map<string, string>} labels
 * @param {Square} [at]
 * @returns {Entry}
 */
function plain(order, labels, at) {
  return { text: orderLine(order, labels), orders: [order], ...(at ? { at } : {}) };
}

/**
 * Return the entries of a way that a place means: a square of space, or a cell of its surface map.
 * @param {Way} way
 * @param {Square | Cell} at
 * @returns {Entry[]}
 */
export function entriesAt(way, at) {
  const found = way.entries.filter((entry) =>
    entry.box ? entry.box === boxOf(at) : entry.at && entry.at[0] === at[0] && entry.at[1] === at[1],
  );
  return found.length || !way.free ? found : [way.free(at)];
}

/**
 * Return whether a way is pointed at on a map rather than chosen from a list.
 * @param {Way} way
 */
export function isOnMap(way) {
  return Boolean(way.free) || way.entries.some((entry) => entry.at || entry.box);
}

/**
 * Return whether a way has an entry at a place; one for a box has it in the middle of that alone.
 * @param {Way} way
 * @param {Square | Cell} at
 */
export function marks({ entries }, at) {
  return entries.some((entry) => String(entry.box ? boxCentre(entry.box) : entry.at) === String(at));
}

/**
 * Return the entries of a way that no place means.
 * @param {Way} way
 */
export function looseOf({ entries }) {
  return entries.filter((entry) => !entry.at && !entry.box);
}
