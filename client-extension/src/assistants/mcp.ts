// How an assistant starts `lurcher mcp` on the folders that are open here.

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** The server with the folders named, and with the settings that shape the index: it shall find the same one. */
export function mcpProgram(
  command: string,
  folders: readonly string[],
  settings: Readonly<{ exclude: readonly string[]; includeIgnored: readonly string[]; maxFileBytes: number | undefined }>,
): Program {
  const repeated = (option: string, values: readonly string[]) => values.flatMap((value) => [option, value]);
  return {
    command,
    args: [
      "mcp",
      ...repeated("-w", folders),
      ...repeated("--exclude", settings.exclude),
      ...repeated("--include-ignored", settings.includeIgnored),
      ...(settings.maxFileBytes === undefined ? [] : ["--max-file-bytes", String(settings.maxFileBytes)]),
    ],
  };
}
