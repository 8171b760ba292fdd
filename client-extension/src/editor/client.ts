// The language client of one run of the server.
import type * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  ProgressType,
  TransportKind,
  type LanguageClientOptions,
  type ServerOptions,
} from "vscode-languageclient/node";
import * as protocol from "../protocol";
import type { ChunkSearchAnswer, StatusAnswer } from "../protocol";
import { forServer } from "../server/configuration";

/** Parts of an answer that grows. */
export const PARTIAL = new ProgressType<ChunkSearchAnswer>();

export interface Heard {
  /** The server is gone. */
  ended(): void;
  status(status: StatusAnswer): void;
  /** The token of the build that is under way; undefined when it ends. */
  building(token: string | number | undefined): void;
}

/** It does not restart by itself: that is `Lifecycle`'s. */
export function makeClient(command: string, cwd: string, log: vscode.LogOutputChannel, heard: Heard): LanguageClient {
  // The folder is not the workspace's: Python would load what lies there.
  const run = { command, args: ["serve"], transport: TransportKind.stdio, options: { cwd } };
  const server: ServerOptions = { run, debug: run };
  const options: LanguageClientOptions = {
    documentSelector: [{ scheme: "file" }],
    outputChannel: log,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => {
        heard.ended();
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
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
      handleWorkDoneProgress: (token, params) => heard.building(params.kind === "end" ? undefined : token),
    },
  };
  const client = new LanguageClient("lurcher", "Lurcher", server, options);
  client.onNotification(protocol.STATUS_CHANGED, (status: StatusAnswer) => heard.status(status));
  return client;
}
