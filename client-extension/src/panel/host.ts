// The extension's half of the panel: searches, remembers, and does what the panel asks for.
import type { ChunkSearchAnswer, Range } from "../protocol";
import { emptinessOf, failureOf, type Remedy } from "../search/emptiness";
import { isNarrowed, NO_FILTERS, paramsOf, type Filters } from "../search/filters";
import { readHistory, remembered } from "../search/history";
import { rowsOf, type IsUnsaved, type PathOf, type Row } from "../search/rows";
import { Searcher } from "../search/searcher";
import { wordsOf } from "../search/telling";
import { nameOf, timelineOf } from "../search/timeline";
import { weakerOf } from "../search/weaker";
import type { Link } from "../server/link";
import { readMessage, type Asked, type FromPanel, type Shown, type ToPanel } from "./messages";

/** Results of a first answer; "more" asks for all that the panel shows at once. */
export const FIRST_RESULTS = 30;
export const MORE_RESULTS = 200;

/** Pins that are kept. */
export const MOST_PINS = 50;

/** What the panel needs of the editor. */
export interface Editor {
  pathOf: PathOf;
  isUnsaved: IsUnsaved;
  open(uri: string, range: Range, beside: boolean): Promise<void>;
  copy(text: string): Promise<void>;
  remedy(action: Remedy["action"]): Promise<void>;
  recall(key: string): unknown;
  remember(key: string, value: unknown): void;
}

export class PanelHost {
  readonly #searcher: Searcher;
  readonly #editor: Editor;
  readonly #post: (message: ToPanel) => void;
  #filters: Filters = NO_FILTERS;
  #query = "";
  #max = FIRST_RESULTS;
  #last: ToPanel | undefined;
  #rows: readonly Row[] = [];
  /** The code as it stands in the files, by the ids of the last answer: that is what is copied. */
  #texts = new Map<string, string>();
  #status: ToPanel | undefined;
  #isClosed = false;

  constructor(link: Link, editor: Editor, post: (message: ToPanel) => void) {
    this.#searcher = new Searcher(link);
    this.#editor = editor;
    this.#post = (message) => {
      if (!this.#isClosed) post(message);
    };
  }

  /** The panel is gone: nobody waits for an answer, and there is nothing to tell it. */
  dispose(): void {
    this.#isClosed = true;
    this.#searcher.cancel();
  }

  /** Something came from the panel; what is no message of ours is ignored. */
  async receive(given: unknown): Promise<void> {
    const message = readMessage(given);
    if (message) await this.#act(message);
  }

  /** Search for something that was not typed into the panel. */
  async searchFor(query: string, filters: Filters = NO_FILTERS): Promise<void> {
    this.#post({ kind: "fill", query, filters });
    await this.#search({ kind: "search", query, filters, isTyping: false, more: false });
  }

  showStatus(text: string, isBusy: boolean): void {
    this.#status = { kind: "status", text, isBusy };
    this.#post(this.#status);
  }

