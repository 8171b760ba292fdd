// What each conversation has been given already, so that it is not sent again.

/** Milliseconds of silence after which a conversation is over; the server for assistants has the same hour. */
export const SILENCE_MS = 60 * 60 * 1000;

/** Chunks that are remembered of one conversation, the newest ones: far more than any model's window holds. */
export const MOST_CHUNKS = 2000;

interface Conversation {
  heardAt: number;
  readonly ids: Set<string>;
}

export class Memory {
  readonly #conversations = new Map<string, Conversation>();

  /** Ids of what a conversation has; nothing is known of one without a name. */
  seen(name: string | undefined, now: number): string[] {
    this.#forget(now);
    return name === undefined ? [] : [...(this.#conversations.get(name)?.ids ?? [])];
  }

  note(name: string | undefined, ids: Iterable<string>, now: number): void {
    if (name === undefined) return;
    const conversation = this.#conversations.get(name) ?? { heardAt: now, ids: new Set<string>() };
    conversation.heardAt = now;
    for (const id of ids) {
      conversation.ids.delete(id);
      conversation.ids.add(id);
    }
    for (const id of conversation.ids) {
      if (conversation.ids.size <= MOST_CHUNKS) break;
      conversation.ids.delete(id);
    }
    this.#conversations.set(name, conversation);
  }

  #forget(now: number): void {
    for (const [name, conversation] of this.#conversations) {
      if (now - conversation.heardAt > SILENCE_MS) this.#conversations.delete(name);
    }
  }
}

/** The conversation that a call of a tool belongs to. The editor's token is opaque: what it tells is taken, or nothing. */
export function conversationOf(token: unknown): string | undefined {
  if (typeof token !== "object" || token === null) return undefined;
  const { sessionResource, sessionId } = token as { sessionResource?: unknown; sessionId?: unknown };
  if (typeof sessionId === "string") return sessionId;
  if (typeof sessionResource === "string") return sessionResource;
  if (typeof sessionResource !== "object" || sessionResource === null) return undefined;
  const { scheme, authority, path } = sessionResource as Record<string, unknown>;
  return typeof path === "string" ? JSON.stringify([scheme, authority, path]) : undefined;
}
