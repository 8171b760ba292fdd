// The questions that a place in the editor asks.
import * as vscode from "vscode";
import { callersQuery, relatedQuery, selectionQuery } from "../search/questions";

/** Lines above and below the cursor that are looked at where the outline tells nothing. */
const AROUND = 12;

export function selectionQuestion(editor: vscode.TextEditor): string {
  const selected = editor.document.getText(editor.selection);
  return selectionQuery(selected || wordAt(editor));
}

export function callersQuestion(editor: vscode.TextEditor): string {
  const selected = editor.document.getText(editor.selection).trim();
  const name = /^[\p{L}\p{N}_$.:]+$/u.test(selected) ? selected : wordAt(editor);
  return name && callersQuery(name);
}

/** Of what is selected, else of the innermost definition that holds the cursor, else of the lines around it. */
export async function relatedQuestion(editor: vscode.TextEditor): Promise<string> {
  const { document, selection } = editor;
  if (!selection.isEmpty) return relatedQuery("", document.getText(selection));
  const symbol = await definitionAt(document, selection.active);
  if (symbol) return relatedQuery(symbol.name, document.getText(symbol.range));
  const line = selection.active.line;
  const around = new vscode.Range(Math.max(0, line - AROUND), 0, line + AROUND + 1, 0);
  return relatedQuery("", document.getText(document.validateRange(around)));
}

function wordAt(editor: vscode.TextEditor): string {
  const range = editor.document.getWordRangeAtPosition(editor.selection.active);
  return range ? editor.document.getText(range) : "";
}

async function definitionAt(
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<vscode.DocumentSymbol | undefined> {
  const symbols = await vscode.commands.executeCommand<(vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined>(
    "vscode.executeDocumentSymbolProvider",
    document.uri,
  );
  let found: vscode.DocumentSymbol | undefined;
  let inside = (symbols ?? []).filter((each): each is vscode.DocumentSymbol => "children" in each);
  for (;;) {
    const next = inside.find((each) => each.range.contains(position));
    if (!next) return found;
    found = next;
    inside = next.children;
  }
}
