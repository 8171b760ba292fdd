// What a person presses below a message, as commands.
import * as vscode from "vscode";
import type { Remedy } from "../search/emptiness";

const COMMANDS: Readonly<Partial<Record<Remedy["action"], string>>> = {
  rebuild: "lurcher.rebuildIndex",
  showStatus: "lurcher.showStatus",
  showLog: "lurcher.showLog",
  restart: "lurcher.restart",
  setUp: "lurcher.setUpServer",
  openSettings: "lurcher.openSettings",
};

/** The command behind it; undefined if whoever shows the message does it. */
export function commandOf(action: Remedy["action"]): string | undefined {
  return COMMANDS[action];
}

/** Does what is offered, if it is the editor's to do. */
export async function remedy(action: Remedy["action"]): Promise<void> {
  const command = commandOf(action);
  if (command) await vscode.commands.executeCommand(command);
}
