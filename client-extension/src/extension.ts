// Puts the parts together. Nothing here waits for the server: the editor's start is not ours to delay.
import * as vscode from "vscode";
import { registerCommands } from "./editor/commands";
import { makeMcpProvider } from "./editor/mcpProvider";
import { PANEL, Panels, VIEW } from "./editor/panel";
import { makeParticipant } from "./editor/participant";
import { Service } from "./editor/service";
import { offerSetUp } from "./editor/settingUp";
import { makeStatusBar } from "./editor/statusBar";
import { makeStatusDocument } from "./editor/statusDocument";
import { SearchTool, TOOL } from "./editor/tool";

/** What other extensions, and the tests, may look at. */
export interface Exports {
  /** Milliseconds that `activate` took. */
  readonly activationMs: number;
  readonly connection: () => string;
}

let service: Service | undefined;

export function activate(context: vscode.ExtensionContext): Exports {
  const began = performance.now();
  const version = (context.extension.packageJSON as { version: string }).version;
  const log = vscode.window.createOutputChannel("Lurcher", { log: true });
  const running = new Service(context, log);
  service = running;
  const panels = new Panels(context, running);
  context.subscriptions.push(
    log,
    running,
    vscode.window.registerWebviewViewProvider(VIEW, panels),
    vscode.window.registerWebviewPanelSerializer(PANEL, panels),
    makeStatusBar(running, (text, isBusy) => panels.showStatus(text, isBusy)),
    makeStatusDocument(running, version),
    registerCommands({ context, service: running, panels, log }),
    vscode.lm.registerTool(TOOL, new SearchTool(running)),
    makeParticipant(running, vscode.Uri.joinPath(context.extensionUri, "media", "icon.png")),
    makeMcpProvider(running, version),
    tellWhatMustBeDone(running),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void restartIf("missing", running)),
    vscode.workspace.onDidChangeWorkspaceFolders(() => void restartIf("refused", running)),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("lurcher.serverPath")) void running.restart();
    }),
  );
  void running.start();
  const activationMs = performance.now() - began;
  log.info(`activated in ${activationMs.toFixed(1)} ms`);
  return { activationMs, connection: () => running.connection.kind };
}

export async function deactivate(): Promise<void> {
  await service?.stop();
}

/** A workspace that is trusted may have a server of its own, one with another folder may have files to search. */
async function restartIf(kind: "missing" | "refused", running: Service): Promise<void> {
  if (running.connection.kind === kind) await running.restart();
}

/** Notifications are for what a person has to act upon, once each time it comes to that; the status bar has the rest. */
function tellWhatMustBeDone(running: Service): vscode.Disposable {
  let known = running.connection.kind;
  return running.onDidChange(() => {
    const { connection } = running;
    if (connection.kind === known) return;
    known = connection.kind;
    if (connection.kind === "missing") void offerSetUp(running);
    if (connection.kind === "stopped") void offerRestart(running, connection.reason);
  });
}

async function offerRestart(running: Service, reason: string): Promise<void> {
  const chosen = await vscode.window.showErrorMessage(`Lurcher: ${reason}`, "Restart server", "Show log");
  if (chosen === "Show log") await vscode.commands.executeCommand("lurcher.showLog");
  if (chosen === "Restart server") await running.restart();
}
