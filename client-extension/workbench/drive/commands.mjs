// The commands for a place in the editor, the panel as an editor, and the menu of the status bar.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { until } from "../workbench.mjs";

export function commands(drive) {
  /** Where a name is defined in a file: line and column, from 1. */
  async function placeOf(file, name) {
    const lines = (await readFile(path.join(drive.tree, file), "utf8")).split("\n");
    const line = lines.findIndex((each) => each.includes(name));
    return [line + 1, lines[line].indexOf(name) + 2];
  }

  async function asked(pattern) {
    const panel = drive.bench.panel();
    await until(async () => pattern.test(await panel.locator("#query").inputValue()), () => `nobody asks ${pattern}`);
    await panel.locator("[data-answered]").waitFor();
    return panel;
  }

  test("the word under the cursor, or what is selected, is searched for by a key", async () => {
    const { bench, page } = drive;
    await bench.openFile("Parcel.java", ...(await placeOf("parcels/Parcel.java", "Parcel")));
    await page.keyboard.press("Control+Alt+Shift+j");
    const panel = await asked(/^Parcel$/);
    assert.ok((await panel.locator("article").count()) > 0);
  });

  test("code like the function at the cursor is found", async () => {
    const { bench } = drive;
    await bench.openFile("parcel.go", ...(await placeOf("parcels/parcel.go", "func ")));
    await bench.command("Lurcher: Find related code");
    const panel = await asked(/\w+ \w+ \w+/);
    const files = await panel.locator('.results[aria-label="Results"] article .file').allTextContents();
    assert.ok(files.some((file) => /parcel/i.test(file) && !file.includes(".go:")), `only ${files}`);
  });

  test("the callers of the function at the cursor are found", async () => {
    const { bench } = drive;
    const name = "smallest_window";
    const [line, column] = await placeOf("ranking/nearness.py", `def ${name}`);
    await bench.openFile("nearness.py", line, column + "def ".length);
    await bench.command("Lurcher: Who calls this?");
    const panel = await asked(new RegExp(`^who calls ${name}$`));
    const first = panel.locator('.results[aria-label="Results"] article').first();
    assert.match(await first.getAttribute("aria-label"), /nearness_boost/);
  });

  test("the panel is an editor, too, and is there again after the window is loaded anew", async () => {
    const { bench, page } = drive;
    await bench.command("Lurcher: Open search panel");
    const wide = bench.wide();
    await wide.locator('body[data-place="editor"] #query').waitFor();
    await bench.ask(drive.QUESTION, wide);
    const first = await wide.locator("article .file").first().textContent();
    await bench.picture("panel-wide-dark");
    await Promise.all([page.waitForEvent("load"), bench.command("Developer: Reload Window")]);
    await bench.isReady();
    await wide.locator(`[data-answered="${drive.QUESTION}"]`).waitFor();
    assert.equal(await wide.locator("article .file").first().textContent(), first);
    await bench.command("View: Close Editor");
    await page.locator(".tab", { hasText: "parcel.py" }).and(page.locator(".dirty")).waitFor();
  });

  async function menu() {
    await drive.bench.status().click();
    const rows = drive.page.locator(".quick-input-list .monaco-list-row");
    await rows.first().waitFor();
    return rows;
  }

  test("the status bar has a menu", async () => {
    const { bench, page } = drive;
    await bench.openFile("parcel.rs");
    const rows = await menu();
    const labels = (await rows.allTextContents()).join("\n");
    for (const each of ["Rebuild index", "Show status", "Show log", "Open settings", "Why is this file not found?"]) {
      assert.ok(labels.includes(each), `${each} is not in ${labels}`);
    }
    await bench.picture("menu-dark");
    await rows.filter({ hasText: "Why is this file not found?" }).click();
    const dialog = page.locator(".monaco-dialog-box");
    await dialog.getByText("parcels/parcel.rs is searched.").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  test("the status page tells what is indexed", async () => {
    const { bench, page } = drive;
    await (await menu()).filter({ hasText: "Show status" }).click();
    const shown = page.frameLocator('iframe.webview[src*="vscode.markdown-language-features"]').frameLocator("iframe");
    await shown.getByText(/\d+ indexed, \d+ pending/).waitFor();
    await bench.picture("status-dark");
    await bench.command("View: Close Editor");
  });

  test("indexing is paused and resumed", async () => {
    const { bench } = drive;
    await bench.command("Lurcher: Rebuild index");
    await bench.page.locator('[id="lurcher.lurcher.lurcher.status"]:not([aria-label*="Ready:"])').waitFor();
    // It would be done before anybody can pause it; the message waits until both go on.
    const [server] = await bench.servers();
    process.kill(server, "SIGSTOP");
    const halted = [server, ...(await bench.builds())];
    try {
      for (const pid of halted.slice(1)) process.kill(pid, "SIGSTOP");
      await (await menu()).filter({ hasText: "Pause indexing" }).click();
      await bench.page.locator('[id="lurcher.lurcher.lurcher.status"][aria-label*="paused"]').waitFor();
    } finally {
      for (const pid of halted) process.kill(pid, "SIGCONT");
    }
    await (await menu()).filter({ hasText: "Resume indexing" }).click();
    await bench.isReady();
  });
}
