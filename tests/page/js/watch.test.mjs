// The modules that know what is shown: matches, moments, knowledge, the player, addresses, TV.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const page = (name) => import(`file://${process.env.PAGE}/${name}`);
const { readReplay } = await page('replay/replay.js');
const { Match } = await page('watch/match.js');
const { momentsOf, nextMoment } = await page('watch/moments.js');
const { heldAt, knowledgeOf } = await page('watch/knowledge.js');
const { Player, turnBeside } = await page('watch/player.js');
const { readFragment, writeFragment } = await page('watch/fragment.js');
const { backOffMs } = await page('watch/link.js');
const { seatsOf, whereOf } = await page('face/hall.js');
const { cellsOf } = await page('face/ladder.js');
const { lineToPlayOn } = await page('face/playon.js');
const { pillText } = await page('face/pill.js');
const { layoutOf, middleOf, squareAt } = await page('face/layout.js');
const { frameLines } = await page('story/story.js');
const { newsLine, overLines } = await page('story/news.js');

const replay = await readReplay(new Uint8Array(readFileSync(process.env.MATCH)));

function matchOf(layers) {
  const match = new Match('m', 'shadow-of-ceres', { A: 'Ada', B: 'Bo' });
  for (const [layer, messages] of layers) messages.forEach((message) => match.take(layer, message));
  return match;
}

const whole = matchOf(replay.layers);

function frame(window, view = {}, notices = []) {
  const turn = Number(window.split('.')[0]);
  const stage = { turn, turns: 20, phase: window.split('.')[1], sides: ['A', 'B'] };
  return { t: 'frame', window, view: { t: 'side', board: {}, stage, ...view }, notices };
}

test('all layers tell of the same windows, in the order in which they opened', () => {
  const frames = replay.layers.get('A').filter((message) => message.t === 'frame');
  assert.deepEqual(whole.steps.map((step) => step.window), frames.map((one) => one.window));
  assert.deepEqual(whole.layers, ['omni', 'A', 'B', 'public']);
  assert.ok(whole.steps.every((step) => step.frames.size === 4));
});

test('the line that plays on names the server unless it is the usual one', () => {
  const usual = { protocol: 'http:', host: '127.0.0.1:8765' };
  assert.equal(lineToPlayOn('m', 7, usual), 'sunglare play --from m --turn 7');
  const other = { protocol: 'https:', host: 'sun.example' };
  assert.equal(lineToPlayOn('m', 7, other), 'sunglare play --url wss://sun.example --from m --turn 7');
  assert.equal(lineToPlayOn('m', 7, usual, 'k7q2zz'), 'sunglare play --from m --turn 7 --code k7q2zz');
});

test('a layer that comes later, or in any order, finds its windows', () => {
  const late = matchOf([...replay.layers].reverse().map(([layer, messages]) => [layer, [...messages].reverse()]));
  assert.deepEqual(late.steps.map((step) => step.window), whole.steps.map((step) => step.window));
});

test('a layer that lags shows what it was sent last', () => {
  const match = matchOf([['public', [frame('1.plot'), frame('2.plot')]], ['omni', [frame('1.plot', { t: 'truth' })]]]);
  assert.equal(match.shownAt('omni', 1).index, 0);
  assert.equal(match.shownAt('public', 1).index, 1);
  assert.equal(match.shownAt('A', 1), null);
});

test('news of all layers are told once', () => {
  const news = { t: 'news', kind: 'seat', side: 'A', text: 'resigned' };
  const match = matchOf([['public', [frame('1.plot'), news]], ['A', [frame('1.plot'), news]]]);
  assert.deepEqual(match.newsOf(match.steps[0]), [news]);
});

test('news belong to the window in which they came, in whatever order the layers of a file are read', () => {
  const locked = { t: 'news', kind: 'clock', side: 'A', text: 'ready' };
  const gone = { t: 'news', kind: 'seat', side: 'B', text: 'resigned' };
  const told = [frame('1.plot'), locked, frame('2.plot'), gone];
  const match = matchOf([['omni', [frame('1.plot', { t: 'truth' }), frame('2.plot', { t: 'truth' })]], ['public', told]]);
  assert.deepEqual(match.steps.map((step) => match.newsOf(step)), [[locked], [gone]]);
});

