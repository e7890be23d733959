// The token of the account that this browser is: its only key, which no address ever has.

const TOKEN_KEY = 'sunglare-guest';
/** Of a token that the server is about to have in the place of the other one. */
const NEXT_KEY = 'sunglare-guest-next';

/** Whether the page stands in a frame of another one: then it only lets watch, as a guest of its own. */
export const IS_FRAMED = globalThis.top !== globalThis.self;

/** Return the token of the guest that this browser is; a page in a frame is shown none. */
export function storedToken() {
  return read(TOKEN_KEY);
}

/** Return the token that is about to take its place; one of the two is good. */
export function nextToken() {
  return read(NEXT_KEY);
}

/**
 * Keep a token in this browser, or none any more.
 * @param {string | null} token
 */
export function storeToken(token) {
  write(TOKEN_KEY, token);
}

/**
 * Keep the token that is about to take the place of the other one, or none any more.
 * @param {string | null} token
 */
export function storeNext(token) {
  write(NEXT_KEY, token);
}

/** Have the next token take the place of the other one. */
export function takeNext() {
  const next = nextToken();
  if (!next) return;
  storeToken(next);
  storeNext(null);
}

/** @param {string} key */
function read(key) {
  try {
    return IS_FRAMED ? null : localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * @param {string} key
 * @param {string | null} token
 */
function write(key, token) {
  try {
    if (IS_FRAMED) return;
    if (token === null) localStorage.removeItem(key);
    else localStorage.setItem(key, token);
  } catch {
    // Without a store it is another guest each time.
  }
}
