// The line to the server: one WebSocket as a guest, commands with their answers, posts of feeds. It
// comes back by itself, later each time, and then follows its feeds on from what it has.

/** @import { Accepted, ClientMessage, Ladder, Matches, MatchInfo, News, Piece } from 'wire' */
/** @import { Refused, ServerMessage, Watching, Welcome } from 'wire' */
/** @import { Post } from './match.js' */

import { Decoder, encode } from '../vendor/msgpack.js';
import { Unfolding } from './compact.js';

const SUBPROTOCOLS = ['sunglare.v1.compact', 'sunglare.v1'];
const VERSION = 1;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15000;
const TOKEN_KEY = 'sunglare-guest';

/**
 * What the page asks, each with its answer; a record comes as one piece, put together of all.
 * @typedef {object} Answers
 * @property {Welcome} hello
 * @property {Matches} list
 * @property {MatchInfo} info
 * @property {Ladder} ladder
 * @property {Watching} watch
 * @property {Accepted} leave
 * @property {Piece & {data: Uint8Array<ArrayBuffer>}} record
 */

/**
 * The fields of a command, without those that every command has.
 * @template {keyof Answers} K
 * @typedef {Omit<Extract<ClientMessage, {t: K}>, 't' | 'id'>} Fields
 */

/** @typedef {{resolve: (answer: unknown) => void, reject: (error: Error) => void, pieces: Uint8Array[]}} Waiting */

/** @typedef {{feed: string, code?: string, have?: number, isOn: boolean}} Followed */

/** @typedef {{t: 'lost', id: number}} Lost the line broke before the answer */

/** A command was refused. */
export class RefusedError extends Error {
  /** @param {Refused} refused */
  constructor(refused) {
    super(refused.text);
    this.code = refused.code;
    this.retryMs = refused.retry_ms ?? 0;
  }
}

/**
 * Return how long to wait before a connection is tried again, half of it by chance.
 * @param {number} tries
 */
export function backOffMs(tries, random = Math.random) {
  const most = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries);
  return Math.round(most / 2 + (random() * most) / 2);
}

/**
 * A connection that lasts: `onPost` hears every frame, news and end, `onServer` the news of the
 * whole server, `onState` whether it stands.
 */
export class Link {
  #url;
  /** @type {WebSocket | null} */
  #socket = null;
  #tries = 0;
  #id = 0;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  /** @type {Map<string, Followed>} */
  #feeds = new Map();
  /** @type {Promise<void>} */
  #ready = Promise.resolve();
  #isClosed = false;
  #decoder = new Decoder();

  /**
   * @param {string} url
   * @param {{onPost: (post: Post) => void, onState?: (isUp: boolean) => void, onServer?: (news: News) => void}} ears
   */
  constructor(url, { onPost, onState = () => {}, onServer = () => {} }) {
    this.#url = url;
    this.onPost = onPost;
    this.onServer = onServer;
    this.onState = onState;
    this.#connect();
  }

