// The state of the server and of the index, as a status bar tells it.
import type { StatusAnswer } from "../protocol";

/** What the extension itself knows of the server. */
export type Connection =
  | { readonly kind: "starting" }
  | { readonly kind: "running" }
  | { readonly kind: "restarting"; readonly seconds: number }
  | { readonly kind: "stopped"; readonly reason: string }
  | { readonly kind: "missing"; readonly reason: string }
  | { readonly kind: "refused"; readonly reason: string };

export interface Told {
  readonly text: string;
  /** Sentences for the tooltip. */
  readonly more: readonly string[];
  readonly severity: "none" | "warning" | "error";
  readonly isBusy: boolean;
}

export function told(connection: Connection, status: StatusAnswer | undefined, isPaused: boolean): Told {
  switch (connection.kind) {
    case "starting":
      return { text: "$(loading~spin) Lurcher", more: ["Lurcher is starting."], severity: "none", isBusy: true };
    case "restarting": {
      const more = [`The server ended; it is started again in ${connection.seconds} s.`];
      return { text: "$(loading~spin) Lurcher", more, severity: "warning", isBusy: true };
    }
    case "stopped":
      return { text: "$(error) Lurcher", more: [connection.reason], severity: "error", isBusy: false };
    case "missing":
      return { text: "$(warning) Lurcher: no server", more: [connection.reason], severity: "warning", isBusy: false };
    case "refused":
      return { text: "$(circle-slash) Lurcher", more: [connection.reason], severity: "none", isBusy: false };
    case "running":
      return status ? ofIndex(status, isPaused) : told({ kind: "starting" }, undefined, isPaused);
  }
}

function ofIndex(status: StatusAnswer, isPaused: boolean): Told {
  const more = [status.message, ...status.alerts];
  if (isPaused && status.state !== "ready") {
    const text = "Indexing is paused; what is done is searchable.";
    return { text: "$(debug-pause) Lurcher", more: [text, ...status.alerts], severity: "none", isBusy: false };
  }
  switch (status.state) {
    case "ready": {
      const trouble = status.lastError ? [`Last problem: ${status.lastError}`] : [];
      const severity = status.lastError ? "warning" : "none";
      return { text: "$(search) Lurcher", more: [...more, ...trouble], severity, isBusy: false };
    }
    case "starting":
    case "updating":
      return { text: `$(loading~spin) Lurcher${progressOf(status)}`, more, severity: "none", isBusy: true };
    case "requiresIndexing":
      return { text: "$(warning) Lurcher: not indexed", more, severity: "warning", isBusy: false };
    case "failed":
      return { text: "$(error) Lurcher", more, severity: "error", isBusy: false };
  }
}

function progressOf(status: StatusAnswer): string {
  if (status.total === 0) return "";
  const eta = status.etaSeconds === null ? "" : `, ${duration(status.etaSeconds)}`;
  return ` ${status.done.toLocaleString("en")}/${status.total.toLocaleString("en")}${eta}`;
}

export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`;
}
