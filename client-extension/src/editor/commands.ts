// Every command of the extension, by name.
import * as vscode from "vscode";
import { BUILD, REBUILD } from "../protocol";
import { explainFile } from "./explaining";
import type { Panels } from "./panel";
import { callersQuestion, relatedQuestion, selectionQuestion } from "./places";
import { quickSearch } from "./quickPick";
import type { Service } from "./service";
import { offerSetUp, setUpServer } from "./settingUp";
import { showMenu } from "./statusBar";
import { showStatusPage } from "./statusDocument";

interface Parts {
  readonly context: vscode.ExtensionContext;
  readonly service: Service;
  readonly panels: Panels;
  readonly log: vscode.LogOutputChannel;
}

export function registerCommands(parts: Parts): vscode.Disposable {
  const { context, service, panels, log } = parts;
  const inPanel = (query: string) => panels.searchFor(query);
  const ofPlace = async (question: (editor: vscode.TextEditor) => string | Promise<string>, what: string) => {
    const editor = vscode.window.activeTextEditor;
    const query = editor && (await question(editor));
    if (query) await inPanel(query);
    else void vscode.window.showInformationMessage(`Lurcher: ${what}`);
  };
  const indexBy = async (request: typeof BUILD | typeof REBUILD) => {
    const { done, message } = await service.ask(request, undefined);
    if (!done) void vscode.window.showWarningMessage(`Lurcher: ${message}`);
  };
  const commands: Readonly<Record<string, (...args: unknown[]) => unknown>> = {
    search: async (query) => {
      if (service.connection.kind === "missing") await offerSetUp(service);
      else if (service.connection.kind === "refused") await vscode.window.showWarningMessage(service.connection.reason);
      else quickSearch(service, inPanel, typeof query === "string" ? query : "");
    },
    openPanel: () => panels.open(),
    searchSelection: () => ofPlace(selectionQuestion, "select something to search for, or put the cursor on a word."),
    findRelated: () => ofPlace(relatedQuestion, "put the cursor into the code that you want more of."),
    whoCalls: () => ofPlace(callersQuestion, "put the cursor on the name of a function."),
    explainFile: (uri) => explainFile(service, uri instanceof vscode.Uri ? uri : undefined),
    buildIndex: () => indexBy(BUILD),
    rebuildIndex: () => indexBy(REBUILD),
    pause: async () => {
      if (!(await service.pause())) void vscode.window.showInformationMessage("Lurcher: nothing is being indexed.");
    },
    resume: () => service.restart(),
    restart: () => service.restart(),
    showStatus: () => showStatusPage(),
    showLog: () => log.show(),
    openSettings: () => vscode.commands.executeCommand("workbench.action.openSettings", `@ext:${context.extension.id}`),
    setUpServer: () => setUpServer(context, service, log),
    walkthrough: () =>
      vscode.commands.executeCommand("workbench.action.openWalkthrough", `${context.extension.id}#start`, false),
    menu: () => showMenu(service),
  };
  const guarded = (act: (...args: unknown[]) => unknown) => async (...args: unknown[]) => {
    try {
      await act(...args);
    } catch (problem) {
      const message = problem instanceof Error ? problem.message : String(problem);
      log.error(message);
      void vscode.window.showErrorMessage(`Lurcher: ${message}`);
    }
  };
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([name, act]) => vscode.commands.registerCommand(`lurcher.${name}`, guarded(act))),
  );
}
