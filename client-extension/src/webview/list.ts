// The results: kept apart by their ids, so that what stays where it is is not made anew, and moved through by keys.
import type { Row } from "../search/rows";
import { Article, type Deeds } from "./article";
import { element } from "./dom";
import { Slices } from "./slices";

/** How far below and above the screen code is coloured already, in pixels. */
const AHEAD = 600;

export class ResultList {
  readonly element: HTMLElement;
  readonly #articles = new Map<string, Article>();
  readonly #slices = new Slices();
  readonly #colours = new Slices();
  readonly #near = new Set<Article>();
  readonly #observer: IntersectionObserver;
  readonly #byElement = new WeakMap<Element, Article>();
  readonly #deeds: Deeds;
  #pinned: ReadonlySet<string> = new Set();
  #onLeave: () => void;

  constructor(label: string, deeds: Deeds, onLeave: () => void) {
    this.#deeds = deeds;
    this.#onLeave = onLeave;
    this.element = element("div", { className: "results", aria: { role: "feed", label } });
    this.#observer = new IntersectionObserver((entries) => this.#seen(entries), { rootMargin: `${AHEAD}px` });
    this.element.addEventListener("keydown", (event) => this.#key(event));
  }

  get count(): number {
    return this.element.childElementCount;
  }

  show(rows: readonly Row[], words: readonly string[]): void {
    this.element.setAttribute("aria-busy", "true");
    this.#slices.start(this.#place(rows, words));
  }

  showPinned(ids: ReadonlySet<string>): void {
    this.#pinned = ids;
    for (const [id, article] of this.#articles) article.showPinned(ids.has(id));
  }

  /** Give the first result the focus. */
  enter(): void {
    this.#focus(this.element.firstElementChild);
  }

  *#place(rows: readonly Row[], words: readonly string[]): Generator<undefined, void> {
    const wanted = new Set(rows.map((row) => row.id));
    for (const [id, article] of this.#articles) {
      if (!wanted.has(id)) this.#remove(id, article);
    }
    yield;
    let before: Element | null = null;
    for (const [place, row] of rows.entries()) {
      const article = this.#article(row, words);
      article.showPlace(place + 1, rows.length);
      const next: Element | null = before ? before.nextElementSibling : this.element.firstElementChild;
      if (next !== article.element) this.#move(article.element, next);
      before = article.element;
      yield;
    }
    const first = this.element.firstElementChild;
    if (first instanceof HTMLElement && !this.element.querySelector('[tabindex="0"]')) first.tabIndex = 0;
    this.element.setAttribute("aria-busy", "false");
  }

  /** Whoever is on a result that goes is led to the next one, or out. */
  #remove(id: string, article: Article): void {
    const hadFocus = hasFocus(article.element);
    const neighbour = article.element.nextElementSibling ?? article.element.previousElementSibling;
    this.#observer.unobserve(article.element);
    this.#near.delete(article);
    article.element.remove();
    this.#articles.delete(id);
    if (hadFocus && neighbour) this.#focus(neighbour);
    else if (hadFocus) this.#onLeave();
  }

  /** What is moved loses the focus; it gets it back. */
  #move(article: HTMLElement, next: Element | null): void {
    const focused = hasFocus(article) ? document.activeElement : null;
    this.element.insertBefore(article, next);
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }

  #article(row: Row, words: readonly string[]): Article {
    const known = this.#articles.get(row.id);
    if (known) {
      known.update(row, words);
      if (this.#near.has(known)) known.colour();
      return known;
    }
    const made = new Article(row, words, this.#deeds);
    made.showPinned(this.#pinned.has(row.id));
    this.#articles.set(row.id, made);
    this.#byElement.set(made.element, made);
    this.#observer.observe(made.element);
    return made;
  }

  #seen(entries: readonly IntersectionObserverEntry[]): void {
    for (const entry of entries) {
      const article = this.#byElement.get(entry.target);
      if (!article) continue;
      if (entry.isIntersecting) this.#near.add(article);
      else this.#near.delete(article);
    }
    this.#colours.start(this.#colour());
  }

  *#colour(): Generator<undefined, void> {
    for (const article of [...this.#near]) {
      article.colour();
      yield;
    }
  }

  #key(event: KeyboardEvent): void {
    const current = event.target instanceof Element ? event.target.closest("article") : null;
    const article = current && this.#byElement.get(current);
    if (!article || event.target instanceof HTMLButtonElement) {
      if (event.key === "Escape") this.#onLeave();
      return;
    }
    const moves: Readonly<Record<string, Element | null>> = {
      ArrowDown: current.nextElementSibling,
      j: current.nextElementSibling,
      PageDown: current.nextElementSibling,
      ArrowUp: current.previousElementSibling,
      k: current.previousElementSibling,
      PageUp: current.previousElementSibling,
      Home: this.element.firstElementChild,
      End: this.element.lastElementChild,
    };
    const deeds: Readonly<Record<string, () => void>> = {
      Enter: () => this.#deeds.open(article.row, event.ctrlKey || event.metaKey || event.altKey),
      o: () => this.#deeds.open(article.row, true),
      c: () => this.#deeds.copy(article.row),
      p: () => this.#deeds.pin(article.row),
      " ": () => article.toggle(),
      Escape: () => this.#onLeave(),
      "/": () => this.#onLeave(),
    };
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
    if (hasModifier && event.key !== "Enter") return;
    if (event.key in moves) {
      if (!moves[event.key] && (event.key === "ArrowUp" || event.key === "k")) this.#onLeave();
      this.#focus(moves[event.key] ?? null);
    } else if (deeds[event.key]) deeds[event.key]?.();
    else return;
    event.preventDefault();
  }

  #focus(target: Element | null): void {
    if (!(target instanceof HTMLElement)) return;
    for (const each of this.element.querySelectorAll<HTMLElement>('article[tabindex="0"]')) each.tabIndex = -1;
    target.tabIndex = 0;
    target.focus();
    target.scrollIntoView({ block: "nearest" });
  }
}

function hasFocus(article: Element): boolean {
  return article.contains(document.activeElement);
}
