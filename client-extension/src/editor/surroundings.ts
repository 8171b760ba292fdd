// The editor's settings and folders, in one place.
import * as vscode from "vscode";
import { pathIn } from "../search/paths";
import type { PathOf } from "../search/rows";

export function section(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration("lurcher");
}

/** The folders of the workspace that are on this machine's disk. */
export function diskFolders(): string[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter((folder) => folder.uri.scheme === "file")
    .map((folder) => folder.uri.fsPath);
}

/** How files are called, with the folders of now. */
export function paths(): PathOf {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const named = pathIn(folders.map((folder) => ({ uri: folder.uri.toString(), name: folder.name })));
  // The server's URIs and the editor's may be escaped differently.
  return (uri) => named(vscode.Uri.parse(uri).toString());
}

/** Whether this document is open with text that is not saved. */
export function isUnsaved(uri: string): boolean {
  const asked = vscode.Uri.parse(uri).toString();
  return vscode.workspace.textDocuments.some((document) => document.isDirty && document.uri.toString() === asked);
}
