// Programs and files as Node sees them.
import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { access, readdir, stat } from "node:fs/promises";
import path from "node:path";

/** Characters of a program's output that are kept: its last words tell what went wrong. */
const KEPT_OUTPUT = 20_000;

export interface Ran {
  readonly code: number | null;
  readonly output: string;
}

export type Run = (command: string, args: readonly string[], signal: AbortSignal) => Promise<Ran>;

/** Run a program to its end, without a shell; one that cannot be started has no exit code. */
export const run: Run = (command, args, signal) =>
  new Promise((resolve) => {
    const child = spawn(command, args, { signal, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
    let output = "";
    const keep = (data: Buffer) => (output = (output + data.toString()).slice(-KEPT_OUTPUT));
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.once("error", (error) => resolve({ code: null, output: `${output}${error.message}` }));
    child.once("close", (code) => resolve({ code, output }));
  });

export async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/** The wheel that comes with the extension; empty if there is none. */
export async function bundledWheel(extension: string): Promise<string> {
  const folder = path.join(extension, "server");
  const names = await readdir(folder).catch(() => []);
  const wheel = names.filter((name) => name.endsWith(".whl")).sort().at(-1);
  return wheel === undefined ? "" : path.join(folder, wheel);
}
