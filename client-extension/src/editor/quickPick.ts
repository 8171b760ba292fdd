// `Lurcher: Search workspace`: results while one types, and the place itself behind the list.
import * as vscode from "vscode";
import type { ChunkAnswer, ChunkSearchAnswer, Range } from "../protocol";
import { keptPlace, lineOf, weakerLine } from "../quick/items";
import { emptinessOf, failureOf, type Emptiness, type Remedy } from "../search/emptiness";
import { NO_FILTERS, paramsOf } from "../search/filters";
import { Searcher } from "../search/searcher";
import { wordsOf } from "../search/telling";
import { WEAKER, weakerOf } from "../search/weaker";
import type { Link } from "../server/link";
import { openPlace } from "./opening";
import { Preview } from "./preview";
import { remedy } from "./remedies";
import { paths } from "./surroundings";

/** Results in the list: two screens. */
const RESULTS = 20;

/** Milliseconds without a key before a search: a fast writer's pause between two keys is shorter. */
const PAUSE_MS = 120;

interface Item extends vscode.QuickPickItem {
  /** The result that it stands for, if it does. */
  readonly chunk?: ChunkAnswer;
  /** What is opened, and where. */
  readonly uri?: string;
  readonly range?: Range;
  readonly action?: Remedy["action"];
}

const BESIDE: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon("split-horizontal"), tooltip: "Open to the side" };
const IN_PANEL: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon("open-preview"), tooltip: "Show in the panel" };

export function quickSearch(link: Link, showInPanel: (query: string) => Promise<void>, query = ""): void {
  const pick = vscode.window.createQuickPick<Item>();
  const searcher = new Searcher(link);
  const preview = new Preview();
  let pause: NodeJS.Timeout | undefined;
  let previewed: Item | undefined;
  const firsts = new Set<string>();

  // The order is the server's; the editor would put those first whose label has the typed letters.
  (pick as { sortByLabel?: boolean }).sortByLabel = false;
  pick.placeholder = "Ask for code, in words or by name";
  pick.matchOnDescription = false;
  pick.buttons = [IN_PANEL];
  pick.value = query;

  const tell = (emptiness: Emptiness, weaker: readonly Item[] = []) => {
    pick.busy = false;
    pick.items = [...messages(emptiness), ...weaker];
  };
  const put = (items: Item[]) => {
    const active = keptPlace(firsts, pick.activeItems[0], items) ?? items[0];
    if (items[0]?.chunk) firsts.add(items[0].chunk.id);
    pick.items = items;
    if (active) pick.activeItems = [active];
  };
  const show = (answer: ChunkSearchAnswer, isFinal: boolean) => {
    pick.busy = !isFinal;
    const empty = isFinal ? emptinessOf(answer, false) : null;
    const words = wordsOf(answer.parsedQuery);
    const weaker = isFinal ? weakerItems(answer) : [];
    if (empty) tell(empty, weaker);
    else if (answer.chunks.length > 0) put([...answer.chunks.map((chunk) => itemOf(chunk, words)), ...weaker]);
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
      failed: (problem, lack) => tell(failureOf(problem, lack)),
    });
  };
  const choose = async (item: Item | undefined, beside: boolean) => {
    if (item?.action === "searchAgain") return search();
    if (!item?.uri && !item?.action) return;
    if (item.uri) preview.end();
    pick.hide();
    if (item.action) return remedy(item.action);
    if (!item.uri || !item.range) return;
    const viewColumn = beside ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
    await openPlace(item.uri, item.range, { viewColumn, preview: false });
  };
  const chosen = (item: Item | undefined, beside: boolean) =>
    void choose(item, beside).catch((problem: unknown) => {
      void vscode.window.showErrorMessage(`Lurcher: ${problem instanceof Error ? problem.message : String(problem)}`);
    });

  pick.onDidChangeValue(() => {
    clearTimeout(pause);
    pause = setTimeout(search, PAUSE_MS);
  });
  pick.onDidChangeActive(([item]) => {
    if (!item?.uri || !item.range || item === previewed) return;
    previewed = item;
    preview.show(item.uri, item.range);
  });
  pick.onDidAccept(() => chosen(pick.activeItems[0], false));
  pick.onDidTriggerItemButton(({ item }) => chosen(item, true));
  pick.onDidTriggerButton(() => {
    const text = pick.value;
    pick.hide();
    void showInPanel(text);
  });
  pick.onDidHide(() => {
    clearTimeout(pause);
    searcher.cancel();
    pick.dispose();
    void preview.undo();
  });
  pick.show();
  if (query) search();
}

function itemOf(chunk: ChunkAnswer, words: readonly string[]): Item {
  return { ...lineOf(chunk, words, paths()), chunk, alwaysShow: true, buttons: [BESIDE] };
}

/** What comes near, behind a line that says so. */
function weakerItems({ nearby }: ChunkSearchAnswer): Item[] {
  const items = weakerOf(nearby, paths()).map((place): Item => ({ ...weakerLine(place), alwaysShow: true, buttons: [BESIDE] }));
  return items.length > 0 ? [{ label: WEAKER, kind: vscode.QuickPickItemKind.Separator }, ...items] : [];
}

/** What there is to say, and below it what can be done. There are no filters here that could be cleared. */
function messages({ title, advice, remedies }: Emptiness): Item[] {
  const offered = remedies.filter((each) => each.action !== "clearFilters");
  return [
    { label: `$(info) ${title}`, detail: advice, alwaysShow: true },
    ...offered.map(({ label, action }): Item => ({ label: `$(arrow-right) ${label}`, action, alwaysShow: true })),
  ];
}
