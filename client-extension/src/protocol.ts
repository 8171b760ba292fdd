// Made by generate.py from the server's protocol.py and settings.py; do not edit.

export const SERVER_VERSION = "0.1.0";

export const CHUNK_SEARCH = "workspace/chunkSearch" as const;
export const STATUS = "workspace/chunkSearch/status" as const;
export const BUILD = "workspace/chunkSearch/build" as const;
export const REBUILD = "workspace/chunkSearch/rebuild" as const;
export const CLEAR = "workspace/chunkSearch/clear" as const;
export const EXPLAIN = "workspace/chunkSearch/explain" as const;
export const METRICS = "workspace/chunkSearch/metrics" as const;
export const REMOTE = "workspace/chunkSearch/remote" as const;
export const FETCH_NODE = "workspace/chunkSearch/fetchNode" as const;
export const EXPLORE_GRAPH = "workspace/chunkSearch/exploreGraph" as const;
export const TREE = "workspace/chunkSearch/tree" as const;
export const LOCATE = "workspace/locate" as const;
export const STATUS_CHANGED = "workspace/chunkSearch/statusChanged" as const;

/** Commands that the client registers for the server by itself: names that the extension cannot have. */
export const SERVER_COMMANDS: readonly string[] = [
  "lurcher.chunkSearch",
  "lurcher.status",
  "lurcher.build",
  "lurcher.rebuild",
  "lurcher.clear",
  "lurcher.explain",
  "lurcher.metrics",
  "lurcher.fetchNode",
  "lurcher.exploreGraph",
  "lurcher.tree",
  "lurcher.remote",
  "lurcher.locate",
];

/** Names of the settings that are sent to the server. */
export const SERVER_SETTINGS: readonly string[] = [
  "exclude",
  "includeIgnored",
  "maxFileBytes",
  "workers",
  "store",
  "indexOnStart",
  "watch",
  "embeddings",
  "embeddingsAutomaticMaxFiles",
  "embeddingsManualMaxFiles",
  "model",
  "endpointModel",
  "endpointKeyVariable",
  "endpointDimensions",
  "vectorCacheBytes",
  "deadlineSeconds",
  "definition",
  "references",
  "callHierarchy",
  "documentSymbol",
  "workspaceSymbol",
  "otherServers",
  "remoteKind",
  "remoteUrl",
  "remoteTokenVariable",
  "remoteUse",
  "logLevel",
  "logFile",
];

/** A place in a document; `character` counts in units of the negotiated encoding. */
export interface Position {
  line: number;
  character: number;
}

/** From `start` up to, not including, `end`. */
export interface Range {
  start: Position;
  end: Position;
}

/** Something the caller has already: a chunk by its id, or a document, or a range of one. */
export interface SeenParams {
  chunkId?: string | null;
  uri?: string | null;
  range?: Range | null;
}

/** How much words and meaning count when their rankings are fused. */
export interface WeightParams {
  words?: number;
  meaning?: number;
}

/** A question. One of `maxResults` and `tokenBudget` must be given. */
export interface ChunkSearchParams {
  query: string;
  keywords?: readonly string[];
  maxResults?: number | null;
  tokenBudget?: number | null;
  include?: readonly string[];
  exclude?: readonly string[];
  languages?: readonly string[];
  paths?: readonly string[];
  content?: "all" | "code" | "docs" | "config";
  /** Where alone to search: paths or URIs, ids of symbols and features, feature paths. */
  searchScopes?: readonly string[];
  alreadyInContext?: readonly SeenParams[];
  /** Documents (by URI) that must be searched in this version or a later one. */
  minVersions?: Readonly<Record<string, number>>;
  /** Wait until everything the server was told of is searchable. */
  sync?: boolean;
  preset?: "balanced" | "words" | "meaning" | null;
  weights?: WeightParams | null;
  rrfK?: number | null;
  rerank?: boolean;
  ranker?: "learned" | "rules";
  maxPerFile?: number | null;
  /** Whether what is too weak for its place is given too, with its code. */
  weak?: boolean;
  deadlineMs?: number | null;
  strategies?: readonly string[];
  mode?: "snippets" | "features" | "auto";
  moduleBoost?: number;
  expand?: boolean;
  partialResultToken?: string | number | null;
}

