// Colours for a few lines of code: comments, strings, numbers, keywords, calls and types. One expression for each family
// of languages, matched from left to right, so the time is that of the text's length.

export type Colour = "comment" | "string" | "number" | "keyword" | "call" | "type" | "";

export interface Piece {
  readonly text: string;
  readonly colour: Colour;
}

interface Family {
  readonly comments: string;
  readonly strings: string;
}

const HASH = "#[^\\n]*";
const SLASHES = "\\/\\/[^\\n]*|\\/\\*[\\s\\S]*?(?:\\*\\/|$)";
const DASHES = "--[^\\n]*";
const MARKUP = "<!--[\\s\\S]*?(?:-->|$)";
const DOUBLE = '"(?:[^"\\\\\\n]|\\\\.)*"?';
const SINGLE = "'(?:[^'\\\\\\n]|\\\\.)*'?";
const BACK = "`(?:[^`\\\\]|\\\\.)*`?";
const TRIPLE = `"""[\\s\\S]*?(?:"""|$)|'''[\\s\\S]*?(?:'''|$)`;
/** A quote that may also mark a lifetime or be part of a name. */
const CHARACTER = "'(?:[^'\\\\\\n]|\\\\.[^'\\n]{0,8})'";

const C_LIKE: Family = { comments: SLASHES, strings: `${DOUBLE}|${SINGLE}` };
const SCRIPT: Family = { comments: SLASHES, strings: `${DOUBLE}|${SINGLE}|${BACK}` };
const SHELL: Family = { comments: HASH, strings: `${DOUBLE}|${SINGLE}` };
const NOTHING: Family = { comments: "", strings: "" };

const FAMILIES: Readonly<Record<string, Family>> = {
  python: { comments: HASH, strings: `${TRIPLE}|${DOUBLE}|${SINGLE}` },
  elixir: { comments: HASH, strings: `${TRIPLE}|${DOUBLE}|${SINGLE}` },
  ruby: SHELL,
  bash: SHELL,
  yaml: SHELL,
  toml: SHELL,
  javascript: SCRIPT,
  typescript: SCRIPT,
  tsx: SCRIPT,
  go: { comments: SLASHES, strings: `${DOUBLE}|${CHARACTER}|${BACK}` },
  rust: { comments: SLASHES, strings: `${DOUBLE}|${CHARACTER}` },
  zig: { comments: SLASHES, strings: `${DOUBLE}|${CHARACTER}` },
  scala: { comments: SLASHES, strings: `${TRIPLE}|${DOUBLE}|${CHARACTER}` },
  kotlin: { comments: SLASHES, strings: `${TRIPLE}|${DOUBLE}|${CHARACTER}` },
  swift: { comments: SLASHES, strings: `${TRIPLE}|${DOUBLE}` },
  php: { comments: `${SLASHES}|${HASH}`, strings: `${DOUBLE}|${SINGLE}` },
  css: { comments: "\\/\\*[\\s\\S]*?(?:\\*\\/|$)", strings: `${DOUBLE}|${SINGLE}` },
  haskell: { comments: `${DASHES}|\\{-[\\s\\S]*?(?:-\\}|$)`, strings: `${DOUBLE}|${CHARACTER}` },
  lua: { comments: DASHES, strings: `${DOUBLE}|${SINGLE}` },
  sql: { comments: `${DASHES}|\\/\\*[\\s\\S]*?(?:\\*\\/|$)`, strings: `${SINGLE}|${DOUBLE}` },
  json: { comments: "", strings: DOUBLE },
  html: { comments: MARKUP, strings: `${DOUBLE}|${SINGLE}` },
  markdown: NOTHING,
  plaintext: NOTHING,
};

const KEYWORDS = new Set(
  (
    "abstract alias and as assert async await begin break by case catch class companion const constructor continue crate" +
    " data def default defer defmodule defp del delete deriving do dyn elif elsif else end ensure enum except export" +
    " extends extension extern false False final finally fn for foreach from func function global go goto guard if impl" +
    " implements import in include inline inner instance instanceof interface internal into is join lambda left let" +
    " limit local loop match mod module move mut namespace new nil None nonlocal not null object of on operator or" +
    " order override package pass private protected protocol pub public raise readonly ref require rescue return" +
    " sealed select self Self static struct super switch template then this throw throws trait true True try type" +
    " typealias typedef typeof undef union unless unsafe until update use using val values var virtual void when where" +
    " while with yield SELECT FROM WHERE INSERT INTO VALUES UPDATE DELETE CREATE TABLE VIEW INDEX JOIN LEFT RIGHT INNER" +
    " OUTER ON AS AND OR NOT NULL PRIMARY KEY REFERENCES GROUP ORDER BY HAVING LIMIT SET DEFAULT CASE WHEN THEN ELSE END" +
    " UNIQUE FOREIGN CHECK WITH"
  ).split(" "),
);

const compiled = new Map<string, RegExp>();

/** The pieces of some code; joined they are the code. */
export function piecesOf(code: string, language: string): Piece[] {
  const family = FAMILIES[language] ?? C_LIKE;
  if (family === NOTHING) return code ? [{ text: code, colour: "" }] : [];
  const expression = expressionOf(language, family);
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of code.matchAll(expression)) {
    if (match.index > end) pieces.push({ text: code.slice(end, match.index), colour: "" });
    const [text] = match;
    pieces.push({ text, colour: colourOf(match.groups ?? {}, text, code, match.index + text.length) });
    end = match.index + text.length;
  }
  if (end < code.length) pieces.push({ text: code.slice(end), colour: "" });
  return pieces;
}

/** What finds any of the words, whatever their case; undefined if there are none. Made once for many pieces. */
export function finderOf(words: readonly string[]): RegExp | undefined {
  const wanted = words.filter((word) => word.length > 1).sort((one, other) => other.length - one.length);
  if (wanted.length === 0) return undefined;
  return new RegExp(`(${wanted.map((word) => word.replace(/[^\p{L}\p{N}]/gu, "\\$&")).join("|")})`, "gi");
}

/** A piece cut where one of the words stands. */
export function marked(text: string, expression: RegExp | undefined): { text: string; isMarked: boolean }[] {
  if (!expression) return [{ text, isMarked: false }];
  return text
    .split(expression)
    .map((part, place) => ({ text: part, isMarked: place % 2 === 1 }))
    .filter((part) => part.text);
}

function expressionOf(language: string, family: Family): RegExp {
  const known = compiled.get(language);
  if (known) return known;
  const parts = [
    family.comments && `(?<comment>${family.comments})`,
    family.strings && `(?<string>${family.strings})`,
    "(?<number>\\b(?:0[xX][\\da-fA-F_]+|\\d[\\d_]*(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)\\w*)",
    "(?<word>[\\p{L}_$@][\\p{L}\\p{N}_$]*)",
  ];
  const made = new RegExp(parts.filter(Boolean).join("|"), "gu");
  compiled.set(language, made);
  return made;
}

function colourOf(groups: Record<string, string | undefined>, text: string, code: string, end: number): Colour {
  if (groups.comment !== undefined) return "comment";
  if (groups.string !== undefined) return "string";
  if (groups.number !== undefined) return "number";
  if (KEYWORDS.has(text)) return "keyword";
  if (code[end] === "(") return "call";
  return /^\p{Lu}/u.test(text) ? "type" : "";
}
