// The line to the server: one WebSocket as a guest, commands with their answers, posts of feeds and of
// a seat. It comes back by itself, later each time, and then follows its feeds on from what it has.

/** @import { Accepted, Answer, Bye, ClientMessage, Created, JudgedLesson, Ladder, LessonHint, Lessons } from 'wire' */
/** @import { Matches, MatchInfo, News, OpenedLesson, Piece } from 'wire' */
/** @import { Queued, Refused, Resumed, Seated, ServerMessage, Watching, Welcome } from 'wire' */
/** @import { Post } from './match.js' */

import { Decoder, encode } from '../vendor/msgpack.js';
import { Unfolding } from './compact.js';
import { joined } from './joined.js';
import { nextToken, storeToken, storedToken, takeNext } from './token.js';

const SUBPROTOCOLS = ['sunglare.v1.compact', 'sunglare.v1'];
const VERSION = 1;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15000;
const CLIENT = 'watch page';

/**
 * What the page asks, each with an answer of its own; a record comes as one piece, put together of all.
 * @typedef {object} Answered
 * @property {Welcome} hello
 * @property {Matches} list
 * @property {MatchInfo} info
 * @property {Ladder} ladder
 * @property {Watching} watch
 * @property {Created} create
 * @property {Seated | Resumed} join
 * @property {Resumed} resume
 * @property {Queued} quick
 * @property {Answer} ask
 * @property {Lessons | OpenedLesson | LessonHint | JudgedLesson | Answer | Accepted} lesson
 * @property {Piece & {data: Uint8Array<ArrayBuffer>}} record
 */

/**
 * What is accepted or refused, no more.
 * @typedef {'bot' | 'chat' | 'draw' | 'forget' | 'grant' | 'leave' | 'mute' | 'orders' | 'pause'
 *   | 'ready' | 'rematch' | 'renew' | 'report' | 'resign' | 'reveal' | 'revoke' | 'unquick'} Acknowledged
 */

/** @typedef {Answered & Record<Acknowledged, Accepted>} Answers */

/**
 * The fields of a command, without those that every command has.
 * @template {keyof Answers} K
 * @typedef {Omit<Extract<ClientMessage, {t: K}>, 't' | 'id'>} Fields
 */

/** @typedef {{resolve: (answer: unknown) => void, reject: (error: Error) => void, pieces: Uint8Array[]}} Waiting */

/** @typedef {{feed: string, code?: string, have?: number, isOn: boolean}} Followed */

/** @typedef {{t: 'lost', id: number}} Lost the line broke before the answer */

/**
 * What a line tells: every frame, news and end of the feeds that are followed, those of other matches, the news of the
 * whole server, whether the line stands, and why the server ends it. `onGreeted` takes a seat again on every new line, by
 * a function that sends a command at once, before anything else is sent. `onRefused` hears why the server does not let in
 * the page under the `name` that it wants, which ends the line. `client` is what the page calls itself.
 * @typedef {object} Ears
 * @property {(post: Post) => void} [onPost]
 * @property {(post: Post) => void} [onSeat]
 * @property {(news: News) => void} [onServer]
 * @property {(isUp: boolean) => void} [onState]
 * @property {(bye: Bye) => void} [onBye]
 * @property {(send: Send) => Promise<void> | void} [onGreeted]
 * @property {(error: RefusedError) => void} [onRefused]
 * @property {string} [name]
 * @property {string} [client]
 */

/** @typedef {<K extends keyof Answers>(kind: K, fields: Fields<K>) => Promise<Answers[K]>} Send */

/** The line broke before a command was answered. */
export class LostError extends Error {}

