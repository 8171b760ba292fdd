import { press, show } from "./page";
import assert from "node:assert/strict";
import { test } from "node:test";
import type { WeakerPlace } from "../../src/search/weaker";
import { WeakerList } from "../../src/webview/weaker";

function place(name: string, changed: Partial<WeakerPlace> = {}): WeakerPlace {
  return {
    uri: `file:///${name}.py`,
    range: { start: { line: 9, character: 0 }, end: { line: 12, character: 0 } },
    path: `src/${name}.py`,
    lines: "10-12",
    symbol: "Box.fold",
    kind: "method",
    excerpt: "def fold(self):",
    ...changed,
  };
}

/** A list of these places, and what is done with them. */
function listed(...places: WeakerPlace[]) {
  const deeds: string[] = [];
  const list = new WeakerList(({ uri }, beside) => deeds.push(`open ${uri}${beside ? " beside" : ""}`), () => deeds.push("leave"));
  show(list.element);
  list.show(places);
  const buttons = () => [...list.element.querySelectorAll("button")];
  const focused = () => buttons().findIndex((each) => each === document.activeElement);
  return { list, deeds, buttons, focused };
}

test("weaker places say where they are, to the eye and aloud, and can be reached with Tab", () => {
  const { list, buttons } = listed(place("a"), place("b", { lines: "3", symbol: "", kind: "" }));
  assert.equal(list.element.querySelector("h2")?.textContent, "Weaker places");
  assert.deepEqual(buttons().map((each) => each.textContent), ["src/a.py:10-12method Box.folddef fold(self):", "src/b.py:3def fold(self):"]);
  assert.deepEqual(buttons().map((each) => each.getAttribute("aria-label")), ["method Box.fold, src/a.py, lines 10 to 12: def fold(self):", "src/b.py, line 3: def fold(self):"]);
  assert.ok(buttons().every((each) => each.tabIndex === 0));
});

test("nothing is shown where there are no weaker places", () => {
  const { list } = listed();
  assert.equal(list.element.hidden, true);
  list.show([place("a")]);
  assert.equal(list.element.hidden, false);
  list.show([]);
  assert.deepEqual([list.element.hidden, list.element.querySelectorAll("li").length], [true, 0]);
});

test("a weaker place is opened by a click, by Enter and to the side, each time once", () => {
  const { list, deeds, buttons } = listed(place("a"), place("b"));
  buttons()[1]?.click();
  list.enter();
  assert.ok(press("Enter") && press("Enter", { ctrlKey: true }) && press("o"), "the button itself would open it again");
  assert.deepEqual(deeds, ["open file:///b.py", "open file:///a.py", "open file:///a.py beside", "open file:///a.py beside"]);
});

test("keys move between weaker places and lead out; others are left to the editor", () => {
  const { list, deeds, focused } = listed(place("a"), place("b"));
  list.enter();
  const seen = ["ArrowDown", "ArrowDown", "ArrowUp"].map((key) => {
    press(key);
    return focused();
  });
  assert.deepEqual([seen, deeds], [[1, 1, 0], []]);
  assert.ok(press("ArrowUp") && press("Escape"));
  assert.deepEqual(deeds, ["leave", "leave"]);
  assert.ok(!press("x") && !press("o", { metaKey: true }) && !press("Tab"));
});

test("who is on a weaker place that goes is led to the first of the new ones, or out", () => {
  const { list, deeds, focused } = listed(place("a"), place("b"));
  list.enter();
  press("ArrowDown");
  list.show([place("c"), place("d")]);
  assert.deepEqual([focused(), deeds], [0, []]);
  list.show([]);
  assert.deepEqual(deeds, ["leave"]);
  list.show([place("e")]);
  assert.deepEqual([focused(), deeds], [-1, ["leave"]], "who was elsewhere stays there");
});

test("nothing of a path or a name becomes markup", () => {
  const { list } = listed(place("a", { path: "src/<b>x</b>.py", symbol: "<i>", kind: "<u>" }));
  assert.equal(list.element.querySelectorAll("b, i, u").length, 0);
  assert.ok(list.element.textContent.includes("src/<b>x</b>.py:10-12"));
});
