// Workspaces that are not one trusted folder on disk: several folders, restricted mode, no files at all.
import assert from "node:assert/strict";
import { access, chmod, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, afterEach, test } from "node:test";
import { pictureOfFailure, project, Workbench } from "./workbench.mjs";

const { VSIX, PROBE, LURCHER, REPOSITORY } = process.env;

const opened = [];
let shown;

afterEach((context) => pictureOfFailure(context, shown));

after(async () => {
  for (const close of opened.reverse()) await close();
});

/** A workspace file with these folders, opened in a workbench of its own. */
async function workspace(depot, contents, more = {}) {
  const file = path.join(depot.tree, "..", "all.code-workspace");
  await writeFile(file, JSON.stringify(contents));
  const bench = await Workbench.open(file, [VSIX, PROBE], {
    isWorkspace: true,
    env: { PROBE_FILE: path.join(depot.tree, "..", "probe.json") },
    ...more,
  });
  opened.push(depot.remove, () => bench.close());
  shown = bench;
  return bench;
}

// The person's own settings name a server, the workspace's another one, which is in its virtual environment, too.
test("several folders are searched, and nothing of a workspace that is not trusted is run", async () => {
  const depot = await project([
    [path.join(REPOSITORY, "fixtures", "languages"), "parcels"],
    [path.join(REPOSITORY, "index", "lurcher_index", "ranking"), "scoring"],
  ]);
  const ran = path.join(depot.tree, "..", "ran");
  const program = path.join(depot.tree, "parcels", ".venv", "bin", "lurcher");
  await mkdir(path.dirname(program), { recursive: true });
  await writeFile(program, `#!/bin/sh\ntouch '${ran}'\nexec '${LURCHER}' "$@"\n`);
  await chmod(program, 0o755);
  const bench = await workspace(
    depot,
    {
      folders: [{ path: "depot/parcels" }, { path: "depot/scoring" }],
      settings: { "lurcher.serverPath": program, "lurcher.exclude": ["parcel.zig"] },
    },
    {
      settings: {
        "security.workspace.trust.enabled": true,
        "security.workspace.trust.startupPrompt": "never",
        "security.workspace.trust.emptyWindow": false,
      },
    },
  );
  await bench.page.locator(".statusbar-item", { hasText: "Restricted Mode" }).waitFor();
  await bench.isReady();
  await assert.rejects(access(ran), "a program of the workspace was started");
  await bench.openPanel();
  const panel = await bench.ask("which parcels are heavy");
  const labels = async () => (await panel.locator("article").evaluateAll((all) => all.map((each) => each.ariaLabel))).join("\n");
  assert.match(await labels(), /, parcels\/parcel\.\w+, line/);
  assert.doesNotMatch(await labels(), /parcel\.zig/);
  await bench.ask("boost of a score");
  assert.match(await labels(), /scoring\/\w+\.py, line/);
  await bench.picture("restricted-dark");
});

test("a workspace without files on disk is refused, with a message", async () => {
  const depot = await project([]);
  const bench = await workspace(depot, { folders: [{ uri: "probe:/virtual" }] });
  const { page } = bench;
  await page.locator('[id="lurcher.lurcher.lurcher.status"][aria-label*="reads files from disk"]').waitFor();
  await page.keyboard.press("Control+Alt+j");
  await page.locator(".notification-toast", { hasText: "reads files from disk" }).waitFor();
  await bench.openPanel();
  const panel = bench.panel();
  await panel.locator("#query").fill("anything");
  await panel.locator("#query").press("Enter");
  await panel.locator(".message h2", { hasText: "Nothing to search here" }).waitFor();
  assert.deepEqual(await bench.servers(), []);
  await bench.picture("virtual-dark");
});
