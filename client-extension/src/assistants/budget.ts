// How many tokens of code a model is given.

/** Share of a model's window that code may fill: the rest is for the question, what was said before, and the answer. */
export const SHARE = 0.5;

/** More code than this makes answers slower and not better. */
export const MOST_TOKENS = 16_000;

/** Less than this holds no chunk. */
export const LEAST_TOKENS = 500;

/** Tokens for each result if nobody says how many; the server for assistants takes as many. */
export const TOKENS_EACH = 625;

/** The header of a tool's answer, and the words around the code. */
export const WORDS_AROUND = 120;

/** Characters of a token in a path with lines and a name: what the server's estimate makes of such lines, rounded down. */
export const CHARACTERS_EACH = 2.7;

/** For a chat: from the window of its model. */
export function budgetOfModel(maxInputTokens: number, tokensSaid: number): number {
  const room = (maxInputTokens - tokensSaid) * SHARE;
  return Math.round(Math.min(MOST_TOKENS, Math.max(LEAST_TOKENS, room)));
}

/** For a tool: what its caller allows, less the words around the code. */
export function budgetOfCall(allowed: number | undefined, maxResults: number): number {
  if (allowed === undefined) return maxResults * TOKENS_EACH;
  return Math.max(1, Math.floor(allowed) - WORDS_AROUND);
}
