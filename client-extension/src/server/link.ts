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

/** Why there is no server: none is found, it does not run, or this workspace cannot have one. */
export type Lack = "missing" | "stopped" | "refused";

/** There is no server to ask; the message says why. */
export class NoServer extends Error {
  readonly lack: Lack;

  constructor(message: string, lack: Lack) {
    super(message);
    this.lack = lack;
  }
}

/** Whoever asked does not want the answer any more. */
export class Cancelled extends Error {
  constructor() {
    super("cancelled");
  }
}
