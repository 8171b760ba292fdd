// Long work in short slices, so that the page stays able to answer.

/** Milliseconds after which a slice gives way: a quarter of a frame leaves room for layout and paint, and for a machine that
 * has other things to do as well. */
export const SLICE_MS = 4;

/** Runs one piece of work at a time; a new one takes the place of an old one that is not done. */
export class Slices {
  #current: Iterator<void> | undefined;

  start(work: Iterator<void>, now: () => number = () => performance.now()): void {
    this.#current = work;
    this.#go(work, now);
  }

  #go(work: Iterator<void>, now: () => number): void {
    if (this.#current !== work) return;
    const until = now() + SLICE_MS;
    for (;;) {
      if (work.next().done) {
        this.#current = undefined;
        return;
      }
      if (now() >= until) break;
    }
    setTimeout(() => this.#go(work, now));
  }
}
