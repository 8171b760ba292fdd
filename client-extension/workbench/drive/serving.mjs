// The server may end, and the index may be somebody else's to ask for.
import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../workbench.mjs";

export function serving(drive) {
  test("a server that is killed comes back, and answers what it was asked", async () => {
    const { bench } = drive;
    await bench.openPanel();
    const [server] = await bench.servers();
    const panel = bench.panel();
    process.kill(server, "SIGSTOP");
    await panel.locator("#query").fill(drive.QUESTION);
    await panel.locator("#query").press("Enter");
    await panel.locator('button[aria-label="Stop"]').waitFor();
    process.kill(server, "SIGKILL");
    await until(async () => (await bench.servers()).some((pid) => pid !== server), () => "no new server");
    await panel.locator(`[data-answered="${drive.QUESTION}"]`).waitFor();
    await bench.isReady();
    await bench.ask(drive.QUESTION);
    assert.ok((await panel.locator("article").count()) > 0);
    assert.equal((await bench.servers()).length, 1);
  });
}
