// Which line of a chunk says most about why it was found.

/** The first line that has most of the words, whatever their case; the first one with letters if none has any. */
export function tellingLine(lines: readonly string[], words: readonly string[]): number {
  const wanted = words.map((word) => word.toLowerCase());
  let best = Math.max(0, lines.findIndex((line) => /\p{L}{2}/u.test(line)));
  let most = 0;
  for (const [place, line] of lines.entries()) {
    const lowered = line.toLowerCase();
    const count = wanted.filter((word) => lowered.includes(word)).length;
    if (count > most) [best, most] = [place, count];
  }
  return best;
}