/** A command was refused. */
export class RefusedError extends Error {
  /** @param {Refused} refused */
  constructor(refused) {
    super(refused.text);
    this.code = refused.code;
    this.choices = refused.choices ?? [];
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

/** A connection that lasts. */
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
  #ears;
  /** @type {Welcome | null} who the server says one is */
  welcome = null;

  /**
   * @param {string} url
   * @param {Ears} ears
   */
  constructor(url, ears) {
    this.#url = url;
    this.#ears = ears;
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
   * Send a command of a match, under its own number again on every new line until it is answered: the server carries it
   * out once.
   * @template {keyof Answers} K
   * @param {K} kind
   * @param {Fields<K>} fields
   * @returns {Promise<Answers[K]>}
   */
  async command(kind, fields) {
    await this.#ready;
    const id = this.#nextId();
    for (;;) {
      await this.#ready;
      try {
        return await this.#send(kind, fields, id);
      } catch (error) {
        const isEarly = error instanceof RefusedError && error.retryMs > 0;
        if (this.#isClosed || !(isEarly || error instanceof LostError)) throw error;
        await pause(isEarly ? error.retryMs : 0);
      }
    }
  }

  /**
   * Number the next commands above those that the server has heard of this seat.
   * @param {number} id
   */
  riseAbove(id) {
    this.#id = Math.max(this.#id, id);
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
      socket.onopen = () => this.#greet().then(resolve, (error) => this.#failToGreet(error, socket));
      socket.onmessage = ({ data }) => this.#read(data, unfolding, socket);
      const end = () => {
        globalThis.removeEventListener?.('offline', end);
        socket.onopen = socket.onmessage = socket.onclose = null;
        socket.close();
        this.#lose(resolve);
      };
      socket.onclose = end;
      // A device that goes offline would notice only after the next word in vain, and a browser waits a minute for the
      // server to close its end.
      globalThis.addEventListener?.('offline', end);
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
    const { name, client = CLIENT } = this.#ears;
    const hello = { v: VERSION, client, ...(name ? { name } : {}) };
    const [token, next] = [storedToken(), nextToken()];
    let welcome = token ? await this.#known({ ...hello, token }) : null;
    if (!welcome && next) welcome = await this.#known({ ...hello, token: next });
    welcome ??= await this.#send('hello', hello);
    if (welcome.token === next) takeNext();
    storeToken(welcome.token);
    this.welcome = welcome;
    this.#tries = 0;
    await this.#ears.onGreeted?.((kind, fields) => this.#send(kind, fields));
    this.#ears.onState?.(true);
    for (const [match, { feed, code, have, isOn }] of this.#feeds) {
      const since = have === undefined ? {} : { have };
      if (isOn) this.#send('watch', { match, feed, ...shown(code), ...since }).catch(() => {});
    }
  }

  /**
   * Return the welcome of an account, or null where the server knows no such token: while one is exchanged, two are kept.
   * @param {Fields<'hello'>} hello
   */
  async #known(hello) {
    try {
      return await this.#send('hello', hello);
    } catch (error) {
      if (!(error instanceof RefusedError) || error.code !== 'hello/token') throw error;
      return null;
    }
  }

  #nextId() {
    return (this.#id += 1);
  }

  /**
   * @param {unknown} error
   * @param {WebSocket} socket
   */
  #failToGreet(error, socket) {
    if (error instanceof RefusedError && this.#ears.onRefused) {
      this.#isClosed = true;
      this.#ears.onRefused(error);
    }
    socket.close();
  }

  /**
   * @template {keyof Answers} K
   * @param {K} kind
   * @param {Fields<K>} fields
   * @returns {Promise<Answers[K]>}
   */
  #send(kind, fields, id = this.#nextId()) {
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
    else if (message.t === 'bye') this.#ears.onBye?.(message);
    else if ('id' in message && message.id) this.#answer(message);
  }

  /** @param {Post} post */
  #hearPost(post) {
    const followed = this.#feeds.get(post.match);
    if (followed && post.seq > 0) followed.have = post.seq;
    if (post.match === '' && post.t === 'news') this.#ears.onServer?.(post);
    else if (followed) this.#ears.onPost?.(post);
    else this.#ears.onSeat?.(post);
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
    if (message.t === 'lost') waiting?.reject(new LostError('The line is lost.'));
    else if (message.t === 'refused') waiting?.reject(new RefusedError(message));
    else waiting?.resolve(message);
  }

  /** @param {() => void} resolve */
  #lose(resolve) {
    for (const id of [...this.#waiting.keys()]) this.#answer({ t: 'lost', id });
    if (this.#isClosed) return;
    this.#ears.onState?.(false);
    // What is said from now on waits for the next line.
    this.#ready = new Promise((done) => {
      const begin = () => {
        clearTimeout(timer);
        globalThis.removeEventListener?.('online', begin);
        if (this.#isClosed) return;
        this.#connect();
        this.#ready.then(done);
      };
      const timer = setTimeout(begin, backOffMs(this.#tries));
      globalThis.addEventListener?.('online', begin);
    });
    this.#ready.then(resolve);
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
 * @param {number} ms
 * @returns {Promise<void>}
 */
function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
