// What the panel and the extension say to each other. The panel is a web page: what it says is checked.
import type { Range } from "../protocol";
import type { Emptiness, Remedy } from "../search/emptiness";
import { isContent, type Filters } from "../search/filters";
import type { Row } from "../search/rows";
import type { Timeline } from "../search/timeline";
import type { WeakerPlace } from "../search/weaker";

/** An answer as it is shown, or a part of it. */
export interface Shown {
  readonly query: string;
  readonly rows: readonly Row[];
  /** Words to mark in the code. */
  readonly words: readonly string[];
  /** Too weak to be rows; none until nothing more comes, since they may still become some. */
  readonly weaker: readonly WeakerPlace[];
  readonly timeline: Timeline;
  readonly alerts: readonly string[];
  readonly emptiness: Emptiness | null;
  readonly hasMore: boolean;
  /** Whether nothing more comes. */
  readonly isFinal: boolean;
  /** One sentence about all of it. */
  readonly summary: string;
}

export type ToPanel =
  | { readonly kind: "began"; readonly query: string }
  | { readonly kind: "shown"; readonly shown: Shown }
  | { readonly kind: "stopped"; readonly emptiness: Emptiness | null }
  | { readonly kind: "kept"; readonly pins: readonly Row[]; readonly history: readonly string[] }
  | { readonly kind: "status"; readonly text: string; readonly isBusy: boolean }
  | { readonly kind: "fill"; readonly query: string; readonly filters: Filters };

/** A question as the page keeps it. */
export interface Asked {
  readonly query: string;
  readonly filters: Filters;
}

export type FromPanel =
  | { readonly kind: "ready"; readonly before?: Asked }
  | { readonly kind: "search"; readonly query: string; readonly filters: Filters; readonly isTyping: boolean; readonly more: boolean }
  | { readonly kind: "cancel" }
  | { readonly kind: "open"; readonly uri: string; readonly range: Range; readonly beside: boolean }
  | { readonly kind: "copy"; readonly id: string }
  | { readonly kind: "pin"; readonly id: string }
  | { readonly kind: "forget" }
  | { readonly kind: "remedy"; readonly action: Remedy["action"] };

/** Characters of a question that are taken from the panel: the server cuts far shorter ones. */
const LONGEST_QUERY = 20_000;

const ACTIONS: readonly string[] = [
  "clearFilters",
  "rebuild",
  "showStatus",
  "showLog",
  "restart",
  "setUp",
  "openSettings",
  "searchAgain",
] satisfies Remedy["action"][];

/** A message of the panel's, or undefined if it is none. */
export function readMessage(given: unknown): FromPanel | undefined {
  if (!isRecord(given)) return undefined;
  switch (given.kind) {
    case "ready": {
      const before = readAsked(given.before);
      return before ? { kind: "ready", before } : { kind: "ready" };
    }
    case "cancel":
    case "forget":
      return { kind: given.kind };
    case "search": {
      const asked = readAsked(given);
      return asked && { kind: "search", ...asked, isTyping: given.isTyping === true, more: given.more === true };
    }
    case "open": {
      const range = readRange(given.range);
      if (typeof given.uri !== "string" || !range) return undefined;
      return { kind: "open", uri: given.uri, range, beside: given.beside === true };
    }
    case "copy":
    case "pin":
      return typeof given.id === "string" ? { kind: given.kind, id: given.id } : undefined;
    case "remedy":
      if (typeof given.action !== "string" || !ACTIONS.includes(given.action)) return undefined;
      return { kind: "remedy", action: given.action as Remedy["action"] };
    default:
      return undefined;
  }
}

export function readAsked(given: unknown): Asked | undefined {
  if (!isRecord(given)) return undefined;
  const filters = readFilters(given.filters);
  if (typeof given.query !== "string" || given.query.length > LONGEST_QUERY || !filters) return undefined;
  return { query: given.query, filters };
}

function readFilters(given: unknown): Filters | undefined {
  if (!isRecord(given)) return undefined;
  const { folder, language, content } = given;
  if (typeof folder !== "string" || typeof language !== "string" || !isContent(content)) return undefined;
  return { folder, language, content };
}

function readRange(given: unknown): Range | undefined {
  if (!isRecord(given)) return undefined;
  const [start, end] = [readPosition(given.start), readPosition(given.end)];
  return start && end ? { start, end } : undefined;
}

function readPosition(given: unknown): { line: number; character: number } | undefined {
  if (!isRecord(given)) return undefined;
  const { line, character } = given;
  const isPlace = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
  return isPlace(line) && isPlace(character) ? { line, character } : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
