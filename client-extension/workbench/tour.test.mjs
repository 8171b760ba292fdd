// Every screen in every theme, for somebody to look at: `make test-editor DRIVE=tour PICTURES=folder`.
import assert from "node:assert/strict";
import path from "node:path";
import { after, afterEach, before, test } from "node:test";
import { PATIENCE, pictureOfFailure, project, Workbench } from "./workbench.mjs";

const { VSIX, PROBE, REPOSITORY } = process.env;
const THEMES = { light: "Light Modern", dark: "Dark Modern", contrast: "Dark High Contrast", "contrast-light": "Light High Contrast" };

let depot;
let bench;

before(async () => {
  depot = await project([
    [path.join(REPOSITORY, "fixtures", "languages"), "parcels"],
    [path.join(REPOSITORY, "index", "lurcher_index", "ranking"), "ranking"],
  ]);
  bench = await Workbench.open(depot.tree, [VSIX, PROBE], { env: { PROBE_FILE: path.join(depot.tree, "..", "probe.json") } });
  await bench.isReady();
}, { timeout: PATIENCE * 2 });

after(async () => {
  await bench?.close();
  await depot?.remove();
});

afterEach((context) => pictureOfFailure(context, bench));

const screens = {
  async walkthrough() {
    await bench.command("Lurcher: Get started");
    await bench.page.locator(".getting-started-step").first().waitFor();
  },
  async status() {
    await bench.command("Lurcher: Show status");
    const shown = bench.page.frameLocator('iframe.webview[src*="vscode.markdown-language-features"]').frameLocator("iframe");
    await shown.getByText(/\d+ indexed/).waitFor();
  },
  async start() {
    await bench.command("View: Close All Editors");
    await bench.openPanel();
    const panel = bench.panel();
    await panel.locator("#query").fill("");
    await panel.locator(".tip").waitFor();
  },
  async results() {
    const panel = await bench.ask("which parcels are heavy");
    await panel.locator("code span").first().waitFor();
    await panel.locator("#query").press("ArrowDown");
    await bench.page.keyboard.press("p");
    await panel.locator("details.pinned article").first().waitFor();
  },
  async timeline() {
    const panel = bench.panel();
    await bench.page.keyboard.press("p");
    await panel.locator("details.pinned").waitFor({ state: "hidden" });
    const race = panel.locator("details.race");
    if (!(await race.evaluate((element) => element.open))) await race.locator("summary").click();
    await race.scrollIntoViewIfNeeded();
  },
  async empty() {
    const panel = bench.panel();
    await panel.locator("#language").fill("cobol");
    await panel.locator("#language").press("Enter");
    await panel.locator(".message h2").waitFor();
    await panel.locator("#language").fill("");
    await panel.locator("#query").fill("zzzyyyxxxwww");
  },
  async error() {
    const panel = bench.panel();
    await panel.locator("#root").evaluate(() => {
      const remedies = [{ label: "Restart server", action: "restart" }, { label: "Show log", action: "showLog" }];
      const emptiness = { title: "The server does not run", advice: "The server ended several times in a row; its log tells more.", remedies };
      window.postMessage({ kind: "stopped", emptiness }, "*");
    });
    await panel.locator(".message h2", { hasText: "does not run" }).waitFor();
  },
  async quickPick() {
    await bench.page.keyboard.press("Control+Alt+j");
    await bench.page.locator(".quick-input-widget input").first().fill("how is a score boosted");
    await bench.page.locator(".quick-input-list .monaco-list-row .label-description", { hasText: "/" }).first().waitFor();
    await bench.page.locator(".tab.active").waitFor();
  },
  async menu() {
    await bench.page.keyboard.press("Escape");
    await bench.status().click();
    await bench.page.locator(".quick-input-list .monaco-list-row", { hasText: "Show log" }).waitFor();
  },
};

for (const [name, theme] of Object.entries(THEMES)) {
  test(`a tour in ${theme}`, async () => {
    await bench.theme(theme);
    for (const [screen, show] of Object.entries(screens)) {
      await show();
      await bench.picture(`${screen}-${name}`);
    }
    await bench.page.keyboard.press("Escape");
    assert.equal(await bench.page.locator(".notification-toast").count(), 0, "nobody has to act");
  });
}
