// The questions of before, the newest first.

/** Questions that are kept: as many as somebody may look through. */
export const MOST_QUESTIONS = 50;

/** Characters of a question that are kept; a pasted file is not worth remembering whole. */
export const LONGEST_QUESTION = 500;

/** The history with one more question; one that was asked before moves to the front. */
export function remembered(history: readonly string[], query: string): string[] {
  const asked = query.trim().slice(0, LONGEST_QUESTION);
  if (!asked) return [...history];
  return [asked, ...history.filter((each) => each !== asked)].slice(0, MOST_QUESTIONS);
}

/** A history as it was stored, whatever is in there. */
export function readHistory(stored: unknown): string[] {
  if (!Array.isArray(stored)) return [];
  return stored.filter((each) => typeof each === "string" && each !== "").slice(0, MOST_QUESTIONS) as string[];
}
