// Whether this extension and the server it found speak the same protocol.

/** What a person is told if they do not; empty if they do. Below 1.0 every minor version may change the protocol. */
export function mismatch(client: string, server: string | undefined): string {
  if (server === undefined) return "The server does not tell its version; it may not be Lurcher. Update it.";
  if (series(client) === series(server)) return "";
  const older = isOlder(server, client) ? "the server" : "the extension";
  return `This extension is made for Lurcher ${client}, and the server is ${server}: update ${older}.`;
}

function series(version: string): string {
  const [major = "0", minor = "0"] = version.split(".");
  return major === "0" ? `0.${minor}` : major;
}

function isOlder(one: string, other: string): boolean {
  const [a, b] = [one, other].map((version) => version.split(".").map((part) => Number.parseInt(part, 10) || 0));
  for (let place = 0; place < 3; place++) {
    const difference = (a?.[place] ?? 0) - (b?.[place] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