/** The definition a chunk belongs to. */
export interface SymbolAnswer {
  name: string;
  kind: string;
  container: string;
}

/** Every rank and score that led to a chunk's place; null where a way of searching did not find it. */
export interface TraceAnswer {
  keywordRank: number | null;
  keywordScore: number | null;
  denseRank: number | null;
  denseScore: number | null;
  remoteRank: number | null;
  fused: number | null;
  boosts: Readonly<Record<string, number>>;
  rerank: number | null;
}

/** One chunk. */
export interface ChunkAnswer {
  id: string;
  uri: string;
  range: Range;
  text: string;
  rawText: string;
  form: string;
  isFullFile: boolean;
  score: number;
  tokens: number;
  strategy: string;
  language: string;
  symbol: SymbolAnswer | null;
  reasons: readonly string[];
  contentHash: string;
  version: number | null;
  featurePath: string | null;
  scores: TraceAnswer;
}

/** What became of one strategy in the race; times in milliseconds since it began. */
export interface AttemptAnswer {
  strategy: string;
  outcome: string;
  detail: string;
  started: number | null;
  ended: number | null;
  timedOut: boolean;
}

/** How much of the workspace the answer could come from. */
export interface FreshnessAnswer {
  indexed: number;
  pending: number;
  skipped: number;
  unsaved: number;
  vectorsReady: number;
}

/** A question about the uses of one name. */
export interface CrossReferenceAnswer {
  relation: string;
  name: string;
}

/** What the question looks like. */
export interface LooksLikeAnswer {
  isSymbol: boolean;
  isQuestion: boolean;
  asksForTests: boolean;
  asksForConfig: boolean;
  asksForDocs: boolean;
  asksForExamples: boolean;
  isErrorText: boolean;
  mentionsPath: boolean;
}

/** What was understood of the question. */
export interface QueryAnswer {
  original: string;
  text: string;
  intent: string;
  task: string;
  keywords: readonly string[];
  codeTerms: readonly string[];
  expanded: readonly string[];
  expandedFrom: Readonly<Record<string, string>>;
  languages: readonly string[];
  phrases: readonly string[];
  crossReference: CrossReferenceAnswer | null;
  looksLike: LooksLikeAnswer;
  confidence: number;
  usedModel: boolean;
  terms: readonly string[];
  cut: boolean;
}

/** Chunks that were found and are not in the answer, by reason. */
export interface DroppedAnswer {
  limit: number;
  spread: number;
  duplicates: number;
  perFile: number;
  budget: number;
  alreadyInContext: number;
}

/** A place that comes near to the question and is too weak to be shown: where to look on, with a line of it. */
export interface NearbyAnswer {
  uri: string;
  range: Range;
  symbol: SymbolAnswer | null;
  /** The line of it that says most of the question, without indentation and of 120 characters at most. */
  excerpt: string;
  score: number;
}

/** What the call graph said about a name. */
export interface UsesAnswer {
  relation: string;
  name: string;
  definitions: readonly string[];
  total: number;
  truncated: boolean;
  unsure: number;
  explanation: string;
}

/** What was searched elsewhere: a repository at a commit, and how many files differ from it and were searched
here. */
export interface RemotePartAnswer {
  repository: string;
  commit: string;
  changed: number;
  possiblyOutdated: boolean;
}

