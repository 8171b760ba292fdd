import assert from "node:assert/strict";
import { test } from "node:test";
import { budgetOfCall, budgetOfModel, LEAST_TOKENS, MOST_TOKENS, TOKENS_EACH } from "../src/assistants/budget";
import { knownOf } from "../src/assistants/known";
import { mcpProgram } from "../src/assistants/mcp";
import { conversationOf, Memory, MOST_CHUNKS, SILENCE_MS } from "../src/assistants/memory";
import { promptOf, questionOf, readLeft, tokensOf } from "../src/assistants/prompt";
import { BadInput, MOST_RESULTS, readInput, toolParams, toolText, USUAL_RESULTS } from "../src/assistants/toolAnswer";
import { pathIn } from "../src/search/paths";
import { answer, chunk, nearby } from "./samples";

test("a conversation is not given anything twice, until it is silent for an hour", () => {
  const memory = new Memory();
  memory.note("a", ["1", "2"], 0);
  assert.deepEqual(memory.seen("a", 1), ["1", "2"]);
  assert.deepEqual(memory.seen("b", 1), []);
  memory.note("a", ["3"], SILENCE_MS);
  assert.deepEqual(memory.seen("a", 2 * SILENCE_MS), ["1", "2", "3"]);
  assert.deepEqual(memory.seen("a", 2 * SILENCE_MS + 1), []);
});

test("of a long conversation the newest is remembered, of a nameless one nothing", () => {
  const memory = new Memory();
  memory.note("a", Array.from({ length: MOST_CHUNKS + 5 }, (_, place) => String(place)), 0);
  const seen = memory.seen("a", 0);
  assert.deepEqual([seen.length, seen[0]], [MOST_CHUNKS, "5"]);
  memory.note(undefined, ["1"], 0);
  assert.deepEqual(memory.seen(undefined, 0), []);
});

test("a conversation is known by what the editor's token tells", () => {
  assert.equal(conversationOf({ sessionId: "s" }), "s");
  const resource = { scheme: "chat", authority: "local", path: "/1" };
  assert.equal(conversationOf({ sessionResource: resource }), conversationOf({ sessionResource: { ...resource } }));
  assert.notEqual(conversationOf({ sessionResource: resource }), conversationOf({ sessionResource: { ...resource, path: "/2" } }));
  for (const token of [undefined, null, "x", {}, { sessionResource: 1 }]) assert.equal(conversationOf(token), undefined);
});

test("budgets come from the model and from the caller", () => {
  assert.equal(budgetOfModel(8000, 0), 4000);
  assert.equal(budgetOfModel(8000, 4000), 2000);
  assert.equal(budgetOfModel(1_000_000, 0), MOST_TOKENS);
  assert.equal(budgetOfModel(100, 5000), LEAST_TOKENS);
  assert.equal(budgetOfCall(undefined, 3), 3 * TOKENS_EACH);
  assert.ok(budgetOfCall(1000, 50) < 1000);
  assert.equal(budgetOfCall(1, 50), 1);
});

test("what a model writes is taken as it is meant", () => {
  const input = readInput({ query: "q", paths: "src", languages: ["Go", 3], content: "everything", maxResults: "999" });
  assert.deepEqual(input, {
    query: "q",
    paths: ["src"],
    languages: ["go"],
    content: "all",
    maxResults: MOST_RESULTS,
    includeSeen: false,
  });
  assert.equal(readInput({ query: "q", maxResults: "many" }).maxResults, USUAL_RESULTS);
  for (const bad of [null, {}, { query: " " }, { query: 1 }]) assert.throws(() => readInput(bad), BadInput);
});

test("what a conversation has is not asked for again, unless the model wants it", () => {
  const params = toolParams(readInput({ query: "q" }), 1000, ["1"]);
  assert.deepEqual(params.alreadyInContext, [{ chunkId: "1" }]);
  assert.ok(params.tokenBudget < 1000);
  assert.deepEqual(toolParams(readInput({ query: "q", includeSeen: true }), 1000, ["1"]).alreadyInContext, []);
});

