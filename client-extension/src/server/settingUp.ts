// Makes a virtual environment with a server of our own, step by step, so that a person sees what happens.
import { privateEnvironment, programOf } from "./discovery";
import type { Run } from "./processes";

/** The oldest Python that the server runs on. */
export const OLDEST_PYTHON: readonly [number, number] = [3, 11];

/** Pythons that are tried if none is set, the likeliest first. */
export const PYTHONS = ["python3", "python3.13", "python3.12", "python3.11", "python", "py"];

/** Lines of a program's output that are shown when it fails. */
const SHOWN_LINES = 6;

export interface Wish {
  /** The setting `lurcher.python`; empty to look for one. */
  readonly python: string;
  /** What pip installs. */
  readonly what: string;
  readonly storage: string;
  readonly isWindows: boolean;
}

/** What went wrong, for a person, with the last words of the program. */
export class SetUpFailed extends Error {}

/** Set the server up; answers its program. */
export async function setUp(
  wish: Wish,
  run: Run,
  report: (message: string) => void,
  signal: AbortSignal,
): Promise<string> {
  if (!wish.what) {
    throw new SetUpFailed(
      "This build of the extension brings no server along. Set lurcher.serverPackage to a wheel or a checkout of" +
        " Lurcher, or install Lurcher yourself and set lurcher.serverPath.",
    );
  }
  report("looking for Python");
  const python = await findPython(wish.python, run, signal);
  const environment = privateEnvironment(wish.storage);
  const step = async (message: string, command: string, args: readonly string[]) => {
    report(message);
    const { code, output } = await run(command, args, signal);
    if (signal.aborted) throw new SetUpFailed("Setting up was cancelled.");
    if (code !== 0) throw new SetUpFailed(`${message} failed: ${lastLines(output)}`);
  };
  await step("making a virtual environment", python, ["-m", "venv", "--clear", environment]);
  const inside = programOf(environment, wish.isWindows, "python");
  const install = ["-m", "pip", "install", "--disable-pip-version-check", "--no-input", withAssistants(wish.what)];
  await step("installing Lurcher (a minute or two)", inside, install);
  const program = programOf(environment, wish.isWindows);
  await step("starting it once", program, ["--version"]);
  return program;
}

/** The requirement with the extra that assistants need. */
export function withAssistants(what: string): string {
  const [, name = "", version = ""] = /^([^[\s]*?)((?:[=<>!~]=?|@).*)?$/.exec(what) ?? [];
  const isPath = /[\\/]|\.whl$/.test(what);
  if (what.includes("[")) return what;
  return isPath || !name ? `${what}[mcp]` : `${name}[mcp]${version}`;
}

async function findPython(chosen: string, run: Run, signal: AbortSignal): Promise<string> {
  const tried: string[] = [];
  for (const python of chosen ? [chosen] : PYTHONS) {
    const { code, output } = await run(python, ["-c", "import sys, venv, ensurepip; print(*sys.version_info[:2])"], signal);
    if (signal.aborted) throw new SetUpFailed("Setting up was cancelled.");
    if (code === 0 && isNewEnough(output)) return python;
    if (code !== null) tried.push(code === 0 ? `${python} is ${output.trim().replace(" ", ".")}` : lastLines(output));
  }
  const seen = tried.length > 0 ? ` What was found: ${tried.join("; ")}.` : "";
  throw new SetUpFailed(
    `Lurcher needs Python ${OLDEST_PYTHON.join(".")} or newer with its module venv.${seen} Install it (on Debian and` +
      " Ubuntu also python3-venv), or set lurcher.python to where it is.",
  );
}

function isNewEnough(output: string): boolean {
  const [major = 0, minor = 0] = output.trim().split(" ").map(Number);
  return major > OLDEST_PYTHON[0] || (major === OLDEST_PYTHON[0] && minor >= OLDEST_PYTHON[1]);
}

function lastLines(output: string): string {
  const lines = output.split(/\r?\n/).filter((line) => line.trim());
  return lines.slice(-SHOWN_LINES).join("\n") || "it said nothing";
}
