// Results as they are shown: made here, beside the server, so that the webview has little to do.
import type { ChunkAnswer, Range } from "../protocol";
import { firstLook, SHOWN_LINES } from "./telling";
import { barsOf, strongest, type Bar } from "./why";

/** Characters of a line that are shown: minified code would make rows of thousands. */
export const LONGEST_LINE = 240;

/** Lines above the telling one that are shown with it. */
const LINES_BEFORE = 3;

/** Lines that a result has at most when all are shown. */
export const MOST_LINES = 400;

export interface Row {
  readonly id: string;
  readonly uri: string;
  readonly range: Range;
  /** Relative to its folder; in a workspace of several folders with the folder's name before it. */
  readonly path: string;
  /** From 1, as people count: where the chunk begins or, in a long one, the line that says why it was found. */
  readonly line: number;
  /** The first line of the code that is shown before somebody asks for the rest. */
  readonly from: number;
  readonly symbol: string;
  readonly kind: string;
  readonly language: string;
  readonly code: string;
  readonly lines: number;
  readonly score: number;
  readonly bars: readonly Bar[];
  readonly reasons: readonly string[];
  readonly isUnsaved: boolean;
}

/** A URI as a person reads it. */
export type PathOf = (uri: string) => string;

/** Whether an editor shows a document that is not saved. */
export type IsUnsaved = (uri: string) => boolean;

export function rowsOf(
  chunks: readonly ChunkAnswer[],
  words: readonly string[],
  pathOf: PathOf,
  isUnsaved: IsUnsaved,
): Row[] {
  const most = strongest(chunks);
  return chunks.map((chunk) => {
    const code = tidied(chunk.rawText, Math.min(chunk.range.start.character, LONGEST_LINE));
    const telling = firstLook(code, words);
    return {
      id: chunk.id,
      uri: chunk.uri,
      range: chunk.range,
      path: pathOf(chunk.uri),
      line: chunk.range.start.line + 1 + telling,
      from: Math.max(0, Math.min(telling - LINES_BEFORE, code.length - SHOWN_LINES)),
      symbol: symbolOf(chunk),
      kind: chunk.symbol?.kind ?? "",
      language: chunk.language,
      code: code.join("\n"),
      lines: code.length,
      score: chunk.score,
      bars: barsOf(chunk, most),
      reasons: chunk.reasons,
      isUnsaved: chunk.version !== null && isUnsaved(chunk.uri),
    };
  });
}

export function symbolOf(chunk: Pick<ChunkAnswer, "symbol">): string {
  if (!chunk.symbol) return "";
  return chunk.symbol.container ? `${chunk.symbol.container}.${chunk.symbol.name}` : chunk.symbol.name;
}

/** Without common indentation, without the ends of very long lines, and not longer than a screen can use. A chunk may
 * begin in the middle of its first line, at `character`. */
export function tidied(text: string, character = 0): string[] {
  const lines = (" ".repeat(character) + text.replace(/\s+$/, "")).split(/\r?\n/).slice(0, MOST_LINES);
  const indents = lines.filter((line) => line.trim()).map(indentOf);
  const common = indents.length > 0 ? Math.min(...indents) : 0;
  return lines.map((line) => {
    const moved = line.slice(Math.min(common, indentOf(line))).replaceAll("\t", "    ");
    return moved.length > LONGEST_LINE ? `${moved.slice(0, LONGEST_LINE)}…` : moved;
  });
}

function indentOf(line: string): number {
  return /^[ \t]*/.exec(line)?.[0].length ?? 0;
}
