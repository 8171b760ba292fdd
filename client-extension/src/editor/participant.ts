// The chat participant `@lurcher`: searches, lets the chat's model answer from what was found, and shows the places.
import * as vscode from "vscode";
import { budgetOfModel } from "../assistants/budget";
import { knownOf, type Attached } from "../assistants/known";
import { promptOf, questionOf, readLeft, tokensOf, type Left, type Turn } from "../assistants/prompt";
import { CHUNK_SEARCH, type ChunkAnswer, type ChunkSearchAnswer, type SeenParams } from "../protocol";
import { emptinessOf, failureOf } from "../search/emptiness";
import { symbolOf } from "../search/rows";
import { WEAKER, weakerOf, whereOf } from "../search/weaker";
import { NoServer, type Link } from "../server/link";
import { rangeOf } from "./opening";
import { commandOf } from "./remedies";
import { paths } from "./surroundings";

/** Places that are listed when no model speaks. */
const LISTED = 10;

export function makeParticipant(link: Link, icon: vscode.Uri): vscode.Disposable {
  const handler: vscode.ChatRequestHandler = async (request, context, stream, token) => {
    const stop = new AbortController();
    const heard = token.onCancellationRequested(() => stop.abort());
    try {
      return await answer(link, request, context, stream, token, stop.signal);
    } catch (problem) {
      if (token.isCancellationRequested) return {};
      if (!(problem instanceof NoServer)) throw problem;
      offer(problem, stream);
      return {};
    } finally {
      heard.dispose();
    }
  };
  const participant = vscode.chat.createChatParticipant("lurcher.chat", handler);
  participant.iconPath = icon;
  return participant;
}

async function answer(
  link: Link,
  request: vscode.ChatRequest,
  context: vscode.ChatContext,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
  signal: AbortSignal,
): Promise<vscode.ChatResult> {
  const question = questionOf(request.prompt, request.command);
  if (!question) {
    stream.markdown("Ask where or how something is done in this workspace, or `/callers` with the name of a function.");
    return {};
  }
  const before = turnsOf(context);
  stream.progress("Searching the workspace");
  const wantsModel = request.command !== "find" && request.command !== "callers";
  const found = await link.ask(
    CHUNK_SEARCH,
    {
      query: question,
      ...(wantsModel
        ? { tokenBudget: budgetOfModel(request.model.maxInputTokens, tokensOf(before)) }
        : { maxResults: LISTED }),
      alreadyInContext: wantsModel ? knownTo(request, context) : [],
    },
    signal,
  );
  return respond(found, question, before, request, stream, token, wantsModel);
}

/** What to do about a server that is not there. */
function offer(problem: NoServer, stream: vscode.ChatResponseStream): void {
  stream.markdown(problem.message);
  for (const { label, action } of failureOf(problem.message, problem.lack).remedies) {
    const command = commandOf(action);
    if (command) stream.button({ title: label, command });
  }
}

async function respond(
  answer: ChunkSearchAnswer,
  question: string,
  before: readonly Turn[],
  request: vscode.ChatRequest,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
  wantsModel: boolean,
): Promise<vscode.ChatResult> {
  const empty = emptinessOf(answer, false);
  if (empty && answer.empty !== "alreadyInContext") {
    stream.markdown(`**${empty.title}.** ${empty.advice}`);
    listWeaker(answer, stream);
    return {};
  }
  for (const chunk of answer.chunks) stream.reference(new vscode.Location(vscode.Uri.parse(chunk.uri), rangeOf(chunk.range)));
  const hasSpoken = wantsModel && (await speak(promptOf(question, answer, before), request, stream, token));
  if (!hasSpoken) list(answer.chunks.slice(0, LISTED), stream);
  for (const alert of answer.alerts) stream.markdown(`\n\n*${alert}*`);
  listWeaker(answer, stream);
  const left: Left = { shown: answer.chunks.map((chunk) => chunk.id) };
  return { metadata: left };
}

/** Whether the model said something; one that cannot be used, whatever the reason, is no reason to show nothing. */
async function speak(
  turns: readonly Turn[],
  request: vscode.ChatRequest,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<boolean> {
  const messages = turns.map((turn) =>
    turn.isQuestion
      ? vscode.LanguageModelChatMessage.User(turn.text)
      : vscode.LanguageModelChatMessage.Assistant(turn.text),
  );
  let hasSpoken = false;
  try {
    const response = await request.model.sendRequest(messages, {}, token);
    for await (const text of response.text) {
      hasSpoken = true;
      stream.markdown(text);
    }
  } catch (problem) {
    if (token.isCancellationRequested) throw problem;
    const why = problem instanceof Error ? problem.message : String(problem);
    stream.markdown(`The model does not answer (${why}). `);
  }
  return hasSpoken;
}

function list(chunks: readonly ChunkAnswer[], stream: vscode.ChatResponseStream): void {
  stream.markdown("These places fit best:\n\n");
  for (const chunk of chunks) {
    const location = new vscode.Location(vscode.Uri.parse(chunk.uri), rangeOf(chunk.range));
    stream.markdown("- ");
    stream.anchor(location, symbolOf(chunk) || paths()(chunk.uri));
    stream.markdown(` in \`${paths()(chunk.uri)}\`, line ${chunk.range.start.line + 1}\n`);
  }
}

/** One line of links. They are no references: the answer does not rely on them. */
function listWeaker({ nearby }: ChunkSearchAnswer, stream: vscode.ChatResponseStream): void {
  for (const [at, place] of weakerOf(nearby, paths()).entries()) {
    stream.markdown(at === 0 ? `\n\n${WEAKER}: ` : ", ");
    stream.anchor(new vscode.Location(vscode.Uri.parse(place.uri), rangeOf(place.range)), place.symbol || whereOf(place));
  }
}

/** What the model has: chunks of earlier turns, and files that the person attached. */
function knownTo(request: vscode.ChatRequest, context: vscode.ChatContext): SeenParams[] {
  const shown = context.history.flatMap((turn) =>
    turn instanceof vscode.ChatResponseTurn ? readLeft(turn.result.metadata).shown : [],
  );
  const attached = request.references.flatMap(({ value }): Attached[] => {
    if (value instanceof vscode.Uri) return [{ uri: value.toString() }];
    if (value instanceof vscode.Location) return [{ uri: value.uri.toString(), range: value.range }];
    return [];
  });
  return knownOf(shown, attached);
}

function turnsOf(context: vscode.ChatContext): Turn[] {
  return context.history.map((turn) => {
    if (turn instanceof vscode.ChatRequestTurn) return { isQuestion: true, text: turn.prompt };
    return { isQuestion: false, text: turn.response.map(textOf).join("") };
  });
}

/** Without the names of the links, a list of places would be one of commas. */
function textOf(part: vscode.ChatResponseTurn["response"][number]): string {
  if (part instanceof vscode.ChatResponseMarkdownPart) return part.value.value;
  return part instanceof vscode.ChatResponseAnchorPart ? (part.title ?? "") : "";
}
