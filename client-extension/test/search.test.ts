import assert from "node:assert/strict";
import { test } from "node:test";
import { keptPlace, lineOf, weakerLine } from "../src/quick/items";
import type { ChunkSearchAnswer, ChunkSearchParams } from "../src/protocol";
import { emptinessOf, failureOf } from "../src/search/emptiness";
import { isNarrowed, NO_FILTERS, paramsOf } from "../src/search/filters";
import { LONGEST_QUESTION, MOST_QUESTIONS, readHistory, remembered } from "../src/search/history";
import { pathIn } from "../src/search/paths";
import { callersQuery, MOST_WORDS, relatedQuery, selectionQuery } from "../src/search/questions";
import { LONGEST_LINE, MOST_LINES, rowsOf, tidied } from "../src/search/rows";
import { Searcher, type Listener } from "../src/search/searcher";
import { tellingLine } from "../src/search/telling";
import { timelineOf } from "../src/search/timeline";
import { weakerOf, whereOf } from "../src/search/weaker";
import { barsOf, strongest } from "../src/search/why";
import { NoServer, type Lack, type Link } from "../src/server/link";
import { answer, chunk, nearby } from "./samples";

test("folders become paths, patterns become globs, languages lose their case", () => {
  const params = paramsOf("q", { folder: "./src/db/, *.ts ,", language: "Python,Go", content: "code" }, 5);
  assert.deepEqual(params, {
    query: "q",
    maxResults: 5,
    paths: ["src/db"],
    include: ["*.ts"],
    languages: ["python", "go"],
    content: "code",
  });
  assert.equal(paramsOf("q", { ...NO_FILTERS, folder: "/" }, 1).paths?.[0], "/");
  assert.equal(isNarrowed(NO_FILTERS), false);
  assert.equal(isNarrowed({ ...NO_FILTERS, content: "docs" }), true);
});

test("a question asked again moves to the front of a history that stays short", () => {
  assert.deepEqual(remembered(["a", "b"], " b "), ["b", "a"]);
  assert.deepEqual(remembered(["a"], "  "), ["a"]);
  const many = Array.from({ length: MOST_QUESTIONS + 9 }, (_, place) => `q${place}`);
  assert.equal(remembered(many, "new").length, MOST_QUESTIONS);
  assert.equal(remembered([], "x".repeat(LONGEST_QUESTION * 2))[0]?.length, LONGEST_QUESTION);
  assert.deepEqual(readHistory(["a", 1, "", null]), ["a"]);
  assert.deepEqual(readHistory("no"), []);
});

test("bars compare with the strongest of the answer", () => {
  const weak = chunk({ scores: { ...chunk().scores, keywordScore: 3, denseRank: null, denseScore: null, boosts: { near: 1.2 } } });
  const strong = chunk({ scores: { ...chunk().scores, boosts: { near: 1.2, name: 1.5 } } });
  const most = strongest([weak, strong]);
  const shares = Object.fromEntries(barsOf(weak, most).map((bar) => [bar.name, bar.share]));
  assert.equal(shares.words, 0.5);
  assert.equal(shares.meaning, 0);
  assert.ok(shares.boosts !== undefined && shares.boosts > 0.2 && shares.boosts < 0.3);
  const labels = barsOf(weak, most).map((bar) => bar.label);
  assert.deepEqual(labels.slice(1, 3), ["Not found by meaning", "Boosts: near ×1.2"]);
  assert.equal(barsOf(strong, most)[2]?.share, 1);
});

test("numbers that make no sense make no bars", () => {
  const odd = chunk({ score: Number.NaN, scores: { ...chunk().scores, keywordScore: -1, denseScore: 7 } });
  assert.deepEqual(barsOf(odd, strongest([odd])).map((bar) => bar.share), [0, 1, 0, 0]);
});

