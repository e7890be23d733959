// The line to the server: one WebSocket as a guest, commands with their answers, posts of feeds and of
// a seat. It comes back by itself, later each time, and then follows its feeds on from what it has.

import { Decoder, encode } from '../vendor/msgpack.js';
import { Unfolding } from './compact.js';

const SUBPROTOCOLS = ['sunglare.v1.compact', 'sunglare.v1'];
const VERSION = 1;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15000;
const TOKEN_KEY = 'sunglare-guest';
const CLIENT = 'watch page';

/** The line broke before a command was answered. */
export class LostError extends Error {}

/** A command was refused. */
export class RefusedError extends Error {
  /** @param {{code: string, text: string, choices?: string[], retry_ms?: number}} refused */
  constructor(refused) {
    super(refused.text);
    this.code = refused.code;
    this.choices = refused.choices ?? [];
    this.retryMs = refused.retry_ms ?? 0;
  }
}

/** Return how long to wait before a connection is tried again, half of it by chance. */
export function backOffMs(tries, random = Math.random) {
  const most = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries);
  return Math.round(most / 2 + (random() * most) / 2);
}

/**
 * A connection that lasts: `onPost` hears every frame, news and end of the feeds that are followed,
 * `onSeat` those of other matches, `onServer` the news of the whole server, `onState` whether it
 * stands, `onBye` why the server ends it. `onGreeted` takes a seat again on every new line, by a
 * function that sends a command at once, before anything else is sent.
 */
export class Link {
  #url;
  #client;
  #socket = null;
  #tries = 0;
  #id = 0;
  #waiting = new Map();
  #feeds = new Map();
  #ready = null;
  #isClosed = false;
  #decoder = new Decoder();
  /** @type {import('wire').Welcome | null} who the server says one is */
  welcome = null;

  /**
   * @param {string} url
   * @param {object} ears
   */
  constructor(url, ears) {
    const deaf = () => {};
    this.#url = url;
    this.#client = ears.client ?? CLIENT;
    this.onPost = ears.onPost ?? deaf;
    this.onSeat = ears.onSeat ?? deaf;
    this.onServer = ears.onServer ?? deaf;
    this.onState = ears.onState ?? deaf;
    this.onBye = ears.onBye ?? deaf;
    this.onGreeted = ears.onGreeted ?? deaf;
    this.#connect();
  }

