// The extension in a real VS Code: what a person does, and what is on the screen then.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { after, afterEach, before } from "node:test";
import { assistants } from "./drive/assistants.mjs";
import { commands } from "./drive/commands.mjs";
import { looks, starting } from "./drive/looks.mjs";
import { searching } from "./drive/searching.mjs";
import { serving } from "./drive/serving.mjs";
import { PATIENCE, pictureOfFailure, project, Workbench } from "./workbench.mjs";

const { VSIX, PROBE, LURCHER, REPOSITORY } = process.env;

/** What all parts of the drive share; there is one workbench for all of them, since it takes long to start. */
const drive = {
  QUESTION: "which parcels are heavy",
  bench: undefined,
  page: undefined,
  tree: "",
  probed: "",
  /** What the server finds when it is asked without any editor. */
  onCommandLine(query, count) {
    const done = spawnSync(LURCHER, ["search", query, "-w", drive.tree, "-n", String(count), "--json"], {
      encoding: "utf8",
      env: { ...process.env, LURCHER_CACHE: path.join(drive.bench.home, "indexes") },
      timeout: PATIENCE,
    });
    return JSON.parse(done.stdout).chunks;
  },
};

let depot;

before(async () => {
  depot = await project([
    [path.join(REPOSITORY, "fixtures", "languages"), "parcels"],
    [path.join(REPOSITORY, "index", "lurcher_index", "ranking"), "ranking"],
    [path.join(REPOSITORY, "index", "lurcher_index", "race.py"), "race.py"],
    [path.join(REPOSITORY, "client-extension", "src"), "client"],
    [path.join(REPOSITORY, "docs"), "docs"],
  ]);
  drive.tree = depot.tree;
  drive.probed = path.join(depot.tree, "..", "probe.json");
  drive.bench = await Workbench.open(depot.tree, [VSIX, PROBE], {
    settings: { "workbench.colorTheme": "Dark Modern" },
    env: { PROBE_FILE: drive.probed },
  });
  drive.page = drive.bench.page;
}, { timeout: PATIENCE * 2 });

after(async () => {
  await drive.bench?.close();
  await depot?.remove();
});

afterEach((context) => pictureOfFailure(context, drive.bench));

starting(drive);
searching(drive);
commands(drive);
serving(drive);
assistants(drive);
looks(drive);