test("the race shows who ran from when to when, and who did not", () => {
  const timeline = timelineOf(answer({ dropped: { ...answer().dropped, spread: 2, duplicates: 1 } }));
  assert.deepEqual(timeline.lanes.map((lane) => lane.bar), [{ left: 0, width: 10 }, { left: 10, width: 90 }, null]);
  assert.match(timeline.lanes[0]?.label ?? "", /^Remote search: cannot search, from 0\.0 to 1\.0 ms: not configured$/);
  assert.equal(timeline.milliseconds, 12);
  assert.match(timeline.cut[0] ?? "", /^2 cut by the 0\.65 spread/);
  assert.equal(timeline.cut.length, 2);
});

test("bars of the race stay inside of it", () => {
  const attempts = [
    { strategy: "a", outcome: "lost", detail: "", started: 100, ended: 100, timedOut: true },
    { strategy: "b", outcome: "lost", detail: "", started: 5, ended: null, timedOut: false },
  ];
  for (const { bar } of timelineOf(answer({ attempts })).lanes) {
    assert.ok(bar && bar.left >= 0 && bar.width > 0 && bar.left + bar.width <= 100.001);
  }
});

test("every kind of empty answer says what to do", () => {
  const kinds = ["noMatch", "belowSpread", "notIndexedYet", "noFiles", "everythingExcluded", "unknownScope", "alreadyInContext", "noUses", "strategiesFailed", "new"];
  const titles = kinds.map((empty) => {
    const found = emptinessOf(answer({ chunks: [], empty }), true);
    assert.ok(found?.advice);
    return found.title;
  });
  assert.equal(new Set(titles).size, kinds.length);
  assert.equal(emptinessOf(answer(), false), null);
  const narrowed = emptinessOf(answer({ chunks: [], empty: "noMatch" }), true);
  assert.deepEqual(narrowed?.remedies.map((each) => each.action), ["clearFilters"]);
  assert.deepEqual(emptinessOf(answer({ chunks: [], empty: "noMatch" }), false)?.remedies, []);
});

test("an answer that is too weak points at the weaker places only if there are some", () => {
  const told = (...places: ReturnType<typeof nearby>[]) => emptinessOf(answer({ chunks: [], empty: "belowSpread", nearby: places }), false);
  assert.equal(told()?.title, "Nothing here seems to answer this");
  assert.equal(told()?.advice, "Say it in other words, or use a name.");
  assert.equal(told(nearby())?.advice, "The weaker places come nearest. Say it in other words, or use a name.");
});

test("weaker places are called as results are, and their lines are those that they have", () => {
  const range = (first: number, last: number, character: number) => ({ start: { line: first, character: 0 }, end: { line: last, character } });
  const places = [nearby(), nearby({ range: range(9, 10, 0), symbol: null }), nearby({ range: range(0, 3, 5) }), nearby({ range: range(4, 4, 0) })];
  const found = weakerOf(places, pathIn([{ uri: "file:///home/me/shop", name: "shop" }]));
  assert.deepEqual(found.map(whereOf), ["src/box.py:10-12", "src/box.py:10", "src/box.py:1-4", "src/box.py:5"]);
  assert.deepEqual(found.slice(0, 2).map(({ symbol, kind }) => [symbol, kind]), [["Box.fold", "method"], ["", ""]]);
  assert.deepEqual([found[0]?.uri, found[0]?.range], [nearby().uri, nearby().range]);
});

test("without a server the way out is the one that helps", () => {
  const first = (lack?: Lack) => failureOf("m", lack).remedies[0]?.action;
  assert.deepEqual([first("missing"), first("stopped"), first("refused"), first()], ["setUp", "restart", undefined, "searchAgain"]);
});

test("rows have what a person reads", () => {
  const method = chunk({ symbol: { name: "add", kind: "method", container: "Cart" }, version: 3 });
  const [row] = rowsOf([method], [], pathIn([{ uri: "file:///home/me/shop", name: "shop" }]), () => true);
  assert.equal(row?.path, "src/cart.py");
  assert.equal(row.line, 5);
  assert.equal(row.symbol, "Cart.add");
  assert.equal(row.isUnsaved, true);
  assert.equal(rowsOf([chunk()], [], String, () => true)[0]?.isUnsaved, false, "what comes from disk is saved");
  assert.equal(rowsOf([chunk({ symbol: null })], [], String, () => false)[0]?.symbol, "");
});

