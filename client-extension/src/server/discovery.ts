// Where the server is: the one place that knows the order in which it is looked for.
import path from "node:path";

export type Origin = "setting" | "bundled" | "workspace" | "path" | "private";

export interface Found {
  readonly kind: "found";
  readonly command: string;
  readonly origin: Origin;
}

/** There is none. `problem` is set if a person has to mend something before looking on makes sense. */
export interface Missing {
  readonly kind: "missing";
  readonly looked: readonly string[];
  readonly problem: string;
}

export interface Places {
  /** The setting `lurcher.serverPath`; empty if it is not set. */
  readonly setting: string;
  /** The folder of this extension. */
  readonly extension: string;
  /** The folders of the workspace, on disk. */
  readonly folders: readonly string[];
  /** Whether the person trusts the workspace: a program out of another one is never started. */
  readonly isTrusted: boolean;
  /** The variable PATH. */
  readonly searchPath: string;
  /** Where this extension keeps a server that it set up. */
  readonly storage: string;
  readonly home: string;
  readonly isWindows: boolean;
}

export type IsProgram = (file: string) => Promise<boolean>;

/** Names that people give to the virtual environment of a project. */
const ENVIRONMENTS = [".venv", "venv", "env"];

/** Setting, bundled, workspace, search path, private: the first that is there. */
export async function findServer(places: Places, isProgram: IsProgram): Promise<Found | Missing> {
  if (places.setting) {
    const command = fromHome(places.setting, places.home);
    if (path.isAbsolute(command) && (await isProgram(command))) return { kind: "found", command, origin: "setting" };
    const problem = `The setting lurcher.serverPath names ${command}, which is not the whole path of a program.`;
    return { kind: "missing", looked: [command], problem };
  }
  const looked: string[] = [];
  for (const [origin, command] of candidates(places)) {
    looked.push(command);
    if (await isProgram(command)) return { kind: "found", command, origin };
  }
  return { kind: "missing", looked, problem: "" };
}

/** The program of a virtual environment. */
export function programOf(environment: string, isWindows: boolean, name = "lurcher"): string {
  return isWindows ? path.join(environment, "Scripts", `${name}.exe`) : path.join(environment, "bin", name);
}

/** The virtual environment that this extension makes. */
export function privateEnvironment(storage: string): string {
  return path.join(storage, "server");
}

function* candidates(places: Places): Generator<[Origin, string]> {
  yield ["bundled", programOf(path.join(places.extension, "server"), places.isWindows)];
  if (places.isTrusted) {
    for (const folder of places.folders) {
      for (const name of ENVIRONMENTS) yield ["workspace", programOf(path.join(folder, name), places.isWindows)];
    }
  }
  for (const folder of places.searchPath.split(places.isWindows ? ";" : ":")) {
    if (!path.isAbsolute(folder)) continue; // It would mean another program in every workspace.
    if (!places.isTrusted && places.folders.some((each) => isInside(folder, each))) continue;
    yield ["path", path.join(folder, places.isWindows ? "lurcher.exe" : "lurcher")];
  }
  yield ["private", programOf(privateEnvironment(places.storage), places.isWindows)];
}

function isInside(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return !relative.startsWith("..") && !path.isAbsolute(relative);
}

function fromHome(file: string, home: string): string {
  return file === "~" || file.startsWith("~/") ? path.join(home, file.slice(1)) : file;
}
