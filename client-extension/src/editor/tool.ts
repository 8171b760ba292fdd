// The language-model tool `#lurcher`.
import * as vscode from "vscode";
import { conversationOf, Memory } from "../assistants/memory";
import { readInput, toolParams, toolText } from "../assistants/toolAnswer";
import { CHUNK_SEARCH } from "../protocol";
import type { Link } from "../server/link";
import { paths } from "./surroundings";

export const TOOL = "lurcher_search_code";

export class SearchTool implements vscode.LanguageModelTool<unknown> {
  readonly #link: Link;
  readonly #memory = new Memory();

  constructor(link: Link) {
    this.#link = link;
  }

  prepareInvocation(options: vscode.LanguageModelToolInvocationPrepareOptions<unknown>): vscode.PreparedToolInvocation {
    const query = (options.input as { query?: unknown } | null)?.query;
    return { invocationMessage: typeof query === "string" ? `Searching for “${query}”` : "Searching the workspace" };
  }

  async invoke(
    options: vscode.LanguageModelToolInvocationOptions<unknown>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const input = readInput(options.input);
    const conversation = conversationOf(options.toolInvocationToken);
    const stop = new AbortController();
    const heard = token.onCancellationRequested(() => stop.abort());
    try {
      const seen = this.#memory.seen(conversation, Date.now());
      const params = toolParams(input, options.tokenizationOptions?.tokenBudget, seen);
      const answer = await this.#link.ask(CHUNK_SEARCH, params, stop.signal);
      this.#memory.note(conversation, answer.chunks.map((chunk) => chunk.id), Date.now());
      const text = toolText(answer, paths(), params.tokenBudget - answer.tokens);
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    } finally {
      heard.dispose();
    }
  }
}
