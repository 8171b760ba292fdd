// The race of the strategies as a small picture: who started when, who won, what became of the others.
import type { AttemptAnswer, ChunkSearchAnswer } from "../protocol";

export interface Lane {
  readonly strategy: string;
  /** What people call it. */
  readonly name: string;
  readonly outcome: string;
  /** Where its bar begins and how long it is, in percent of the whole; null if it did not run. */
  readonly bar: { readonly left: number; readonly width: number } | null;
  /** All of it in one sentence. */
  readonly label: string;
}

export interface Timeline {
  readonly lanes: readonly Lane[];
  readonly milliseconds: number;
  /** What was found and left out, in sentences; the spread among them. */
  readonly cut: readonly string[];
}

/** A bar is never thinner than this, in percent: a strategy that gave up at once is still seen. */
const THINNEST = 1.5;

const NAMES: Readonly<Record<string, string>> = {
  fullWorkspace: "Whole workspace",
  codeSearch: "Remote search",
  embeddings: "Meaning and words",
  tfidfSemantic: "Words, then meaning",
  tfidf: "Words",
  callGraph: "Call graph",
  place: "Place",
};

export function timelineOf(answer: ChunkSearchAnswer): Timeline {
  const ends = answer.attempts.map((attempt) => attempt.ended ?? attempt.started ?? 0);
  const milliseconds = Math.max(answer.timings.total ?? 0, ...ends);
  // The scale is the race's own, or what came before and after it would squeeze the bars.
  const scale = Math.max(1e-6, ...ends);
  return { lanes: answer.attempts.map((attempt) => laneOf(attempt, scale)), milliseconds, cut: cutOf(answer) };
}

export function nameOf(strategy: string): string {
  return NAMES[strategy] ?? strategy;
}

function laneOf(attempt: AttemptAnswer, scale: number): Lane {
  const { strategy, outcome, detail, started, ended, timedOut } = attempt;
  const name = nameOf(strategy);
  const reason = detail ? `: ${detail}` : "";
  if (started === null) return { strategy, name, outcome, bar: null, label: `${name}: ${outcome}${reason}` };
  const end = ended ?? scale;
  const width = Math.max(THINNEST, ((end - started) / scale) * 100);
  const left = Math.min((started / scale) * 100, 100 - width);
  const late = timedOut ? ", its time was up" : "";
  const label = `${name}: ${outcome}, from ${round(started)} to ${round(end)} ms${late}${reason}`;
  return { strategy, name, outcome, bar: { left: Math.max(0, left), width: Math.min(100, width) }, label };
}

function cutOf(answer: ChunkSearchAnswer): string[] {
  const { spread, limit, duplicates, perFile, budget, alreadyInContext } = answer.dropped;
  const told: readonly [number, string][] = [
    [spread, "cut by the 0.65 spread (too weak)"],
    [limit, "beyond the number of results"],
    [duplicates, "nearly the same as a better one"],
    [perFile, "more of the same file"],
    [budget, "beyond the token budget"],
    [alreadyInContext, "known already"],
  ];
  return told.filter(([count]) => count > 0).map(([count, why]) => `${count} ${why}`);
}

function round(milliseconds: number): string {
  return milliseconds < 10 ? milliseconds.toFixed(1) : String(Math.round(milliseconds));
}
