// The status page, as Markdown.
import type { StatusAnswer } from "../protocol";
import { pathIn } from "../search/paths";
import { duration } from "./words";

export interface Surroundings {
  readonly server: string;
  readonly serverVersion: string;
  readonly extensionVersion: string;
  readonly connection: string;
}

export function statusPage(status: StatusAnswer | undefined, around: Surroundings): string {
  const rows: [string, string][] = [
    ["Extension", around.extensionVersion],
    ["Server", around.serverVersion ? `${around.serverVersion}, ${code(around.server)}` : code(around.server || "none")],
    ["Connection", around.connection],
    ...(status ? indexRows(status) : []),
  ];
  const alerts = status && status.alerts.length > 0 ? ["", "## Notes", "", ...status.alerts.map((each) => `- ${plain(each)}`)] : [];
  const skipped = status ? Object.entries(status.skipped) : [];
  const left =
    skipped.length > 0
      ? ["", "## Left out", "", ...skipped.map(([reason, count]) => `- ${plain(reason)}: ${count.toLocaleString("en")}`)]
      : [];
  return [
    "# Lurcher",
    "",
    plain(status?.message ?? "There is no index to tell of."),
    "",
    "| | |",
    "|---|---|",
    ...rows.map(([name, value]) => `| ${name} | ${value} |`),
    ...alerts,
    ...left,
    "",
  ].join("\n");
}

function indexRows(status: StatusAnswer): [string, string][] {
  return [
    ["State", status.state],
    ["Files", `${number(status.indexed)} indexed, ${number(status.pending)} pending, ${number(status.unsaved)} unsaved`],
    ["Chunks", number(status.chunks)],
    ["Found by meaning", `${Math.round(status.vectorsReady * 100)} %${status.model ? ` (${code(status.model)})` : ""}`],
    ...(status.total > 0 ? ([["Progress", progress(status)]] as [string, string][]) : []),
    ...(status.lastError ? ([["Last problem", plain(status.lastError)]] as [string, string][]) : []),
    ["Folders", status.folders.map((uri) => code(pathIn([])(uri))).join(", ") || "none"],
    ["Kept in", code(status.store)],
  ];
}

function progress(status: StatusAnswer): string {
  const eta = status.etaSeconds === null ? "" : `, ${duration(status.etaSeconds)} left`;
  return `${number(status.done)} of ${number(status.total)} files${eta}`;
}

function number(value: number): string {
  return value.toLocaleString("en");
}

function code(text: string): string {
  return `\`${text.replaceAll("`", "'").replaceAll("|", "\\|")}\``;
}

/** Text of the server's, which may hold names of files, without any meaning to Markdown. */
function plain(text: string): string {
  return text.replace(/[\\`*_{}[\]<>|#]/g, "\\$&").replace(/\s+/g, " ");
}
