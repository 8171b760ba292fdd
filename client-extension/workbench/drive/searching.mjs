// Searching: quick pick, panel, keys, filters, text that is not saved, and stopping.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { until } from "../workbench.mjs";

const RESULTS = '.results[aria-label="Results"] article';

export function searching(drive) {
  const { QUESTION } = drive;

  test("the workspace is indexed and the status bar says so", async () => {
    await drive.bench.isReady();
    assert.match(await drive.bench.status().getAttribute("aria-label"), /Ready: \d+ files/);
  });

  test("one key, a question, and the answer is there, with the place behind it", async () => {
    const { bench, page } = drive;
    await page.keyboard.press("Control+Alt+j");
    await page.locator(".quick-input-widget input").first().fill(QUESTION);
    // Rows are used again for other results, so their order in the page is none.
    const best = page.locator('.quick-input-list .monaco-list-row[data-index="0"]');
    await best.locator(".label-description", { hasText: "parcels/" }).waitFor();
    // The whole answer, not the first words of it, whose order is another one.
    await page.locator(".quick-input-progress.done").waitFor({ state: "attached" });
    const [expected] = drive.onCommandLine(QUESTION, 1);
    const first = await best.textContent();
    assert.ok(first.includes(path.basename(expected.path)) || first.includes(expected.symbol?.name ?? "\0"), `${first} is not ${expected.path}`);
    await page.locator(".tab.active .label-name").waitFor();
    await bench.picture("quick-pick-dark");
    await page.keyboard.press("Escape");
    await page.locator(".tab").first().waitFor({ state: "detached" });
  });

  test("a result of the quick pick is opened, and Escape leads back to where one was", async () => {
    const { page } = drive;
    const ask = async () => {
      await page.keyboard.press("Control+Alt+j");
      await page.locator(".quick-input-widget input").first().fill(QUESTION);
      await page.locator(".quick-input-list .monaco-list-row .label-description", { hasText: "parcels/" }).first().waitFor();
      // The whole answer, not the first words of it: the second line of those may be gone.
      await page.locator(".quick-input-progress.done").waitFor({ state: "attached" });
    };
    await ask();
    await page.locator(".tab.active").waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
    const label = await page.locator(".tab.active").getAttribute("aria-label");
    assert.match(label, /parcel/i);
    await ask();
    await page.keyboard.press("ArrowDown");
    await until(async () => (await page.locator(".tab.active").getAttribute("aria-label")) !== label, () => "no other preview");
    await page.keyboard.press("Escape");
    await page.locator(`.tab.active[aria-label="${label}"]`).waitFor();
    await until(async () => (await page.locator(".tab").count()) === 1, () => "the preview left its tab behind");
  });

  test("the panel shows the server's answer, and why each result is there", async () => {
    const { bench } = drive;
    await bench.openPanel();
    const panel = await bench.ask(QUESTION);
    const files = await panel.locator(`${RESULTS} .file`).allTextContents();
    const expected = drive.onCommandLine(QUESTION, 5).map((chunk) => path.basename(chunk.path));
    assert.deepEqual(files.slice(0, 5).map((file) => file.split(":")[0]), expected);
    const first = panel.locator("article").first();
    assert.equal(await first.locator(".bar").count(), 4);
    await first.locator("code span").first().waitFor();
    assert.ok((await first.locator("mark").count()) > 0, "words of the question are marked");
    await panel.locator("details.race > summary").click();
    assert.equal(await panel.locator(".lane.won").count(), 1);
    await panel.locator("details.race > summary").click();
  });

  test("results are reached, opened, copied and pinned by keys", async () => {
    const { bench, page } = drive;
    const panel = bench.panel();
    await panel.locator("#query").press("ArrowDown");
    const first = panel.locator(RESULTS).first();
    await until(() => first.evaluate((element) => element === document.activeElement), () => "the first result has no focus");
    await page.keyboard.press("p");
    await panel.locator("details.pinned article").first().waitFor();
    await page.keyboard.press("p");
    await panel.locator("details.pinned").waitFor({ state: "hidden" });
    await page.keyboard.press("c");
    await panel.locator("[role=status]", { hasText: "Copied." }).waitFor({ state: "attached" });
    const name = (await first.locator(".file").textContent()).split(":")[0];
    await page.keyboard.press("Enter");
    await page.locator(".tab.active", { hasText: name }).waitFor();
  });

  test("a result is opened to the side", async () => {
    const { bench, page } = drive;
    await bench.panel().locator(RESULTS).first().locator('button[aria-label="Open to the side"]').click();
    await until(async () => (await page.locator(".editor-group-container").count()) === 2, () => "there is no second group");
    await bench.command("View: Single Column Editor Layout");
    await until(async () => (await page.locator(".editor-group-container").count()) === 1, () => "there are two groups");
  });

  test("filters narrow the search, and an empty answer says what to do", async () => {
    const { bench } = drive;
    const panel = bench.panel();
    await panel.locator("#language").fill("go");
    await panel.locator("#language").press("Enter");
    await until(async () => {
      const files = await panel.locator(`${RESULTS} .file`).allTextContents();
      return files.length > 0 && files.every((file) => file.includes(".go:"));
    }, () => "other files than those in Go are shown");
    await panel.locator("#language").fill("cobol");
    await panel.locator("#language").press("Enter");
    await panel.locator(".message h2").waitFor();
    await bench.picture("nothing-found-dark");
    await panel.locator(".remedy", { hasText: "Clear filters" }).click();
    await panel.locator(RESULTS).first().waitFor();
    assert.equal(await panel.locator("#language").inputValue(), "");
  });

  test("text that was typed and not saved is found", async () => {
    const { bench, page } = drive;
    await bench.openFile("parcel.py");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\n\ndef okapi_crossing():\n    return 'not saved'\n");
    await page.locator(".tab.active.dirty").waitFor();
    await bench.openPanel();
    const panel = await bench.ask("okapi crossing");
    const first = panel.locator(RESULTS).first();
    assert.match(await first.locator(".file").textContent(), /^parcel\.py:/);
    assert.match(await first.locator("code").textContent(), /okapi_crossing/);
    assert.equal(await first.locator(".unsaved").count(), 1);
    assert.ok(!(await readFile(path.join(drive.tree, "parcels", "parcel.py"), "utf8")).includes("okapi"));
  });

  test("a search can be cancelled, even if the server does not listen", async () => {
    const { bench } = drive;
    const [server] = await bench.servers();
    const panel = bench.panel();
    process.kill(server, "SIGSTOP");
    try {
      await panel.locator("#query").fill("a question that nobody answers");
      await panel.locator("#query").press("Enter");
      await panel.locator('button[aria-label="Stop"]').click();
      await panel.locator(".message h2", { hasText: "Stopped" }).waitFor();
    } finally {
      process.kill(server, "SIGCONT");
    }
  });
}
