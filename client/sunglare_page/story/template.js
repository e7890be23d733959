// Sentences with fields and choices, read from `sentences.js` as `sunglare_client/text/sentences.py`
// reads them, which says how they are written; a test compares what both make of every notice.

/** @import { Blocked, Square } from 'wire' */

import { bearingText, cellName, placeText, pointText, signed, siteName, spoken } from './words.js';

const FIELD = /\{([a-z_.]+)(?:\|([a-z_]+)(?: ([a-z_.]+))?)?\}/y;
const GUARD = /\[([a-z_.]+)(\?\?|\?|=[a-z_]+\?)/y;

/** @typedef {(fields: object) => string} Sentence */

/**
 * How values are written. A sentence names the form that is right for its field, which no type can say.
 * @typedef {(value: never, second: never) => string} Form
 */

/** @satisfies {Record<string, Form>} */
const FORMS = {
  /** @param {string | Square} at */
  aim: (at) => (typeof at === 'string' ? at : at.join(',')),
  /** @param {string[]} names */
  and: (names) => names.map(spoken).join(' and '),
  bearing: bearingText,
  /** @param {string[]} names */
  before: (names) => names.join(' before '),
  /** @param {Blocked[] | null | undefined} parts */
  blocked: (parts) =>
    (parts ?? []).map((part) => `${part.near ? 'near' : 'far'} ${part.sector} of ${part.planet}`).join(', ') ||
    'nothing',
  /** @param {string[]} names */
  both: (names) => names.join(' and '),
  cell: cellName,
  /** @param {string[]} found */
  contacts: (found) => (found.length === 1 ? '1 contact' : `${found.length} contacts`),
  /** @param {number | null | undefined} number */
  count: (number) => String(number ?? 0),
  /** @type {(harmed: string[], damage: number[]) => string} */
  harm: (harmed, damage) => harmed.map((handle, index) => `; ${handle} takes ${damage[index]}`).join(''),
  /** @param {unknown[] | null | undefined} items */
  length: (items) => String(items?.length ?? 0),
  /** @param {string[] | null | undefined} names */
  list: (names) => (names ?? []).join(', '),
  /** @param {string[][]} pairs */
  pieces: (pairs) => pairs.map((pair) => pair.join('.')).join(', '),
  place: placeText,
  point: pointText,
  /** @param {number[] | null | undefined} dice */
  row: (dice) => (dice ?? []).join(' '),
  signed,
  site: siteName,
  /** @param {number | null | undefined} number */
  soldiers: (number) => (number === 1 ? '1 soldier' : `${number ?? 0} soldiers`),
  spoken,
  /** @param {Square} square */
  square: (square) => square.join(','),
  /** @param {string} text */
  upper: (text) => text.toUpperCase(),
};

/**
 * Return the sentences of a table by kind of notice.
 * @param {object} table
 * @param {Record<string, Record<string, string>>} table.words
 * @param {Record<string, string>} table.parts
 * @param {Record<string, string>} table.sentences
 * @returns {Map<string, Sentence>}
 */
export function readSentences({ words, parts, sentences }) {
  /** @type {Map<string, Form>} */
  const forms = new Map(Object.entries(FORMS));
  for (const [name, said] of Object.entries(words)) forms.set(name, (/** @type {string} */ word) => said[word]);
  for (const [name, text] of Object.entries(parts)) forms.set(name, new Reader(text, forms).read());
  return new Map(Object.entries(sentences).map(([kind, text]) => [kind, new Reader(text, forms).read()]));
}

/** Reads one sentence from its start to its end. */
class Reader {
  #text;
  #forms;
  #place = 0;

  /**
   * @param {string} text
   * @param {Map<string, Form>} forms
   */
  constructor(text, forms) {
    this.#text = text;
    this.#forms = forms;
  }

  /** @returns {Sentence} */
  read() {
    return this.#parts('');
  }

  get #next() {
    return this.#text[this.#place] ?? '';
  }

  /**
   * @param {string} ends
   * @returns {Sentence}
   */
  #parts(ends) {
    /** @type {Sentence[]} */
    const parts = [];
    while (this.#next && !ends.includes(this.#next)) parts.push(this.#part());
    return (fields) => parts.map((part) => part(fields)).join('');
  }

  /** @returns {Sentence} */
  #part() {
    const guard = this.#matched(GUARD);
    if (guard) return this.#choice(guard[1], guard[2]);
    const field = this.#matched(FIELD);
    if (field) return this.#value(field[1], field[2], field[3]);
    const letter = this.#next;
    this.#place += 1;
    return () => letter;
  }

  /** @param {RegExp} pattern */
  #matched(pattern) {
    pattern.lastIndex = this.#place;
    const found = pattern.exec(this.#text);
    if (found) this.#place = pattern.lastIndex;
    return found;
  }

  /**
   * @param {string} field
   * @param {string} test
   * @returns {Sentence}
   */
  #choice(field, test) {
    const then = this.#parts('|]');
    /** @type {Sentence} */
    let other = () => '';
    if (this.#next === '|') {
      this.#place += 1;
      other = this.#parts(']');
    }
    this.#place += 1;
    const holds = testOf(test);
    return (fields) => (holds(found(fields, field)) ? then : other)(fields);
  }

  /**
   * @param {string} field
   * @param {string | undefined} form
   * @param {string | undefined} second
   * @returns {Sentence}
   */
  #value(field, form, second) {
    if (!form) return (fields) => String(found(fields, field) ?? '');
    const made = this.#forms.get(form);
    if (!made) throw new Error(`There is no form ${form}.`);
    return (fields) => {
      const valueOf = (/** @type {string} */ path) => /** @type {never} */ (found(fields, path));
      return made(valueOf(field), valueOf(second ?? ''));
    };
  }
}

/**
 * @param {string} test
 * @returns {(value: unknown) => boolean}
 */
function testOf(test) {
  if (test === '??') return (value) => value != null;
  const word = test.replace(/[=?]/g, '');
  if (word) return (value) => value === word;
  return (value) => (Array.isArray(value) ? value.length > 0 : Boolean(value));
}

/**
 * @param {unknown} fields
 * @param {string} path
 * @returns {unknown}
 */
function found(fields, path) {
  const inside = (/** @type {unknown} */ value, /** @type {string} */ name) =>
    /** @type {Record<string, unknown> | null | undefined} */ (value)?.[name];
  return path.split('.').reduce(inside, fields);
}
