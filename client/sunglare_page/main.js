// The start of the page: what its address asks for is shown, the home with its lists, a room or a seat, a
// match to watch, TV, or a dropped file.

/** @import { MatchLine, News } from 'wire' */
/** @import { Entry } from './face/homeface.js' */
/** @import { Playing } from './playing.js' */
/** @import { Moment } from './watch/fragment.js' */
/** @import { Post } from './watch/match.js' */

import { offerAgain, rematchIn } from './face/again.js';
import { focusInside, found } from './face/dom.js';
import { Hall, seatsOf, titleOf } from './face/hall.js';
import { HomeFace } from './face/homeface.js';
import { beginKeys } from './face/keys.js';
import { offerOnward, shownTurn, tellOnward, toggleOnward } from './face/playon.js';
import { beginTheme } from './face/theme.js';
import { ReplayError } from './replay/replay.js';
import { Show } from './show.js';
import { newsLine } from './story/news.js';
import { Television } from './tv.js';
import { readFragment, writeFragment } from './watch/fragment.js';
import { Link, RefusedError } from './watch/link.js';
import { Live, NothingError, fetchPrivate, fetchRecord, matchOfFile } from './watch/source.js';
import { IS_FRAMED } from './watch/token.js';

const URL_OF_PLAY = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/play`;
const MOTTO = 'Find them before they find you';
const AWAY = 'That could not be shown; the server may be away for a moment.';
const NONSENSE = 'This file is damaged: what it says of this window makes no sense.';
const STILL = window.matchMedia('(prefers-reduced-motion: reduce)');

/**
 * The line of a match, with its rematch and its code if there are any; of one that cannot be asked about, what is known.
 * @typedef {(MatchLine & Known) | ({match: string, state: 'over'} & Known)} Line
 * @typedef {{next?: string | null, code?: string}} Known
 */

const link = new Link(URL_OF_PLAY, { onPost: (post) => home.hear(post), onServer: sayOfServer });
const hall = new Hall(link);
const home = new HomeFace(URL_OF_PLAY, link, { onRoom: enter, say });
const show = new Show({ onMoment: noteMoment, onFault: () => say(NONSENSE) });
/** @type {Playing | null} what plays, once one has come to a room: its modules are loaded then */
let playing = null;
/** @type {Live | null} */
let live = null;
/** @type {Live | null} */
let ended = null;
/** @type {string | null} */
let written = null;
/** How often the page has turned to something else: what was asked for before that is not shown any more. */
let turns = 0;

/**
 * Write the moment that is shown into the address, so that it can be shared and reloaded.
 * @param {string} fragment
 * @param {string} match
 * @param {number} turn
 * @param {string} code
 */
function noteMoment(fragment, match, turn, code) {
  tellOnward(match, turn, code);
  // The viewer has just changed the address, and its event is still to come: what is shown goes then.
  if (written !== null && location.hash !== written) return;
  written = fragment;
  if (fragment !== location.hash) history.replaceState(null, '', fragment || location.pathname + location.search);
}

/**
 * Say something in one sentence above everything else.
 * @param {string} sentence
 */
function say(sentence) {
  found('word').hidden = !sentence;
  found('word').textContent = sentence;
}

/**
 * Show the server's announcements, such as that it ends, as long as the page is there.
 * @param {News} news
 */
function sayOfServer(news) {
  found('notice').hidden = false;
  found('notice').textContent = newsLine(news);
}

function leaveAll() {
  turns += 1;
  live?.close();
  ended?.close();
  live = ended = written = null;
  hall.close();
  home.close();
  playing?.close();
  show.close();
  offerOnward(false);
  offerAgain('');
  say('');
}

/** Show what the address asks for. */
async function goByAddress() {
  const wish = readFragment(location.hash);
  leaveAll();
  written = location.hash;
  if (wish.lesson && !IS_FRAMED) {
    await openLesson(wish.lesson);
    return;
  }
  if (!wish.match) {
    openHome();
    return;
  }
  const turn = turns;
  await tryTo(async () => {
    const line = await lineOf(wish.match, wish.code);
    if (turn === turns) await openMatch(line, wish);
  });
}

/**
 * Return the line of a match, with the next one if there is one; of one that cannot be asked about, what is known.
 * @param {string} match
 * @param {string} [code]
 * @returns {Promise<Line>}
 */
async function lineOf(match, code) {
  try {
    const { line, next } = await link.ask('info', { match, ...(code ? { code } : {}) });
    return { ...line, next, code };
  } catch (error) {
    if (error instanceof RefusedError) return { match, state: 'over', code };
    throw error;
  }
}

/**
 * @param {Line} line
 * @param {Moment} wish
 */
async function openMatch(line, wish) {
  if (line.state === 'over') {
    offerAgain(line.next ?? '', line.code);
    return openRecord(line.match, wish);
  }
  const mayPlay = !IS_FRAMED && !wish.eyes;
  if (mayPlay && line.mine) return (await player()).sit({ match: line.match, code: wish.code, isMine: true });
  const isFree = line.state === 'lobby' && line.seats.some(({ state }) => state === 'free');
  if (mayPlay && isFree) return (await player()).visit(line.match, wish.code);
  openLive(line, wish);
}

/** Return what plays. */
async function player() {
  const module = await import('./playing.js');
  playing ??= new module.Playing(URL_OF_PLAY, link, { say, onWatch: watchOnly, onHome: goHome, onPlace: notePlace });
  return playing;
}

/** @param {string} name */
async function openLesson(name) {
  const turn = turns;
  try {
    const module = await player();
    if (turn === turns) await module.learn(name);
  } catch (error) {
    if (turn !== turns) return;
    openHome();
    say(error instanceof RefusedError ? error.message : AWAY);
  }
}

function openHome() {
  found('title').textContent = MOTTO;
  hall.open();
  found('begin').hidden = IS_FRAMED;
  if (!IS_FRAMED) home.open();
}

function goHome() {
  location.hash = '';
}

/**
 * Go into a room that was opened or found, and sit there.
 * @param {Entry} entry
 */
async function enter({ match, code, bot }) {
  leaveAll();
  (await player()).sit({ match, code, isMine: false, bot });
}

/** Open the turn that is shown as a new match, and go into its room. */
function playOnHere() {
  const { match, turn, code } = shownTurn();
  const from = { match, turn, ...(code ? { code } : {}) };
  tryTo(async () => {
    try {
      const room = await link.ask('create', { from });
      await enter({ match: room.match, code: room.code ?? '', bot: '' });
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      say(error.message);
    }
  });
}

/**
 * @param {string} match
 * @param {string} code
 */
function watchOnly(match, code) {
  location.hash = writeFragment({ match, code, eyes: 'public' });
}

/**
 * Write the room that one is in into the address, so that a reload leads back.
 * @param {string} match
 * @param {string} code
 */
function notePlace(match, code) {
  written = writeFragment({ match, code });
  if (written !== location.hash) history.pushState(null, '', written);
}

/**
 * @param {string} id
 * @param {Moment} wish
 */
async function openRecord(id, wish) {
  const turn = turns;
  const bytes = wish.code ? await fetchPrivate(link, id, wish.code) : await fetchRecord(id);
  const { match, fault } = await matchOfFile(bytes);
  if (turn !== turns) return;
  say(fault);
  offerToSave(id, wish.code ? bytes : null);
  offerOnward(true);
  show.open(match, wish, false);
}

/**
 * @param {MatchLine & Known} line
 * @param {Moment} wish
 */
function openLive(line, wish) {
  const mine = new Live(URL_OF_PLAY, line, {
    onNew: (post) => (live === mine ? hearLive(mine) : hearEnded(mine, post)),
    onState: (isUp) => {
      show.isUp = isUp;
      show.draw();
    },
  });
  live = mine;
  if (line.state === 'lobby') say('This match has not started yet; it will be shown when it does.');
  show.open(mine.match, wish, true);
}

/**
 * Show what has come; after the end the whole record, with all eyes, takes its place.
 * @param {Live} source
 */
function hearLive(source) {
  if (source.match.steps.length) say('');
  show.refresh();
  if (!source.match.over) return;
  live = null;
  ended = source;
  const moment = readFragment(show.fragment());
  const window = moment.window || source.match.steps.at(-1)?.window || '';
  tryTo(() => openRecord(moment.match, { ...moment, window }));
}

/**
 * Offer the rematch to those who have seen a match to its end.
 * @param {Live} source
 * @param {Post} post
 */
function hearEnded(source, post) {
  if (ended === source && rematchIn(post)) offerAgain(rematchIn(post), source.code);
}

/**
 * Offer the record as a file; that of a private match has no address, so its bytes are kept.
 * @param {string} id
 * @param {Uint8Array<ArrayBuffer> | null} bytes
 */
function offerToSave(id, bytes) {
  URL.revokeObjectURL(found('save').href);
  found('save').href = bytes ? URL.createObjectURL(new Blob([bytes])) : `/replay/${id}.sgr`;
  found('save').download = bytes ? `${id}.sgr` : '';
  found('save').hidden = false;
}

/** @param {File} file */
async function openFile(file) {
  leaveAll();
  await tryTo(async () => {
    const { match, fault } = await matchOfFile(new Uint8Array(await file.arrayBuffer()));
    if (!match.steps.length) openHome();
    say(fault || (match.steps.length ? '' : 'There is nothing in this file to show.'));
    if (match.steps.length) show.open(match, readFragment(''), false);
  }, NONSENSE);
}

/**
 * Do something that may find nothing, or something that is no replay, and say so then.
 * @param {() => Promise<void>} act
 */
async function tryTo(act, otherwise = AWAY) {
  try {
    await act();
  } catch (error) {
    const isKnown = error instanceof NothingError || error instanceof ReplayError;
    say(isKnown ? error.message : otherwise);
    if (!show.match && !playing?.isOpen) openHome();
  }
}

function share() {
  copy('address of this moment', `${location.origin}/${show.fragment()}`);
}

/**
 * @param {string} what
 * @param {string} text
 */
function copy(what, text) {
  const done = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'));
  done.then(
    () => say(`The ${what} is copied.`),
    () => say(`The ${what}: ${text}`),
  );
}

/** Lead past the header, to the board where there is one. */
function skip() {
  focusInside(document.body, 'main:not([hidden]) canvas[tabindex]');
  if (document.activeElement === found('skip')) focusInside(document.body, 'main:not([hidden])');
}

function beginFiles() {
  found('file').onchange = () => {
    const file = found('file').files?.[0];
    if (file) openFile(file);
  };
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) openFile(file);
  });
}

/**
 * On TV matches come by themselves, and replays are played.
 * @param {MatchLine} line
 */
async function showOnTelevision(line) {
  leaveAll();
  await tryTo(() => openMatch(line, readFragment('')));
  if (line.state === 'over' && !STILL.matches) show.play();
}

/**
 * Say where TV goes in a moment; once, or a screen reader would say it again.
 * @param {MatchLine} line
 */
function sayNext(line) {
  const sentence = `In a moment: ${titleOf(line)}, ${seatsOf(line)}.`;
  if (found('word').textContent !== sentence) say(sentence);
}

function begin() {
  document.documentElement.dataset.embed = String(new URLSearchParams(location.search).get('embed') === '1');
  beginTheme(() => {
    show.draw();
    home.draw();
    playing?.draw();
  });
  beginFiles();
  found('skip').onclick = skip;
  found('share').onclick = share;
  found('play-on').onclick = toggleOnward;
  found('onward-here').onclick = playOnHere;
  found('onward-copy').onclick = () => copy('line', found('onward-line').value);
  beginKeys({ ...show.keys, s: () => show.match && share(), p: toggleOnward });
  window.addEventListener('hashchange', () => location.hash !== written && goByAddress());
  if (location.pathname === '/tv' && !location.hash) new Television(URL_OF_PLAY, showOnTelevision, sayNext);
  else goByAddress();
}

begin();
