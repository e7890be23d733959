// The pill: whether what is shown is live, how far it lags, or that it is a replay. Pure.

/**
 * Return what the pill says.
 * @param {{isLive: boolean, isUp: boolean, isOver: boolean, turn: number, newest: number, isAtEnd: boolean}} now
 * @returns {string}
 */
export function pillText({ isLive, isUp, isOver, turn, newest, isAtEnd }) {
  if (!isLive || isOver) return `REPLAY turn ${turn} of ${newest}`;
  if (!isUp) return 'OFFLINE: trying again';
  const behind = newest - turn;
  if (!isAtEnd) return `turn ${turn}; live is turn ${newest}`;
  if (behind <= 0) return 'LIVE';
  return `LIVE −${behind} ${behind === 1 ? 'turn' : 'turns'}`;
}
