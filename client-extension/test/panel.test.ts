import assert from "node:assert/strict";
import { test } from "node:test";
import { FIRST_RESULTS, MORE_RESULTS, PanelHost, type Editor } from "../src/panel/host";
import { page } from "../src/panel/html";
import { readMessage, type ToPanel } from "../src/panel/messages";
import type { ChunkSearchAnswer, ChunkSearchParams } from "../src/protocol";
import { NO_FILTERS } from "../src/search/filters";
import { NoServer } from "../src/server/link";
import { finderOf, marked, piecesOf } from "../src/webview/highlight";
import { answer, chunk, nearby } from "./samples";

const RANGE = chunk().range;

/** A panel with a server that gives these answers, one after the other. */
function hosted(...answers: (ChunkSearchAnswer | Error)[]) {
  const posted: ToPanel[] = [];
  const asked: ChunkSearchParams[] = [];
  const deeds: string[] = [];
  const kept = new Map<string, unknown>();
  const editor: Editor = {
    pathOf: (uri) => uri,
    isUnsaved: () => false,
    open: (uri, _range, beside) => Promise.resolve(void deeds.push(`open ${uri} ${String(beside)}`)),
    copy: (text) => Promise.resolve(void deeds.push(`copy ${text}`)),
    remedy: (action) => Promise.resolve(void deeds.push(action)),
    recall: (key) => kept.get(key),
    remember: (key, value) => void kept.set(key, value),
  };
  const host = new PanelHost(
    {
      ask: () => Promise.reject(new Error("not asked here")),
      search: (params, partial) => {
        asked.push(params);
        const next = answers.shift() ?? answer();
        if (next instanceof Error) return Promise.reject(next);
        partial({ ...next, strategy: "tfidf" });
        return Promise.resolve(next);
      },
    },
    editor,
    (message) => posted.push(message),
  );
  const last = <K extends ToPanel["kind"]>(kind: K) =>
    posted.filter((each): each is Extract<ToPanel, { kind: K }> => each.kind === kind).at(-1);
  const search = (query: string, more: Record<string, unknown> = {}) =>
    host.receive({ kind: "search", query, filters: NO_FILTERS, ...more });
  return { host, posted, asked, deeds, kept, last, search };
}

test("a search shows what there is so far, and then all of it", async () => {
  const { posted, search } = hosted();
  await search("a cart");
  assert.deepEqual(posted.map((each) => each.kind), ["kept", "began", "shown", "shown"]);
  const finals = posted.flatMap((each) => (each.kind === "shown" ? [each.shown.isFinal] : []));
  assert.deepEqual(finals, [false, true]);
});

test("an answer says what it is, and what to mark", async () => {
  const { last, search } = hosted(answer({ alerts: ["a"], limitHit: true, complete: false }));
  await search("a cart");
  const shown = last("shown")?.shown;
  assert.equal(shown?.summary, "1 result in 12 ms, by meaning and words, not complete");
  assert.deepEqual([shown.words, shown.alerts, shown.hasMore], [["cart"], ["a"], true]);
});

test("what is said about an empty answer is said once", async () => {
  const crossReference = { explanation: "nothing calls it" } as NonNullable<ChunkSearchAnswer["crossReference"]>;
  const { last, search } = hosted(answer({ chunks: [], empty: "noUses", limitHit: true, crossReference, alerts: ["nothing calls it", "other"] }));
  await search("who calls it");
  assert.equal(last("shown")?.shown.hasMore, false);
  assert.deepEqual([last("shown")?.shown.emptiness?.advice, last("shown")?.shown.alerts], ["nothing calls it", ["other"]]);
});

