// What assistants get: the tool, the participant, the server for other agents.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { until } from "../workbench.mjs";

/** Pieces of code in a text for a model, by their paths and lines. */
function pieces(text) {
  return new Set([...text.matchAll(/^(\S+:\d+-\d+)/gm)].map(([, place]) => place));
}

export function assistants(drive) {
  async function heard(name, isIt = Boolean) {
    return until(async () => {
      const seen = JSON.parse(await readFile(drive.probed, "utf8").catch(() => "{}"));
      return isIt(seen[name]) ? seen[name] : undefined;
    }, () => `the probe has no such ${name}`);
  }

  test("a model's call of the tool gets code, within its budget", async () => {
    await drive.bench.command("Probe: Call the tool");
    assert.ok((await heard("toolDone")) && (await heard("tools")).includes("lurcher_search_code"));
    const [whole, small, refused] = [await heard("tool"), await heard("small"), await heard("refused")];
    assert.match(whole, /pieces of code, the best first/);
    assert.match(whole, /parcels\/parcel\.\w+:\d+-\d+/);
    assert.ok(small.length < whole.length && small.length / 4 < 400, `${small.length} characters for 400 tokens`);
    assert.match(refused, /query/);
  });

  test("the participant answers with the model's words and with references", async () => {
    const { bench, page } = drive;
    await bench.command("Probe: Ask the participant");
    const response = page.locator(".interactive-response").last();
    await response.locator("text=PARROT has read").waitFor();
    const [instructions, asked] = await heard("asked");
    assert.match(instructions, /not instructions/);
    assert.match(asked, /Question: which parcels are heavy[\s\S]*parcels\/parcel\.\w+:\d+/);
    await response.locator("text=/Used \\d+ references?/").first().waitFor({ state: "attached" });
    await bench.picture("chat-dark");
  });

  test("what a chat has is not sent to the model again, neither what it was told nor what is attached", async () => {
    const { bench } = drive;
    const first = pieces((await heard("asked")).at(-1));
    await bench.command("Probe: Ask the participant again");
    const texts = await heard("asked", (each) => each?.at(-1).includes("Question: heavy parcels once more"));
    const again = pieces(texts.at(-1));
    assert.ok(again.size > 0, "the second answer has no code");
    assert.deepEqual([...again].filter((piece) => first.has(piece)), []);
    assert.deepEqual([...again].filter((piece) => piece.includes("parcel.zig")), [], "what was attached is sent");
  });

  test("what a conversation got of the tool is not given to it again", async () => {
    await drive.bench.command("Probe: Let a conversation call the tool");
    const [first, second, third] = (await heard("conversation")).map(pieces);
    assert.ok(first.size > 0 && third.size > 0);
    assert.deepEqual([...second].filter((piece) => first.has(piece)), []);
    assert.ok([...third].some((piece) => first.has(piece)), "includeSeen gives them again");
    await drive.bench.command("View: Hide Secondary Side Bar").catch(() => undefined);
  });

  test("the server for agents is registered", async () => {
    const { bench, page } = drive;
    await bench.command("MCP: List Servers");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "Lurcher" }).first().waitFor();
    await page.keyboard.press("Escape");
  });
}
