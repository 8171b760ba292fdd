import assert from "node:assert/strict";
import { test } from "node:test";
import { explained } from "../src/status/explained";
import { statusPage } from "../src/status/page";
import { duration, told, type Connection } from "../src/status/words";
import { status } from "./samples";

const RUNNING: Connection = { kind: "running" };

test("a build is told with counts and the time that is left", () => {
  const building = status({ state: "updating", done: 1234, total: 5000, etaSeconds: 75 });
  assert.equal(told(RUNNING, building, false).text, "$(loading~spin) Lurcher 1,234/5,000, 1 min");
  assert.equal(told(RUNNING, { ...building, etaSeconds: null }, false).text, "$(loading~spin) Lurcher 1,234/5,000");
  assert.equal(told(RUNNING, building, true).text, "$(debug-pause) Lurcher");
});

test("only what somebody must act upon is coloured", () => {
  const severity = (connection: Connection, given = status()) => told(connection, given, false).severity;
  assert.equal(severity(RUNNING), "none");
  assert.equal(severity(RUNNING, status({ state: "updating" })), "none");
  assert.equal(severity(RUNNING, status({ lastError: "no vectors" })), "warning");
  assert.equal(severity(RUNNING, status({ state: "requiresIndexing" })), "warning");
  assert.equal(severity(RUNNING, status({ state: "failed" })), "error");
  assert.equal(severity({ kind: "stopped", reason: "r" }), "error");
  assert.equal(severity({ kind: "missing", reason: "r" }), "warning");
  assert.equal(severity({ kind: "refused", reason: "r" }), "none");
  assert.equal(told(RUNNING, undefined, false).isBusy, true);
  assert.match(told({ kind: "restarting", seconds: 4 }, undefined, false).more[0] ?? "", /4 s/);
});

test("durations are as exact as anybody needs", () => {
  assert.deepEqual([0.2, 59, 61, 3700].map(duration), ["1 s", "59 s", "1 min", "1 h 2 min"]);
});

test("the status page tells all, and nothing in it is taken for Markdown", () => {
  const around = { server: "/a|b`c", serverVersion: "0.1.0", extensionVersion: "0.1.0", connection: "running" };
  const page = statusPage(status({ alerts: ["<img> [x](y) | z"], skipped: { binary: 4 }, done: 1, total: 2, etaSeconds: 3 }), around);
  assert.match(page, /\| Files \| 3 indexed/);
  assert.match(page, /1 of 2 files, 3 s left/);
  assert.match(page, /- binary: 4/);
  assert.ok(page.includes("| Folders | `/home/me/shop` |"));
  assert.ok(page.includes("\\<img\\> \\[x\\](y) \\| z"));
  assert.ok(page.includes("`/a\\|b'c`"));
  assert.match(statusPage(undefined, { ...around, server: "", serverVersion: "" }), /no index/);
});

test("a file that is not found has a reason and a way out", () => {
  const base = {
    uri: "file:///a",
    indexed: false,
    reason: "ignored",
    detail: ".gitignore:3",
    hint: "Set includeIgnored.",
    language: "",
    chunks: 0,
    symbols: 0,
    masked: 0,
    unsaved: false,
    inAnswer: null,
    verdict: "",
    clues: {},
  };
  const out = explained(base, "a.js");
  assert.deepEqual(out, { text: "a.js is not searched: ignored.", detail: ".gitignore:3\nSet includeIgnored." });
  const found = explained({ ...base, indexed: true, hint: "", language: "python", chunks: 1, symbols: 2, masked: 1, unsaved: true }, "a.py");
  assert.match(found.detail, /1 chunk and 2 definitions, python\.\n1 secret in it is masked\.\nWhat you see/);
});
