import { press, settled, show } from "./page";
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Timeline } from "../../src/search/timeline";
import { NO_FILTERS } from "../../src/search/filters";
import { Form } from "../../src/webview/form";
import { raceOf } from "../../src/webview/race";
import { SLICE_MS, Slices } from "../../src/webview/slices";

function filled() {
  const asked: string[] = [];
  const form = new Form({
    search: (query, filters, isTyping) => asked.push(`${query}|${filters.folder}|${filters.language}|${filters.content}|${String(isTyping)}`),
    cancel: () => asked.push("cancel"),
    down: () => asked.push("down"),
  });
  show(form.element);
  const field = (id: string) => {
    const found = form.element.querySelector<HTMLInputElement>(`#${id}`);
    assert.ok(found, id);
    return found;
  };
  const type = (text: string) => {
    field("query").value = text;
    field("query").dispatchEvent(new Event("input"));
  };
  return { form, asked, field, type };
}

test("what is typed is searched for after a pause, once it is long enough", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { asked, type } = filled();
  for (const text of ["c", "ca", "car", "cart"]) type(text);
  context.mock.timers.tick(300);
  assert.deepEqual(asked, []);
  context.mock.timers.tick(100);
  assert.deepEqual(asked, ["cart|||all|true"]);
  type("");
  context.mock.timers.tick(400);
  assert.deepEqual(asked.slice(1), ["|||all|true"]);
});

test("filters belong to the question, and a change of one asks again", () => {
  const { form, asked, field } = filled();
  form.fill("cart", { folder: "src", language: "go", content: "docs" });
  field("language").value = " python ";
  field("language").dispatchEvent(new Event("change"));
  assert.deepEqual(asked, ["cart|src|python|docs|false"]);
  assert.equal(form.query, "cart");
  form.fill("", NO_FILTERS);
  assert.deepEqual(form.filters, NO_FILTERS);
});

test("keys of the question lead to the results, stop, and bring back what was asked", () => {
  const { form, asked, field } = filled();
  form.showHistory(["newest", "older"]);
  form.fill("typed", NO_FILTERS);
  form.focus();
  assert.ok(press("ArrowDown") && press("Escape") && !press("x"));
  assert.deepEqual(asked, ["down", "cancel"]);
  const seen = ["ArrowUp", "ArrowUp", "ArrowUp", "ArrowDown", "ArrowDown"].map((key) => {
    press(key, { altKey: true });
    return field("query").value;
  });
  assert.deepEqual(seen, ["newest", "older", "older", "newest", "typed"]);
});

test("one button searches, and stops what it began", () => {
  const { form, asked } = filled();
  const named = (label: string) => form.element.querySelector<HTMLButtonElement>(`button[aria-label="${label}"]`);
  assert.deepEqual([named("Search")?.hidden, named("Stop")?.hidden], [false, true]);
  form.showBusy(true);
  assert.deepEqual([named("Search")?.hidden, named("Stop")?.hidden], [true, false]);
  named("Stop")?.click();
  assert.deepEqual(asked, ["cancel"]);
});

test("every field has a name that is read aloud", () => {
  const { form } = filled();
  for (const each of form.element.querySelectorAll("input, select, button")) assert.ok(each.getAttribute("aria-label"));
});

test("the race has a lane for everyone, in words as well", () => {
  const timeline: Timeline = {
    milliseconds: 10,
    lanes: [
      { strategy: "embeddings", name: "Meaning and words", outcome: "won", bar: { left: 10, width: 50 }, label: "won, from 1 to 6 ms" },
      { strategy: "codeSearch", name: "Remote search", outcome: "not available", bar: null, label: "not available: off" },
    ],
    cut: ["3 cut by the 0.65 spread"],
  };
  const [lanes, cut] = raceOf(timeline);
  assert.deepEqual([...(lanes?.children ?? [])].map((each) => each.getAttribute("aria-label")), ["won, from 1 to 6 ms", "not available: off"]);
  assert.equal(lanes?.querySelectorAll(".ran").length, 1);
  assert.equal(lanes.querySelector<HTMLElement>(".ran.won")?.style.width, "50%");
  assert.equal(cut?.textContent, "3 cut by the 0.65 spread");
  assert.equal(raceOf({ ...timeline, cut: [] }).length, 1);
});

test("long work gives way after each slice, and to newer work", async () => {
  let clock = 0;
  const done: string[] = [];
  function* work(name: string): Generator<undefined, void> {
    for (let step = 0; step < 4; step++) {
      clock += SLICE_MS / 2;
      done.push(`${name}${step}`);
      yield;
    }
  }
  const slices = new Slices();
  slices.start(work("a"), () => clock);
  slices.start(work("b"), () => clock);
  assert.deepEqual(done, ["a0", "a1", "b0", "b1"]);
  await settled();
  assert.deepEqual(done, ["a0", "a1", "b0", "b1", "b2", "b3"]);
});