test("weaker places come with the whole answer, with results and without", async () => {
  const { posted, last, search } = hosted(answer({ nearby: [nearby()] }), answer({ chunks: [], empty: "belowSpread", nearby: [nearby()] }), answer());
  await search("a cart");
  const counts = posted.flatMap((each) => (each.kind === "shown" ? [each.shown.weaker.length] : []));
  assert.deepEqual(counts, [0, 1], "what is weak so far may be a result in the end");
  assert.equal(last("shown")?.shown.weaker[0]?.path, nearby().uri, "they are called as the editor calls files");
  await search("a yacht");
  assert.deepEqual([last("shown")?.shown.rows, last("shown")?.shown.weaker.map((each) => each.lines)], [[], ["10-12"]]);
  await search("a cart");
  assert.deepEqual(last("shown")?.shown.weaker, []);
});

test("more results are asked for once", async () => {
  const { asked, last, search } = hosted(answer({ limitHit: true }), answer({ limitHit: true }));
  await search("q");
  await search("q", { more: true });
  assert.deepEqual(asked.map((each) => each.maxResults), [FIRST_RESULTS, MORE_RESULTS]);
  assert.equal(last("shown")?.shown.hasMore, false);
});

test("what is typed is no history until it is used", async () => {
  const { host, kept, search } = hosted();
  await search("ca", { isTyping: true });
  assert.equal(kept.get("history"), undefined);
  await search("cart", { isTyping: true });
  await host.receive({ kind: "open", uri: "file:///a", range: RANGE, beside: true });
  assert.deepEqual(kept.get("history"), ["cart"]);
  await search("other");
  assert.deepEqual(kept.get("history"), ["other", "cart"]);
  await host.receive({ kind: "forget" });
  assert.deepEqual(kept.get("history"), []);
});

test("results are opened, copied and pinned; a pin outlives its answer", async () => {
  const { host, deeds, last, search } = hosted(answer(), answer({ chunks: [] }));
  await search("q");
  await host.receive({ kind: "copy", id: "c1" });
  await host.receive({ kind: "pin", id: "c1" });
  await search("other");
  await host.receive({ kind: "copy", id: "c1" });
  await host.receive({ kind: "copy", id: "unknown" });
  assert.deepEqual(deeds, ["copy class Cart:\n    pass", "copy class Cart:\n    pass"]);
  assert.deepEqual(last("kept")?.pins.map((row) => row.id), ["c1"]);
  await host.receive({ kind: "pin", id: "c1" });
  assert.deepEqual(last("kept")?.pins, []);
});

test("a panel that comes back gets what it had", async () => {
  const { host, posted, search } = hosted();
  await search("a cart");
  host.showStatus("Ready", false);
  posted.length = 0;
  await host.receive({ kind: "ready" });
  assert.deepEqual(posted.map((each) => each.kind), ["kept", "status", "fill", "shown"]);
});

test("after a reload the page says what it showed, and that is searched for again, once", async () => {
  const before = { query: "a cart", filters: { ...NO_FILTERS, language: "go" } };
  const { host, asked, kept } = hosted();
  await host.receive({ kind: "ready", before });
  await host.receive({ kind: "ready", before });
  assert.deepEqual(asked.map((each) => [each.query, each.languages]), [["a cart", ["go"]]]);
  assert.equal(kept.get("history"), undefined);
  await host.receive({ kind: "ready", before: { query: 1 } });
  assert.equal(asked.length, 1);
});

test("a panel that is closed hears nothing more", async () => {
  const { host, posted, search } = hosted();
  const searching = search("a cart");
  host.dispose();
  const count = posted.length;
  await searching;
  host.showStatus("Ready", false);
  assert.equal(posted.length, count);
});

test("failures and empty answers offer a way out", async () => {
  const { host, last, search, asked, deeds } = hosted(new NoServer("no server", "missing"), answer({ chunks: [], empty: "noMatch" }), answer());
  await search("q");
  assert.equal(last("stopped")?.emptiness?.remedies[0]?.action, "setUp");
  await host.receive({ kind: "remedy", action: "setUp" });
  assert.deepEqual(deeds, ["setUp"]);
  await search("q", { filters: { ...NO_FILTERS, language: "go" } });
  assert.equal(last("shown")?.shown.emptiness?.title, "Nothing matches");
  await host.receive({ kind: "remedy", action: "clearFilters" });
  assert.deepEqual(asked.at(-1)?.languages, []);
});

