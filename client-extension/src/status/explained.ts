// What the index knows of a file, in words.
import type { ExplainAnswer } from "../protocol";

export function explained(answer: ExplainAnswer, path: string): { text: string; detail: string } {
  const text = answer.indexed ? `${path} is searched.` : `${path} is not searched: ${answer.reason}.`;
  const about = answer.indexed
    ? `${counted(answer.chunks, "chunk")} and ${counted(answer.symbols, "definition")}, ${answer.language || "no language"}.`
    : "";
  const masked = answer.masked > 0 ? `${counted(answer.masked, "secret")} in it ${answer.masked === 1 ? "is" : "are"} masked.` : "";
  const unsaved = answer.unsaved ? "What you see in the editor counts, not what is on disk." : "";
  return { text, detail: [answer.detail, answer.hint, about, masked, unsaved].filter(Boolean).join("\n") };
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