  async #act(message: FromPanel): Promise<void> {
    switch (message.kind) {
      case "ready":
        return this.#repeat(message.before);
      case "search":
        return this.#search(message);
      case "cancel":
        return this.#searcher.cancel();
      case "open":
        this.#note(this.#query);
        return this.#editor.open(message.uri, message.range, message.beside);
      case "copy": {
        const text = this.#texts.get(message.id) ?? this.#row(message.id)?.code;
        return text === undefined ? undefined : this.#editor.copy(text);
      }
      case "pin":
        return this.#pin(message.id);
      case "forget":
        this.#editor.remember("history", []);
        return this.#tellKept();
      case "remedy":
        return this.#remedy(message.action);
    }
  }

  /** A panel that was hidden begins anew, with what it had; after a reload only the page itself knows what that was. */
  async #repeat(before: Asked | undefined): Promise<void> {
    this.#tellKept();
    if (this.#status) this.#post(this.#status);
    if (!this.#query && before?.query) return this.#search({ kind: "search", ...before, isTyping: true, more: false });
    if (this.#query) this.#post({ kind: "fill", query: this.#query, filters: this.#filters });
    if (this.#last) this.#post(this.#last);
  }

  async #search(asked: Extract<FromPanel, { kind: "search" }>): Promise<void> {
    const query = asked.query.trim();
    this.#query = query;
    this.#filters = asked.filters;
    this.#max = asked.more ? MORE_RESULTS : FIRST_RESULTS;
    if (!query) {
      this.#searcher.cancel();
      this.#rows = [];
      return this.#tell({ kind: "stopped", emptiness: null });
    }
    if (!asked.isTyping) this.#note(query);
    this.#post({ kind: "began", query });
    await this.#searcher.search(paramsOf(query, asked.filters, this.#max), {
      grows: (answer) => this.#tell({ kind: "shown", shown: this.#shown(answer, false) }),
      done: (answer) => this.#tell({ kind: "shown", shown: this.#shown(answer, true) }),
      cancelled: () => this.#tell({ kind: "stopped", emptiness: STOPPED }),
      failed: (message, lack) => this.#tell({ kind: "stopped", emptiness: failureOf(message, lack) }),
    });
  }

  #shown(answer: ChunkSearchAnswer, isFinal: boolean): Shown {
    const words = wordsOf(answer.parsedQuery);
    const emptiness = isFinal ? emptinessOf(answer, isNarrowed(this.#filters)) : null;
    this.#rows = rowsOf(answer.chunks, words, this.#editor.pathOf, this.#editor.isUnsaved);
    this.#texts = new Map(answer.chunks.map((chunk) => [chunk.id, chunk.rawText]));
    const timeline = timelineOf(answer);
    return {
      query: this.#query,
      rows: this.#rows,
      words,
      weaker: isFinal ? weakerOf(answer.nearby, this.#editor.pathOf) : [],
      timeline,
      // What is said about emptiness is said once.
      alerts: answer.alerts.filter((alert) => alert !== emptiness?.advice),
      emptiness,
      hasMore: answer.limitHit && answer.chunks.length > 0 && this.#max < MORE_RESULTS,
      isFinal,
      summary: summaryOf(answer, timeline.milliseconds),
    };
  }

  async #remedy(action: Remedy["action"]): Promise<void> {
    const again = (filters: Filters) => this.searchFor(this.#query, filters);
    if (action === "clearFilters") return again(NO_FILTERS);
    if (action === "searchAgain") return again(this.#filters);
    return this.#editor.remedy(action);
  }

  #pin(id: string): void {
    const pins = this.#pins;
    const row = this.#row(id);
    const others = pins.filter((each) => each.id !== id);
    if (others.length < pins.length) this.#editor.remember("pins", others);
    else if (row) this.#editor.remember("pins", [row, ...others].slice(0, MOST_PINS));
    this.#tellKept();
  }

  #row(id: string): Row | undefined {
    return this.#rows.find((row) => row.id === id) ?? this.#pins.find((row) => row.id === id);
  }

  get #pins(): readonly Row[] {
    const stored = this.#editor.recall("pins");
    return Array.isArray(stored) ? (stored as Row[]) : [];
  }

  #note(query: string): void {
    const history = readHistory(this.#editor.recall("history"));
    this.#editor.remember("history", remembered(history, query));
    this.#tellKept();
  }

  #tellKept(): void {
    this.#post({ kind: "kept", pins: this.#pins, history: readHistory(this.#editor.recall("history")) });
  }

  #tell(message: ToPanel): void {
    this.#last = message;
    this.#post(message);
  }
}

const STOPPED = {
  title: "Stopped",
  advice: "The search was cancelled.",
  remedies: [{ label: "Search again", action: "searchAgain" }],
} as const;

function summaryOf(answer: ChunkSearchAnswer, milliseconds: number): string {
  const count = answer.chunks.length;
  const results = count === 1 ? "1 result" : `${count} results`;
  const by = answer.strategy ? `, by ${nameOf(answer.strategy).toLowerCase()}` : "";
  const part = answer.complete ? "" : ", not complete";
  return `${results} in ${Math.round(milliseconds)} ms${by}${part}`;
}
