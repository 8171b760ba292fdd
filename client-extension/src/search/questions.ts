// Questions that are made of a place in the editor.

/** Words of code that make a question: enough to say what it is about, fewer than the server cuts off. */
export const MOST_WORDS = 40;

/** Characters of a selection that are asked for as they are. */
export const LONGEST_SELECTION = 400;

/** A selection as a question: one line is asked as it is, more lines are asked for by their words. */
export function selectionQuery(text: string): string {
  const tidy = text.trim();
  return tidy.includes("\n") || tidy.length > LONGEST_SELECTION ? wordsOf(tidy) : tidy;
}

/** What a piece of code is about: its names, each once, the frequent ones first. */
export function relatedQuery(name: string, code: string): string {
  const words = wordsOf(code);
  return name && !words.startsWith(name) ? `${name} ${words}` : words;
}

export function callersQuery(name: string): string {
  return `who calls ${name}`;
}

function wordsOf(code: string): string {
  const counts = new Map<string, number>();
  for (const [word] of code.matchAll(/[\p{L}_$][\p{L}\p{N}_$]{2,}/gu)) {
    if (!COMMON.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  // The sort is stable: words that are equally frequent stay in the order of the code.
  const ordered = [...counts].sort(([, one], [, other]) => other - one).map(([word]) => word);
  return ordered.slice(0, MOST_WORDS).join(" ");
}

/** Words that stand in every program and say nothing about one. */
const COMMON = new Set(
  (
    "and args async await bool boolean break case catch class const continue def default elif else end export extends" +
    " false final finally float for from func function get global if impl import int interface let match mut new nil" +
    " none None not null number override package pass private protected pub public raise readonly return self set" +
    " static str string struct super switch the this throw throws true True False try type undefined use using var" +
    " void while with yield"
  ).split(" "),
);
