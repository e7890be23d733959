// Sentences with fields and choices, read from `sentences.js` as `sunglare_client/text/sentences.py`
// reads them, which says how they are written; a test compares what both make of every notice.

import { bearingText, cellName, placeText, pointText, signed, siteName, spoken } from './words.js';

const FIELD = /\{([a-z_.]+)(?:\|([a-z_]+)(?: ([a-z_.]+))?)?\}/y;
const GUARD = /\[([a-z_.]+)(\?\?|\?|=[a-z_]+\?)/y;

/** @typedef {(fields: object) => string} Sentence */

const FORMS = {
  aim: (at) => (typeof at === 'string' ? at : at.join(',')),
  and: (names) => names.map(spoken).join(' and '),
  bearing: bearingText,
  before: (names) => names.join(' before '),
  blocked: (parts) =>
    (parts ?? []).map((part) => `${part.near ? 'near' : 'far'} ${part.sector} of ${part.planet}`).join(', ') ||
    'nothing',
  both: (names) => names.join(' and '),
  cell: cellName,
  contacts: (found) => (found.length === 1 ? '1 contact' : `${found.length} contacts`),
  count: (number) => String(number ?? 0),
  harm: (harmed, damage) => harmed.map((handle, index) => `; ${handle} takes ${damage[index]}`).join(''),
  length: (items) => String(items?.length ?? 0),
  list: (names) => (names ?? []).join(', '),
  pieces: (pairs) => pairs.map((pair) => pair.join('.')).join(', '),
  place: placeText,
  point: pointText,
  row: (dice) => (dice ?? []).join(' '),
  signed,
  site: siteName,
  soldiers: (number) => (number === 1 ? '1 soldier' : `${number ?? 0} soldiers`),
  spoken,
  square: (square) => square.join(','),
  upper: (text) => text.toUpperCase(),
};

/**
 * Return the sentences of a table by kind of notice.
 * @param {{words: object, parts: object, sentences: object}} table
 * @returns {Map<string, Sentence>}
 */
export function readSentences({ words, parts, sentences }) {
  const forms = new Map(Object.entries(FORMS));
  for (const [name, said] of Object.entries(words)) forms.set(name, (word) => said[word]);
  for (const [name, text] of Object.entries(parts)) forms.set(name, new Reader(text, forms).read());
  return new Map(Object.entries(sentences).map(([kind, text]) => [kind, new Reader(text, forms).read()]));
}

/** Reads one sentence from its start to its end. */
class Reader {
  #text;
  #forms;
  #place = 0;

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

  #parts(ends) {
    const parts = [];
    while (this.#next && !ends.includes(this.#next)) parts.push(this.#part());
    return (fields) => parts.map((part) => part(fields)).join('');
  }

  #part() {
    const guard = this.#matched(GUARD);
    if (guard) return this.#choice(guard[1], guard[2]);
    const field = this.#matched(FIELD);
    if (field) return this.#value(field[1], field[2], field[3]);
    const letter = this.#next;
    this.#place += 1;
    return () => letter;
  }

  #matched(pattern) {
    pattern.lastIndex = this.#place;
    const found = pattern.exec(this.#text);
    if (found) this.#place = pattern.lastIndex;
    return found;
  }

  #choice(field, test) {
    const then = this.#parts('|]');
    let other = () => '';
    if (this.#next === '|') {
      this.#place += 1;
      other = this.#parts(']');
    }
    this.#place += 1;
    const holds = testOf(test);
    return (fields) => (holds(found(fields, field)) ? then : other)(fields);
  }

  #value(field, form, second) {
    if (!form) return (fields) => String(found(fields, field) ?? '');
    const made = this.#forms.get(form);
    return (fields) => made(found(fields, field), second && found(fields, second));
  }
}

function testOf(test) {
  if (test === '??') return (value) => value != null;
  const word = test.replace(/[=?]/g, '');
  if (word) return (value) => value === word;
  return (value) => (Array.isArray(value) ? value.length > 0 : Boolean(value));
}

function found(fields, path) {
  return path.split('.').reduce((value, name) => value?.[name], fields);
}
