// The status bar item and its menu.
import * as vscode from "vscode";
import { told } from "../status/words";
import type { Service } from "./service";

const BACKGROUNDS = {
  none: undefined,
  warning: new vscode.ThemeColor("statusBarItem.warningBackground"),
  error: new vscode.ThemeColor("statusBarItem.errorBackground"),
} as const;

export function makeStatusBar(service: Service, tell: (text: string, isBusy: boolean) => void): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("lurcher.status", vscode.StatusBarAlignment.Right, 90);
  item.name = "Lurcher";
  item.command = "lurcher.menu";
  const show = () => {
    const { text, more, severity, isBusy } = told(service.connection, service.status, service.isPaused);
    item.text = text;
    item.tooltip = more.join("\n\n");
    item.accessibilityInformation = { label: `Lurcher: ${more.join(" ")}`, role: "button" };
    item.backgroundColor = BACKGROUNDS[severity];
    tell(more[0] ?? "", isBusy);
    const isRunning = service.connection.kind === "running";
    void vscode.commands.executeCommand("setContext", "lurcher.isRunning", isRunning);
    void vscode.commands.executeCommand("setContext", "lurcher.isReady", isRunning && service.status?.state === "ready");
    void vscode.commands.executeCommand("setContext", "lurcher.canWhoCalls", service.offers.includes("workspace/chunkSearch"));
  };
  show();
  item.show();
  return vscode.Disposable.from(item, service.onDidChange(show));
}

interface Choice extends vscode.QuickPickItem {
  readonly command: string;
}

export async function showMenu(service: Service): Promise<void> {
  const isRunning = service.connection.kind === "running";
  const isBuilding = service.status?.state === "updating";
  const choices: Choice[] = [
    { label: "$(search) Search workspace", command: "lurcher.search" },
    ...(service.connection.kind === "missing"
      ? [{ label: "$(cloud-download) Set up a private server", command: "lurcher.setUpServer" }]
      : []),
    ...(isBuilding ? [{ label: "$(debug-pause) Pause indexing", command: "lurcher.pause" }] : []),
    ...(service.isPaused ? [{ label: "$(debug-continue) Resume indexing", command: "lurcher.resume" }] : []),
    ...(isRunning
      ? [
          { label: "$(sync) Build index", command: "lurcher.buildIndex" },
          { label: "$(refresh) Rebuild index", command: "lurcher.rebuildIndex" },
        ]
      : []),
    { label: "$(info) Show status", command: "lurcher.showStatus" },
    ...(isRunning ? [{ label: "$(question) Why is this file not found?", command: "lurcher.explainFile" }] : []),
    { label: "$(output) Show log", command: "lurcher.showLog" },
    { label: "$(debug-restart) Restart server", command: "lurcher.restart" },
    { label: "$(gear) Open settings", command: "lurcher.openSettings" },
    { label: "$(mortar-board) Get started", command: "lurcher.walkthrough" },
  ];
  const { more } = told(service.connection, service.status, service.isPaused);
  const chosen = await vscode.window.showQuickPick(choices, { title: "Lurcher", placeHolder: more[0] ?? "" });
  if (chosen) await vscode.commands.executeCommand(chosen.command);
}
