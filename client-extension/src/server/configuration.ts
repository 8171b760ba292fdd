// The settings as the server gets them.

/** Only those that the server knows: it would complain of the extension's own. */
export function forServer(section: Readonly<Record<string, unknown>>, known: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(known.filter((name) => section[name] !== undefined).map((name) => [name, section[name]]));
}
