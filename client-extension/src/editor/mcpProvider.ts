// Offers `lurcher mcp` to the assistants of this editor.
import * as vscode from "vscode";
import { mcpProgram } from "../assistants/mcp";
import type { Service } from "./service";
import { diskFolders, section } from "./surroundings";

export function makeMcpProvider(service: Service, version: string): vscode.Disposable {
  // Editors before 1.101, and some that are built from the same source, have no such function.
  const register = (vscode.lm as Partial<typeof vscode.lm>).registerMcpServerDefinitionProvider;
  if (!register) return new vscode.Disposable(() => undefined);
  const changed = new vscode.EventEmitter<void>();
  const provider: vscode.McpServerDefinitionProvider = {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions: () => {
      const settings = section();
      const folders = diskFolders();
      if (!service.program || folders.length === 0 || !settings.get<boolean>("registerMcpServer")) return [];
      const { command, args } = mcpProgram(service.program.command, folders, {
        exclude: settings.get<string[]>("exclude") ?? [],
        includeIgnored: settings.get<string[]>("includeIgnored") ?? [],
        maxFileBytes: settings.get<number>("maxFileBytes"),
      });
      return [new vscode.McpStdioServerDefinition("Lurcher", command, [...args], {}, version)];
    },
  };
  let known: string | undefined;
  return vscode.Disposable.from(
    changed,
    register("lurcher.mcp", provider),
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("lurcher") && changed.fire()),
    service.onDidChange(() => {
      if (known === service.program?.command) return;
      known = service.program?.command;
      changed.fire();
    }),
  );
}
