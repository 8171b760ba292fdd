// Results as lines of the quick pick.
import type { ChunkAnswer, Range } from "../protocol";
import { symbolOf, type PathOf } from "../search/rows";
import { firstLook, rangeFrom, tellingLine } from "../search/telling";
import { whereOf, type WeakerPlace } from "../search/weaker";

/** Characters of code in a line of the list. */
const LONGEST_DETAIL = 140;

export interface Line {
  readonly label: string;
  readonly description: string;
  /** A line of the code. */
  readonly detail: string;
  /** What is opened. */
  readonly uri: string;
  readonly range: Range;
}

const ICONS: Readonly<Record<string, string>> = {
  function: "symbol-function",
  method: "symbol-method",
  constructor: "symbol-constructor",
  class: "symbol-class",
  interface: "symbol-interface",
  struct: "symbol-struct",
  enum: "symbol-enum",
  module: "symbol-module",
  section: "markdown",
  constant: "symbol-constant",
  variable: "symbol-variable",
};

export function lineOf(chunk: ChunkAnswer, words: readonly string[], pathOf: PathOf): Line {
  const path = pathOf(chunk.uri);
  const lines = chunk.rawText.trimEnd().split("\n");
  const range = rangeFrom(chunk.range, chunk.range.start.line + firstLook(lines, words));
  return {
    label: labelOf(path, symbolOf(chunk), chunk.symbol?.kind ?? ""),
    description: `${path}:${range.start.line + 1}`,
    detail: withoutIcons(detailOf(lines, words)),
    uri: chunk.uri,
    range,
  };
}

export function weakerLine(place: WeakerPlace): Line {
  const { path, symbol, kind, excerpt, uri, range } = place;
  return { label: labelOf(path, symbol, kind), description: whereOf(place), detail: withoutIcons(excerpt), uri, range };
}

/**
 * Where the person stands in a list that is replaced by a fuller one: on the same result. Who has not moved from the first
 * line wants the best one, whichever that is now. `firsts` are the results that have been first since the person began to type: the
 * editor tells a moment later which line is active, and by then another one may be first.
 */
export function keptPlace<Item extends { readonly chunk?: ChunkAnswer }>(firsts: ReadonlySet<string>, active: Item | undefined, now: readonly Item[]): Item | undefined {
  const id = active?.chunk?.id;
  if (id === undefined || firsts.has(id)) return undefined;
  return now.find((item) => item.chunk?.id === id);
}

function labelOf(path: string, symbol: string, kind: string): string {
  const name = symbol || path.slice(path.lastIndexOf("/") + 1);
  return `$(${ICONS[kind] ?? "file-code"}) ${withoutIcons(name)}`;
}

function detailOf(lines: readonly string[], words: readonly string[]): string {
  const telling = (lines[tellingLine(lines, words)] ?? "").trim();
  return telling.length > LONGEST_DETAIL ? `${telling.slice(0, LONGEST_DETAIL)}…` : telling;
}

/** `$(name)` in code would be drawn as a picture; a zero-width space between prevents that. */
function withoutIcons(text: string): string {
  return text.replaceAll("$(", "$\u200b(");
}