  /**
   * Send a command once there is a line, again if it came too soon, and return its answer.
   * @template {keyof Answers} K
   * @param {K} kind
   * @param {Fields<K>} fields
   * @returns {Promise<Answers[K]>}
   */
  async ask(kind, fields) {
    for (;;) {
      await this.#ready;
      try {
        return await this.#send(kind, fields);
      } catch (error) {
        if (!(error instanceof RefusedError) || !error.retryMs || this.#isClosed) throw error;
        await pause(error.retryMs);
      }
    }
  }

  /**
   * Return the bytes of a match's record; a private one takes its code.
   * @param {string} match
   * @param {string} [code]
   */
  async record(match, code) {
    return (await this.ask('record', { match, ...shown(code) })).data;
  }

  /**
   * Follow a feed whatever becomes of the line, of a private match by its code; return the first answer.
   * @param {string} match
   * @param {string} feed
   * @param {string} [code]
   */
  async watch(match, feed, code) {
    /** @type {Followed} */
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

  /**
   * Follow a match no more.
   * @param {string} match
   */
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

  /**
   * @param {ArrayBuffer} data
   * @param {Unfolding} unfolding
   * @param {WebSocket} socket
   */
  #read(data, unfolding, socket) {
    let message;
    try {
      message = unfolding.whole(/** @type {ServerMessage} */ (this.#decoder.decode(new Uint8Array(data))));
    } catch (error) {
      // The next line begins with a whole frame.
      console.error(error);
      socket.close();
      return;
    }
    this.#hear(message);
  }

  async #greet() {
    const hello = { v: VERSION, client: 'watch page' };
    const token = storedToken();
    let welcome;
    try {
      welcome = await this.#send('hello', token ? { ...hello, token } : hello);
    } catch (error) {
      if (!(error instanceof RefusedError) || error.code !== 'hello/token') throw error;
      welcome = await this.#send('hello', hello);
    }
    storeToken(welcome.token);
    this.#tries = 0;
    this.onState(true);
    for (const [match, { feed, code, have, isOn }] of this.#feeds) {
      const since = have === undefined ? {} : { have };
      if (isOn) this.#send('watch', { match, feed, ...shown(code), ...since }).catch(() => {});
    }
  }

  /**
   * @template {keyof Answers} K
   * @param {K} kind
   * @param {Fields<K>} fields
   * @returns {Promise<Answers[K]>}
   */
  #send(kind, fields) {
    const id = (this.#id += 1);
    const socket = this.#socket;
    return new Promise((resolve, reject) => {
      const hear = (/** @type {unknown} */ answer) => resolve(/** @type {Answers[K]} */ (answer));
      this.#waiting.set(id, { resolve: hear, reject, pieces: [] });
      if (socket?.readyState === WebSocket.OPEN) socket.send(encode({ t: kind, id, ...fields }));
      else this.#answer({ t: 'lost', id });
    });
  }

  /** @param {ServerMessage} message */
  #hear(message) {
    if (message.t === 'frame' || message.t === 'news' || message.t === 'over') this.#hearPost(message);
    else if ('id' in message && message.id) this.#answer(message);
  }

  /** @param {Post} post */
  #hearPost(post) {
    if (post.match === '' && post.t === 'news') this.onServer(post);
    const followed = this.#feeds.get(post.match);
    if (!followed) return;
    if (post.seq > 0) followed.have = post.seq;
    this.onPost(post);
  }

  /** @param {(ServerMessage & {id: number}) | Lost} message */
  #answer(message) {
    const waiting = this.#waiting.get(message.id);
    if (message.t === 'piece') {
      if (message.data instanceof Uint8Array) waiting?.pieces.push(message.data);
      if (!message.last) return;
      message.data = joined(waiting?.pieces ?? []);
    }
    this.#waiting.delete(message.id);
    if (message.t === 'lost') waiting?.reject(new Error('The line is lost.'));
    else if (message.t === 'refused') waiting?.reject(new RefusedError(message));
    else waiting?.resolve(message);
  }

  /** @param {() => void} resolve */
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

/**
 * Return what is sent of a code: nothing of a public match.
 * @param {string} [code]
 */
function shown(code) {
  return code ? { code } : {};
}

/**
 * Return the bytes of all pieces, one after the other.
 * @param {Uint8Array[]} pieces
 */
function joined(pieces) {
  const bytes = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
  let place = 0;
  for (const piece of pieces) {
    bytes.set(piece, place);
    place += piece.length;
  }
  return bytes;
}

/**
 * @param {number} ms
 * @returns {Promise<void>}
 */
function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Return the token of the guest that this browser is; a page in a foreign frame may keep none. */
function storedToken() {
  try {
    return localStorage.getItem(TOKEN_KEY);
  } catch {
    return null;
  }
}

/** @param {string} token */
function storeToken(token) {
  try {
    localStorage.setItem(TOKEN_KEY, token);
  } catch {
    // Without a store it is another guest each time.
  }
}
