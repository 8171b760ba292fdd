// The question and its filters.
import { NO_FILTERS, isContent, type Filters } from "../search/filters";
import { button, element } from "./dom";

/** Milliseconds without a key after which what is typed is searched for. */
const PAUSE_MS = 350;

/** Characters from which on a question is searched for while it is typed. */
const SHORTEST = 3;

/** Kinds of content and what they are called. */
const KINDS = [
  ["all", "everything"],
  ["code", "code"],
  ["docs", "docs"],
  ["config", "config"],
] as const;

export interface Asked {
  search(query: string, filters: Filters, isTyping: boolean): void;
  cancel(): void;
  down(): void;
}

export class Form {
  readonly element: HTMLFormElement;
  readonly #query = element("input", {
    type: "text",
    id: "query",
    placeholder: "Ask for code, in words or by name",
    autocomplete: "off",
    spellcheck: false,
    aria: { label: "Question", describedby: "summary" },
  });
  readonly #folder = element("input", {
    type: "text",
    id: "folder",
    placeholder: "in src, *.ts",
    title: "Only in these folders or files: src, *.ts",
    spellcheck: false,
    aria: { label: "Only in folders or files" },
  });
  readonly #language = element("input", {
    type: "text",
    id: "language",
    placeholder: "language",
    title: "Only in these languages: python, go",
    spellcheck: false,
    aria: { label: "Only in languages" },
  });
  readonly #content = element(
    "select",
    { id: "content", aria: { label: "Kind of content" } },
    ...KINDS.map(([value, name]) => element("option", { value }, name)),
  );
  readonly #go = button("Search", "search", () => this.#ask(false));
  readonly #stop: HTMLButtonElement;
  readonly #asked: Asked;
  #pause: ReturnType<typeof setTimeout> | undefined;
  #history: readonly string[] = [];
  #place = -1;
  /** What was typed before the history was looked through. */
  #draft = "";

  constructor(asked: Asked) {
    this.#asked = asked;
    this.#stop = button("Stop", "stop", () => asked.cancel());
    this.#stop.hidden = true;
    this.element = element(
      "form",
      { className: "ask", aria: { role: "search", label: "Search the workspace" } },
      element("div", { className: "question" }, this.#query, this.#go, this.#stop),
      element(
        "div",
        { className: "filters", aria: { role: "group", label: "Filters" } },
        this.#folder,
        this.#language,
        this.#content,
      ),
    );
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#ask(false);
    });
    this.#query.addEventListener("input", () => this.#typed());
    this.#query.addEventListener("keydown", (event) => this.#key(event));
    for (const field of [this.#folder, this.#language, this.#content]) {
      field.addEventListener("change", () => this.#ask(false));
    }
  }

  get query(): string {
    return this.#query.value;
  }

  get filters(): Filters {
    const content = this.#content.value;
    return {
      folder: this.#folder.value.trim(),
      language: this.#language.value.trim(),
      content: isContent(content) ? content : NO_FILTERS.content,
    };
  }

  fill(query: string, filters: Filters): void {
    this.#query.value = query;
    this.#folder.value = filters.folder;
    this.#language.value = filters.language;
    this.#content.value = filters.content;
  }

  focus(): void {
    this.#query.focus();
    this.#query.select();
  }

  showBusy(isBusy: boolean): void {
    this.#go.hidden = isBusy;
    this.#stop.hidden = !isBusy;
  }

  showHistory(history: readonly string[]): void {
    this.#history = history;
    this.#place = -1;
  }

  #typed(): void {
    clearTimeout(this.#pause);
    const length = this.#query.value.trim().length;
    if (length >= SHORTEST || length === 0) this.#pause = setTimeout(() => this.#ask(true), PAUSE_MS);
  }

  #ask(isTyping: boolean): void {
    clearTimeout(this.#pause);
    this.#asked.search(this.#query.value, this.filters, isTyping);
  }

  #key(event: KeyboardEvent): void {
    if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) this.#recall(event.key === "ArrowUp" ? 1 : -1);
    else if (event.key === "ArrowDown") this.#asked.down();
    else if (event.key === "Escape") this.#asked.cancel();
    else return;
    event.preventDefault();
  }

  #recall(step: number): void {
    if (this.#place === -1) this.#draft = this.#query.value;
    this.#place = Math.min(this.#history.length - 1, Math.max(-1, this.#place + step));
    this.#query.value = this.#history[this.#place] ?? this.#draft;
  }
}
