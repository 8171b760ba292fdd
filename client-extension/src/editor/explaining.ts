// Why is this file not found?
import * as vscode from "vscode";
import { EXPLAIN } from "../protocol";
import { explained } from "../status/explained";
import type { Service } from "./service";
import { paths } from "./surroundings";

export async function explainFile(service: Service, given: vscode.Uri | undefined): Promise<void> {
  const uri = given ?? vscode.window.activeTextEditor?.document.uri ?? (await chosenFile());
  if (!uri) return;
  const answer = await service.ask(EXPLAIN, { uri: uri.toString() });
  const { text, detail } = explained(answer, paths()(uri.toString()));
  const actions = answer.indexed ? [] : ["Open settings"];
  const chosen = await vscode.window.showInformationMessage(text, { modal: true, detail }, ...actions);
  if (chosen) await vscode.commands.executeCommand("lurcher.openSettings");
}

async function chosenFile(): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({ title: "Which file is not found?", canSelectMany: false });
  return chosen?.[0];
}
