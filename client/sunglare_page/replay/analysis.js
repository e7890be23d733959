// The layer `analysis` of a replay: what the rules derive from a finished match, window by
// window. As `sunglare_protocol/replay/analysis.py`; what is not as it should be is left out.

/** The name of the layer. */
export const ANALYSIS = 'analysis';

const BASES = ['held', 'lost', 'scan'];
const SIZES = ['1sq', '3sq', '1box', '3box'];
const RUNS_MOST = 20000;
const LISTED_MOST = 400;

/**
 * Where one foreign piece may be, as far as a side knows. `of` is its label, or names its scan.
 * @typedef {{of: string, basis: string, side: string, squares: number[]}} Spot
 */

/**
 * A scan that could have been made; `left` is in how many squares its ship could then be looked for.
 * @typedef {object} BestScan
 * @property {string} ship
 * @property {string} type
 * @property {string} size
 * @property {string | [number, number]} at
 * @property {string[]} found
 * @property {string[]} tracked
 * @property {number} left
 */

/** @typedef {{spots: Map<string, Spot[]>, scans: Map<string, BestScan[]>}} Analysis */

/**
 * Return what the layer says, by window.
 * @param {object[]} messages
 * @returns {Map<string, Analysis>}
 */
export function analysisOf(messages) {
  const told = messages.filter(({ t, window }) => t === ANALYSIS && typeof window === 'string');
  return new Map(
    told.map(({ window, spots, scans }) => [window, { spots: bySide(spots, spotOf), scans: bySide(scans, scanOf) }]),
  );
}

function bySide(lists, read) {
  const entries = lists && typeof lists === 'object' ? Object.entries(lists) : [];
  const good = entries.filter(([, list]) => Array.isArray(list));
  return new Map(good.map(([side, list]) => [side, list.slice(0, LISTED_MOST).flatMap((one) => read(one ?? {}))]));
}

function spotOf({ of, basis, side = '', squares }) {
  const areRuns = Array.isArray(squares) && squares.length <= RUNS_MOST && squares.every(Number.isSafeInteger);
  const isGood = areTexts([of, side]) && BASES.includes(basis) && areRuns;
  return isGood ? [{ of, basis, side, squares }] : [];
}

function scanOf({ ship, type, size, at, found = [], tracked = [], left = 0 }) {
  const isPlace = typeof at === 'string' ? /^[A-Z]\d{1,2}$/.test(at) : Array.isArray(at) && at.every(Number.isSafeInteger);
  const areLists = [found, tracked].every((list) => Array.isArray(list) && areTexts(list));
  const isGood = areTexts([ship, type]) && SIZES.includes(size) && isPlace && areLists && Number.isSafeInteger(left);
  return isGood ? [{ ship, type, size, at, found, tracked, left }] : [];
}

function areTexts(values) {
  return values.every((value) => typeof value === 'string');
}
