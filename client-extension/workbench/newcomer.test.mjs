// Somebody who has never seen the project: installs the .vsix, lets the server be set up, presses one key.
import assert from "node:assert/strict";
import path from "node:path";
import { after, afterEach, before, test } from "node:test";
import { pictureOfFailure, project, Workbench } from "./workbench.mjs";

const { VSIX, REPOSITORY } = process.env;

/** Milliseconds for pip to fetch and install what Lurcher is made of. */
const INSTALLING = 600_000;

let depot;
let bench;
let page;

before(async () => {
  depot = await project([[path.join(REPOSITORY, "fixtures", "languages"), "parcels"]]);
  bench = await Workbench.open(depot.tree, [VSIX], {
    machine: {},
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", VIRTUAL_ENV: "", PYTHONPATH: "" },
  });
  page = bench.page;
});

after(async () => {
  await bench?.close();
  await depot?.remove();
});

afterEach((context) => pictureOfFailure(context, bench));

test("without a server the key leads to an offer, and the offer to an answer", async () => {
  await page.locator('[id="lurcher.lurcher.lurcher.status"]', { hasText: "no server" }).waitFor();
  await page.keyboard.press("Control+Alt+j");
  await bench.picture("newcomer-offer");
  await page.locator(".notification-toast").getByText("Set up", { exact: true }).last().click();
  await page.locator(".notification-toast", { hasText: "Setting up Lurcher" }).waitFor();
  await bench.picture("newcomer-setting-up");
  await page.locator('[id="lurcher.lurcher.lurcher.status"][aria-label*="Ready:"]').waitFor({ timeout: INSTALLING });
  await page.keyboard.press("Control+Alt+j");
  await page.locator(".quick-input-widget input").first().fill("which parcels are heavy");
  const first = page.locator(".quick-input-list .monaco-list-row").first();
  await first.locator(".label-description", { hasText: "parcels/" }).waitFor();
  await bench.picture("newcomer-answer");
  assert.match(await first.textContent(), /parcel/i);
});