/** The answer. `empty` says why there are no chunks, if there are none. */
export interface ChunkSearchAnswer {
  chunks: readonly ChunkAnswer[];
  strategy: string;
  stage: string;
  isFullWorkspace: boolean;
  alerts: readonly string[];
  empty: string | null;
  complete: boolean;
  limitHit: boolean;
  parsedQuery: QueryAnswer;
  attempts: readonly AttemptAnswer[];
  freshness: FreshnessAnswer;
  crossReference: UsesAnswer | null;
  /** How likely the workspace answers the question, from 0 to 1; None if nobody judged that. */
  answerability: number | null;
  model: string;
  /** What was searched elsewhere; empty if all of it was searched on this machine. */
  remote: readonly RemotePartAnswer[];
  dropped: DroppedAnswer;
  /** What comes next and is too weak to be shown, the nearest first. */
  nearby: readonly NearbyAnswer[];
  tokens: number;
  timings: Readonly<Record<string, number>>;
  correlationId: string;
}

/** A repository of the workspace as the remote code search knows it. */
export interface RepositoryAnswer {
  name: string;
  state: string;
  commit: string | null;
  detail: string;
}

/** The state of the index. */
export interface StatusAnswer {
  state: "starting" | "updating" | "ready" | "requiresIndexing" | "failed";
  /** What happens, in words for a person, with what to do if something must be done. */
  message: string;
  folders: readonly string[];
  store: string;
  indexed: number;
  pending: number;
  skipped: Readonly<Record<string, number>>;
  chunks: number;
  unsaved: number;
  vectorsReady: number;
  model: string;
  nextModel: string;
  complete: boolean;
  hasFastSearch: boolean;
  phase: string;
  done: number;
  total: number;
  filesPerSecond: number;
  etaSeconds: number | null;
  lastError: string | null;
  alerts: readonly string[];
  remote: "disabled" | "loading" | "loaded";
  repositories: readonly RepositoryAnswer[];
}

/** What to do about remote code search. */
export interface RemoteParams {
  action?: "status" | "allow" | "forbid" | "check" | "token";
  kind?: "" | "postgres" | "milvus" | "zoekt" | "sourcegraph" | "github";
  url?: string;
  tokenVariable?: string;
  token?: string;
  never?: boolean;
}

/** Who is asked, and where. */
export interface ConnectionAnswer {
  kind: string;
  url: string;
  tokenVariable: string;
}

/** Remote code search of this workspace. */
export interface RemoteAnswer {
  state: "disabled" | "loading" | "loaded";
  consent: "none" | "missing" | "never" | "allowed" | "untrusted";
  use: "auto" | "always" | "off";
  detail: string;
  connection: ConnectionAnswer | null;
  since: number | null;
  hasToken: boolean;
  sends: readonly string[];
  neverSends: readonly string[];
  lacking: readonly string[];
  commands: readonly string[];
  repositories: readonly RepositoryAnswer[];
}

/** Whether what was asked for was done, and a word about it. */
export interface DoneAnswer {
  done: boolean;
  message: string;
}

/** Why is this file, or this chunk for this question, (not) found? */
export interface ExplainParams {
  uri: string;
  search?: ChunkSearchParams | null;
}

/** What the index knows of a document and, with a question, what became of it there. */
export interface ExplainAnswer {
  uri: string;
  indexed: boolean;
  reason: string;
  detail: string;
  hint: string;
  language: string;
  chunks: number;
  symbols: number;
  masked: number;
  unsaved: boolean;
  inAnswer: boolean | null;
  verdict: string;
  /** With a question: what each clue adds to the place of the document's best chunk. */
  clues: Readonly<Record<string, number>>;
}

/** A file, a folder or a definition. */
export interface NodeAnswer {
  id: string;
  kind: string;
  name: string;
  container: string;
  uri: string;
  language: string;
  range: Range | null;
  selectionRange: Range | null;
}

/** Which nodes? */
export interface FetchNodeParams {
  ids: readonly string[];
}

