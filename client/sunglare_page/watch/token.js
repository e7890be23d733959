// The token of the account that this browser is: its only key, which no address ever has.

const TOKEN_KEY = 'sunglare-guest';

/** Whether the page stands in a frame of another one: then it only lets watch, as a guest of its own. */
export const IS_FRAMED = globalThis.top !== globalThis.self;

/** Return the token of the guest that this browser is; a page in a frame is shown none. */
export function storedToken() {
  try {
    return IS_FRAMED ? null : localStorage.getItem(TOKEN_KEY);
  } catch {
    return null;
  }
}

/**
 * Keep a token in this browser, or none any more.
 * @param {string | null} token
 */
export function storeToken(token) {
  try {
    if (IS_FRAMED) return;
    if (token === null) localStorage.removeItem(TOKEN_KEY);
    else localStorage.setItem(TOKEN_KEY, token);
  } catch {
    // Without a store it is another guest each time.
  }
}
