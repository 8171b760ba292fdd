// One search at a time: a new one takes the place of the one before.
import type { ChunkSearchAnswer, ChunkSearchParams } from "../protocol";
import { Cancelled, NoServer, type Lack, type Link } from "../server/link";

/** What becomes of a search; every search that is not replaced ends with one of the last three. */
export interface Listener {
  grows(answer: ChunkSearchAnswer): void;
  done(answer: ChunkSearchAnswer): void;
  cancelled(): void;
  /** `lack` is set if there was no server to ask. */
  failed(message: string, lack?: Lack): void;
}

export class Searcher {
  readonly #link: Link;
  #current: AbortController | undefined;

  constructor(link: Link) {
    this.#link = link;
  }

  get isSearching(): boolean {
    return this.#current !== undefined;
  }

  /** Ask; nothing more is heard of a question that was replaced meanwhile. */
  async search(params: ChunkSearchParams, listener: Listener): Promise<void> {
    this.#current?.abort();
    const mine = new AbortController();
    this.#current = mine;
    const isMine = () => this.#current === mine;
    try {
      const answer = await this.#link.search(params, (each) => isMine() && listener.grows(each), mine.signal);
      if (isMine()) listener.done(answer);
    } catch (problem) {
      if (!isMine()) return;
      if (problem instanceof Cancelled || mine.signal.aborted) listener.cancelled();
      else if (problem instanceof NoServer) listener.failed(problem.message, problem.lack);
      else listener.failed(problem instanceof Error ? problem.message : String(problem));
    } finally {
      if (isMine()) this.#current = undefined;
    }
  }

  cancel(): void {
    this.#current?.abort();
  }
}
