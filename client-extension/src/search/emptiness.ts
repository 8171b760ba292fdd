// What an empty answer means and what to do about it.
import type { ChunkSearchAnswer } from "../protocol";
import type { Lack } from "../server/link";

/** Something to press below a message. */
export interface Remedy {
  readonly label: string;
  readonly action: "clearFilters" | "rebuild" | "showStatus" | "showLog" | "restart" | "setUp" | "openSettings" | "searchAgain";
}

export interface Emptiness {
  readonly title: string;
  readonly advice: string;
  readonly remedies: readonly Remedy[];
}

const CLEAR: Remedy = { label: "Clear filters", action: "clearFilters" };
const AGAIN: Remedy = { label: "Search again", action: "searchAgain" };
const STATUS: Remedy = { label: "Show status", action: "showStatus" };
const SETTINGS: Remedy = { label: "Open settings", action: "openSettings" };
const RESTART: Remedy = { label: "Restart server", action: "restart" };
const LOG: Remedy = { label: "Show log", action: "showLog" };
const SET_UP: Remedy = { label: "Set up a private server", action: "setUp" };

/** Null if there are chunks. */
export function emptinessOf(answer: ChunkSearchAnswer, isNarrowed: boolean): Emptiness | null {
  if (answer.chunks.length > 0) return null;
  const narrowed = isNarrowed ? [CLEAR] : [];
  switch (answer.empty) {
    case "noMatch":
      return {
        title: "Nothing matches",
        advice: isNarrowed
          ? "Nothing in what the filters leave matches. Clear them, or say it in other words."
          : "Say it in other words, or use a name that may stand in the code.",
        remedies: narrowed,
      };
    case "belowSpread":
      return {
        title: "Nothing here seems to answer this",
        advice: `${answer.nearby.length > 0 ? "The weaker places come nearest. " : ""}Say it in other words, or use a name.`,
        remedies: narrowed,
      };
    case "notIndexedYet":
      return {
        title: "Not indexed yet",
        advice: "The workspace is still being read. The search can be repeated in a moment.",
        remedies: [AGAIN, STATUS],
      };
    case "noFiles":
      return {
        title: "No files",
        advice: "There is nothing here that is searched. Open a folder, or look whether the settings leave it all out.",
        remedies: [STATUS, SETTINGS],
      };
    case "everythingExcluded":
      return { title: "Everything is filtered out", advice: "No file passes the filters.", remedies: [CLEAR] };
    case "unknownScope":
      return { title: "Unknown scope", advice: "There is no such place in the workspace.", remedies: [CLEAR] };
    case "alreadyInContext":
      return { title: "Nothing new", advice: "All that was found is open in front of you.", remedies: [] };
    case "noUses":
      return {
        title: "No uses found",
        advice: answer.crossReference?.explanation || "Nothing in the workspace uses this name.",
        remedies: narrowed,
      };
    case "strategiesFailed":
      return {
        title: "The search failed",
        advice: "Every way of searching failed; the log has more.",
        remedies: [AGAIN, LOG],
      };
    default:
      return { title: "Nothing found", advice: "Say it in other words.", remedies: narrowed };
  }
}

/** A search that could not be made at all; `lack` says why there was nobody to ask, if that is the reason. */
export function failureOf(message: string, lack?: Lack): Emptiness {
  switch (lack) {
    case "missing":
      return { title: "No server", advice: message, remedies: [SET_UP, SETTINGS] };
    case "stopped":
      return { title: "The server does not run", advice: message, remedies: [RESTART, LOG] };
    case "refused":
      return { title: "Nothing to search here", advice: message, remedies: [] };
    case undefined:
      return { title: "The search failed", advice: message, remedies: [AGAIN, RESTART, LOG] };
  }
}
