// One result on screen.
import type { Row } from "../search/rows";
import { SHOWN_LINES } from "../search/telling";
import { button, element, icon } from "./dom";
import { finderOf, marked, piecesOf } from "./highlight";

export interface Deeds {
  open(row: Row, beside: boolean): void;
  copy(row: Row): void;
  pin(row: Row): void;
}

/** What a result does by itself; its buttons are for the mouse. */
const KEYS = "Enter Control+Enter O C P Space";

/** A result's element; it knows its row, and colours its code only when somebody is about to see it. */
export class Article {
  readonly element: HTMLElement;
  #row: Row;
  #words: readonly string[];
  #isWhole = false;
  #isColoured = false;
  readonly #code = element("code");
  readonly #more: HTMLButtonElement;
  readonly #bars = element("div", { className: "bars" });
  readonly #reasons = element("div", { className: "reasons" });
  readonly #pinButton: HTMLButtonElement;

  constructor(row: Row, words: readonly string[], deeds: Deeds) {
    this.#row = row;
    this.#words = words;
    this.#more = element("button", { className: "more", type: "button" });
    this.#more.addEventListener("click", () => this.toggle());
    this.#pinButton = button("Pin", "pin", () => deeds.pin(this.#row));
    const open = element("button", { className: "place", type: "button", tabIndex: -1 }, ...placeOf(row));
    open.addEventListener("click", (event) => deeds.open(this.#row, event.ctrlKey || event.metaKey || event.altKey));
    this.element = element(
      "article",
      { className: "result", tabIndex: -1, aria: { label: spoken(row), keyshortcuts: KEYS } },
      element(
        "header",
        {},
        open,
        element(
          "div",
          { className: "deeds" },
          button("Open to the side", "beside", () => deeds.open(this.#row, true)),
          button("Copy code", "copy", () => deeds.copy(this.#row)),
          this.#pinButton,
        ),
      ),
      element("pre", { tabIndex: -1 }, this.#code),
      this.#more,
      element("footer", {}, this.#bars, this.#reasons),
    );
    this.element.querySelector("pre")?.addEventListener("dblclick", () => deeds.open(this.#row, false));
    for (const each of this.element.querySelectorAll("button")) each.tabIndex = -1;
    this.#showCode();
    this.#showWhy();
  }

  get row(): Row {
    return this.#row;
  }

  /** The same chunk with other scores: only what differs is made anew. */
  update(row: Row, words: readonly string[]): void {
    const hasOtherCode = row.code !== this.#row.code || words.join() !== this.#words.join();
    this.#row = row;
    this.#words = words;
    this.element.setAttribute("aria-label", spoken(row));
    if (hasOtherCode) {
      this.#isColoured = false;
      this.#showCode();
    }
    this.#showWhy();
  }

  showPlace(place: number, of: number): void {
    this.element.setAttribute("aria-posinset", String(place));
    this.element.setAttribute("aria-setsize", String(of));
  }

  showPinned(isPinned: boolean): void {
    const label = isPinned ? "Unpin" : "Pin";
    this.#pinButton.title = label;
    this.#pinButton.setAttribute("aria-label", label);
    this.#pinButton.setAttribute("aria-pressed", String(isPinned));
    this.#pinButton.replaceChildren(icon(isPinned ? "pinned" : "pin"));
  }

  /** All lines, or the first ones again. */
  toggle(): void {
    this.#isWhole = !this.#isWhole;
    const wasColoured = this.#isColoured;
    this.#isColoured = false;
    this.#showCode();
    if (wasColoured) this.colour();
  }

  colour(): void {
    if (this.#isColoured) return;
    this.#isColoured = true;
    const made = document.createDocumentFragment();
    const finder = finderOf(this.#words);
    for (const piece of piecesOf(this.#shownCode(), this.#row.language)) {
      const holder = piece.colour ? element("span", { className: piece.colour }) : made;
      for (const part of marked(piece.text, finder)) {
        holder.append(part.isMarked ? element("mark", {}, part.text) : part.text);
      }
      if (piece.colour) made.append(holder);
    }
    this.#code.replaceChildren(made);
  }

  #shownCode(): string {
    const { code, from } = this.#row;
    return this.#isWhole ? code : code.split("\n").slice(from, from + SHOWN_LINES).join("\n");
  }

  #showCode(): void {
    this.#code.textContent = this.#shownCode();
    const hidden = this.#row.lines - SHOWN_LINES;
    this.#more.hidden = hidden <= 0;
    this.#more.textContent = this.#isWhole ? "Show less" : `Show ${hidden} more ${hidden === 1 ? "line" : "lines"}`;
  }

  #showWhy(): void {
    this.#bars.replaceChildren(
      ...this.#row.bars.map((bar) => {
        const fill = element("span", { className: `fill ${bar.name}` });
        fill.style.width = `${Math.round(bar.share * 100)}%`;
        return element(
          "span",
          { className: "bar", title: bar.label, aria: { role: "img", label: bar.label } },
          element("span", { className: "name" }, bar.name),
          element("span", { className: "track" }, fill),
        );
      }),
    );
    this.#reasons.replaceChildren(...this.#row.reasons.map((reason) => element("span", { className: "reason" }, reason)));
  }
}

function placeOf(row: Row): (Node | string)[] {
  const cut = row.path.lastIndexOf("/") + 1;
  const name = element(
    "span",
    { className: "file" },
    row.path.slice(cut),
    element("span", { className: "line" }, `:${row.line}`),
  );
  const folder = element("span", { className: "folder" }, row.path.slice(0, cut).replace(/\/$/, ""));
  const symbol = row.symbol
    ? [
        element(
          "span",
          { className: "symbol" },
          element("span", { className: "kind" }, row.kind),
          " ",
          element("span", { className: "of" }, row.symbol),
        ),
      ]
    : [];
  const unsaved = row.isUnsaved ? [element("span", { className: "unsaved", title: "From the editor, maybe not saved" }, "●")] : [];
  return [element("span", { className: "path" }, name, ...unsaved, folder), ...symbol];
}

function spoken(row: Row): string {
  const symbol = row.symbol ? `${row.kind} ${row.symbol}, ` : "";
  return `${symbol}${row.path}, line ${row.line}. ${row.bars.map((bar) => bar.label).join(". ")}. ${row.reasons.join(", ")}`;
}