test("the telling line is the one with most of the words", () => {
  const lines = ["{", "import os", "", "def parcel():", "    return heavy_parcel", "heavy parcel again"];
  assert.equal(tellingLine(lines, ["Heavy", "parcel"]), 4);
  assert.equal(tellingLine(lines, ["absent"]), 1);
  assert.equal(tellingLine([], ["x"]), 0);
});

test("of a long chunk the part is shown, and opened, that says why it was found", () => {
  const rawText = Array.from({ length: 60 }, (_, line) => (line === 40 ? "def okapi():" : `line ${line}`)).join("\n");
  const [row] = rowsOf([chunk({ rawText })], ["okapi"], String, () => false);
  assert.deepEqual([row?.line, row?.from], [45, 37]);
  const [end] = rowsOf([chunk({ rawText: `${"x y\n".repeat(59)}okapi` })], ["okapi"], String, () => false);
  assert.equal(end?.from, 60 - 14);
  const [short] = rowsOf([chunk({ rawText: "a b\nokapi" })], ["okapi"], String, () => false);
  assert.deepEqual([short?.line, short?.from], [5, 0]);
});

test("code loses what all lines have in common, and the ends of endless lines", () => {
  assert.deepEqual(tidied("def a():\n        one\n\n            two\n\n", 4), ["def a():", "    one", "", "        two"]);
  assert.deepEqual(tidied("\tone"), ["one"]);
  assert.deepEqual(tidied("\ta\n\t\tb"), ["a", "    b"]);
  assert.deepEqual(tidied("class A:\n    pass"), ["class A:", "    pass"]);
  assert.equal(tidied("x".repeat(10_000))[0]?.length, LONGEST_LINE + 1);
  assert.equal(tidied("x\n".repeat(10_000)).length, MOST_LINES);
  assert.deepEqual(tidied(""), [""]);
});

test("paths are relative to the nearest folder, and several folders have their names", () => {
  const shop = { uri: "file:///home/me/shop", name: "shop" };
  assert.equal(pathIn([shop])("file:///home/me/shop/a%20b.py"), "a b.py");
  assert.equal(pathIn([shop])("file:///home/me/shopping/a.py"), "/home/me/shopping/a.py");
  assert.equal(pathIn([shop])("file:///home/me/shop/100%.py"), "100%.py");
  const inner = { uri: "file:///home/me/shop/web", name: "web" };
  assert.equal(pathIn([shop, inner])("file:///home/me/shop/web/a.ts"), "web/a.ts");
});

test("a selection is asked as it is, or by its words", () => {
  assert.equal(selectionQuery("  parseRequest "), "parseRequest");
  assert.equal(selectionQuery("def total(cart):\n    return total_of(cart)"), "cart total total_of");
  const words = relatedQuery("", Array.from({ length: 300 }, (_, place) => `word${place}`).join(" ")).split(" ");
  assert.equal(words.length, MOST_WORDS);
  assert.equal(relatedQuery("Cart", "items items"), "Cart items");
  assert.equal(callersQuery("a.b"), "who calls a.b");
});

/** A server that answers when the test says so. */
function heldLink(): { link: Link; asked: { params: ChunkSearchParams; signal: AbortSignal; partial: (each: ChunkSearchAnswer) => void; answer: (each: ChunkSearchAnswer) => void; fail: (problem: Error) => void }[] } {
  const asked: ReturnType<typeof heldLink>["asked"] = [];
  const link: Link = {
    ask: () => Promise.reject(new Error("not asked here")),
    search: (params, partial, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("aborted")));
        asked.push({ params, signal, partial, answer: resolve, fail: reject });
      }),
  };
  return { link, asked };
}

function noting(): { heard: string[]; listener: Listener } {
  const heard: string[] = [];
  const listener: Listener = {
    grows: (each) => heard.push(`grows ${each.correlationId}`),
    done: (each) => heard.push(`done ${each.correlationId}`),
    cancelled: () => heard.push("cancelled"),
    failed: (message, lack) => heard.push(`failed ${message} ${String(lack)}`),
  };
  return { heard, listener };
}

