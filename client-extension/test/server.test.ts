import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { Backoff, FIRST_DELAY_MS, LAST_DELAY_MS, MOST_RESTARTS, WELL_MS } from "../src/server/backoff";
import { forServer } from "../src/server/configuration";
import { findServer, type Places } from "../src/server/discovery";
import { bundledWheel, isProgram, run, type Run } from "../src/server/processes";
import { setUp, SetUpFailed, withAssistants } from "../src/server/settingUp";
import { mismatch } from "../src/server/versions";
import { refusal } from "../src/server/workspace";

const PLACES: Places = {
  setting: "",
  extension: "/ext",
  folders: ["/code/shop"],
  isTrusted: true,
  searchPath: "/usr/bin:relative::/code/shop/bin",
  storage: "/storage",
  home: "/home/me",
  isWindows: false,
};

const BUNDLED = "/ext/server/bin/lurcher";
const WORKSPACE = "/code/shop/.venv/bin/lurcher";
const ON_PATH = "/usr/bin/lurcher";
const PRIVATE = "/storage/server/bin/lurcher";

async function check(there: readonly string[], expected: string | undefined, changed: Partial<Places> = {}): Promise<void> {
  const found = await findServer({ ...PLACES, ...changed }, (file) => Promise.resolve(there.includes(file)));
  assert.equal(found.kind === "found" ? found.command : undefined, expected);
}

test("the server is looked for in a fixed order", async () => {
  const all = ["/set/lurcher", BUNDLED, WORKSPACE, ON_PATH, PRIVATE];
  await check(all, "/set/lurcher", { setting: "/set/lurcher" });
  for (let skipped = 1; skipped < all.length; skipped++) await check(all.slice(skipped), all[skipped]);
  await check([], undefined);
});

test("a setting that names no program is told, and nothing else is started", async () => {
  const found = await findServer({ ...PLACES, setting: "~/gone" }, (file) => Promise.resolve(file === ON_PATH));
  assert.match(found.kind === "missing" ? found.problem : found.command, /names .*\/home\/me\/gone/);
  await check(["lurcher"], undefined, { setting: "lurcher" });
});

test("nothing out of a workspace that is not trusted is started", async () => {
  await check([WORKSPACE, "/code/shop/bin/lurcher", ON_PATH], ON_PATH, { isTrusted: false });
  await check([WORKSPACE, "/code/shop/bin/lurcher"], undefined, { isTrusted: false });
  await check(["/code/shop/bin/lurcher"], "/code/shop/bin/lurcher");
  await check(["relative/lurcher", "lurcher"], undefined);
});

test("a server that ends waits twice as long each time and then asks for a person", () => {
  const backoff = new Backoff();
  backoff.started(0);
  const delays = Array.from({ length: MOST_RESTARTS }, () => backoff.ended(1));
  assert.deepEqual(delays.slice(0, 3), [FIRST_DELAY_MS, FIRST_DELAY_MS * 2, FIRST_DELAY_MS * 4]);
  assert.ok(delays.every((delay) => delay !== undefined && delay <= LAST_DELAY_MS));
  assert.equal(backoff.ended(1), undefined);
  backoff.forgive();
  assert.equal(backoff.ended(1), FIRST_DELAY_MS);
});

test("a server that ran well for a while begins anew", () => {
  const backoff = new Backoff();
  backoff.started(0);
  backoff.ended(10);
  backoff.ended(20);
  backoff.started(100);
  assert.equal(backoff.ended(100 + WELL_MS), FIRST_DELAY_MS);
});

test("versions of one series fit, others are told which one to update", () => {
  assert.equal(mismatch("0.1.0", "0.1.7"), "");
  assert.equal(mismatch("1.2.0", "1.9.0"), "");
  assert.match(mismatch("0.2.0", "0.1.9"), /update the server/);
  assert.match(mismatch("0.2.0", "0.10.0"), /update the extension/);
  assert.match(mismatch("0.1.0", undefined), /may not be Lurcher/);
});

test("only settings that the server knows are sent to it", () => {
  const section = { exclude: ["a"], serverPath: "/x", workers: 0, toString: 1, unset: undefined };
  assert.deepEqual(forServer(section, ["exclude", "workers", "unset"]), { exclude: ["a"], workers: 0 });
});

