// The server as the extension sees it: what it is doing, and who asks it.
import os from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import * as protocol from "../protocol";
import type { ChunkSearchAnswer, ChunkSearchParams, Requests, StatusAnswer } from "../protocol";
import { findServer, type Found, type Missing } from "../server/discovery";
import { Lifecycle } from "../server/lifecycle";
import { Cancelled, NoServer, type Link } from "../server/link";
import { isProgram } from "../server/processes";
import { mismatch } from "../server/versions";
import { refusal } from "../server/workspace";
import type { Connection } from "../status/words";
import { section, diskFolders } from "./surroundings";

/** LSP's code for a request that its client cancelled. */
const REQUEST_CANCELLED = -32800;

/** What the client itself says of requests whose server is gone. */
const SERVER_GONE: readonly unknown[] = [-32097, -32096];

/** Milliseconds that a question waits for a server that is just starting. */
const PATIENCE_MS = 30_000;

/** The language client is the larger part of this extension; it is run when the editor has started, not while it does. */
const clientModule = () => import("./client");

export class Service implements Link, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  /** Connection, status or pause are other ones. */
  readonly onDidChange = this.#changed.event;
  readonly #context: vscode.ExtensionContext;
  readonly #log: vscode.LogOutputChannel;
  readonly #life: Lifecycle<LanguageClient>;
  #connection: Connection = { kind: "starting" };
  #buildToken: string | number | undefined;
  /** Somebody paused a build whose progress has no token yet: it is stopped as soon as it has one. */
  #stopsSoon = false;
  #searches = 0;
  #isDisposed = false;
  /** The server that was compared with this extension last: one that comes back is not complained of again. */
  #greeted: string | undefined;
  status: StatusAnswer | undefined;
  isPaused = false;

  constructor(context: vscode.ExtensionContext, log: vscode.LogOutputChannel) {
    this.#context = context;
    this.#log = log;
    this.#life = new Lifecycle<LanguageClient>({
      refusal: () => refusal((vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.scheme)),
      find: () => this.#find(),
      make: (found, ended) => this.#make(found.command, ended),
      begin: (client) => client.start(),
      // One that never came up cannot be stopped, and has nothing to stop.
      leave: (client) => client.dispose().catch((problem: unknown) => log.info(`leaving the server: ${String(problem)}`)),
      become: (connection) => this.#become(connection),
      log: (message) => log.info(message),
      now: () => Date.now(),
      sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }).catch(() => undefined),
    });
  }

  get connection(): Connection {
    return this.#connection;
  }

  /** The program that runs; undefined if there is none. */
  get program(): Found | undefined {
    return this.#life.found;
  }

  get serverVersion(): string {
    return this.#life.client?.initializeResult?.serverInfo?.version ?? "";
  }

  /** Requests of ours that the server answers. */
  get offers(): readonly string[] {
    const told: unknown = this.#life.client?.initializeResult?.capabilities.experimental;
    const provider = (told as { chunkSearchProvider?: { requests?: unknown } } | undefined)?.chunkSearchProvider;
    return Array.isArray(provider?.requests) ? (provider.requests as string[]) : [];
  }

  /** Find the server and start it; what prevents that is a state, not an exception. */
  start(): Promise<void> {
    return this.#life.start();
  }

  restart(): Promise<void> {
    return this.#life.restart();
  }

  stop(): Promise<void> {
    return this.#life.stop();
  }

  /** Stop the build that is under way; what is done until then is kept. */
  async pause(): Promise<boolean> {
    const client = this.#life.client;
    const isBuilding = this.#buildToken !== undefined || this.status?.state === "updating";
    if (!isBuilding || !client?.isRunning()) return false;
    this.isPaused = true;
    this.#stopsSoon = this.#buildToken === undefined;
    this.#changed.fire();
    await this.#stopBuild();
    return true;
  }

  async #stopBuild(): Promise<void> {
    if (this.#buildToken === undefined) return;
    this.#stopsSoon = false;
    await this.#life.client?.sendNotification("window/workDoneProgress/cancel", { token: this.#buildToken });
  }

  /** Ask the server. A question whose server ends meanwhile is put to the next one, once. */
  async ask<M extends keyof Requests>(
    method: M,
    params: Requests[M]["params"],
    signal?: AbortSignal,
  ): Promise<Requests[M]["answer"]> {
    try {
      return await this.#askOne(await this.#ready(signal), method, params, signal);
    } catch (problem) {
      if (!SERVER_GONE.includes((problem as { code?: unknown }).code)) throw problem;
      return this.#askOne(await this.#ready(signal), method, params, signal);
    }
  }

  async search(
    params: ChunkSearchParams,
    partial: (answer: ChunkSearchAnswer) => void,
    signal: AbortSignal,
  ): Promise<ChunkSearchAnswer> {
    const client = await this.#ready(signal);
    const partialResultToken = `lurcher-search-${++this.#searches}`;
    const { PARTIAL } = await clientModule();
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

  /** Whoever cancels is not kept waiting for the server to notice. */
  async #askOne<M extends keyof Requests>(
    client: LanguageClient,
    method: M,
    params: Requests[M]["params"],
    signal?: AbortSignal,
  ): Promise<Requests[M]["answer"]> {
    if (signal?.aborted) throw new Cancelled();
    const cancel = new vscode.CancellationTokenSource();
    let stop: () => void = () => undefined;
    const cancelled = new Promise<never>((_, reject) => {
      stop = () => {
        cancel.cancel();
        reject(new Cancelled());
      };
    });
    signal?.addEventListener("abort", stop, { once: true });
    try {
      return await Promise.race([client.sendRequest<Requests[M]["answer"]>(method, params ?? undefined, cancel.token), cancelled]);
    } catch (problem) {
      if ((problem as { code?: unknown }).code === REQUEST_CANCELLED) throw new Cancelled();
      throw problem;
    } finally {
      signal?.removeEventListener("abort", stop);
      cancel.dispose();
    }
  }

  #find(): Promise<Found | Missing> {
    return findServer(
      {
        setting: section().get<string | null>("serverPath") ?? "",
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

  async #make(command: string, ended: () => void): Promise<LanguageClient> {
    const { makeClient } = await clientModule();
    return makeClient(command, this.#context.extensionPath, this.#log, {
      ended,
      status: (status) => {
        this.status = status;
        if (status.state === "ready") this.isPaused = this.#stopsSoon = false;
        this.#changed.fire();
      },
      building: (token) => {
        this.#buildToken = token;
        if (this.#stopsSoon) void this.#stopBuild();
        this.#changed.fire();
      },
    });
  }

  /** The client once it runs; a question that comes while the server starts waits for it. */
  async #ready(signal?: AbortSignal): Promise<LanguageClient> {
    const until = Date.now() + PATIENCE_MS;
    while (this.#connection.kind === "starting" || this.#connection.kind === "restarting") {
      if (signal?.aborted) throw new Cancelled();
      if (Date.now() > until) throw new NoServer("The server takes long to start; look at its log.", "stopped");
      await this.#nextChange();
    }
    if (signal?.aborted) throw new Cancelled();
    if (this.#connection.kind !== "running") throw new NoServer(this.#connection.reason, this.#connection.kind);
    if (!this.#life.client) throw new NoServer("The server is being restarted; ask again in a moment.", "stopped");
    return this.#life.client;
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

  async #greet(client: LanguageClient): Promise<void> {
    const mine = (this.#context.extension.packageJSON as { version: string }).version;
    const its = client.initializeResult?.serverInfo?.version;
    const problem = mismatch(mine, its);
    const server = `${this.program?.command ?? ""} ${its ?? ""}`;
    if (!problem || server === this.#greeted) return;
    this.#greeted = server;
    this.#log.warn(problem);
    const chosen = await vscode.window.showWarningMessage(problem, "Set up a private server", "Open settings");
    if (chosen === "Set up a private server") await vscode.commands.executeCommand("lurcher.setUpServer");
    if (chosen === "Open settings") await vscode.commands.executeCommand("lurcher.openSettings");
  }

  async #refresh(client: LanguageClient): Promise<void> {
    try {
      const status = await client.sendRequest<StatusAnswer>(protocol.STATUS);
      if (client !== this.#life.client) return;
      this.status = status;
      this.#changed.fire();
    } catch (problem) {
      this.#log.info(`no status: ${String(problem)}`);
    }
  }

  #become(connection: Connection): void {
    if (this.#isDisposed) return;
    this.#connection = connection;
    const client = this.#life.client;
    if (connection.kind === "running" && client) {
      void this.#refresh(client);
      void this.#greet(client);
    } else {
      this.status = undefined;
      this.#buildToken = undefined;
      this.isPaused = this.#stopsSoon = false;
    }
    this.#changed.fire();
  }
}
