import assert from "node:assert/strict";
import { test } from "node:test";
import { MOST_RESTARTS } from "../src/server/backoff";
import type { Found, Missing } from "../src/server/discovery";
import { Lifecycle, type Means } from "../src/server/lifecycle";

const FOUND: Found = { kind: "found", command: "/bin/lurcher", origin: "path" };
const MISSING: Missing = { kind: "missing", looked: ["/bin/lurcher"], problem: "" };

interface Client {
  readonly name: number;
  readonly ended: () => void;
}

/** A life with clients that do as the test says; time passes when it says so, too. */
function lived(changed: Partial<Means<Client>> = {}) {
  const told: string[] = [];
  const clients: Client[] = [];
  const left: number[] = [];
  const sleeps: { wake: () => void; milliseconds: number }[] = [];
  const life = new Lifecycle<Client>({
    refusal: () => "",
    find: () => Promise.resolve(FOUND),
    make: (_found, ended) => {
      const client = { name: clients.length, ended };
      clients.push(client);
      return Promise.resolve(client);
    },
    begin: () => Promise.resolve(),
    leave: (client) => Promise.resolve(void left.push(client.name)),
    become: (connection) => told.push(connection.kind),
    log: () => undefined,
    now: () => 0,
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        sleeps.push({ wake: resolve, milliseconds });
        signal.addEventListener("abort", () => resolve());
      }),
    ...changed,
  });
  return { life, told, clients, left, sleeps };
}

/** Everything that was waiting to happen has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a server is found, started, and left", async () => {
  const { life, told, left } = lived();
  await life.start();
  assert.deepEqual([told, life.client?.name, life.found], [["starting", "running"], 0, FOUND]);
  await life.stop();
  assert.deepEqual([left, life.client], [[0], undefined]);
});

test("what prevents a start is a state", async () => {
  const refused = lived({ refusal: () => "no files" });
  await refused.life.start();
  const missing = lived({ find: () => Promise.resolve(MISSING) });
  await missing.life.start();
  const broken = lived({ begin: () => Promise.reject(new Error("no")) });
  await broken.life.start();
  assert.deepEqual([refused.told, missing.told, broken.told], [["refused"], ["starting", "missing"], ["starting", "stopped"]]);
  assert.deepEqual([broken.left, broken.sleeps.length], [[0], 0]);
});

test("a server that ends is started again after a pause", async () => {
  const { life, told, clients, left, sleeps } = lived();
  await life.start();
  clients[0]?.ended();
  clients[0]?.ended();
  assert.deepEqual([told.at(-1), left, life.client], ["restarting", [0], undefined]);
  sleeps[0]?.wake();
  await settled();
  assert.deepEqual([told.at(-1), life.client?.name, sleeps.length], ["running", 1, 1]);
});

test("one that ends again and again is left to a person, who may start it", async () => {
  const { life, told, clients, sleeps } = lived();
  await life.start();
  for (let ends = 0; ends <= MOST_RESTARTS; ends++) {
    clients.at(-1)?.ended();
    sleeps.at(-1)?.wake();
    await settled();
  }
  assert.equal(told.at(-1), "stopped");
  await life.restart();
  assert.equal(told.at(-1), "running");
});

test("one that does not come up again is tried as often", async () => {
  let isBroken = false;
  const { life, told, clients, sleeps } = lived({
    begin: () => (isBroken ? Promise.reject(new Error("no")) : Promise.resolve()),
  });
  await life.start();
  isBroken = true;
  clients[0]?.ended();
  for (let tries = 0; tries <= MOST_RESTARTS; tries++) {
    sleeps.at(-1)?.wake();
    await settled();
  }
  assert.deepEqual([told.at(-1), sleeps.length], ["stopped", MOST_RESTARTS]);
});

test("a restart in the middle of a pause leaves one server, not two", async () => {
  const { life, clients, sleeps } = lived();
  await life.start();
  clients[0]?.ended();
  await life.restart();
  sleeps[0]?.wake();
  await settled();
  assert.deepEqual([clients.length, life.client?.name], [2, 1]);
});

test("restarts at the same time leave all servers but the last", async () => {
  const { life, clients, left } = lived();
  await Promise.all([life.start(), life.restart(), life.restart()]);
  assert.deepEqual([clients.length, left, life.client?.name], [3, [0, 1], 2]);
});

test("nothing is started once it is stopped", async () => {
  const { life, clients, sleeps } = lived();
  await life.start();
  clients[0]?.ended();
  await life.stop();
  sleeps[0]?.wake();
  await settled();
  assert.equal(clients.length, 1);
});
