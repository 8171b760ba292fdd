// The weaker places: a quiet list of links, below the results or where there are none.
import { WEAKER, whereOf, type WeakerPlace } from "../search/weaker";
import { element } from "./dom";

export type OpenPlace = (place: WeakerPlace, beside: boolean) => void;

export class WeakerList {
  readonly element: HTMLElement;
  readonly #list = element("ul");
  readonly #open: OpenPlace;
  readonly #onLeave: () => void;
  #places: readonly WeakerPlace[] = [];

  constructor(open: OpenPlace, onLeave: () => void) {
    this.#open = open;
    this.#onLeave = onLeave;
    this.element = element("section", { className: "weaker", hidden: true, aria: { label: WEAKER } }, element("h2", {}, WEAKER), this.#list);
    this.element.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Whoever is on a place that goes is led to the first of the new ones, or out. */
  show(places: readonly WeakerPlace[]): void {
    const hadFocus = this.element.contains(document.activeElement);
    this.#places = places;
    this.#list.replaceChildren(...places.map((place) => element("li", {}, this.#button(place))));
    this.element.hidden = places.length === 0;
    if (hadFocus && places.length > 0) this.enter();
    else if (hadFocus) this.#onLeave();
  }

  /** Give the first place the focus. */
  enter(): void {
    this.#list.querySelector("button")?.focus();
  }

  #button(place: WeakerPlace): HTMLButtonElement {
    const made = element(
      "button",
      { className: "place", type: "button", title: whereOf(place), aria: { label: spoken(place) } },
      ...partsOf(place),
    );
    made.addEventListener("click", (event) => this.#open(place, hasModifier(event)));
    return made;
  }

  /** The keys of the results, as far as there is something to do with a place. */
  #key(event: KeyboardEvent): void {
    const buttons = [...this.#list.querySelectorAll("button")];
    const at = buttons.findIndex((each) => each === event.target);
    const place = this.#places[at];
    if (!place) return;
    if (event.key === "Enter") this.#open(place, hasModifier(event));
    else if (hasModifier(event)) return;
    else if (event.key === "o") this.#open(place, true);
    else if (event.key === "ArrowDown") buttons[at + 1]?.focus();
    else if (event.key === "ArrowUp" && at > 0) buttons[at - 1]?.focus();
    else if (event.key === "ArrowUp" || event.key === "Escape") this.#onLeave();
    else return;
    // Enter would press the button as well, and open the place twice.
    event.preventDefault();
  }
}

function hasModifier(event: MouseEvent | KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey;
}

function partsOf({ path, lines, symbol, kind, excerpt }: WeakerPlace): HTMLElement[] {
  const cut = path.lastIndexOf("/") + 1;
  const file = element("span", { className: "file" }, path.slice(cut), element("span", { className: "line" }, `:${lines}`));
  const where = element("span", { className: "path" }, element("span", { className: "folder" }, path.slice(0, cut)), file);
  const line = element("code", { className: "excerpt" }, excerpt);
  if (!symbol) return [where, line];
  const name = element("span", { className: "of" }, symbol);
  return [where, element("span", { className: "symbol" }, element("span", { className: "kind" }, kind), " ", name), line];
}

function spoken({ path, lines, symbol, kind, excerpt }: WeakerPlace): string {
  const place = lines.includes("-") ? `lines ${lines.replace("-", " to ")}` : `line ${lines}`;
  return `${symbol ? `${kind} ${symbol}, ` : ""}${path}, ${place}: ${excerpt}`;
}
