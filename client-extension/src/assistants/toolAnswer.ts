// The language-model tool without the editor: input to params, answer to text.
import type { ChunkSearchAnswer, ChunkSearchParams } from "../protocol";
import { emptinessOf } from "../search/emptiness";
import { isContent } from "../search/filters";
import type { PathOf } from "../search/rows";
import { WEAKER, weakerOf, whereOf, type WeakerPlace } from "../search/weaker";
import { budgetOfCall, CHARACTERS_EACH } from "./budget";

/** Results that a model gets if it does not say how many. */
export const USUAL_RESULTS = 8;

/** Results that it may ask for; the schema in package.json says the same. */
export const MOST_RESULTS = 50;

export interface ToolInput {
  readonly query: string;
  readonly paths: readonly string[];
  readonly languages: readonly string[];
  readonly content: "all" | "code" | "docs" | "config";
  readonly maxResults: number;
  readonly includeSeen: boolean;
}

/** What a model wrote cannot be used; it is told why. */
export class BadInput extends Error {}

/** Models do not always keep to a schema: what is meant is taken, what cannot be used is refused with a reason. */
export function readInput(given: unknown): ToolInput {
  const input = (typeof given === "object" && given !== null ? given : {}) as Record<string, unknown>;
  if (typeof input.query !== "string" || !input.query.trim()) throw new BadInput("`query` must say what to look for.");
  const wanted = Number(input.maxResults ?? USUAL_RESULTS);
  return {
    query: input.query,
    paths: strings(input.paths),
    languages: strings(input.languages).map((name) => name.toLowerCase()),
    content: isContent(input.content) ? input.content : "all",
    maxResults: Number.isFinite(wanted) ? Math.min(MOST_RESULTS, Math.max(1, Math.round(wanted))) : USUAL_RESULTS,
    includeSeen: input.includeSeen === true,
  };
}

export function toolParams(input: ToolInput, allowed: number | undefined, seen: readonly string[]): ChunkSearchParams & { tokenBudget: number } {
  return {
    query: input.query,
    paths: input.paths,
    languages: input.languages,
    content: input.content,
    maxResults: input.maxResults,
    tokenBudget: budgetOfCall(allowed, input.maxResults),
    alreadyInContext: input.includeSeen ? [] : seen.map((chunkId) => ({ chunkId })),
  };
}

/** An answer in words. Weaker places have the room, in tokens, that the code has left of its budget. */
export function toolText(answer: ChunkSearchAnswer, pathOf: PathOf, room: number): string {
  const notes = answer.alerts.map((alert) => `Note: ${alert}`);
  const known = answer.dropped.alreadyInContext;
  if (known > 0) notes.push(`${known} more were given in this conversation before; includeSeen returns them again.`);
  const empty = emptinessOf(answer, false);
  const weaker = weakerLines(weakerOf(answer.nearby, pathOf), room);
  if (empty) return [`${empty.title}. ${empty.advice}`, ...notes, ...weaker].join("\n");
  const count = answer.chunks.length;
  const head = `${count} ${count === 1 ? "piece" : "pieces"} of code, the best first.`;
  const uses = answer.crossReference?.explanation ? [answer.crossReference.explanation] : [];
  return [head, ...uses, ...notes, ...answer.chunks.map((chunk) => `\n${chunk.text}`), ...weaker].join("\n");
}

/** Where else to look, written as the server writes it above code; the nearest first, as many as there is room for. */
function weakerLines(places: readonly WeakerPlace[], room: number): string[] {
  const lines: string[] = [];
  for (const place of places) {
    const line = `- ${whereOf(place)}${place.symbol && ` (${place.kind} ${place.symbol})`}: ${place.excerpt}`;
    room -= Math.ceil(line.length / CHARACTERS_EACH);
    if (room < 0) break;
    lines.push(line);
  }
  return lines.length > 0 ? [`\n${WEAKER}, a line of each:`, ...lines] : [];
}

function strings(given: unknown): string[] {
  if (typeof given === "string") return given ? [given] : [];
  return Array.isArray(given) ? given.filter((each): each is string => typeof each === "string" && each !== "") : [];
}