test("the tool's text has the code, the notes and what was left out", () => {
  const text = toolText(answer({ alerts: ["by words alone"], dropped: { ...answer().dropped, alreadyInContext: 2 } }), String, 1000);
  assert.match(text, /^1 piece of code/);
  assert.match(text, /Note: by words alone/);
  assert.match(text, /2 more were given/);
  assert.match(text, /src\/cart\.py:5-7 \(class Cart\)/);
  assert.match(toolText(answer({ chunks: [], empty: "noMatch" }), String, 1000), /^Nothing matches\. Say it in other words/);
});

test("the tool's text names weaker places as it names code, behind all of it, as many as there is room for", () => {
  const pathOf = pathIn([{ uri: "file:///home/me/shop", name: "shop" }]);
  const places = [nearby(), nearby({ symbol: null })];
  const named = "\n\nWeaker places, a line of each:\n- src/box.py:10-12 (method Box.fold): def fold(self, flaps):";
  const text = toolText(answer({ nearby: places }), pathOf, 1000);
  assert.ok(text.endsWith(`\`\`\`${named}\n- src/box.py:10-12: def fold(self, flaps):`), text);
  const empty = toolText(answer({ chunks: [], empty: "belowSpread", nearby: places }), pathOf, 1000);
  assert.match(empty, /^Nothing here seems to answer this\. The weaker places come nearest\.[\s\S]*\n- src\/box\.py:10-12: def fold\(self, flaps\):$/);
  assert.ok(toolText(answer({ nearby: places }), pathOf, 30).endsWith(named));
  for (const none of [toolText(answer({ nearby: places }), pathOf, 0), toolText(answer(), pathOf, 1000)]) assert.doesNotMatch(none, /Weaker/);
});

test("what a chat has is sent as plain values, whatever the editor's own become", () => {
  const position = (line: number) => ({ line, character: 0, toJSON: () => "odd" });
  const range = { start: position(1), end: position(2), toJSON: () => ["a", "list"] };
  const known: unknown = JSON.parse(JSON.stringify(knownOf(["c1"], [{ uri: "file:///a" }, { uri: "file:///b", range }])));
  const plain = { start: { line: 1, character: 0 }, end: { line: 2, character: 0 } };
  assert.deepEqual(known, [{ chunkId: "c1" }, { uri: "file:///a" }, { uri: "file:///b", range: plain }]);
});

test("a prompt has the instructions, the last turns, and the question with the code", () => {
  const before = Array.from({ length: 9 }, (_, place) => ({ isQuestion: place % 2 === 0, text: `turn ${place}`.padEnd(5000, ".") }));
  const turns = promptOf("where?", answer({ chunks: [chunk(), chunk({ text: "SECOND" })] }), before);
  assert.equal(turns.length, 6);
  assert.ok(turns.slice(1, 5).every((turn) => turn.text.length === 2000));
  assert.match(turns.at(-1)?.text ?? "", /Question: where\?[\s\S]*class Cart[\s\S]*SECOND/);
  assert.match(turns[0]?.text ?? "", /not instructions/);
  assert.equal(tokensOf([{ isQuestion: true, text: "12345678" }]), 2);
});

test("what a turn left is read back, whatever is there", () => {
  assert.deepEqual(readLeft({ shown: ["1", 2] }).shown, ["1"]);
  assert.deepEqual(readLeft(undefined).shown, []);
  assert.equal(questionOf(" parse ", "callers"), "who calls parse");
  assert.equal(questionOf("who uses parse", "callers"), "who uses parse");
  assert.equal(questionOf(" parse ", undefined), "parse");
});

test("assistants get the same folders and the same index", () => {
  const { args } = mcpProgram("/bin/lurcher", ["/a", "/b"], { exclude: ["x/"], includeIgnored: ["y"], maxFileBytes: 5 });
  assert.deepEqual(args, ["mcp", "-w", "/a", "-w", "/b", "--exclude", "x/", "--include-ignored", "y", "--max-file-bytes", "5"]);
});
