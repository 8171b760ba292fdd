// The status page: a document that nobody can edit, shown as Markdown.
import * as vscode from "vscode";
import { statusPage } from "../status/page";
import { told } from "../status/words";
import type { Service } from "./service";

const PAGE = vscode.Uri.parse("lurcher:Lurcher status.md");

export function makeStatusDocument(service: Service, version: string): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const provider: vscode.TextDocumentContentProvider = {
    onDidChange: changed.event,
    provideTextDocumentContent: () =>
      statusPage(service.status, {
        server: service.program?.command ?? "",
        serverVersion: service.serverVersion,
        extensionVersion: version,
        connection: `${service.connection.kind}. ${told(service.connection, service.status, service.isPaused).more[0] ?? ""}`,
      }),
  };
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(PAGE.scheme, provider),
    service.onDidChange(() => changed.fire(PAGE)),
  );
}

export async function showStatusPage(): Promise<void> {
  await vscode.commands.executeCommand("markdown.showPreview", PAGE);
}
