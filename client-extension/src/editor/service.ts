// The server as the extension sees it: found, started, watched, started again, asked.
import os from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  ProgressType,
  State,
  TransportKind,
  type LanguageClientOptions,
  type ServerOptions,
} from "vscode-languageclient/node";
import * as protocol from "../protocol";
import type { ChunkSearchAnswer, ChunkSearchParams, Requests, StatusAnswer } from "../protocol";
import { Backoff } from "../server/backoff";
import { forServer } from "../server/configuration";
import { findServer, type Found, type Missing } from "../server/discovery";
import { Cancelled, NoServer, type Link } from "../server/link";
import { isProgram } from "../server/processes";
import { mismatch } from "../server/versions";
import { refusal } from "../server/workspace";
import type { Connection } from "../status/words";
import { section, diskFolders } from "./surroundings";

/** LSP's code for a request that its client cancelled. */
const REQUEST_CANCELLED = -32800;

/** Milliseconds that a question waits for a server that is just starting. */
const PATIENCE_MS = 30_000;

const PARTIAL = new ProgressType<ChunkSearchAnswer>();

export class Service implements Link, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  /** Connection, status or pause are other ones. */
  readonly onDidChange = this.#changed.event;
  readonly #backoff = new Backoff();
  readonly #context: vscode.ExtensionContext;
  readonly #log: vscode.LogOutputChannel;
  #client: LanguageClient | undefined;
  #connection: Connection = { kind: "starting" };
  #found: Found | undefined;
  #buildToken: string | number | undefined;
  #searches = 0;
  #isDisposed = false;
  status: StatusAnswer | undefined;
  isPaused = false;

  constructor(context: vscode.ExtensionContext, log: vscode.LogOutputChannel) {
    this.#context = context;
    this.#log = log;
  }

  get connection(): Connection {
    return this.#connection;
  }

  /** The program that runs; undefined if there is none. */
  get program(): Found | undefined {
    return this.#found;
  }

  get serverVersion(): string {
    return this.#client?.initializeResult?.serverInfo?.version ?? "";
  }

  /** Requests of ours that the server answers. */
  get offers(): readonly string[] {
    const told: unknown = this.#client?.initializeResult?.capabilities.experimental;
    const provider = (told as { chunkSearchProvider?: { requests?: unknown } } | undefined)?.chunkSearchProvider;
    return Array.isArray(provider?.requests) ? (provider.requests as string[]) : [];
  }

  find(): Promise<Found | Missing> {
    const setting = section().get<string | null>("serverPath") ?? "";
    return findServer(
      {
        setting,
        extension: this.#context.extensionPath,
        folders: diskFolders(),
        isTrusted: vscode.workspace.isTrusted,
        searchPath: process.env.PATH ?? "",
        storage: this.#context.globalStorageUri.fsPath,
        home: os.homedir(),
        isWindows: process.platform === "win32",
      },
      isProgram,
    );
  }

  /** Find the server and start it; what prevents that is a state, not an exception. */
  async start(): Promise<void> {
    const refused = refusal((vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.scheme));
    if (refused) return this.#become({ kind: "refused", reason: refused });
    this.#become({ kind: "starting" });
    const found = await this.find();
    if (found.kind === "missing") {
      this.#found = undefined;
      this.#log.info(`no server; looked at ${found.looked.join(", ")}`);
      return this.#become({ kind: "missing", reason: found.problem || "The program that searches, lurcher, was not found." });
    }
    this.#found = found;
    this.#log.info(`starting ${found.command} (${found.origin})`);
    const client = this.#makeClient(found.command);
    this.#client = client;
    try {
      await client.start();
    } catch (problem) {
      const reason = `The server could not be started: ${problem instanceof Error ? problem.message : String(problem)}`;
      this.#log.error(reason);
      if (this.#client === client && this.#connection.kind !== "stopped") this.#become({ kind: "stopped", reason });
      return;
    }
    await this.#greet(client);
  }

  async restart(): Promise<void> {
    this.#backoff.forgive();
    this.isPaused = false;
    this.#become({ kind: "starting" });
    await this.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.status = undefined;
    // One that never came up cannot be stopped, and has nothing to stop.
    await client?.dispose().catch((problem: unknown) => this.#log.info(`leaving the server: ${String(problem)}`));
  }

  /** Stop the build that is under way; what is done until then is kept. */
  async pause(): Promise<boolean> {
    if (this.#buildToken === undefined || !this.#client?.isRunning()) return false;
    this.isPaused = true;
    await this.#client.sendNotification("window/workDoneProgress/cancel", { token: this.#buildToken });
    this.#changed.fire();
    return true;
  }

  async ask<M extends keyof Requests>(
    method: M,
    params: Requests[M]["params"],
    signal?: AbortSignal,
  ): Promise<Requests[M]["answer"]> {
    const client = await this.#ready(signal);
    const cancel = new vscode.CancellationTokenSource();
    const stop = () => cancel.cancel();
    signal?.addEventListener("abort", stop, { once: true });
    try {
      return await client.sendRequest<Requests[M]["answer"]>(method, params ?? undefined, cancel.token);
    } catch (problem) {
      if (signal?.aborted || (problem as { code?: unknown }).code === REQUEST_CANCELLED) throw new Cancelled();
      throw problem;
    } finally {
      signal?.removeEventListener("abort", stop);
      cancel.dispose();
    }
  }

  async search(
    params: ChunkSearchParams,
    partial: (answer: ChunkSearchAnswer) => void,
    signal: AbortSignal,
  ): Promise<ChunkSearchAnswer> {
    const client = await this.#ready(signal);
    const partialResultToken = `lurcher-search-${++this.#searches}`;
    const listening = client.onProgress(PARTIAL, partialResultToken, partial);
    try {
      return await this.ask(protocol.CHUNK_SEARCH, { ...params, partialResultToken }, signal);
    } finally {
      listening.dispose();
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#changed.dispose();
  }

  /** The client once it runs; a question that comes while the server starts waits for it. */
  async #ready(signal?: AbortSignal): Promise<LanguageClient> {
    const until = Date.now() + PATIENCE_MS;
    while (this.#connection.kind === "starting" || this.#connection.kind === "restarting") {
      if (signal?.aborted) throw new Cancelled();
      if (Date.now() > until) throw new NoServer("The server takes long to start; look at its log.");
      await this.#nextChange();
    }
    if (signal?.aborted) throw new Cancelled();
    if (this.#connection.kind !== "running") throw new NoServer(this.#connection.reason);
    if (!this.#client) throw new NoServer("The server is being restarted; ask again in a moment.");
    return this.#client;
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => {
      const heard = this.onDidChange(() => done());
      const timer = setTimeout(() => done(), 200);
      const done = () => {
        clearTimeout(timer);
        heard.dispose();
        resolve();
      };
    });
  }

  #makeClient(command: string): LanguageClient {
    // Not the workspace: Python would load what lies there.
    const run = { command, args: ["serve"], transport: TransportKind.stdio, options: { cwd: this.#context.extensionPath } };
    const server: ServerOptions = { run, debug: run };
    const options: LanguageClientOptions = {
      documentSelector: [{ scheme: "file" }],
      outputChannel: this.#log,
      errorHandler: { error: () => ({ action: ErrorAction.Continue, handled: true }), closed: () => this.#closed() },
      initializationFailedHandler: () => false,
      middleware: {
        workspace: {
          configuration: async (params, token, next) => {
            const values: unknown = await next(params, token);
            if (!Array.isArray(values)) return [];
            return params.items.map((item, place): unknown =>
              item.section === "lurcher"
                ? forServer((values[place] ?? {}) as Record<string, unknown>, protocol.SERVER_SETTINGS)
                : values[place],
            );
          },
        },
        // The status bar tells of builds; the token is what stops one.
        handleWorkDoneProgress: (token, params) => {
          this.#buildToken = params.kind === "end" ? undefined : token;
          this.#changed.fire();
        },
      },
    };
    const client = new LanguageClient("lurcher", "Lurcher", server, options);
    client.onDidChangeState(({ newState }) => {
      if (this.#client !== client || newState !== State.Running) return;
      this.#backoff.started(Date.now());
      this.#become({ kind: "running" });
      void this.#refresh(client);
    });
    client.onNotification(protocol.STATUS_CHANGED, (status: StatusAnswer) => {
      this.status = status;
      if (status.state === "ready") this.isPaused = false;
      this.#changed.fire();
    });
    return client;
  }

  async #greet(client: LanguageClient): Promise<void> {
    const mine = (this.#context.extension.packageJSON as { version: string }).version;
    const problem = mismatch(mine, client.initializeResult?.serverInfo?.version);
    if (!problem) return;
    this.#log.warn(problem);
    const chosen = await vscode.window.showWarningMessage(problem, "Set up a private server", "Open settings");
    if (chosen === "Set up a private server") await vscode.commands.executeCommand("lurcher.setUpServer");
    if (chosen === "Open settings") await vscode.commands.executeCommand("lurcher.openSettings");
  }

  async #closed(): Promise<{ action: CloseAction; handled: boolean }> {
    this.#buildToken = undefined;
    this.status = undefined;
    const delay = this.#isDisposed || !this.#client ? undefined : this.#backoff.ended(Date.now());
    if (delay === undefined) {
      const reason = "The server ended several times in a row; its log tells more.";
      this.#become({ kind: "stopped", reason });
      return { action: CloseAction.DoNotRestart, handled: true };
    }
    this.#log.warn(`the server ended; it is started again in ${delay} ms`);
    this.#become({ kind: "restarting", seconds: Math.ceil(delay / 1000) });
    await sleep(delay);
    return { action: CloseAction.Restart, handled: true };
  }

  async #refresh(client: LanguageClient): Promise<void> {
    try {
      this.status = await client.sendRequest<StatusAnswer>(protocol.STATUS);
      this.#changed.fire();
    } catch (problem) {
      this.#log.info(`no status: ${String(problem)}`);
    }
  }

  #become(connection: Connection): void {
    if (this.#isDisposed) return;
    this.#connection = connection;
    this.#changed.fire();
  }
}