test('what is no frame, or has a board beyond any, is passed over', () => {
  const hostile = [{ t: 'frame' }, { t: 'frame', window: 7, view: {} }, frame('1.plot', { board: { columns: 1e9 } })];
  assert.deepEqual(matchOf([['A', hostile]]).steps, []);
});

test('moments are marked by what happened before a window, by the truth where it is known', () => {
  const held = (fix) => ({ t: 'truth_held', fix });
  const truth = (window, notices, points = {}) => frame(window, { t: 'truth', points }, notices);
  const match = matchOf([
    ['omni', [
      truth('1.plot', []),
      truth('1.scan.1', [held('contact')]),
      truth('1.engage', [held('tracked'), { t: 'truth_shot', damage: 3 }], { A: 3, B: 0 }),
      truth('2.plot', [{ t: 'truth_gone', cause: 'landed on Ceres' }], { A: 3, B: 0 }),
      truth('2.engage', [{ t: 'truth_gone', cause: 'fire' }], { A: 3, B: 6 }),
    ]],
    ['A', [frame('2.plot', {}, [{ t: 'contact' }])]],
  ]);
  assert.deepEqual(momentsOf(match), [
    { index: 1, kinds: ['contact', 'turning'] },
    { index: 2, kinds: ['tracked', 'damage'] },
    { index: 4, kinds: ['destroyed', 'turning'] },
  ]);
});

test('fire at a point that harms several pieces, one of them at least, is damage', () => {
  const fire = (damage) => frame('1.engage', {}, [{ t: 'bombardment', harmed: damage.map(() => 'T1'), damage }]);
  const kinds = (damage) => momentsOf(matchOf([['A', [fire(damage)]]])).map((moment) => moment.kinds);
  assert.deepEqual([[], [0], [0, 0]].map(kinds), [[], [], []]);
  assert.deepEqual([[3], [0, 2], [4, 1]].map(kinds), [[['damage']], [['damage']], [['damage']]]);
});

test('moments are found in whatever a file has for notices', () => {
  const odd = frame('1.engage', {}, [7, { t: [] }, { damage: 'much' }, { damage: [{}] }]);
  assert.deepEqual(momentsOf(matchOf([['A', [odd]]])), []);
});

test('one goes from moment to moment, and stays where there is none', () => {
  const moments = [{ index: 2 }, { index: 5 }];
  assert.deepEqual([0, 2, 5].map((index) => nextMoment(moments, index, 1)), [2, 5, 5]);
  assert.deepEqual([0, 2, 9].map((index) => nextMoment(moments, index, -1)), [0, 2, 5]);
});

test('what a side knows is the same by the truth and by what it was sent', () => {
  let compared = 0;
  for (const step of whole.steps) {
    const bare = { ...step, frames: new Map([...step.frames].filter(([layer]) => layer !== 'omni')) };
    for (const side of ['A', 'B']) {
      const [told, known] = [heldAt(step, ['A', 'B'])[side], heldAt(bare, ['A', 'B'])[side]];
      // A memory has no holding in the truth, and a piece that is gone may still be remembered.
      assert.deepEqual(told.counts.slice(0, 2), known.counts.slice(0, 2));
      compared += told.counts[0];
    }
  }
  assert.ok(compared > 0);
});

test('what a side knows is unknown where nothing of it is', () => {
  assert.deepEqual(knowledgeOf(matchOf([['public', [frame('1.plot')]]])), { A: [null], B: [null] });
});

test('the newest step is shown as long as nobody looks elsewhere', () => {
  const player = new Player(() => {});
  player.isFollowing = true;
  player.grow(3);
  assert.equal(player.index, 2);
  player.go(0);
  player.grow(4);
  assert.equal(player.index, 0);
  player.go(99);
  player.grow(5);
  assert.equal(player.index, 4);
});

