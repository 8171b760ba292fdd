// What a chat has already, in the words of the protocol.
import type { Range, SeenParams } from "../protocol";

/** Something that the person attached: a file, or a part of one. */
export interface Attached {
  readonly uri: string;
  readonly range?: Range;
}

/** Chunks of earlier turns, and what is attached. */
export function knownOf(shown: readonly string[], attached: readonly Attached[]): SeenParams[] {
  return [
    ...shown.map((chunkId) => ({ chunkId })),
    ...attached.map(({ uri, range }) => (range ? { uri, range: plain(range) } : { uri })),
  ];
}

/** The editor's own ranges become lists when they are sent. */
function plain({ start, end }: Range): Range {
  return {
    start: { line: start.line, character: start.character },
    end: { line: end.line, character: end.character },
  };
}