  /** Send a command once there is a line, again if it came too soon, and return its answer. */
  async ask(kind, fields = {}) {
    for (;;) {
      await this.#ready;
      try {
        return await this.#send(kind, fields);
      } catch (error) {
        if (!error.retryMs || this.#isClosed) throw error;
        await pause(error.retryMs);
      }
    }
  }

  /**
   * Send a command of a match, under its own number again on every new line until it is answered:
   * the server carries it out once.
   */
  async command(kind, fields = {}) {
    await this.#ready;
    const id = this.#nextId();
    for (;;) {
      await this.#ready;
      try {
        return await this.#send(kind, fields, id);
      } catch (error) {
        if (this.#isClosed || !(error instanceof LostError || error.retryMs)) throw error;
        await pause(error.retryMs ?? 0);
      }
    }
  }

  /** Number the next commands above those that the server has heard of this seat. */
  riseAbove(id) {
    this.#id = Math.max(this.#id, id);
  }

  /** Return the bytes of a match's record; a private one takes its code. */
  async record(match, code) {
    return (await this.ask('record', { match, ...shown(code) })).data;
  }

  /** Follow a feed whatever becomes of the line, of a private match by its code; return the first answer. */
  async watch(match, feed, code) {
    const followed = { feed, code, have: undefined, isOn: false };
    this.#feeds.set(match, followed);
    for (;;) {
      try {
        const answer = await this.ask('watch', { match, feed, ...shown(code) });
        followed.isOn = true;
        return answer;
      } catch (error) {
        if (error instanceof RefusedError || this.#isClosed) throw error;
        await pause(FIRST_WAIT_MS);
      }
    }
  }

  /** Follow a match no more. */
  async leave(match) {
    if (this.#feeds.delete(match)) await this.ask('leave', { match }).catch(() => {});
  }

  /** End the line for good. */
  close() {
    this.#isClosed = true;
    this.#socket?.close(1000);
  }

  #connect() {
    this.#ready = new Promise((resolve) => {
      const socket = new WebSocket(this.#url, SUBPROTOCOLS);
      const unfolding = new Unfolding();
      socket.binaryType = 'arraybuffer';
      socket.onopen = () => this.#greet().then(resolve, () => socket.close());
      socket.onmessage = ({ data }) => this.#read(data, unfolding, socket);
      socket.onclose = () => this.#lose(resolve);
      this.#socket = socket;
    });
  }

  #read(data, unfolding, socket) {
    let message;
    try {
      message = unfolding.whole(this.#decoder.decode(new Uint8Array(data)));
    } catch (error) {
      // The next line begins with a whole frame.
      console.error(error);
      socket.close();
      return;
    }
    this.#hear(message);
  }

  async #greet() {
    const hello = { v: VERSION, client: this.#client };
    const token = storedToken();
    let welcome;
    try {
      welcome = await this.#send('hello', token ? { ...hello, token } : hello);
    } catch (error) {
      if (error.code !== 'hello/token') throw error;
      welcome = await this.#send('hello', hello);
    }
    storeToken(welcome.token);
    this.welcome = welcome;
    this.#tries = 0;
    await this.onGreeted((kind, fields) => this.#send(kind, fields));
    this.onState(true);
    for (const [match, { feed, code, have, isOn }] of this.#feeds) {
      const since = have === undefined ? {} : { have };
      if (isOn) this.#send('watch', { match, feed, ...shown(code), ...since }).catch(() => {});
    }
  }

  #nextId() {
    return (this.#id += 1);
  }

  #send(kind, fields, id = this.#nextId()) {
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, pieces: [] });
      if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(encode({ t: kind, id, ...fields }));
      else this.#answer({ t: 'lost', id });
    });
  }

  #hear(message) {
    if (message.t === 'frame' || message.t === 'news' || message.t === 'over') this.#hearPost(message);
    else if (message.t === 'bye') this.onBye(message);
    else if (message.id) this.#answer(message);
  }

  #hearPost(post) {
    if (post.match === '') return this.onServer(post);
    const followed = this.#feeds.get(post.match);
    if (!followed) return this.onSeat(post);
    if (post.seq > 0) followed.have = post.seq;
    this.onPost(post);
  }

  #answer(message) {
    const waiting = this.#waiting.get(message.id);
    if (message.t === 'piece') {
      waiting?.pieces.push(message.data);
      if (!message.last) return;
      message.data = joined(waiting?.pieces ?? []);
    }
    this.#waiting.delete(message.id);
    if (message.t === 'lost') waiting?.reject(new LostError('The line is lost.'));
    else if (message.t === 'refused') waiting?.reject(new RefusedError(message));
    else waiting?.resolve(message);
  }

  #lose(resolve) {
    for (const id of [...this.#waiting.keys()]) this.#answer({ t: 'lost', id });
    if (this.#isClosed) return;
    this.onState(false);
    setTimeout(() => {
      this.#connect();
      this.#ready.then(resolve);
    }, backOffMs(this.#tries));
    this.#tries += 1;
  }
}

/** Return what is sent of a code: nothing of a public match. */
function shown(code) {
  return code ? { code } : {};
}

/** Return the bytes of all pieces, one after the other. */
function joined(pieces) {
  const bytes = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
  let place = 0;
  for (const piece of pieces) {
    bytes.set(piece, place);
    place += piece.length;
  }
  return bytes;
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Whether the page stands in a frame of another one: then it only lets watch, as a guest of its own. */
export const IS_FRAMED = globalThis.top !== globalThis.self;

/** Return the token of the guest that this browser is; a page in a frame is shown none. */
function storedToken() {
  try {
    return IS_FRAMED ? null : localStorage.getItem(TOKEN_KEY);
  } catch {
    return null;
  }
}

function storeToken(token) {
  try {
    if (!IS_FRAMED) localStorage.setItem(TOKEN_KEY, token);
  } catch {
    // Without a store it is another guest each time.
  }
}
