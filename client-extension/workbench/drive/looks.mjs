// How long it takes, and how it looks.
import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../workbench.mjs";

/** In a window that was just opened: one that is loaded anew starts much else at the same time. */
export function starting(drive) {
  test("the editor tells how long the extension took to start", async () => {
    const { bench, page } = drive;
    // What is not active yet stands somewhere below, without a time.
    await bench.isReady();
    await bench.command("Developer: Show Running Extensions");
    const row = page.locator(".runtime-extensions-editor .monaco-list-row", { hasText: "lurcher" }).first();
    // The list holds only what is on the screen.
    await page.locator(".runtime-extensions-editor .monaco-list").click();
    await until(async () => {
      if (await row.isVisible()) return true;
      await page.keyboard.press("PageDown");
      return false;
    }, () => "the extension is not in the list");
    const told = await row.locator(".activation-time").textContent();
    assert.match(told, /\d+ ?ms/);
    console.log(`activation, code loading included, as the editor tells it: ${told.trim()}`);
    await page.keyboard.press("Escape");
    await page.locator(".runtime-extensions-editor").waitFor({ state: "detached" });
  });
}

export function looks(drive) {
  test("two hundred results do not hold up the page", async () => {
    const { bench } = drive;
    await bench.openPanel();
    const panel = await bench.ask(drive.QUESTION);
    const longest = await panel.locator("#root").evaluate(async () => {
      const tasks = [];
      // The workbench may share the thread; its own tasks are told too, under another name.
      const note = (list) => tasks.push(...list.getEntries().filter((each) => each.name === "self").map((each) => each.duration));
      new PerformanceObserver(note).observe({ type: "longtask", buffered: false });
      const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
      const code = Array.from({ length: 40 }, (_, line) => `    const value${line} = compute("text", ${line}); // line`).join("\n");
      const bars = ["words", "meaning", "boosts", "relevance"].map((name) => ({ name, share: 0.5, label: name }));
      const row = { uri: "file:///x", range, path: "src/a/b.ts", line: 1, symbol: "A.b", kind: "method", language: "typescript", code, lines: 40, from: 0, score: 0.5, bars, reasons: ["all words"], isUnsaved: false };
      const rows = Array.from({ length: 200 }, (_, place) => ({ ...row, id: `r${place}` }));
      const timeline = { lanes: [], milliseconds: 1, cut: [] };
      const shown = { query: "q", rows, words: ["value", "text"], timeline, alerts: [], emptiness: null, hasMore: false, isFinal: true, summary: "200 results" };
      window.postMessage({ kind: "shown", shown }, "*");
      const list = () => document.querySelectorAll('.results[aria-label="Results"] article').length;
      for (let tries = 0; list() < 200 && tries < 400; tries++) await new Promise((resolve) => setTimeout(resolve, 50));
      window.postMessage({ kind: "shown", shown: { ...shown, rows: rows.toReversed() } }, "*");
      await new Promise((resolve) => setTimeout(resolve, 1000));
      for (let place = 0; place < 200; place += 10) {
        document.querySelectorAll('.results[aria-label="Results"] article')[place].scrollIntoView();
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return Math.max(0, ...tasks);
    });
    assert.equal(await panel.locator('.results[aria-label="Results"] article').count(), 200);
    console.log(`longest task of the webview with 200 results: ${longest.toFixed(0)} ms (0: none above 50 ms)`);
  });

  test("it can be read in light, dark and high contrast", async () => {
    const { bench, page } = drive;
    await bench.openFile("parcel.py");
    await bench.command("File: Revert File");
    await page.locator(".tab.dirty").waitFor({ state: "detached" });
    await bench.command("View: Close All Editors");
    await bench.openFile("race.py");
    await bench.openPanel();
    await page.locator(".sidebar .composite.title").waitFor();
    for (const [name, theme] of [["light", "Light Modern"], ["contrast", "Dark High Contrast"], ["dark", "Dark Modern"]]) {
      await bench.theme(theme);
      const panel = await bench.ask("how is the race of the strategies cancelled");
      const kind = { light: "vscode-light", dark: "vscode-dark", contrast: "vscode-high-contrast" }[name];
      await panel.locator(`body.${kind}`).waitFor();
      const [ink, paper] = await panel.locator("article pre").first().evaluate((element) => [
        getComputedStyle(element).color,
        getComputedStyle(element.closest("article")).backgroundColor,
      ]);
      assert.notEqual(ink, paper);
      await bench.picture(`panel-${name}`);
    }
  });
}
