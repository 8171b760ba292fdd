// `Lurcher: Search workspace`: results while one types, and the place itself behind the list.
import * as vscode from "vscode";
import type { ChunkAnswer, ChunkSearchAnswer } from "../protocol";
import { lineOf } from "../quick/items";
import { emptinessOf } from "../search/emptiness";
import { NO_FILTERS, paramsOf } from "../search/filters";
import { Searcher } from "../search/searcher";
import type { Link } from "../server/link";
import { openPlace } from "./opening";
import { paths } from "./surroundings";

/** Results in the list: two screens. */
const RESULTS = 20;

/** Milliseconds without a key before a search: a fast writer's pause between two keys is shorter. */
const PAUSE_MS = 120;

interface Item extends vscode.QuickPickItem {
  readonly chunk?: ChunkAnswer;
}

const BESIDE: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon("split-horizontal"), tooltip: "Open to the side" };
const IN_PANEL: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon("open-preview"), tooltip: "Show in the panel" };

export function quickSearch(link: Link, showInPanel: (query: string) => Promise<void>, query = ""): void {
  const pick = vscode.window.createQuickPick<Item>();
  const searcher = new Searcher(link);
  const before = vscode.window.activeTextEditor;
  const place = before && { document: before.document, column: before.viewColumn, selection: before.selection };
  let pause: NodeJS.Timeout | undefined;
  let hasChosen = false;
  let previewed: ChunkAnswer | undefined;

  // The order is the server's; the editor would put those first whose label has the typed letters.
  (pick as { sortByLabel?: boolean }).sortByLabel = false;
  pick.placeholder = "Ask for code, in words or by name";
  pick.matchOnDescription = false;
  pick.buttons = [IN_PANEL];
  pick.value = query;

  const show = (answer: ChunkSearchAnswer, isFinal: boolean) => {
    pick.busy = !isFinal;
    const empty = isFinal ? emptinessOf(answer, false) : null;
    if (empty) pick.items = [message(empty.title, empty.advice)];
    else if (answer.chunks.length > 0) pick.items = answer.chunks.map((chunk) => itemOf(chunk, answer.parsedQuery.keywords));
  };
  const search = () => {
    const text = pick.value.trim();
    if (!text) {
      searcher.cancel();
      pick.busy = false;
      pick.items = [];
      return;
    }
    pick.busy = true;
    void searcher.search(paramsOf(text, NO_FILTERS, RESULTS), {
      grows: (answer) => show(answer, false),
      done: (answer) => show(answer, true),
      cancelled: () => (pick.busy = false),
      failed: (problem) => {
        pick.busy = false;
        pick.items = [message("The search failed", problem)];
      },
    });
  };
  const preview = async (item: Item | undefined) => {
    if (!item?.chunk || item.chunk === previewed) return;
    previewed = item.chunk;
    const options = { preview: true, preserveFocus: true };
    // A file that cannot be shown has no preview; choosing it tells why.
    await openPlace(item.chunk.uri, item.chunk.range, options).catch(() => undefined);
  };
  const choose = async (item: Item | undefined, beside: boolean) => {
    if (!item?.chunk) return;
    hasChosen = true;
    pick.hide();
    const viewColumn = beside ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
    await openPlace(item.chunk.uri, item.chunk.range, { viewColumn, preview: false });
  };
  const restore = async () => {
    if (hasChosen || !previewed || !place) return;
    const options = { selection: place.selection, ...(place.column === undefined ? {} : { viewColumn: place.column }) };
    await vscode.window.showTextDocument(place.document, options);
  };

  pick.onDidChangeValue(() => {
    clearTimeout(pause);
    pause = setTimeout(search, PAUSE_MS);
  });
  pick.onDidChangeActive(([item]) => void preview(item));
  pick.onDidAccept(() => void choose(pick.activeItems[0], false));
  pick.onDidTriggerItemButton(({ item }) => void choose(item, true));
  pick.onDidTriggerButton(() => {
    hasChosen = true;
    const text = pick.value;
    pick.hide();
    void showInPanel(text);
  });
  pick.onDidHide(() => {
    clearTimeout(pause);
    searcher.cancel();
    pick.dispose();
    void restore();
  });
  pick.show();
  if (query) search();
}

function itemOf(chunk: ChunkAnswer, words: readonly string[]): Item {
  return { ...lineOf(chunk, words, paths()), chunk, alwaysShow: true, buttons: [BESIDE] };
}

function message(label: string, detail: string): Item {
  return { label: `$(info) ${label}`, detail, alwaysShow: true };
}
