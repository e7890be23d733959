// A surface map as a view-model: its terrain, and who stands on each of its cells; for the truth all
// units. As `sunglare_client/map/groundchart.py`, which a test compares.

/** @import { Board, Cell, Environs, GroundView, OwnView, Site, TokenView } from 'wire' */
/** @import { TruthView, UnitPieceView, View } from 'wire' */

import { isInPlay } from './marks.js';

const CELL_INCHES = 2;
const OPEN_GROUND = '.';

/**
 * @typedef {{name: string, what: string, isOwn: boolean, side: string | null, age: number}} Standing
 * @typedef {{at: Cell, terrain: string, standing: Standing[], isLit: boolean}} Place
 * @typedef {{site: Site, environs: Environs, rows: Place[][]}} Surface rows from the north
 */

/**
 * Return the sites of all surface maps of a board.
 * @param {Board} board
 * @returns {Site[]}
 */
export function sitesOf(board) {
  return (board.planets ?? []).flatMap((planet) =>
    (planet.environs ?? []).map((environs) => /** @type {Site} */ ([planet.name, environs.number])),
  );
}

/**
 * Return whether a side has or knows anything that acts on a surface map.
 * @param {View} view
 */
export function hasGround({ ground = [], agents = [], own = [], surfaces = [] }) {
  const isKnown = surfaces.some(({ tokens = [] }) => tokens.length);
  return isKnown || ground.length > 0 || agents.length > 0 || own.some(({ landed }) => landed);
}

/**
 * Return a surface map with the pieces on it; null if there is no such map.
 * @param {View | TruthView} view
 * @param {Site} site
 * @returns {Surface | null}
 */
export function surfaceOf(view, site) {
  const planet = (view.board.planets ?? []).find(({ name }) => name === site[0]);
  const environs = (planet?.environs ?? []).find(({ number }) => number === site[1]);
  if (!environs) return null;
  const columns = Math.floor((environs.width ?? 36) / CELL_INCHES);
  const height = Math.floor((environs.height ?? 24) / CELL_INCHES);
  /** @type {Cell} */
  const middle = [Math.floor(columns / 2), Math.floor(height / 2)];
  const standing = view.t === 'truth' ? trueUnits(view, site) : unitsSeen(view, site, middle);
  const rows = Array.from({ length: height }, (_, north) =>
    Array.from({ length: columns }, (_, column) => placeAt(environs, standing, column, height - 1 - north, north)),
  );
  return { site, environs, rows };
}

/**
 * @returns {Place}
 * @param {Environs} environs
 * @param {Map<string, Standing[]>} standing
 * @param {number} column
 * @param {number} row
 * @param {number} north
 */
function placeAt(environs, standing, column, row, north) {
  const terrain = environs.terrain?.[north]?.[column] ?? OPEN_GROUND;
  const isLit = (environs.lit ?? []).some(
    ([west, south, east, top]) => column >= west && column <= east && row >= south && row <= top,
  );
  return { at: [column, row], terrain, standing: standing.get(`${column},${row}`) ?? [], isLit };
}

/**
 * @param {TruthView} view
 * @param {Site} site
 */
function trueUnits(view, site) {
  /** @type {Map<string, Standing[]>} */
  const standing = new Map();
  for (const unit of (view.ground ?? []).filter((unit) => isOn(unit, site))) {
    put(standing, unit.cell, { name: `${unit.side}.${unit.id}`, what: 'unit', isOwn: false, side: unit.side, age: 0 });
  }
  return standing;
}

/**
 * Return own units, landed ships, held tokens, memories; a ship landed without a cell stands in the middle.
 * @param {View} view
 * @param {Site} site
 * @param {Cell} middle
 */
function unitsSeen(view, site, middle) {
  /** @type {Map<string, Standing[]>} */
  const standing = new Map();
  for (const unit of (view.ground ?? []).filter((unit) => isOn(unit, site))) {
    put(standing, unit.cell, { name: unit.id, what: 'unit', isOwn: true, side: view.audience, age: 0 });
  }
  for (const { id, landed } of (view.own ?? []).filter((ship) => isLandedOn(ship, site))) {
    put(standing, landed?.cell ?? middle, { name: id, what: 'unit', isOwn: true, side: view.audience, age: 0 });
  }
  const tokens = (view.surfaces ?? [])
    .filter((surface) => isSame(surface.site, site))
    .flatMap((surface) => surface.tokens ?? [])
    .filter(isInPlay);
  const isMemory = (/** @type {TokenView} */ token) => (token.handle == null ? 1 : 0);
  for (const token of [...tokens].sort((one, other) => isMemory(one) - isMemory(other))) {
    put(standing, token.cell, tokenOf(token, view.stage.turn));
  }
  return standing;
}

/**
 * @param {TokenView} token
 * @param {number} turn
 * @returns {Standing}
 */
function tokenOf(token, turn) {
  return {
    name: token.handle == null ? token.label.toLowerCase() : token.label,
    what: token.type == null ? 'blip' : 'unit',
    isOwn: false,
    side: token.side ?? null,
    age: Math.max(0, turn - token.turn),
  };
}

/**
 * @template {GroundView | UnitPieceView} U
 * @param {U} unit
 * @param {Site} site
 * @returns {unit is U & {cell: Cell}}
 */
function isOn(unit, site) {
  return isSame(unit.site, site) && Boolean(unit.cell) && isInPlay(unit);
}

/**
 * @param {OwnView} ship
 * @param {Site} site
 */
function isLandedOn({ landed, ...ship }, site) {
  return landed != null && isSame([landed.body, landed.environs], site) && isInPlay(ship);
}

/**
 * @param {readonly [string, number | null | undefined] | null | undefined} one
 * @param {Site} other
 */
function isSame(one, other) {
  return one != null && one[0] === other[0] && one[1] === other[1];
}

/**
 * @param {Map<string, Standing[]>} standing
 * @param {Cell} cell
 * @param {Standing} piece
 */
function put(standing, [column, row], piece) {
  const key = `${column},${row}`;
  standing.set(key, [...(standing.get(key) ?? []), piece]);
}
