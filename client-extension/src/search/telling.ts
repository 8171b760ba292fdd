// Which line of a chunk says most about why it was found, and is where somebody looks first.
import type { QueryAnswer, Range } from "../protocol";

/** Lines of code that a result shows before somebody asks for the rest; of a longer one the telling line is looked for. */
export const SHOWN_LINES = 14;

/** The words that are marked and looked for, each once. */
export function wordsOf({ codeTerms, keywords }: Pick<QueryAnswer, "codeTerms" | "keywords">): string[] {
  return [...new Set([...codeTerms, ...keywords])];
}

/** The line of a chunk, from 0, that is shown and opened. */
export function firstLook(lines: readonly string[], words: readonly string[]): number {
  return lines.length > SHOWN_LINES ? tellingLine(lines, words) : 0;
}

/** A chunk's range from one of its lines on. */
export function rangeFrom(range: Range, line: number): Range {
  return line === range.start.line ? range : { start: { line, character: 0 }, end: range.end };
}

/** The first line that has most of the words, whatever their case; the first one with letters if none has any. */
export function tellingLine(lines: readonly string[], words: readonly string[]): number {
  const wanted = words.map((word) => word.toLowerCase());
  let best = Math.max(0, lines.findIndex((line) => /\p{L}{2}/u.test(line)));
  let most = 0;
  for (const [place, line] of lines.entries()) {
    const lowered = line.toLowerCase();
    const count = wanted.filter((word) => lowered.includes(word)).length;
    if (count > most) [best, most] = [place, count];
  }
  return best;
}
