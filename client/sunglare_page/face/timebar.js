// The timeline: a track with the key moments, a slider, and the buttons of the player.

/** @import { Match } from '../watch/match.js' */
/** @import { Moment } from '../watch/moments.js' */
/** @import { Player } from '../watch/player.js' */
/** @import { Pen } from './dom.js' */
/** @import { Colours } from './palette.js' */

import { stageLine } from '../story/story.js';
import { KINDS, nextMoment } from '../watch/moments.js';
import { found, penOf } from './dom.js';

const HEIGHT = 26;

/**
 * Have slider and buttons move a player; `momentsNow` returns the key moments so far.
 * @param {Player} player
 * @param {() => Moment[]} momentsNow
 */
export function beginTimebar(player, momentsNow) {
  found('scrub').oninput = () => player.go(Number(found('scrub').value));
  const actions = {
    first: () => player.go(0),
    'previous-moment': () => player.go(nextMoment(momentsNow(), player.index, -1)),
    back: () => player.go(player.index - 1),
    play: () => player.toggle(),
    on: () => player.go(player.index + 1),
    'next-moment': () => player.go(nextMoment(momentsNow(), player.index, 1)),
    last: () => player.go(player.last),
    speed: () => player.hurry(player.speed === 8 ? -4 : 1),
  };
  for (const [id, act] of Object.entries(actions)) found(id).onclick = act;
  found('legend').textContent = KINDS.map(({ letter, word }) => `${letter} ${word}`).join('   ');
}

/**
 * Show where the player is.
 * @param {Match} match
 * @param {Player} player
 * @param {Moment[]} moments
 * @param {Colours} colours
 */
export function tellTime(match, player, moments, colours) {
  const scrub = found('scrub');
  scrub.max = String(player.last);
  scrub.value = String(player.index);
  const step = match.steps[player.index];
  const stage = step?.frames.values().next().value?.view.stage;
  if (stage) scrub.setAttribute('aria-valuetext', stageLine(stage));
  found('play').textContent = player.isPlaying ? '‖ Pause' : '▶ Play';
  found('speed').textContent = `${player.speed}×`;
  drawTrack(found('moments'), match, player, moments, colours);
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Match} match
 * @param {Player} player
 * @param {Moment[]} moments
 * @param {Colours} colours
 */
function drawTrack(canvas, match, player, moments, colours) {
  const width = canvas.clientWidth || 300;
  const pen = penOf(canvas, width, HEIGHT);
  const placeOf = (/** @type {number} */ index) => 8 + (player.last ? (index / player.last) * (width - 16) : 0);
  pen.clearRect(0, 0, width, HEIGHT);
  pen.font = '11px ui-monospace, monospace';
  pen.textAlign = 'center';
  drawTurns(pen, match, placeOf, colours);
  pen.fillStyle = colours.ink;
  for (const { x, letter } of lettersOf(moments, placeOf)) pen.fillText(letter, x, 22);
}

const LETTER_WIDTH = 7;

/**
 * Return the letters of the moments that find room, the weightiest first.
 * @param {Moment[]} moments
 * @param {(index: number) => number} placeOf
 */
function lettersOf(moments, placeOf) {
  /** @type {{x: number, letter: string}[]} */
  const placed = [];
  for (const { kind, letter } of [...KINDS].reverse()) {
    for (const { index } of moments.filter(({ kinds }) => kinds.at(-1) === kind)) {
      const x = placeOf(index);
      if (placed.every((other) => Math.abs(other.x - x) >= LETTER_WIDTH)) placed.push({ x, letter });
    }
  }
  return placed;
}

/**
 * Write the numbers of turns where there is room for them.
 * @param {Pen} pen
 * @param {Match} match
 * @param {(index: number) => number} placeOf
 * @param {Colours} colours
 */
function drawTurns(pen, match, placeOf, colours) {
  pen.fillStyle = colours.unknown;
  let free = -Infinity;
  match.steps.forEach(({ turn }, index) => {
    const x = placeOf(index);
    if (turn === match.steps[index - 1]?.turn || x < free) return;
    pen.fillText(`T${turn}`, x, 9);
    free = x + 34;
  });
}
