// Why a result is there: bars for words, meaning and boosts, from the trace that the server gives with each chunk.
import type { ChunkAnswer } from "../protocol";

export interface Bar {
  readonly name: "words" | "meaning" | "boosts" | "relevance";
  /** From 0 to 1. */
  readonly share: number;
  /** In words, for the tooltip and for those who do not see the bar. */
  readonly label: string;
}

/** The strongest of an answer: what a full bar stands for. */
export interface Strongest {
  readonly words: number;
  readonly boosts: number;
}

export function strongest(chunks: readonly ChunkAnswer[]): Strongest {
  return {
    words: Math.max(0, ...chunks.map((chunk) => chunk.scores.keywordScore ?? 0)),
    boosts: Math.max(1, ...chunks.map((chunk) => product(chunk.scores.boosts))),
  };
}

/** The bars of one chunk; a way of searching that did not find it has an empty one. */
export function barsOf(chunk: ChunkAnswer, most: Strongest): Bar[] {
  const { keywordRank, keywordScore, denseRank, denseScore, boosts } = chunk.scores;
  const factor = product(boosts);
  const named = Object.entries(boosts).map(([name, value]) => `${name} ×${round(value)}`);
  return [
    {
      name: "words",
      share: most.words > 0 ? clamp((keywordScore ?? 0) / most.words) : 0,
      label: found("words", keywordRank, keywordScore, "score"),
    },
    { name: "meaning", share: clamp(denseScore ?? 0), label: found("meaning", denseRank, denseScore, "likeness") },
    {
      name: "boosts",
      share: most.boosts > 1 ? clamp((factor - 1) / (most.boosts - 1)) : 0,
      label: named.length > 0 ? `Boosts: ${named.join(", ")}` : "No boosts",
    },
    { name: "relevance", share: clamp(chunk.score), label: `Relevance ${round(chunk.score)}` },
  ];
}

function found(way: string, rank: number | null, score: number | null, unit: string): string {
  if (rank === null) return `Not found by ${way}`;
  return `Place ${rank} by ${way}` + (score === null ? "" : `, ${unit} ${round(score)}`);
}

function product(factors: Readonly<Record<string, number>>): number {
  return Object.values(factors).reduce((whole, factor) => whole * factor, 1);
}

function clamp(share: number): number {
  return Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}
