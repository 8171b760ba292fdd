// The life of the server: found, started, started again when it ends, left. One thing happens at a time, so that there is
// never a second server that nobody knows of.
import type { Connection } from "../status/words";
import { Backoff } from "./backoff";
import type { Found, Missing } from "./discovery";

/** What a life is made of; C is what speaks with a server. */
export interface Means<C> {
  /** Why there shall be none at all; empty if there may be one. */
  refusal(): string;
  find(): Promise<Found | Missing>;
  /** A client that is not started yet; `ended` is called when its server is gone although nobody left it. */
  make(found: Found, ended: () => void): Promise<C>;
  /** Start it; rejects if it does not come up. */
  begin(client: C): Promise<void>;
  /** Leave it, whatever state it is in. */
  leave(client: C): Promise<void>;
  become(connection: Connection): void;
  log(message: string): void;
  now(): number;
  /** Resolves after these milliseconds, or as soon as the signal says so. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export class Lifecycle<C> {
  readonly #means: Means<C>;
  readonly #backoff = new Backoff();
  #turn: Promise<void> = Promise.resolve();
  #client: C | undefined;
  #found: Found | undefined;
  #starting: C | undefined;
  /** A restart that is waited for. */
  #waiting: AbortController | undefined;

  constructor(means: Means<C>) {
    this.#means = means;
  }

  /** What speaks with the server; undefined while there is none. */
  get client(): C | undefined {
    return this.#client;
  }

  /** The program that was found; undefined if there is none. */
  get found(): Found | undefined {
    return this.#found;
  }

  start(): Promise<void> {
    return this.#inTurn(() => this.#launch(false));
  }

  /** A person wants it: what happened before does not count. */
  restart(): Promise<void> {
    this.#backoff.forgive();
    this.#waiting?.abort();
    this.#means.become({ kind: "starting" });
    return this.#inTurn(async () => {
      await this.#leave();
      await this.#launch(false);
    });
  }

  stop(): Promise<void> {
    this.#waiting?.abort();
    return this.#inTurn(() => this.#leave());
  }

  #inTurn(act: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(act, act);
    return this.#turn;
  }

  async #leave(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    if (client !== undefined) await this.#means.leave(client);
  }

  async #launch(isAgain: boolean): Promise<void> {
    const means = this.#means;
    const refused = means.refusal();
    if (refused) return means.become({ kind: "refused", reason: refused });
    means.become({ kind: "starting" });
    const found = await means.find();
    if (found.kind === "missing") {
      this.#found = undefined;
      means.log(`no server; looked at ${found.looked.join(", ")}`);
      return means.become({ kind: "missing", reason: found.problem || "The program that searches, lurcher, was not found." });
    }
    this.#found = found;
    means.log(`starting ${found.command} (${found.origin})`);
    const client: C = await means.make(found, () => this.#ended(client));
    this.#client = client;
    this.#starting = client;
    try {
      await means.begin(client);
    } catch (problem) {
      await this.#leave();
      const reason = `The server could not be started: ${problem instanceof Error ? problem.message : String(problem)}`;
      means.log(reason);
      return isAgain ? this.#again(reason) : means.become({ kind: "stopped", reason });
    } finally {
      this.#starting = undefined;
    }
    this.#backoff.started(means.now());
    means.become({ kind: "running" });
  }

  /** What ends while it starts is told by its start. */
  #ended(client: C): void {
    if (client !== this.#client || client === this.#starting) return;
    this.#client = undefined;
    void this.#means.leave(client);
    this.#again("The server ended several times in a row; its log tells more.");
  }

  #again(reason: string): void {
    const delay = this.#backoff.ended(this.#means.now());
    if (delay === undefined) return this.#means.become({ kind: "stopped", reason });
    this.#means.log(`the server ended; it is started again in ${delay} ms`);
    this.#means.become({ kind: "restarting", seconds: Math.ceil(delay / 1000) });
    const waiting = new AbortController();
    this.#waiting = waiting;
    void this.#means.sleep(delay, waiting.signal).then(() =>
      this.#inTurn(async () => {
        // Somebody restarted or stopped it meanwhile.
        if (!waiting.signal.aborted) await this.#launch(true);
      }),
    );
  }
}
