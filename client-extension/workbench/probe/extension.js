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

async function callTool(input, tokenBudget) {
  const options = { input, toolInvocationToken: undefined };
  if (tokenBudget) {
    options.tokenizationOptions = { tokenBudget, countTokens: async (text) => Math.ceil(text.length / 4) };
  }
  const result = await vscode.lm.invokeTool("lurcher_search_code", options, new vscode.CancellationTokenSource().token);
  return result.content.map((part) => part.value).join("");
}

exports.activate = (context) => {
  const extension = vscode.extensions.getExtension("lurcher.lurcher");
  context.subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider("parrot", parrot),
    vscode.commands.registerCommand("probe.tool", async () => {
      note("activationMs", extension.exports.activationMs);
      note("tools", vscode.lm.tools.map((tool) => tool.name));
      note("tool", await callTool({ query: "which parcels are heavy" }));
      note("small", await callTool({ query: "which parcels are heavy" }, 400));
      note("refused", await callTool({ query: " " }).catch((error) => error.message));
      note("toolDone", true);
    }),
    vscode.commands.registerCommand("probe.chat", async () => {
      const [model] = await vscode.lm.selectChatModels({ vendor: "parrot" });
      note("model", model?.id ?? null);
      await vscode.commands.executeCommand("workbench.action.chat.open", {
        query: "@lurcher which parcels are heavy",
        modelSelector: { vendor: "parrot", id: "parrot" },
      });
    }),
  );
};
