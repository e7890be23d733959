// What stands next to the board as text: the story, the table of pieces, and who knows what.

/** @import { TruthView, View } from 'wire' */
/** @import { Held } from '../watch/knowledge.js' */
/** @import { Match, Sight } from '../watch/match.js' */
/** @import { Look } from './palette.js' */

import { marksOf } from '../board/marks.js';
import { newsLine, overLines } from '../story/news.js';
import { frameLines, pieceRows, stageLine } from '../story/story.js';
import { placeText, vectorText } from '../story/words.js';
import { heldWords } from '../watch/knowledge.js';
import { focusInside, found, made } from './dom.js';
import { drawKnowledge } from './knowledgeface.js';

/**
 * Write what these eyes saw at a step, and what news there were since.
 * @param {Match} match
 * @param {Sight[]} views
 */
export function tellStory(match, views) {
  const [{ frame, index }] = views;
  found('stage').textContent = stageLine(frame.view.stage);
  const told = views.map((view) => frameLines(view.frame, match.labelsOf(view.layer)));
  const heard = match.newsOf(match.steps[index]).map((news) => newsLine(news, Date.now(), match.names));
  const lines = [...merged(told, views), ...heard];
  if (match.over && index === match.steps.length - 1) lines.push(...overLines(match.over, match.names));
  const items = lines.map((line) => made('li', { className: isLoud(line) ? 'loud' : '' }, line));
  const quiet = made('li', { className: 'none' }, 'Nothing that these eyes can see.');
  found('story').replaceChildren(...(items.length ? items : [quiet]));
}

/**
 * Return what several heard: once what all did, and then who heard what else.
 * @param {string[][]} told
 * @param {Sight[]} views
 */
function merged(told, views) {
  const common = told[0].filter((line) => told.every((lines) => lines.includes(line)));
  const others = told.flatMap((lines, index) =>
    lines.filter((line) => !common.includes(line)).map((line) => `${views[index].layer} hears: ${line}`),
  );
  return views.length > 1 ? [...common, ...others] : told[0];
}

/**
 * Return whether a line is something that changes a match, which its capitals say.
 * @param {string} line
 */
export function isLoud(line) {
  return /DESTROYED|TRACKED|HITS|hits for|THE END|is out|DEAD|IDENTIFIED/.test(line);
}

const HEADS = ['piece', 'kind', 'held', 'at', 'moves', 'state'];

/**
 * Fill the table of pieces; `onChoose` hears which one is looked for on the board.
 * @param {View | TruthView} view
 * @param {string | null} chosen
 * @param {(name: string) => void} onChoose
 */
export function tellPieces(view, chosen, onChoose) {
  const rows = pieceRows(marksOf(view)).map((row) => rowOf(row, row.name === chosen, onChoose));
  const head = made('tr', {}, ...HEADS.map((text) => made('th', { scope: 'col' }, text)));
  const nothing = made('tr', {}, made('td', { colSpan: HEADS.length }, 'No piece is known.'));
  const table = found('pieces');
  const focused = document.activeElement?.getAttribute('data-piece');
  table.replaceChildren(made('thead', {}, head), made('tbody', {}, ...(rows.length ? rows : [nothing])));
  if (focused) focusInside(table, `button[data-piece="${CSS.escape(focused)}"]`);
}

/**
 * @param {ReturnType<typeof pieceRows>[number]} row
 * @param {boolean} isChosen
 * @param {(name: string) => void} onChoose
 */
function rowOf(row, isChosen, onChoose) {
  const button = made('button', { type: 'button', onclick: () => onChoose(row.name) }, row.name);
  button.dataset.piece = row.name;
  button.setAttribute('aria-pressed', String(isChosen));
  const age = row.age ? `, ${row.age} turns ago` : '';
  const moves = [row.vector ? vectorText(row.vector) : '', row.facing ? `faces ${row.facing}` : ''];
  const cells = [row.kind, row.rung, placeText(row.square) + age, moves.filter(Boolean).join(' '), row.state];
  return made('tr', {}, made('th', { scope: 'row' }, button), ...cells.map((text) => made('td', {}, text)));
}

/**
 * Show for each side how much it knew over time.
 * @param {Record<string, (Held | null)[]>} knowledge
 * @param {number} index
 * @param {Look} look
 */
export function tellKnowledge(knowledge, index, look) {
  const parts = Object.entries(knowledge).map(([side, series]) => {
    const canvas = made('canvas', {});
    canvas.setAttribute('aria-hidden', 'true');
    const words = heldWords(side, series[Math.min(index, series.length - 1)]);
    return { figure: made('figure', {}, canvas, made('figcaption', {}, words)), canvas, side, series };
  });
  found('knows').replaceChildren(...parts.map(({ figure }) => figure));
  for (const { canvas, side, series } of parts) drawKnowledge(canvas, series, index, { ...look, side });
}
