// Shows a place in the editor.
import * as vscode from "vscode";
import type { Range } from "../protocol";

export function rangeOf(range: Range): vscode.Range {
  return new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
}

export async function openPlace(uri: string, range: Range, options: vscode.TextDocumentShowOptions = {}): Promise<void> {
  const target = vscode.Uri.parse(uri, true);
  if (target.scheme !== "file") throw new Error(`Only files are opened, not ${target.scheme}:`);
  const document = await vscode.workspace.openTextDocument(target);
  const shown = document.validateRange(rangeOf(range));
  const editor = await vscode.window.showTextDocument(document, { ...options, selection: new vscode.Range(shown.start, shown.start) });
  editor.revealRange(shown, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  flash(editor, shown);
}

/** Milliseconds for which the place stands out. */
const FLASH_MS = 1200;

const FLASH = vscode.window.createTextEditorDecorationType({
  isWholeLine: true,
  backgroundColor: new vscode.ThemeColor("editor.rangeHighlightBackground"),
  borderColor: new vscode.ThemeColor("editor.rangeHighlightBorder"),
});

let fading: NodeJS.Timeout | undefined;
let flashed: vscode.TextEditor | undefined;

/** One place at a time: the flash of a place that was left does not end that of the next one. */
function flash(editor: vscode.TextEditor, range: vscode.Range): void {
  clearTimeout(fading);
  if (flashed !== editor) flashed?.setDecorations(FLASH, []);
  flashed = editor;
  // Where a range ends at the beginning of a line, that line is no part of it.
  const last = range.end.character > 0 ? range.end.line : Math.max(range.start.line, range.end.line - 1);
  editor.setDecorations(FLASH, [new vscode.Range(range.start.line, 0, last, 0)]);
  fading = setTimeout(() => {
    editor.setDecorations(FLASH, []);
    flashed = undefined;
  }, FLASH_MS);
}
