// Whether the workspace can be searched at all.

/** Why not, in words for a person; empty if it can. A window without folders can: open documents are searched. */
export function refusal(schemes: readonly string[]): string {
  if (schemes.length === 0 || schemes.includes("file")) return "";
  return `Lurcher reads files from disk, and this workspace (${schemes.join(", ")}) has none. Open a folder on this machine, or connect to the one it is on.`;
}
