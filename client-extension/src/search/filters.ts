// What a person narrows a search to, and the params that come of it.
import type { ChunkSearchParams } from "../protocol";

export type Content = "all" | "code" | "docs" | "config";

export interface Filters {
  /** A folder or file, relative to the workspace or absolute; empty for everywhere. */
  readonly folder: string;
  /** A language by its name; empty for all. */
  readonly language: string;
  readonly content: Content;
}

export const NO_FILTERS: Filters = { folder: "", language: "", content: "all" };

const CONTENTS: readonly string[] = ["all", "code", "docs", "config"];

export function isContent(value: unknown): value is Content {
  return typeof value === "string" && CONTENTS.includes(value);
}

/** Several folders or languages may be written with commas. */
export function paramsOf(query: string, filters: Filters, maxResults: number): ChunkSearchParams {
  const folders = listed(filters.folder);
  const globs = folders.filter(isGlob);
  return {
    query,
    maxResults,
    paths: folders.filter((each) => !isGlob(each)).map(withoutSlash),
    include: globs,
    languages: listed(filters.language).map((name) => name.toLowerCase()),
    content: filters.content,
  };
}

export function isNarrowed(filters: Filters): boolean {
  return Boolean(filters.folder || filters.language) || filters.content !== "all";
}

function listed(text: string): string[] {
  return text
    .split(",")
    .map((each) => each.trim())
    .filter(Boolean);
}

function isGlob(text: string): boolean {
  return /[*?[{]/.test(text);
}

function withoutSlash(folder: string): string {
  return folder.replace(/^\.\//, "").replace(/(?<=.)[\\/]+$/, "");
}
