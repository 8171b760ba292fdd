// When a server that ended is started again.

/** Milliseconds before the first restart; each further one waits twice as long … */
export const FIRST_DELAY_MS = 500;

/** … up to this. */
export const LAST_DELAY_MS = 30_000;

/** A server that ran so long was well: its end counts as a first one. */
export const WELL_MS = 60_000;

/** Ends in a row after which a person has to look: what crashes six times will crash again. */
export const MOST_RESTARTS = 6;

/** Counts the ends of one server; time is told by the caller. */
export class Backoff {
  #ends = 0;
  #startedAt = 0;

  started(now: number): void {
    this.#startedAt = now;
  }

  /** Milliseconds until the next start; undefined if there shall be none. */
  ended(now: number): number | undefined {
    if (now - this.#startedAt >= WELL_MS) this.#ends = 0;
    if (this.#ends >= MOST_RESTARTS) return undefined;
    const delay = Math.min(FIRST_DELAY_MS * 2 ** this.#ends, LAST_DELAY_MS);
    this.#ends += 1;
    return delay;
  }

  /** A person wants it started: nothing of before counts. */
  forgive(): void {
    this.#ends = 0;
  }
}