test("an empty question stops searching and asks nothing", async () => {
  const { asked, last, search } = hosted();
  await search("   ");
  assert.deepEqual([asked.length, last("stopped")?.emptiness], [0, null]);
});

test("what is no message of the panel's is ignored", async () => {
  const bad: unknown[] = [
    null,
    "search",
    { kind: "search", query: 1, filters: NO_FILTERS },
    { kind: "search", query: "x", filters: { ...NO_FILTERS, content: "all of it" } },
    { kind: "search", query: "x".repeat(30_000), filters: NO_FILTERS },
    { kind: "open", uri: "file:///a", range: { start: { line: -1, character: 0 }, end: { line: 0, character: 0 } } },
    { kind: "open", uri: 1, range: RANGE },
    { kind: "remedy", action: "workbench.action.terminal.new" },
    { kind: "copy" },
    { kind: "constructor" },
  ];
  for (const each of bad) assert.equal(readMessage(each), undefined, JSON.stringify(each).slice(0, 80));
  const { host, posted } = hosted();
  await host.receive({ kind: "nonsense" });
  assert.deepEqual(posted, []);
});

test("the page loads nothing from elsewhere and runs only its own script", () => {
  const html = page({ script: 'x"><script>', style: "s.css", origin: "https://*.vscode-cdn.net", place: "editor" }, "abc");
  const policy = /content="([^"]+)"/.exec(html)?.[1] ?? "";
  assert.ok(policy.startsWith("default-src 'none'"));
  assert.ok(policy.includes("script-src 'nonce-abc'") && !policy.includes("unsafe"));
  assert.equal(html.match(/<script/g)?.length, 1);
  assert.ok(html.includes('<body data-place="editor">'));
  const again = { script: "a", style: "b", origin: "c", place: "sideBar" } as const;
  assert.notEqual(page(again), page(again));
});

function coloured(code: string, language: string): string {
  return piecesOf(code, language)
    .filter((piece) => piece.colour)
    .map((piece) => `${piece.colour}:${piece.text}`)
    .join(" ");
}

test("code is coloured by its language", () => {
  assert.equal(coloured('def f(x): # "no"', "python"), 'keyword:def call:f comment:# "no"');
  assert.equal(coloured("a // b", "python"), "");
  assert.equal(coloured('let s = `a${b}`; // c', "typescript"), "keyword:let string:`a${b}` comment:// c");
  assert.equal(coloured("fn f<'a>(x: &'a Foo) {}", "rust"), "keyword:fn type:Foo");
  assert.equal(coloured("SELECT 1 -- x", "sql"), "keyword:SELECT number:1 comment:-- x");
  assert.equal(coloured('"""a\n"b"\n""" 0x1F', "python"), 'string:"""a\n"b"\n""" number:0x1F');
  assert.equal(coloured("# Heading and `code`", "markdown"), "");
  assert.equal(coloured("int x = 1; /* open", "unheard-of"), "number:1 comment:/* open");
});

test("whatever is coloured is the same text, in a time that grows with its length", () => {
  const odd = ['"\\', "'''", "/*", '"""\\"', "`${`", "\u{1F4E6}é漢", "''''''''''''", '"'.repeat(5000), "/*".repeat(5000)];
  for (const language of ["python", "typescript", "rust", "haskell", "sql", "html", "php", "json"]) {
    for (const code of odd) assert.equal(piecesOf(code, language).map((piece) => piece.text).join(""), code);
  }
});

test("words of the question are marked, whatever their case and signs", () => {
  assert.deepEqual(marked("getCart(cart)", finderOf(["cart"])).filter((part) => part.isMarked).map((part) => part.text), ["Cart", "cart"]);
  assert.deepEqual(marked("a.b(", finderOf(["a.b("])), [{ text: "a.b(", isMarked: true }]);
  assert.deepEqual(marked("axb", finderOf(["a.b"])), [{ text: "axb", isMarked: false }]);
  assert.deepEqual(marked("x", finderOf([])), [{ text: "x", isMarked: false }]);
});
