// The keys of the page. A field that one types into, or a slider with its own arrows, keeps its keys.

/**
 * Have keys do things.
 * @param {Record<string, (event: KeyboardEvent) => void>} actions by key, `Shift+` before it
 */
export function beginKeys(actions) {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || isTaken(event)) return;
    const act = actions[event.shiftKey && event.key.startsWith('Arrow') ? `Shift+${event.key}` : event.key];
    if (!act) return;
    event.preventDefault();
    act(event);
  });
}

const SLIDER_KEYS = ['ArrowLeft', 'ArrowRight', 'Home', 'End'];

/**
 * Return whether the focused element has a use of its own for a key.
 * @param {KeyboardEvent} event
 */
function isTaken({ key, target, shiftKey }) {
  if (target instanceof HTMLInputElement && target.type === 'range') return SLIDER_KEYS.includes(key) && !shiftKey;
  const isPressed = target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement;
  return isPressed ? key === ' ' || key === 'Enter' : target instanceof HTMLInputElement;
}
