// The panel: shows what the extension says, and tells it what the person does.
import type { FromPanel, Shown, ToPanel } from "../panel/messages";
import { readAsked } from "../panel/messages";
import type { Emptiness } from "../search/emptiness";
import { NO_FILTERS } from "../search/filters";
import type { Row } from "../search/rows";
import { rangeFrom } from "../search/telling";
import { element } from "./dom";
import { Form } from "./form";
import { ResultList } from "./list";
import { raceOf } from "./race";
import { WeakerList } from "./weaker";

interface Editor {
  postMessage(message: FromPanel): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): Editor;

/** Questions of before that the empty panel offers. */
const OFFERED = 8;

const editor = acquireVsCodeApi();
const tell = (message: FromPanel) => editor.postMessage(message);

const deeds = {
  open: (row: Row, beside: boolean) => {
    tell({ kind: "open", uri: row.uri, range: rangeFrom(row.range, row.line - 1), beside });
  },
  copy: (row: Row) => {
    tell({ kind: "copy", id: row.id });
    live.textContent = "Copied.";
  },
  pin: (row: Row) => tell({ kind: "pin", id: row.id }),
};

const form = new Form({
  search(query, filters, isTyping) {
    editor.setState({ query, filters });
    tell({ kind: "search", query, filters, isTyping, more: false });
  },
  cancel: () => tell({ kind: "cancel" }),
  down: () => (list.count > 0 ? list.enter() : weaker.enter()),
});
const list = new ResultList("Results", deeds, () => form.focus());
const pins = new ResultList("Pinned", deeds, () => form.focus());
const weaker = new WeakerList(({ uri, range }, beside) => tell({ kind: "open", uri, range, beside }), () => form.focus());

const progress = element("div", { className: "progress", hidden: true, aria: { role: "progressbar", label: "Searching" } });
const summary = element("p", { className: "summary", id: "summary" });
/** What is read aloud when it changes. */
const live = element("p", { className: "aloud", aria: { role: "status", live: "polite" } });
const alerts = element("div", { className: "alerts", hidden: true, aria: { role: "note", label: "Notes" } });
const message = element("section", { className: "message" });
const more = element("button", { className: "more all", type: "button", hidden: true }, "Show more results");
const race = element("details", { className: "race", hidden: true });
const pinned = element("details", { className: "pinned", open: true, hidden: true }, element("summary", {}, "Pinned"), pins.element);
const status = element("p", { className: "state" });

more.addEventListener("click", () => {
  more.hidden = true;
  tell({ kind: "search", query: form.query, filters: form.filters, isTyping: false, more: true });
});

const root = element("div");
document.getElementById("root")?.append(root);
root.append(form.element, progress, summary, live, alerts, pinned, message, list.element, more, weaker.element, race, status);

let history: readonly string[] = [];
let hasAsked = false;

function showStart(): void {
  hasAsked = false;
  const tips = element(
    "p",
    { className: "tip" },
    "Type a question such as “where are sessions expired”, a name, or an error message. ",
    "↓ moves to the results, Enter opens one, Alt+↑ brings back what you asked before.",
  );
  const recent = history.slice(0, OFFERED).map((query) => {
    const link = element("button", { className: "link", type: "button" }, query);
    link.addEventListener("click", () => {
      form.fill(query, NO_FILTERS);
      tell({ kind: "search", query, filters: NO_FILTERS, isTyping: false, more: false });
    });
    return element("li", {}, link);
  });
  const forget = element("button", { className: "link quiet", type: "button" }, "Forget these");
  forget.addEventListener("click", () => tell({ kind: "forget" }));
  message.replaceChildren(
    tips,
    ...(recent.length > 0 ? [element("h2", {}, "Asked before"), element("ul", { className: "recent" }, ...recent), forget] : []),
  );
}

function showEmptiness(emptiness: Emptiness | null): void {
  if (!emptiness) return message.replaceChildren();
  const remedies = emptiness.remedies.map((remedy) => {
    const press = element("button", { className: "remedy", type: "button" }, remedy.label);
    press.addEventListener("click", () => tell({ kind: "remedy", action: remedy.action }));
    return press;
  });
  message.replaceChildren(
    element("h2", {}, emptiness.title),
    element("p", {}, emptiness.advice),
    element("div", { className: "remedies" }, ...remedies),
  );
  live.textContent = `${emptiness.title}. ${emptiness.advice}`;
}

function showBusy(isBusy: boolean): void {
  progress.hidden = !isBusy;
  form.showBusy(isBusy);
}

function showAnswer(shown: Shown): void {
  showBusy(!shown.isFinal);
  // Whoever looks from outside can tell which question the page shows the whole answer to.
  if (shown.isFinal) root.dataset.answered = shown.query;
  summary.textContent = shown.isFinal ? shown.summary : `${shown.summary} so far …`;
  if (shown.isFinal) live.textContent = [shown.summary, ...shown.alerts].join(". ");
  alerts.replaceChildren(...shown.alerts.map((each) => element("p", {}, each)));
  alerts.hidden = shown.alerts.length === 0;
  showEmptiness(shown.emptiness);
  list.show(shown.rows, shown.words);
  more.hidden = !shown.isFinal || !shown.hasMore;
  weaker.show(shown.weaker);
  race.hidden = shown.timeline.lanes.length === 0;
  race.replaceChildren(element("summary", {}, "How it was found"), ...raceOf(shown.timeline));
}

function showStopped(emptiness: Emptiness | null): void {
  showBusy(false);
  summary.textContent = "";
  alerts.hidden = true;
  more.hidden = true;
  weaker.show([]);
  race.hidden = true;
  if (emptiness) showEmptiness(emptiness);
  else {
    list.show([], []);
    showStart();
  }
}

function hear(heard: ToPanel): void {
  switch (heard.kind) {
    case "began":
      hasAsked = true;
      delete root.dataset.answered;
      showBusy(true);
      summary.textContent = "Searching …";
      if (list.count === 0) {
        message.replaceChildren();
        weaker.show([]);
      }
      return;
    case "shown":
      hasAsked = true;
      return showAnswer(heard.shown);
    case "stopped":
      return showStopped(heard.emptiness);
    case "kept": {
      history = heard.history;
      form.showHistory(history);
      const ids = new Set(heard.pins.map((row) => row.id));
      list.showPinned(ids);
      pins.showPinned(ids);
      pins.show(heard.pins, []);
      pinned.hidden = heard.pins.length === 0;
      if (!hasAsked) showStart();
      return;
    }
    case "status":
      status.textContent = heard.text;
      status.classList.toggle("busy", heard.isBusy);
      return;
    case "fill":
      form.fill(heard.query, heard.filters);
      return;
  }
}

window.addEventListener("message", (event: MessageEvent<ToPanel>) => hear(event.data));
window.addEventListener("focus", () => {
  if (document.activeElement === document.body) form.focus();
});

const before = readAsked(editor.getState());
if (before) form.fill(before.query, before.filters);
showStart();
tell(before ? { kind: "ready", before } : { kind: "ready" });
// A view that comes back with the window takes the focus from nobody.
if (document.hasFocus()) form.focus();
