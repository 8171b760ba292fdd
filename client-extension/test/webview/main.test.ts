import { press, settled } from "./page";
import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import type { FromPanel, Shown, ToPanel } from "../../src/panel/messages";
import type { WeakerPlace } from "../../src/search/weaker";

const PLACE: WeakerPlace = {
  uri: "file:///src/box.py",
  range: { start: { line: 9, character: 0 }, end: { line: 12, character: 0 } },
  path: "src/box.py",
  lines: "10-12",
  symbol: "Box.fold",
  kind: "method",
  excerpt: "def fold(self, flaps):",
};

const EMPTY = { title: "Nothing here seems to answer this", advice: "Say it in other words.", remedies: [] };

const told: FromPanel[] = [];

/** The page begins by itself when it is loaded, as in the editor. */
before(async () => {
  const root = document.createElement("main");
  root.id = "root";
  document.body.replaceChildren(root);
  const editor = { postMessage: (message: FromPanel) => told.push(message), getState: () => undefined, setState: () => undefined };
  Object.assign(globalThis, { acquireVsCodeApi: () => editor });
  await import("../../src/webview/main");
});

beforeEach(() => {
  told.length = 0;
});

async function hear(message: ToPanel): Promise<void> {
  const event = new Event("message");
  Object.assign(event, { data: message });
  window.dispatchEvent(event);
  await settled();
}

function shown(given: Partial<Shown>): ToPanel {
  const timeline = { milliseconds: 1, lanes: [], cut: [] };
  const usual = { query: "q", rows: [], words: [], weaker: [], timeline, alerts: [], emptiness: null, hasMore: false, isFinal: true, summary: "" };
  return { kind: "shown", shown: { ...usual, ...given } };
}

function weaker(): HTMLElement {
  const found = document.querySelector<HTMLElement>(".weaker");
  assert.ok(found);
  return found;
}

test("an empty answer has its weaker places below what it says, and ↓ leads from the question to them", async () => {
  await hear(shown({ emptiness: EMPTY, weaker: [PLACE] }));
  assert.equal(weaker().hidden, false);
  const order = [...document.querySelectorAll("h2")].map((each) => each.textContent);
  assert.deepEqual(order, [EMPTY.title, "Weaker places"]);
  document.querySelector<HTMLElement>("#query")?.focus();
  press("ArrowDown");
  assert.ok(weaker().contains(document.activeElement));
  press("Enter");
  assert.deepEqual(told, [{ kind: "open", uri: PLACE.uri, range: PLACE.range, beside: false }]);
  press("Escape");
  assert.equal(document.activeElement?.id, "query");
});

test("weaker places go with the answer that they belong to", async () => {
  const isShown = async (message: ToPanel) => {
    await hear(shown({ weaker: [PLACE] }));
    assert.equal(weaker().hidden, false);
    await hear(message);
    return !weaker().hidden;
  };
  assert.equal(await isShown(shown({})), false);
  assert.equal(await isShown({ kind: "stopped", emptiness: null }), false);
  assert.equal(await isShown({ kind: "stopped", emptiness: EMPTY }), false);
  assert.equal(await isShown({ kind: "began", query: "other" }), false, "what was said about the answer before goes as well");
  assert.equal(await isShown({ kind: "status", text: "Ready", isBusy: false }), true);
});
