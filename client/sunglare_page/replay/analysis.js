// The layer `analysis` of a replay: what the rules derive from a finished match, window by
// window. As `sunglare_protocol/replay/analysis.py`; what is not as it should be is left out.

/** @import { ScanSize, Square } from 'wire' */

/** The name of the layer. */
export const ANALYSIS = 'analysis';

/** @type {unknown[]} */
const BASES = ['held', 'lost', 'scan'];
/** @type {unknown[]} */
const SIZES = ['1sq', '3sq', '1box', '3box'];
const RUNS_MOST = 20000;
const LISTED_MOST = 400;

/**
 * Where one foreign piece may be, as far as a side knows. `of` is its label, or names its scan.
 * @typedef {{of: string, basis: 'held' | 'lost' | 'scan', side: string, squares: number[]}} Spot
 */

/**
 * A scan that could have been made; `left` is in how many squares its ship could then be looked for.
 * @typedef {object} BestScan
 * @property {string} ship
 * @property {string} type
 * @property {ScanSize} size
 * @property {string | Square} at
 * @property {string[]} found
 * @property {string[]} tracked
 * @property {number} left
 */

/** @typedef {{spots: Map<string, Spot[]>, scans: Map<string, BestScan[]>}} Analysis */

/**
 * Return what the layer says, by window.
 * @param {{t?: unknown, window?: unknown, spots?: unknown, scans?: unknown}[]} messages
 * @returns {Map<string, Analysis>}
 */
export function analysisOf(messages) {
  const byWindow = new Map();
  for (const { t, window, spots, scans } of messages) {
    if (t !== ANALYSIS || typeof window !== 'string') continue;
    byWindow.set(window, { spots: bySide(spots, spotOf), scans: bySide(scans, scanOf) });
  }
  return byWindow;
}

/**
 * @template T
 * @param {unknown} lists by side
 * @param {(told: Record<string, unknown>) => T[]} read
 * @returns {Map<string, T[]>}
 */
function bySide(lists, read) {
  const entries = lists && typeof lists === 'object' ? Object.entries(lists) : [];
  const good = entries.filter(([, list]) => Array.isArray(list));
  const readOne = (/** @type {Record<string, unknown> | null} */ one) => read(one ?? {});
  return new Map(good.map(([side, list]) => [side, list.slice(0, LISTED_MOST).flatMap(readOne)]));
}

/** @param {Record<string, unknown>} told */
function spotOf({ of, basis, side = '', squares }) {
  const areRuns = Array.isArray(squares) && squares.length <= RUNS_MOST && squares.every(Number.isSafeInteger);
  const isGood = areTexts([of, side]) && BASES.includes(basis) && areRuns;
  return isGood ? [/** @type {Spot} */ ({ of, basis, side, squares })] : [];
}

/** @param {Record<string, unknown>} told */
function scanOf({ ship, type, size, at, found = [], tracked = [], left = 0 }) {
  const isPlace = typeof at === 'string' ? /^[A-Z]\d{1,2}$/.test(at) : Array.isArray(at) && at.every(Number.isSafeInteger);
  const areLists = [found, tracked].every((list) => Array.isArray(list) && areTexts(list));
  const isGood = areTexts([ship, type]) && SIZES.includes(size) && isPlace && areLists && Number.isSafeInteger(left);
  return isGood ? [/** @type {BestScan} */ ({ ship, type, size, at, found, tracked, left })] : [];
}

/** @param {unknown[]} values */
function areTexts(values) {
  return values.every((value) => typeof value === 'string');
}
