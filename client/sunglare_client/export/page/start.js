// The start of a page that is one file: the replay it holds is shown, and nobody is asked for anything.

import { found } from './face/dom.js';
import { beginKeys } from './face/keys.js';
import { beginTheme } from './face/theme.js';
import { Show } from './show.js';
import { readFragment } from './watch/fragment.js';
import { matchOfFile } from './watch/source.js';

const NONSENSE = 'This file is damaged: what it says of this window makes no sense.';

const show = new Show({ onMoment: noteMoment, onFault: () => say(NONSENSE) });
/** @type {string | null} */
let written = null;

/**
 * Write the moment that is shown into the address, so that it is there after a reload.
 * @param {string} fragment
 */
function noteMoment(fragment) {
  written = fragment;
  if (fragment && fragment !== location.hash) history.replaceState(null, '', fragment);
}

/** @param {string} sentence */
function say(sentence) {
  found('word').hidden = !sentence;
  found('word').textContent = sentence;
}

/**
 * Return the bytes that an element has as text: packed, and in base 64.
 * @param {string} id
 */
async function bytesOf(id) {
  const packed = Uint8Array.from(atob((found(id).textContent ?? '').trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Take away what needs a server: the lists, TV, and the way home. */
function leaveServer() {
  for (const element of [found('hall'), document.querySelector('nav a[href="/tv"]')]) element?.remove();
  const home = document.querySelector('h1 a');
  home?.replaceWith(home.textContent ?? '');
}

/**
 * Offer the replay as a file of its own.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {string} name
 */
function offerToSave(bytes, name) {
  found('save').href = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  found('save').download = name;
  found('save').hidden = false;
}

function share() {
  const address = location.href;
  const done = navigator.clipboard?.writeText(address) ?? Promise.reject(new Error('no clipboard'));
  done.then(
    () => say('The address of this moment is copied.'),
    () => say(`The address of this moment: ${address}`),
  );
}

async function begin() {
  leaveServer();
  beginTheme(() => show.draw());
  found('share').onclick = share;
  beginKeys({ ...show.keys, s: () => show.match && share() });
  const { moment = '', name = '' } = found('replay').dataset;
  const bytes = await bytesOf('replay');
  const { match, fault } = await matchOfFile(bytes);
  const open = () => show.open(match, readFragment(location.hash || moment), false);
  window.addEventListener('hashchange', () => location.hash !== written && open());
  say(fault);
  offerToSave(bytes, name);
  open();
}

begin().catch((error) => say(error.message || NONSENSE));
