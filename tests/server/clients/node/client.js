// A client made of Microsoft's vscode-languageserver-protocol: opens a folder, searches, types, searches again.
// Usage: node client.js SERVER FOLDER. Prints one JSON object; whoever started it judges what is in there.
"use strict";

const { spawn } = require("node:child_process");
const path = require("node:path");
const { setTimeout: pause } = require("node:timers/promises");
const { pathToFileURL } = require("node:url");
const protocol = require("vscode-languageserver-protocol/node");

const SEARCH = new protocol.RequestType("workspace/chunkSearch");
const STATUS = new protocol.RequestType0("workspace/chunkSearch/status");
const STATUS_CHANGED = new protocol.NotificationType("workspace/chunkSearch/statusChanged");

// Within this time of a keystroke its text is to be found, in milliseconds …
const FRESH_MS = 100;
// … but a machine that is busy with other tests may take a little longer.
const TRIES = 20;

async function main(server, folder) {
  const child = spawn(server, ["serve", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
  const left = new Promise((resolve) => child.once("exit", resolve));
  const connection = protocol.createProtocolConnection(
    new protocol.StreamMessageReader(child.stdout),
    new protocol.StreamMessageWriter(child.stdin),
  );
  const ready = becomesReady(connection);
  connection.onRequest(protocol.ConfigurationRequest.type, (params) => params.items.map(() => null));
  connection.listen();

  const initialized = await connection.sendRequest(protocol.InitializeRequest.type, {
    processId: process.pid,
    rootUri: null,
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: path.basename(folder) }],
    capabilities: { workspace: { configuration: true, workspaceFolders: true } },
  });
  await connection.sendNotification(protocol.InitializedNotification.type, {});
  const status = await ready();
  const onDisk = await connection.sendRequest(SEARCH, { query: "which parcels are heavy", maxResults: 5 });
  const [uri, typed] = await type(connection, folder);
  const refused = await connection.sendRequest(SEARCH, { query: " ", maxResults: 5 }).catch((error) => error);

  await connection.sendRequest(protocol.ShutdownRequest.type);
  await connection.sendNotification(protocol.ExitNotification.type);
  const exitCode = await left;
  connection.dispose();
  const refusal = { code: refused.code, message: refused.message };
  return { initialized, status, onDisk, uri, typed, refusal, exitCode };
}

// Answers a function that waits until the index is built: it asks whenever the server says that something changed.
function becomesReady(connection) {
  let changed = () => {};
  connection.onNotification(STATUS_CHANGED, () => changed());
  return async () => {
    for (;;) {
      const news = new Promise((resolve) => (changed = resolve));
      const status = await connection.sendRequest(STATUS);
      if (status.state === "ready") return status;
      await news;
    }
  };
}

// Opens a document that is not on disk, changes one word of it, and looks for that word a moment later.
async function type(connection, folder) {
  const uri = pathToFileURL(path.join(folder, "typed.py")).href;
  const text = "def zebra_crossing():\n    return 'parcels cross here'\n";
  await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: "python", version: 1, text },
  });
  await connection.sendRequest(SEARCH, { query: "zebra", maxResults: 5, minVersions: { [uri]: 1 } });
  await connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version: 2 },
    contentChanges: [{ range: { start: { line: 0, character: 4 }, end: { line: 0, character: 9 } }, text: "okapi" }],
  });
  let found;
  for (let tried = 0; tried < TRIES && !found?.chunks.length; tried++) {
    await pause(FRESH_MS);
    found = await connection.sendRequest(SEARCH, { query: "okapi", maxResults: 5 });
  }
  return [uri, found];
}

main(process.argv[2], process.argv[3]).then(
  (seen) => process.stdout.write(JSON.stringify(seen)),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
