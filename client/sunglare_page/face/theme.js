// Light, dark, or as the system has it; what was chosen is kept in this browser.

import { found } from './dom.js';

const KEY = 'sunglare-theme';
const THEMES = ['page', 'light', 'dark'];
const SYSTEM = window.matchMedia('(prefers-color-scheme: dark)');

/** Return whether it is dark now. */
export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen === 'dark' || (chosen !== 'light' && SYSTEM.matches);
}

/**
 * Begin with the theme that was chosen last; `onChange` is called at every change.
 * @param {() => void} onChange
 */
export function beginTheme(onChange) {
  choose(stored());
  found('theme').onclick = () => {
    const now = document.documentElement.dataset.theme ?? '';
    choose(THEMES[(THEMES.indexOf(now) + 1) % THEMES.length]);
    onChange();
  };
  SYSTEM.addEventListener('change', onChange);
}

/** @param {string} theme */
function choose(theme) {
  document.documentElement.dataset.theme = theme;
  found('theme').textContent = `Theme: ${theme}`;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Without a store it lasts as long as the page.
  }
}

function stored() {
  try {
    const theme = localStorage.getItem(KEY);
    return theme && THEMES.includes(theme) ? theme : THEMES[0];
  } catch {
    return THEMES[0];
  }
}
