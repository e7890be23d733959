// The colours of the board, light and dark: those of `sunglare_client/export/colours.py`, which people of
// every kind of sight can distinguish, and two more for the third and the fourth side.

/** @import { Pen } from './dom.js' */
/** @import { Layout } from './layout.js' */

const LIGHT = {
  paper: '#ffffff', ink: '#1a1a1a', faint: '#c8c8c8', body: '#777777', well: '#ededed', shadow: '#dddddd',
  scan: '#006b52', unknown: '#5a5a5a', sides: ['#0060a0', '#b04000', '#8a2f6b', '#4d5a00'],
};

/** @typedef {typeof LIGHT} Colours */

/**
 * How a board is drawn: in which colours, whose sides, which piece is looked for, and what is drawn over the ground.
 * @typedef {{colours: Colours, sides: string[], chosen: string | null, overlay?: Overlay | null}} Look
 */

/** @typedef {(pen: Pen, layout: Layout, look: Look) => void} Overlay */

/** @type {Colours} */
const DARK = {
  paper: '#10141a', ink: '#e8e8e8', faint: '#3a4250', body: '#8a8f98', well: '#1f242d', shadow: '#1e2630',
  scan: '#00b088', unknown: '#b8bcc4', sides: ['#56b4e9', '#e69f00', '#e08fc4', '#d6dd6a'],
};

/**
 * Return the colours of a theme.
 * @param {boolean} isDark
 */
export function palette(isDark) {
  return isDark ? DARK : LIGHT;
}

/**
 * Return the colour of a side, or the one for pieces of an unknown side.
 * @param {Colours} colours
 * @param {string[]} sides
 * @param {string | null} side
 */
export function sideColour(colours, sides, side) {
  const index = side === null ? -1 : sides.indexOf(side);
  return index < 0 ? colours.unknown : colours.sides[index % colours.sides.length];
}
