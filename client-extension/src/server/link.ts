// What the rest of the extension knows of the server.
import type { ChunkSearchAnswer, ChunkSearchParams, Requests } from "../protocol";

export interface Link {
  ask<M extends keyof Requests>(
    method: M,
    params: Requests[M]["params"],
    signal?: AbortSignal,
  ): Promise<Requests[M]["answer"]>;

  /** A search whose answer is shown while it grows: each partial answer replaces the one before. */
  search(
    params: ChunkSearchParams,
    partial: (answer: ChunkSearchAnswer) => void,
    signal: AbortSignal,
  ): Promise<ChunkSearchAnswer>;
}

/** There is no server to ask; the message says what to do. */
export class NoServer extends Error {}

/** Whoever asked does not want the answer any more. */
export class Cancelled extends Error {
  constructor() {
    super("cancelled");
  }
}
