// VS Code without our extension: the client that docs/editors.md tells how to make, made from that very text.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after, afterEach, before, test } from "node:test";
import { promisify } from "node:util";
import { blockOf } from "./page.mjs";
import { PATIENCE, pictureOfFailure, project, until, Workbench } from "./workbench.mjs";

const { LURCHER, REPOSITORY } = process.env;

// What is first here by far: the order is judged by the labelled questions, this by what the client does with it.
const QUESTION = "mask the secrets in a text with asterisks";
// The chunk with `def mask(` begins there.
const ANSWER = { file: "engine/files/secrets.py", line: /^_PLACEHOLDER = / };

let made;
let depot;
let bench;
let page;

/** A folder with node and the npm and npx that come with it, whichever way they were installed. */
async function programs(folder) {
  const npm = path.join(path.dirname(process.execPath), "..", "lib", "node_modules", "npm", "bin");
  await mkdir(folder);
  await symlink(process.execPath, path.join(folder, "node"));
  for (const name of ["npm", "npx"]) await symlink(path.join(npm, `${name}-cli.js`), path.join(folder, name));
  return folder;
}

/** The client as a file to install, by the files and the commands of the page. */
async function clientOfThePage() {
  const folder = path.join(made, "client");
  await mkdir(folder);
  const text = await readFile(path.join(REPOSITORY, "docs", "editors.md"), "utf8");
  await writeFile(path.join(folder, "package.json"), blockOf(text, "VS Code", "json"));
  await writeFile(path.join(folder, "extension.js"), blockOf(text, "VS Code", "js"));
  const [, commands, file] = /^(.*\n)code --install-extension (\S+)\n$/s.exec(blockOf(text, "VS Code", "sh"));
  const PATH = [await programs(path.join(made, "programs")), process.env.PATH].join(path.delimiter);
  // Nobody is there to say yes, and nothing that is fetched has to run a script of its own.
  const env = { ...process.env, PATH, npm_config_yes: "true", npm_config_ignore_scripts: "true" };
  await promisify(execFile)("sh", ["-ec", commands], { cwd: folder, env, timeout: PATIENCE });
  return path.join(folder, file);
}

before(async () => {
  made = await mkdtemp(path.join(os.tmpdir(), "lurcher-generic-"));
  depot = await project([
    [path.join(REPOSITORY, "index", "lurcher_index"), "engine"],
    [path.join(REPOSITORY, "fixtures", "languages"), "parcels"],
    [path.join(REPOSITORY, "docs"), "docs"],
  ]);
  bench = await Workbench.open(depot.tree, [await clientOfThePage()], {
    settings: { "lurcher.exclude": ["parcel.css"] },
    machine: {},
    // As by `code` in a terminal; otherwise the search path is the one that a login shell has.
    env: { VSCODE_CLI: "1", PATH: [path.dirname(LURCHER), process.env.PATH].join(path.delimiter) },
  });
  page = bench.page;
}, { timeout: PATIENCE * 3 });

after(async () => {
  await bench?.close();
  await depot?.remove();
  if (made) await rm(made, { recursive: true, force: true });
});

afterEach((context) => pictureOfFailure(context, bench));

/** Ask by the client's command; the rows of the answer. */
async function ask(query) {
  await bench.command("Lurcher: Search the workspace");
  const input = page.locator('.quick-input-widget input[placeholder="Search the workspace"]');
  await input.fill(query);
  await input.press("Enter");
  await page.locator(".quick-input-title", { hasText: query }).waitFor();
  return page.locator(".quick-input-list .monaco-list-row");
}

async function dismiss() {
  await page.keyboard.press("Escape");
  await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
}

/** What the first row says, if there is one: its line of code and its place. */
async function firstOf(rows) {
  if ((await rows.count()) === 0) return { label: "", place: "" };
  const text = (part) => rows.and(page.locator('[data-index="0"]')).locator(part).first().textContent();
  return { label: await text(".label-name"), place: await text(".label-description") };
}

/** Take the first row, and wait until the cursor is in its line. */
async function open(place) {
  const [file, line] = place.split(":");
  await page.keyboard.press("Enter");
  await page.locator(".tab.active", { hasText: path.basename(file) }).waitFor();
  await page.locator(".statusbar-item", { hasText: `Ln ${line}, Col 1` }).waitFor();
}

async function lineOf(file, pattern) {
  const lines = (await readFile(path.join(depot.tree, file), "utf8")).split("\n");
  return lines.findIndex((line) => pattern.test(line)) + 1;
}

test("the client of the page is all that is installed, and has started one server", async () => {
  const installed = await readdir(path.join(bench.home, "extensions"), { withFileTypes: true });
  assert.deepEqual(installed.filter((each) => each.isDirectory()).map((each) => each.name), ["me.lurcher-client-0.0.1"]);
  await until(async () => (await bench.servers()).length === 1, () => "there is no server");
});

test("a question finds the right place in a real tree, and Enter opens it", async () => {
  const expected = `${ANSWER.file}:${await lineOf(ANSWER.file, ANSWER.line)}`;
  let first;
  // Whoever asks while the index is being built gets what there is so far.
  await until(async () => {
    first = await firstOf(await ask(QUESTION));
    if (first.place === expected) return true;
    await dismiss();
    return false;
  }, () => `${first.label} at ${first.place} is not ${expected}`);
  assert.match(first.label, ANSWER.line);
  await bench.picture("generic-dark");
  await open(expected);
});

test("a setting that VS Code knows nothing of reaches the server", async () => {
  const rows = await ask("which parcels are heavy");
  await rows.first().waitFor();
  const places = await rows.locator(".label-description").allTextContents();
  assert.ok(places.some((place) => place.startsWith("parcels/")), `only ${places}`);
  assert.ok(!places.some((place) => place.includes("parcel.css")), "what is excluded is found");
  await dismiss();
});

test("text that was typed and not saved is found", async () => {
  await bench.openFile("parcel.py");
  await page.keyboard.type("def okapi_crossing(): return 'not saved'\n\n\n");
  await page.locator(".tab.active.dirty").waitFor();
  const first = await firstOf(await ask("okapi crossing"));
  assert.deepEqual(first, { label: "def okapi_crossing(): return 'not saved'", place: "parcels/parcel.py:1" });
  await open(first.place);
  assert.ok(!(await readFile(path.join(depot.tree, "parcels", "parcel.py"), "utf8")).includes("okapi"));
});

test("that nothing is found is said", async () => {
  const rows = await ask("zzqqxx blorp");
  await page.locator('.quick-input-widget input[placeholder^="0 found."]').waitFor();
  assert.equal(await rows.count(), 0);
  await dismiss();
});