test("an answer grows until it is done", async () => {
  const { link, asked } = heldLink();
  const { heard, listener } = noting();
  const searching = new Searcher(link).search({ query: "q" }, listener);
  asked[0]?.partial(answer({ correlationId: "1" }));
  asked[0]?.answer(answer({ correlationId: "2" }));
  await searching;
  assert.deepEqual(heard, ["grows 1", "done 2"]);
});

test("a new question takes the place of the one before, of which nothing more is heard", async () => {
  const { link, asked } = heldLink();
  const searcher = new Searcher(link);
  const [first, second] = [noting(), noting()];
  const searching = searcher.search({ query: "1" }, first.listener);
  const next = searcher.search({ query: "2" }, second.listener);
  assert.equal(asked[0]?.signal.aborted, true);
  asked[0].partial(answer());
  asked[1]?.answer(answer({ correlationId: "2" }));
  await Promise.all([searching, next]);
  assert.deepEqual([first.heard, second.heard], [[], ["done 2"]]);
  assert.equal(searcher.isSearching, false);
});

test("a search that is cancelled or fails says so", async () => {
  const { link, asked } = heldLink();
  const searcher = new Searcher(link);
  const { heard, listener } = noting();
  const stopped = searcher.search({ query: "q" }, listener);
  searcher.cancel();
  await stopped;
  const failing = searcher.search({ query: "q" }, listener);
  asked[1]?.fail(new Error("broken"));
  await failing;
  const missing = searcher.search({ query: "q" }, listener);
  asked[2]?.fail(new NoServer("none", "stopped"));
  await missing;
  assert.deepEqual(heard, ["cancelled", "failed broken undefined", "failed none stopped"]);
});

test("who moved down the quick pick stays on that result when a fuller list comes", () => {
  const items = (...ids: string[]) => ids.map((id) => ({ chunk: chunk({ id }) }));
  const first = items("a", "b", "c");
  const fuller = items("c", "a", "b");
  assert.equal(keptPlace(new Set("a"), first[1], fuller), fuller[2]);
  assert.equal(keptPlace(new Set("a"), first[0], fuller), undefined, "the first line is the best one, not a choice");
  assert.equal(keptPlace(new Set("ab"), first[0], fuller), undefined, "nor is it one if another has become first since");
  assert.equal(keptPlace(new Set("a"), first[1], items("c")), undefined);
  assert.equal(keptPlace(new Set(), undefined, fuller), undefined);
});

test("lines of the quick pick show code as code", () => {
  const line = lineOf(chunk({ rawText: "\n  {\n  echo $(bug) here" }), [], () => "src/cart.py");
  assert.equal(line.label, "$(symbol-class) Cart");
  assert.equal(line.description, "src/cart.py:5");
  assert.equal(line.detail.includes("$(bug)"), false);
  const long = lineOf(chunk({ rawText: `${"x\n".repeat(20)}the cart` }), ["cart"], () => "src/cart.py");
  assert.deepEqual([long.description, long.detail, long.range.start.line], ["src/cart.py:25", "the cart", 24]);
  assert.equal(lineOf(chunk({ symbol: null }), [], () => "src/cart.py").label, "$(file-code) cart.py");
  assert.ok(lineOf(chunk({ rawText: `ab${"x".repeat(900)}` }), [], String).detail.length < 200);
});

test("a weaker place in the quick pick opens its lines and shows one of them", () => {
  const [first, nameless] = weakerOf([nearby(), nearby({ symbol: null, excerpt: "echo $(date)" })], () => "src/$(bug).py").map(weakerLine);
  assert.deepEqual(first, {
    label: "$(symbol-method) Box.fold",
    description: "src/$(bug).py:10-12",
    detail: "def fold(self, flaps):",
    uri: nearby().uri,
    range: nearby().range,
  });
  assert.deepEqual([nameless?.label, nameless?.detail], ["$(file-code) $\u200b(bug).py", "echo $\u200b(date)"]);
  assert.equal(lineOf(chunk(), [], String).uri, chunk().uri);
});
