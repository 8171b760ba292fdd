// package.json and the code name the same things.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, existsSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { SERVER_COMMANDS } from "../src/protocol";
import { MOST_RESULTS, USUAL_RESULTS } from "../src/assistants/toolAnswer";

interface Manifest {
  contributes: {
    commands: { command: string }[];
    menus: Record<string, { command: string }[]>;
    keybindings: { command: string }[];
    languageModelTools: { name: string; inputSchema: { properties: Record<string, { maximum?: number; description: string }> } }[];
    walkthroughs: { steps: { description: string; media: { markdown: string } }[] }[];
    views: Record<string, { id: string }[]>;
    chatParticipants: { id: string }[];
    mcpServerDefinitionProviders: { id: string }[];
    viewsContainers: { activitybar: { icon: string }[] };
  };
  icon: string;
}

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;
const { contributes } = manifest;
const source = readdirSync("src/editor").map((name) => readFileSync(path.join("src/editor", name), "utf8")).join("\n");

test("every command that is declared is registered, and the other way round", () => {
  const block = /const commands[^{]*= \{\n([\s\S]*?)\n {2}\};/.exec(source)?.[1] ?? "";
  const registered = [...block.matchAll(/^ {4}(\w+):/gm)].map(([, name]) => `lurcher.${name}`);
  const declared = contributes.commands.map((each) => each.command);
  assert.deepEqual(registered.sort(), declared.sort());
});

test("no command has a name that the server has", () => {
  const declared = contributes.commands.map((each) => each.command);
  assert.deepEqual(declared.filter((name) => SERVER_COMMANDS.includes(name)), []);
});

test("menus, keys and the walkthrough name commands that there are", () => {
  const declared = new Set(contributes.commands.map((each) => each.command));
  const steps = contributes.walkthroughs.flatMap((each) => each.steps);
  const linked = steps.flatMap((step) => [...step.description.matchAll(/command:([\w.]+)/g)].map(([, name]) => name ?? ""));
  const used = [...Object.values(contributes.menus).flat(), ...contributes.keybindings].map((each) => each.command);
  for (const name of [...used, ...linked]) assert.ok(declared.has(name), name);
});

test("files that are named are there", () => {
  const steps = contributes.walkthroughs.flatMap((each) => each.steps.map((step) => step.media.markdown));
  for (const file of [manifest.icon, contributes.viewsContainers.activitybar[0]?.icon ?? "", ...steps]) assert.ok(existsSync(file), file);
});

test("what assistants and views are called is the same in the code", () => {
  const ids = [
    ...contributes.languageModelTools.map((each) => each.name),
    ...contributes.chatParticipants.map((each) => each.id),
    ...contributes.mcpServerDefinitionProviders.map((each) => each.id),
    ...Object.values(contributes.views).flat().map((each) => each.id),
  ];
  for (const id of ids) assert.ok(source.includes(`"${id}"`), id);
});

test("the tool's schema and its code agree", () => {
  const properties = contributes.languageModelTools[0]?.inputSchema.properties ?? {};
  assert.equal(properties.maxResults?.maximum, MOST_RESULTS);
  assert.ok(properties.maxResults.description.includes(`Default: ${USUAL_RESULTS}`));
});