/** A node with its code, what it lies in and what it holds. */
export interface FetchedAnswer {
  node: NodeAnswer;
  code: string;
  container: NodeAnswer | null;
  members: readonly NodeAnswer[];
  changed: boolean;
  featurePaths: readonly string[];
}

/** The nodes in the order asked for, and the ids that name nothing. */
export interface FetchNodeAnswer {
  nodes: readonly FetchedAnswer[];
  unknown: readonly string[];
}

/** What hangs together with these nodes? */
export interface ExploreGraphParams {
  ids: readonly string[];
  direction?: "up" | "down" | "both";
  depth?: number;
  kinds?: readonly ("contains" | "inherits" | "invokes" | "imports" | "composes")[];
  limit?: number;
}

/** One edge, from the user to the used and from the container to the contained. */
export interface LinkAnswer {
  source: string;
  target: string;
  kind: string;
  line: number | null;
  confidence: number;
  external: boolean;
}

/** A part of the graph. */
export interface ExploreGraphAnswer {
  roots: readonly string[];
  nodes: readonly NodeAnswer[];
  links: readonly LinkAnswer[];
  unknown: readonly string[];
  truncated: boolean;
  hidden: number;
}

/** Which part of the feature tree? */
export interface TreeParams {
  target?: string;
  depth?: number | null;
}

/** A group, file or definition of the feature tree. */
export interface FeatureAnswer {
  id: string;
  kind: string;
  label: string;
  feature: string;
  featurePath: string;
  files: number;
  uri: string | null;
  range: Range | null;
  children: readonly FeatureAnswer[];
}

/** The feature tree, or a part of it. */
export interface TreeAnswer {
  files: number;
  groups: number;
  nodes: readonly FeatureAnswer[];
  unknown: string;
}

/** An issue. One of title, description and code snippet must say something. */
export interface LocateParams {
  title?: string;
  description?: string;
  category?: string;
  codeSnippet?: string;
  goal?: "find-location" | "analyze-impact" | "find-duplicates" | "verify-fix";
  maxResults?: number | null;
  debug?: boolean;
}

/** A place that the issue is about. */
export interface LocationAnswer {
  uri: string;
  range: Range;
  symbol: SymbolAnswer | null;
  reason: string;
  score: number;
}

/** What became of one tool. */
export interface TriedAnswer {
  strategy: string;
  tool: string;
  outcome: string;
  detail: string;
}

/** What was decided, and the places, best first. */
export interface LocateAnswer {
  primary: string;
  fallback: string;
  confidence: number;
  reasoning: string;
  searchPatterns: readonly string[];
  locations: readonly LocationAnswer[];
  leftOut: number;
  toolUsed: string;
  strategyUsed: string;
  fallbackChain: readonly TriedAnswer[];
  scores: Readonly<Record<string, number>>;
  fused: boolean;
  alerts: readonly string[];
  transcript: readonly string[];
}

/** What each request takes and answers. */
export interface Requests {
  [CHUNK_SEARCH]: { params: ChunkSearchParams; answer: ChunkSearchAnswer };
  [STATUS]: { params: undefined; answer: StatusAnswer };
  [BUILD]: { params: undefined; answer: DoneAnswer };
  [REBUILD]: { params: undefined; answer: DoneAnswer };
  [CLEAR]: { params: undefined; answer: DoneAnswer };
  [EXPLAIN]: { params: ExplainParams; answer: ExplainAnswer };
  [METRICS]: { params: undefined; answer: Readonly<Record<string, unknown>> };
  [REMOTE]: { params: RemoteParams; answer: RemoteAnswer };
  [FETCH_NODE]: { params: FetchNodeParams; answer: FetchNodeAnswer };
  [EXPLORE_GRAPH]: { params: ExploreGraphParams; answer: ExploreGraphAnswer };
  [TREE]: { params: TreeParams; answer: TreeAnswer };
  [LOCATE]: { params: LocateParams; answer: LocateAnswer };
}