test('a turn before begins with this one unless it is there already', () => {
  const steps = [1, 1, 2, 2, 2, 3].map((turn) => ({ turn }));
  assert.deepEqual([0, 1, 2, 4, 5].map((index) => turnBeside(steps, index, -1)), [0, 0, 0, 2, 2]);
  assert.deepEqual([0, 2, 5].map((index) => turnBeside(steps, index, 1)), [2, 5, 5]);
});

test('an address leads back to the moment that it was written for', () => {
  const moment = { match: 'a'.repeat(26), code: 'k7q2z-zABCD', window: '3.scan.2', eyes: 'omni', place: 'Orlog 3', lesson: '' };
  assert.deepEqual(readFragment(writeFragment(moment)), moment);
  assert.equal(writeFragment({ lesson: '02-sun' }), '#l=02-sun');
  assert.equal(readFragment('#l=02-sun').lesson, '02-sun');
  assert.equal(readFragment('#l=../x').lesson, '');
  assert.equal(writeFragment({ match: '', code: '', window: '', eyes: '', place: '' }), '');
  assert.equal(writeFragment({ match: 'm' }), '#m=m');
});

test('an address may name a turn alone and leads to its first window', () => {
  assert.equal(readFragment('#t=3').window, '3');
  const first = whole.steps.findIndex(({ turn }) => turn === 3);
  assert.equal(whole.indexOf('3'), first);
  assert.ok(first > 0 && whole.indexOf('9999') === -1);
});

test('what an address must not have is left out', () => {
  const read = readFragment('#m=../../etc&c=A/../b&t=<b>&w=javascript:x&v=');
  assert.deepEqual(read, { match: '', code: '', window: '', eyes: '', place: '', lesson: '' });
});

test('a lost line is tried again later each time, but never later than in 15 s', () => {
  const least = [0, 1, 2, 3, 9].map((tries) => backOffMs(tries, () => 0));
  const most = [0, 1, 2, 3, 9].map((tries) => backOffMs(tries, () => 1));
  assert.deepEqual(most, [500, 1000, 2000, 4000, 15000]);
  assert.deepEqual(least, most.map((ms) => ms / 2));
});

test('the pill says whether it is live and how far it lags', () => {
  const now = { isLive: true, isUp: true, isOver: false, isAtEnd: true, turn: 9, newest: 9 };
  assert.equal(pillText(now), 'LIVE');
  assert.equal(pillText({ ...now, turn: 6 }), 'LIVE −3 turns');
  assert.equal(pillText({ ...now, turn: 8 }), 'LIVE −1 turn');
  assert.equal(pillText({ ...now, turn: 4, isAtEnd: false }), 'turn 4; live is turn 9');
  assert.equal(pillText({ ...now, isUp: false }), 'OFFLINE: trying again');
  assert.equal(pillText({ ...now, isOver: true }), 'REPLAY turn 9 of 9');
});

test('a square is found again under its middle, drawn whole or nearer', () => {
  for (const eye of [{ zoom: 1, x: 0.5, y: 0.5 }, { zoom: 3, x: 0.2, y: 0.9 }]) {
    const layout = layoutOf({ width: 500, height: 300 }, { columns: 40, rows: 40 }, eye);
    for (const square of [[0, 0], [17, 22], [39, 39]]) {
      assert.deepEqual(squareAt(layout, ...middleOf(layout, square)), square);
    }
  }
  assert.equal(squareAt(layoutOf({ width: 500, height: 300 }, { columns: 40, rows: 40 }), 0, 0), null);
});

test('handles are told as labels', () => {
  const told = frame('1.plot', {}, [{ t: 'shot_result', ship: 'S1', weapon: 'B1', at: 'kq7xab', damage: 2, dice: [5] }]);
  assert.deepEqual(frameLines(told, new Map([['kq7xab', 'C4']])), ['S1.B1 at C4 hits for 2 (dice 5)']);
});

