// Calls from inside of the extension host what a test cannot reach from outside, and lends the chat a model. What it
// finds goes into the file that PROBE_FILE names, under the name of the command.
"use strict";

const fs = require("node:fs");
const vscode = require("vscode");

const seen = {};

function note(name, value) {
  seen[name] = value;
  // Whoever reads it shall never find half of it.
  fs.writeFileSync(`${process.env.PROBE_FILE}.new`, JSON.stringify(seen));
  fs.renameSync(`${process.env.PROBE_FILE}.new`, process.env.PROBE_FILE);
}

// A model that repeats what it was asked: the answer shows what the participant sent.
const parrot = {
  provideLanguageModelChatInformation: () => [
    {
      id: "parrot",
      name: "Parrot",
      family: "parrot",
      version: "1",
      maxInputTokens: 6000,
      maxOutputTokens: 1000,
      isDefault: true,
      isUserSelectable: true,
      capabilities: {},
    },
  ],
  provideLanguageModelChatResponse: async (_model, messages, _options, progress) => {
    const texts = messages.map((message) => message.content.map((part) => part.value ?? "").join(""));
    note("asked", texts);
    progress.report(new vscode.LanguageModelTextPart(`PARROT has read ${texts.join("").length} characters.`));
  },
  provideTokenCount: async (_model, text) => Math.ceil(String(text).length / 4),
};

async function callTool(input, tokenBudget, toolInvocationToken) {
  const options = { input, toolInvocationToken };
  if (tokenBudget) {
    options.tokenizationOptions = { tokenBudget, countTokens: async (text) => Math.ceil(text.length / 4) };
  }
  const result = await vscode.lm.invokeTool("lurcher_search_code", options, new vscode.CancellationTokenSource().token);
  return result.content.map((part) => part.value).join("");
}

// A conversation of its own, which calls the tool three times.
async function converse(request, _context, stream) {
  const texts = [];
  for (const includeSeen of [false, false, true]) {
    texts.push(await callTool({ query: "which parcels are heavy", maxResults: 3, includeSeen }, 0, request.toolInvocationToken));
  }
  note("conversation", texts);
  stream.markdown("Done.");
}

async function ask(query, more = {}) {
  const modelSelector = { vendor: "parrot", id: "parrot" };
  await vscode.commands.executeCommand("workbench.action.chat.open", { query, modelSelector, ...more });
}

// A folder that is on no disk, with one file in it.
const virtual = {
  onDidChangeFile: () => new vscode.Disposable(() => undefined),
  watch: () => new vscode.Disposable(() => undefined),
  stat: (uri) => ({ type: isFile(uri) ? vscode.FileType.File : vscode.FileType.Directory, ctime: 0, mtime: 0, size: 4 }),
  readDirectory: () => [["note.txt", vscode.FileType.File]],
  readFile: () => new Uint8Array([110, 111, 116, 101]),
  createDirectory: refuse,
  writeFile: refuse,
  delete: refuse,
  rename: refuse,
};

function refuse(uri) {
  throw vscode.FileSystemError.NoPermissions(uri);
}

function isFile(uri) {
  return uri.path.endsWith(".txt");
}

exports.activate = (context) => {
  context.subscriptions.push(
    vscode.workspace.registerFileSystemProvider("probe", virtual, { isReadonly: true }),
    vscode.lm.registerLanguageModelChatProvider("parrot", parrot),
    vscode.chat.createChatParticipant("probe.caller", converse),
    vscode.commands.registerCommand("probe.tool", async () => {
      note("tools", vscode.lm.tools.map((tool) => tool.name));
      note("tool", await callTool({ query: "which parcels are heavy" }));
      note("small", await callTool({ query: "which parcels are heavy" }, 400));
      note("refused", await callTool({ query: " " }).catch((error) => error.message));
      note("toolDone", true);
    }),
    vscode.commands.registerCommand("probe.chat", async () => {
      const [model] = await vscode.lm.selectChatModels({ vendor: "parrot" });
      note("model", model?.id ?? null);
      await ask("@lurcher which parcels are heavy");
    }),
    vscode.commands.registerCommand("probe.again", async () => {
      const [uri] = await vscode.workspace.findFiles("**/parcel.zig");
      const range = { startLineNumber: 1, startColumn: 1, endLineNumber: 500, endColumn: 1 };
      await ask("@lurcher heavy parcels once more", { attachFiles: [{ uri, range }] });
    }),
    vscode.commands.registerCommand("probe.converse", () => ask("@caller go")),
  );
};
