// Answers as a server gives them, with what a test cares about put in.
import type { ChunkAnswer, ChunkSearchAnswer, NearbyAnswer, StatusAnswer } from "../src/protocol";

export function chunk(given: Partial<ChunkAnswer> = {}): ChunkAnswer {
  return {
    id: "c1",
    uri: "file:///home/me/shop/src/cart.py",
    range: { start: { line: 4, character: 0 }, end: { line: 6, character: 20 } },
    text: "src/cart.py:5-7 (class Cart)\n```python\nclass Cart:\n    pass\n```",
    rawText: "class Cart:\n    pass",
    form: "full",
    isFullFile: false,
    score: 0.9,
    tokens: 20,
    strategy: "embeddings",
    language: "python",
    symbol: { name: "Cart", kind: "class", container: "" },
    reasons: ["all words"],
    contentHash: "h",
    version: null,
    featurePath: null,
    scores: {
      keywordRank: 1,
      keywordScore: 6,
      denseRank: 2,
      denseScore: 0.5,
      remoteRank: null,
      fused: 0.01,
      boosts: {},
      rerank: 0.9,
    },
    ...given,
  };
}

/** Whole lines, as the server tells them: up to where the next one begins. */
export function nearby(given: Partial<NearbyAnswer> = {}): NearbyAnswer {
  return {
    uri: "file:///home/me/shop/src/box.py",
    range: { start: { line: 9, character: 0 }, end: { line: 12, character: 0 } },
    symbol: { name: "fold", kind: "method", container: "Box" },
    excerpt: "def fold(self, flaps):",
    score: 0.1,
    ...given,
  };
}

export function answer(given: Partial<ChunkSearchAnswer> = {}): ChunkSearchAnswer {
  return {
    chunks: [chunk()],
    strategy: "embeddings",
    stage: "",
    isFullWorkspace: false,
    alerts: [],
    empty: null,
    complete: true,
    limitHit: false,
    remote: [],
    parsedQuery: {
      original: "a cart",
      text: "a cart",
      intent: "navigational",
      task: "general",
      keywords: ["cart"],
      codeTerms: [],
      expanded: [],
      expandedFrom: {},
      languages: [],
      phrases: [],
      crossReference: null,
      looksLike: {
        isSymbol: false,
        isQuestion: false,
        asksForTests: false,
        asksForConfig: false,
        asksForDocs: false,
        asksForExamples: false,
        isErrorText: false,
        mentionsPath: false,
      },
      confidence: 0.5,
      usedModel: false,
      terms: ["cart"],
      cut: false,
    },
    attempts: [
      { strategy: "codeSearch", outcome: "cannot search", detail: "not configured", started: 0, ended: 1, timedOut: false },
      { strategy: "embeddings", outcome: "won", detail: "", started: 1, ended: 10, timedOut: false },
      { strategy: "tfidf", outcome: "not started", detail: "", started: null, ended: null, timedOut: false },
    ],
    freshness: { indexed: 3, pending: 0, skipped: 0, unsaved: 0, vectorsReady: 1 },
    crossReference: null,
    answerability: 0.9,
    model: "m",
    dropped: { limit: 0, spread: 0, duplicates: 0, perFile: 0, budget: 0, alreadyInContext: 0 },
    nearby: [],
    tokens: 20,
    timings: { total: 12 },
    correlationId: "x",
    ...given,
  };
}

export function status(given: Partial<StatusAnswer> = {}): StatusAnswer {
  return {
    state: "ready",
    message: "Ready: 3 files, 3 chunks.",
    folders: ["file:///home/me/shop"],
    store: "/home/me/.cache/lurcher",
    indexed: 3,
    pending: 0,
    skipped: {},
    chunks: 3,
    unsaved: 0,
    vectorsReady: 1,
    model: "m",
    nextModel: "",
    complete: true,
    hasFastSearch: true,
    phase: "",
    done: 0,
    total: 0,
    filesPerSecond: 0,
    etaSeconds: null,
    lastError: null,
    alerts: [],
    remote: "disabled",
    repositories: [],
    ...given,
  };
}
