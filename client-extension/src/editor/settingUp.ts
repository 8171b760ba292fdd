// Offers to set up a private server, and does it before the person's eyes.
import { mkdir } from "node:fs/promises";
import * as vscode from "vscode";
import { bundledWheel, run } from "../server/processes";
import { setUp, SetUpFailed } from "../server/settingUp";
import type { Service } from "./service";
import { section } from "./surroundings";

/** Said once for a window: the status bar says it all the time. */
export async function offerSetUp(service: Service): Promise<void> {
  if (service.connection.kind !== "missing") return;
  const text = `${service.connection.reason} It can be set up now, in a folder of this extension; that takes Python 3.11 or newer, and a minute or two.`;
  const chosen = await vscode.window.showInformationMessage(text, "Set up", "I have it", "Not now");
  if (chosen === "Set up") await vscode.commands.executeCommand("lurcher.setUpServer");
  if (chosen === "I have it") await vscode.commands.executeCommand("workbench.action.openSettings", "lurcher.serverPath");
}

export async function setUpServer(context: vscode.ExtensionContext, service: Service, log: vscode.LogOutputChannel): Promise<void> {
  const storage = context.globalStorageUri.fsPath;
  const wish = {
    python: section().get<string>("python") ?? "",
    what: section().get<string>("serverPackage") || (await bundledWheel(context.extensionPath)),
    storage,
    isWindows: process.platform === "win32",
  };
  const title = "Setting up Lurcher";
  try {
    await mkdir(storage, { recursive: true });
    await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      async (progress, token) => {
        const stop = new AbortController();
        token.onCancellationRequested(() => stop.abort());
        const report = (message: string) => {
          log.info(`${title}: ${message}`);
          progress.report({ message });
        };
        await setUp(wish, run, report, stop.signal);
      },
    );
  } catch (problem) {
    if (!(problem instanceof SetUpFailed)) throw problem;
    log.error(problem.message);
    const chosen = await vscode.window.showErrorMessage(problem.message, "Try again", "Show log", "Open settings");
    if (chosen === "Try again") await setUpServer(context, service, log);
    if (chosen === "Show log") log.show();
    if (chosen === "Open settings") await vscode.commands.executeCommand("lurcher.openSettings");
    return;
  }
  await service.restart();
  const chosen = await vscode.window.showInformationMessage("Lurcher is set up, and reads the workspace.", "Search workspace");
  if (chosen) await vscode.commands.executeCommand("lurcher.search");
}
