import { isObserved, press, see, settled, show } from "./page";
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Row } from "../../src/search/rows";
import { ResultList } from "../../src/webview/list";

const RANGE = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };

function row(id: string, changed: Partial<Row> = {}): Row {
  return {
    id,
    uri: `file:///${id}.ts`,
    range: RANGE,
    path: `src/${id}.ts`,
    line: 1,
    from: 0,
    symbol: "Cart.add",
    kind: "method",
    language: "typescript",
    code: "add(item); // to the cart",
    lines: 1,
    score: 0.5,
    bars: [{ name: "words", share: 0.5, label: "Place 1 by words" }],
    reasons: ["all words"],
    isUnsaved: false,
    ...changed,
  };
}

/** A list with these results, and what is done with them. */
async function listed(...ids: string[]) {
  const deeds: string[] = [];
  const list = new ResultList(
    "Results",
    {
      open: (each, beside) => deeds.push(`open ${each.id}${beside ? " beside" : ""}`),
      copy: (each) => deeds.push(`copy ${each.id}`),
      pin: (each) => deeds.push(`pin ${each.id}`),
    },
    () => deeds.push("leave"),
  );
  show(list.element);
  const place = async (...rows: (string | Row)[]) => {
    list.show(rows.map((each) => (typeof each === "string" ? row(each) : each)), ["cart"]);
    await settled();
  };
  await place(...ids);
  const shown = () => [...list.element.children].map((each) => /src\/(\w+)\.ts/.exec(each.getAttribute("aria-label") ?? "")?.[1]);
  const focused = () => shown()[[...list.element.children].findIndex((each) => each === document.activeElement)];
  return { list, deeds, place, shown, focused };
}

test("results are in the order of the answer, and each says where it stands", async () => {
  const { list, shown } = await listed("a", "b", "c");
  assert.deepEqual(shown(), ["a", "b", "c"]);
  assert.equal(list.element.getAttribute("aria-busy"), "false");
  const places = [...list.element.children].map((each) => `${each.getAttribute("aria-posinset") ?? ""}/${each.getAttribute("aria-setsize") ?? ""}`);
  assert.deepEqual(places, ["1/3", "2/3", "3/3"]);
});

test("keys move between results, and one of them is where Tab leads", async () => {
  const { list, deeds, focused } = await listed("a", "b", "c");
  list.enter();
  const seen = [focused()];
  for (const key of ["ArrowDown", "j", "ArrowDown", "k", "End", "Home"]) {
    press(key);
    seen.push(focused());
  }
  assert.deepEqual(seen, ["a", "b", "c", "c", "b", "c", "a"]);
  assert.equal(list.element.querySelectorAll('[tabindex="0"]').length, 1);
  press("ArrowUp");
  assert.deepEqual(deeds, ["leave"]);
});

test("keys act upon the result that has the focus; others are left to the editor", async () => {
  const { list, deeds } = await listed("a", "b");
  list.enter();
  press("ArrowDown");
  for (const key of ["Enter", "o", "c", "p", "Escape"]) assert.ok(press(key), key);
  assert.ok(press("Enter", { ctrlKey: true }));
  assert.deepEqual(deeds, ["open b", "open b beside", "copy b", "pin b", "leave", "open b beside"]);
  assert.ok(!press("c", { ctrlKey: true }) && !press("x") && !press("p", { metaKey: true }));
});

test("what stays is not made anew, and keeps the focus where it moves", async () => {
  const { list, place, shown, focused } = await listed("a", "b", "c");
  const [, second] = list.element.children;
  list.enter();
  press("ArrowDown");
  await place("b", "d", "a");
  assert.deepEqual([shown(), focused()], [["b", "d", "a"], "b"]);
  assert.equal(list.element.children[0], second);
});

test("who is on a result that goes is led to the next one, or out", async () => {
  const { list, deeds, place, focused } = await listed("a", "b", "c");
  const [first] = list.element.children;
  list.enter();
  await place("b", "c");
  assert.equal(focused(), "b");
  assert.ok(first && !isObserved(first));
  await place();
  assert.deepEqual([deeds, list.count], [["leave"], 0]);
});

test("code is coloured when it is about to be seen, and words of the question are marked", async () => {
  const { list, place } = await listed("a", "b");
  const [first, second] = list.element.children;
  assert.ok(first && second);
  see(first);
  await settled();
  assert.equal(first.querySelector("code .comment")?.textContent, "// to the cart");
  assert.equal(first.querySelector("mark")?.textContent, "cart");
  assert.equal(second.querySelector("code .comment"), null);
  await place(row("a", { code: "other(1)" }), "b");
  assert.equal(first.querySelector("code .number")?.textContent, "1");
});

test("long code is cut, and Space shows all of it", async () => {
  const code = Array.from({ length: 30 }, (_, line) => `line${line}`).join("\n");
  const { list, place } = await listed();
  await place(row("long", { code, lines: 30, from: 10 }));
  const shown = () => list.element.querySelector("code")?.textContent ?? "";
  assert.ok(shown().startsWith("line10\n") && !shown().includes("line24"));
  list.enter();
  press(" ");
  assert.equal(shown(), code);
  assert.equal(list.element.querySelector(".more")?.textContent, "Show less");
});

test("nothing of a file becomes markup", async () => {
  const { list, place } = await listed();
  await place(row("x", { code: "<img src=x onerror=alert(1)>", symbol: "<b>", reasons: ["<i>"], language: "html" }));
  const [only] = list.element.children;
  assert.ok(only);
  see(only);
  await settled();
  assert.equal(list.element.querySelectorAll("img, b, i").length, 0);
  assert.ok(only.textContent.includes("<img src=x onerror=alert(1)>"));
});

test("a pin is shown as pressed", async () => {
  const { list } = await listed("a");
  list.showPinned(new Set(["a"]));
  assert.equal(list.element.querySelector('[aria-label="Unpin"]')?.getAttribute("aria-pressed"), "true");
  list.showPinned(new Set());
  assert.equal(list.element.querySelector('[aria-label="Pin"]')?.getAttribute("aria-pressed"), "false");
});
