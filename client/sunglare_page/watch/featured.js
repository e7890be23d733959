// Which match `/tv` shows, by what everybody has been told alone: the running one whose public record
// has the most entries in its last three turns, ties to the oldest.

const TURNS = 3;

/** Counts the entries of the public records of matches, turn by turn. */
export class Tally {
  #byMatch = new Map();

  /** Take a frame of the public feed of a match. */
  take(match, frame) {
    const turns = this.#byMatch.get(match) ?? new Map();
    const { turn } = frame.view.stage;
    turns.set(turn, Math.max(turns.get(turn) ?? 0, frame.view.record?.length ?? 0));
    this.#byMatch.set(match, turns);
  }

  /** Forget a match. */
  drop(match) {
    this.#byMatch.delete(match);
  }

  /** Return how many entries the last three turns of a match have, as far as they were seen. */
  entriesOf(match) {
    const turns = this.#byMatch.get(match) ?? new Map();
    const newest = this.turnOf(match);
    return [...turns].filter(([turn]) => turn > newest - TURNS).reduce((sum, [, entries]) => sum + entries, 0);
  }

  /** Return the turn of a match, by which the oldest is known. */
  turnOf(match) {
    return Math.max(0, ...(this.#byMatch.get(match)?.keys() ?? []));
  }
}

/**
 * Return the match to show, or null without any.
 * @param {string[]} matches those that are running
 * @param {Tally} tally
 * @returns {string | null}
 */
export function featured(matches, tally) {
  const ranked = [...matches].sort(
    (one, other) =>
      tally.entriesOf(other) - tally.entriesOf(one) ||
      tally.turnOf(other) - tally.turnOf(one) ||
      (one < other ? -1 : 1),
  );
  return ranked[0] ?? null;
}
