// Places that come near to the question and are too weak to be shown with their code.
import type { NearbyAnswer, Range } from "../protocol";
import { symbolOf, type PathOf } from "./rows";

/** What they are called wherever they are listed. */
export const WEAKER = "Weaker places";

export interface WeakerPlace {
  readonly uri: string;
  readonly range: Range;
  readonly path: string;
  /** From 1, as people count: `5-7`, or `5` if it is one line. */
  readonly lines: string;
  readonly symbol: string;
  readonly kind: string;
  /** The line of it that says most of the question. */
  readonly excerpt: string;
}

export function weakerOf(nearby: readonly NearbyAnswer[], pathOf: PathOf): WeakerPlace[] {
  return nearby.map(({ uri, range, symbol, excerpt }) => ({
    uri,
    range,
    path: pathOf(uri),
    lines: linesOf(range),
    symbol: symbolOf({ symbol }),
    kind: symbol?.kind ?? "",
    excerpt,
  }));
}

/** As the server writes it above the code of a result. */
export function whereOf({ path, lines }: WeakerPlace): string {
  return `${path}:${lines}`;
}

function linesOf({ start, end }: Range): string {
  const first = start.line + 1;
  // Whole lines end where the next one begins, which is no line of the place.
  const last = end.character > 0 ? end.line + 1 : end.line;
  return last > first ? `${first}-${last}` : String(first);
}