test("a workspace without files on disk is refused, a window without folders is not", () => {
  assert.match(refusal(["vscode-vfs"]), /vscode-vfs/);
  assert.equal(refusal(["vscode-vfs", "file"]), "");
  assert.equal(refusal([]), "");
});

test("a program is run without a shell, and one that is not there has no exit code", async () => {
  const { signal } = new AbortController();
  const said = await run(process.execPath, ["-e", "console.log(process.argv[1]); process.exit(3)", "$(echo no) ; x"], signal);
  assert.deepEqual(said, { code: 3, output: "$(echo no) ; x\n" });
  assert.equal((await run("/no/such/program", [], signal)).code, null);
});

test("a program is a file that may be executed", async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "lurcher-"));
  const file = path.join(folder, "lurcher");
  await writeFile(file, "");
  await chmod(file, 0o644);
  if (process.platform !== "win32") assert.equal(await isProgram(file), false);
  await chmod(file, 0o755);
  assert.equal(await isProgram(file), true);
  assert.equal(await isProgram(folder), false);
  assert.equal(await bundledWheel(folder), "");
  await mkdir(path.join(folder, "server"));
  await writeFile(path.join(folder, "server", "lurcher-0.1.0-py3-none-any.whl"), "");
  assert.match(await bundledWheel(folder), /lurcher-0\.1\.0.*\.whl$/);
  await rm(folder, { recursive: true });
});

const WISH = { python: "", what: "/ext/server/lurcher.whl", storage: "/storage", isWindows: false };

function scripted(answers: Readonly<Record<string, [number | null, string]>>): { run: Run; ran: string[] } {
  const ran: string[] = [];
  return {
    ran,
    run: (command, args) => {
      ran.push([command, ...args].join(" "));
      const known = Object.entries(answers).find(([start]) => ran.at(-1)?.startsWith(start));
      const [code, output] = known?.[1] ?? [0, ""];
      return Promise.resolve({ code, output });
    },
  };
}

test("a private server is made with the first Python that is new enough", async () => {
  const { run: fake, ran } = scripted({ "python3 -c": [0, "3 9\n"], "python3.13 -c": [null, ""], "python3.12 -c": [0, "3 12\n"] });
  const told: string[] = [];
  assert.equal(await setUp(WISH, fake, (each) => told.push(each), new AbortController().signal), PRIVATE);
  assert.ok(ran.some((line) => line.startsWith("python3.12 -m venv --clear /storage/server")));
  assert.ok(ran.some((line) => line.endsWith("--no-input /ext/server/lurcher.whl[mcp]")));
  assert.equal(ran.at(-1), `${PRIVATE} --version`);
  assert.equal(told.length, 4);
});

test("what goes wrong while setting up is told with the program's own words", async () => {
  const { signal } = new AbortController();
  const attempt = (answers: Readonly<Record<string, [number | null, string]>>, wish = WISH) =>
    setUp(wish, scripted({ "python3 -c": [0, "3 11"], ...answers }).run, () => undefined, signal);
  await assert.rejects(attempt({}, { ...WISH, what: "" }), /lurcher\.serverPackage/);
  await assert.rejects(attempt({ "/storage/server/bin/python -m pip": [1, "x\nno matching distribution"] }), /no matching/);
  const none = Object.fromEntries(["python", "py"].map((name): [string, [null, string]] => [name, [null, ""]]));
  await assert.rejects(setUp(WISH, scripted(none).run, () => undefined, signal), SetUpFailed);
  const stopped = new AbortController();
  stopped.abort();
  await assert.rejects(setUp(WISH, scripted({}).run, () => undefined, stopped.signal), /cancelled/);
});

test("the extra for assistants is added wherever it belongs", () => {
  assert.equal(withAssistants("/a/b.whl"), "/a/b.whl[mcp]");
  assert.equal(withAssistants("lurcher"), "lurcher[mcp]");
  assert.equal(withAssistants("lurcher==0.1.0"), "lurcher[mcp]==0.1.0");
  assert.equal(withAssistants("lurcher[onnx]"), "lurcher[onnx]");
});