test('a notice of a kind that is not known is told by its name', () => {
  assert.deepEqual(frameLines(frame('1.plot', {}, [{ t: 'wormhole' }, { t: 'initiative' }])), ['(wormhole)', '(initiative)']);
});

test('news and the end are sentences, and nobody turns them about', () => {
  assert.equal(newsLine({ kind: 'seat', side: 'B', text: 'away' }), 'B is away: the line is down');
  assert.equal(newsLine({ kind: 'chat', side: 'A', text: 'a\u202eb\nc' }), 'A says: a?b c');
  const named = newsLine({ kind: 'chat', side: 'A', text: 'gl hf' }, 0, { A: 'Ada', B: 'Bo' });
  assert.equal(named, 'A (Ada) says: gl hf');
  const over = { result: { winner: 'A', ending: 'resigned', points: { B: 0, A: 6 } } };
  assert.deepEqual(overLines(over, { A: 'Ada' }), ['THE END: A (Ada) wins; all other sides resigned.', 'points: A (Ada) 6, B 0']);
});

test('a list says of a match how far it has come, and no turn that nobody knows', () => {
  assert.equal(whereOf({ state: 'running', turn: 3, phase: 'scan', clock: 'blitz' }), 'turn 3, scan, blitz');
  assert.equal(whereOf({ state: 'running' }), 'just begun');
  assert.equal(whereOf({ state: 'running', clock: 'blitz', rated: true }), 'just begun, blitz, rated');
  assert.equal(whereOf({ state: 'over', turn: 7, clock: 'demo' }), 'ended in turn 7, demo');
  const won = { winner: 'B', ending: 'resigned', points: { A: 0, B: 0 } };
  assert.equal(whereOf({ state: 'over', clock: 'demo', result: won }), 'over, B won, demo');
  assert.equal(whereOf({ state: 'over', result: { winner: null, ending: 'draw', points: {} } }), 'over, a draw');
  assert.equal(whereOf({ state: 'over', result: { winner: null, ending: 'adjourned', points: {} } }), 'over, broken off');
  for (const turn of [0, undefined]) assert.equal(whereOf({ state: 'over', turn, clock: 'demo' }), 'over, demo');
});

test('a line of the ladder never says a rating without its interval', () => {
  const line = { rank: 3, name: 'hunter', bot: true, rating: 1612, low: 1490, high: 1734, matches: 41 };
  assert.deepEqual(cellsOf(line), ['3', 'hunter (bot)', '1612', '1490 to 1734', '41']);
  assert.deepEqual(cellsOf({ ...line, bot: undefined, name: 'Ada' })[1], 'Ada');
});

test('a list marks bots, those of the server and others that say so', () => {
  const seats = [
    { side: 'A', state: 'account', name: 'Ada' },
    { side: 'B', state: 'account', name: 'Robot', bot: true },
    { side: 'C', state: 'bot', name: 'hunter' },
    { side: 'D', state: 'free' },
  ];
  assert.equal(seatsOf({ seats }), 'A Ada against B Robot (bot) against C hunter (bot) against D free');
});

test('an end of the server is told by the time of day, what is left, and what is said of it', () => {
  const now = new Date(2026, 10, 26, 20, 30, 0).getTime();
  const news = { t: 'news', match: '', seq: 0, kind: 'server', text: 'ends: An upgrade', ends_ms: 1_800_000 };
  const time = new Date(2026, 10, 26, 21, 0, 0).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  assert.equal(newsLine(news, now), `the server ends at ${time}, in 30 min: An upgrade`);
  assert.equal(newsLine({ ...news, text: 'ends', ends_ms: 45_000 }, now).split(', ')[1], 'in 45 s');
  const off = { t: 'news', match: '', seq: 0, kind: 'server', text: 'does not end' };
  assert.equal(newsLine(off), 'the server does not end after all');
  assert.equal(newsLine({ ...off, ends_ms: null }), 'the server does not end after all');
  assert.equal(newsLine({ ...off, text: undefined, ends_ms: 45_000 }, now).split(', ')[1], 'in 45 s');
});
