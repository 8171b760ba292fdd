// A document for tests without a browser. It comes before anything that makes elements: import it first.
import { Window } from "happy-dom";

const window = new Window();

/** Nothing is ever seen unless a test says so. */
class Observer {
  static made: Observer[] = [];
  readonly observed = new Set<Element>();
  readonly #seen: IntersectionObserverCallback;

  constructor(seen: IntersectionObserverCallback) {
    this.#seen = seen;
    Observer.made.push(this);
  }

  observe(target: Element): void {
    this.observed.add(target);
  }

  unobserve(target: Element): void {
    this.observed.delete(target);
  }

  see(target: Element, isIntersecting = true): void {
    this.#seen([{ target, isIntersecting } as IntersectionObserverEntry], this as unknown as IntersectionObserver);
  }
}

Object.assign(globalThis, {
  window,
  document: window.document,
  IntersectionObserver: Observer,
  ...Object.fromEntries(["Element", "HTMLElement", "HTMLButtonElement", "KeyboardEvent", "Event"].map((name) => [name, window[name as "Element"]])),
});

/** Bring this element, and nothing else, onto the page. */
export function show(element: HTMLElement): void {
  document.body.replaceChildren(element);
}

/** Someone scrolls until this element is there. */
export function see(target: Element): void {
  for (const observer of Observer.made) if (observer.observed.has(target)) observer.see(target);
}

export function isObserved(target: Element): boolean {
  return Observer.made.some((observer) => observer.observed.has(target));
}

/** Press a key where the focus is; answers whether anybody took it. */
export function press(key: string, more: Partial<KeyboardEventInit> = {}): boolean {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  document.activeElement?.dispatchEvent(event);
  return event.defaultPrevented;
}

/** Work in slices is done. */
export async function settled(): Promise<void> {
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setTimeout(resolve));
}
