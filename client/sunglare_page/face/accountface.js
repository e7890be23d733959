// The account that this browser is on a server: its name, and its token as a file, which is its only key.
// The file is the one that `sunglare account export` writes.

import { Link, RefusedError } from '../watch/link.js';
import { nextToken, storeNext, storeToken, storedToken, takeNext } from '../watch/token.js';
import { printable } from '../story/words.js';
import { found, made } from './dom.js';

const TOKEN = /^[A-Za-z0-9_-]{16,128}$/;
const FILE = 'sunglare.token';
const NO_TOKEN = 'That file has no account: it should be one line, a token, as this page or sunglare account export saves it.';
const RENEW = 'Replace your key? The old one opens nothing any more, on any device, nor do the tickets of your seats.';
const RENEWED = 'Your key is another one now. Save it as a file again for your other devices.';
const NO_HASH = 'This browser makes another key only on pages that came by https.';
const TOKEN_BYTES = 32;
const NO_STORE = 'This browser keeps nothing of this page: you play as a guest until the window closes.';

/** Shows the account, and does with it what its player wants. */
export class AccountFace {
  #url;
  #link;
  #say;

  /**
   * @param {string} url where the game is played
   * @param {Link} link
   * @param {(sentence: string) => void} say
   */
  constructor(url, link, say) {
    this.#url = url;
    this.#link = link;
    this.#say = say;
    found('rename').onsubmit = (event) => {
      event.preventDefault();
      this.#rename(found('new-name').value.trim());
    };
    found('account-save').onclick = () => this.#save();
    found('account-file').onchange = () => this.#load();
    found('account-renew').onclick = () => window.confirm(RENEW) && this.#renew();
    found('account-forget').onclick = () => this.#forget();
  }

  /** Show who one is, once the server has said so; what is shown already is left alone. */
  show() {
    const name = this.#link.welcome?.name;
    if (!name || !found('account').hidden) return;
    found('account').hidden = false;
    found('account-name').textContent = printable(name);
    found('account-note').textContent = storedToken() ? '' : NO_STORE;
    // An exchange that was cut off goes on.
    if (nextToken()) this.#renew();
  }

  /** @param {string} name */
  async #rename(name) {
    if (!name) return;
    const line = new Link(this.#url, { name, onRefused: (error) => this.#say(error.message) });
    try {
      await line.ask('list', { which: 'mine', most: 1 });
      found('account-name').textContent = printable(line.welcome?.name ?? name);
      this.#say('');
    } finally {
      line.close();
    }
  }

  #save() {
    const token = storedToken();
    if (!token) return this.#say(NO_STORE);
    const url = URL.createObjectURL(new Blob([`${token}\n`], { type: 'text/plain' }));
    made('a', { href: url, download: FILE }).click();
    URL.revokeObjectURL(url);
  }

  async #load() {
    const file = found('account-file').files?.[0];
    const token = (await file?.text())?.trim() ?? '';
    if (!TOKEN.test(token)) return this.#say(NO_TOKEN);
    storeToken(token);
    location.reload();
  }

  /** The new token is kept before the server has its hash: wherever the answer is lost, one of two kept ones is good. */
  async #renew() {
    if (!crypto.subtle) return this.#say(NO_HASH);
    const next = nextToken() ?? newToken();
    storeNext(next);
    if (nextToken() !== next) return this.#say(NO_STORE);
    try {
      await this.#link.command('renew', { token_hash: await hashOf(next) });
    } catch (error) {
      if (error instanceof RefusedError) storeNext(null);
      return this.#say(error instanceof RefusedError ? error.message : 'The server is away; try again in a moment.');
    }
    takeNext();
    found('account-note').textContent = RENEWED;
  }

  async #forget() {
    if (!window.confirm('Delete your name and your key? Your matches keep "someone".')) return;
    try {
      await this.#link.ask('forget', {});
    } catch (error) {
      return this.#say(error instanceof RefusedError ? error.message : 'The server is away; try again in a moment.');
    }
    storeToken(null);
    location.reload();
  }
}

/** Return a token that no other party can guess, as the server makes them. */
function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES));
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * Return the SHA-256 of a token in hexadecimal digits.
 * @param {string} token
 */
async function hashOf(token) {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
