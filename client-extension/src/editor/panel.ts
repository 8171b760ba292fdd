// The search panel as a view of the side bar and as an editor.
import * as vscode from "vscode";
import { page, type Place } from "../panel/html";
import { PanelHost } from "../panel/host";
import type { ToPanel } from "../panel/messages";
import type { Link } from "../server/link";
import { openPlace } from "./opening";
import { remedy } from "./remedies";
import { isUnsaved, paths } from "./surroundings";

export const VIEW = "lurcher.results";

/** The panel as an editor. */
export const PANEL = "lurcher.panel";

export class Panels implements vscode.WebviewViewProvider, vscode.WebviewPanelSerializer {
  readonly #context: vscode.ExtensionContext;
  readonly #link: Link;
  readonly #view: PanelHost;
  readonly #hosts = new Set<PanelHost>();
  #webview: vscode.WebviewView | undefined;
  #status: [string, boolean] = ["", false];

  constructor(context: vscode.ExtensionContext, link: Link) {
    this.#context = context;
    this.#link = link;
    this.#view = this.#host((message) => void this.#webview?.webview.postMessage(message));
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#webview = view;
    this.#fill(view.webview, this.#view, "sideBar");
    view.onDidDispose(() => (this.#webview = undefined));
  }

  /** Search in the side bar; the view is opened if it is not. */
  async searchFor(query: string): Promise<void> {
    await vscode.commands.executeCommand(`${VIEW}.focus`);
    await this.#view.searchFor(query);
  }

  /** Another panel, as wide as an editor. */
  open(): void {
    this.#adopt(vscode.window.createWebviewPanel(PANEL, "Lurcher", vscode.ViewColumn.Active, { retainContextWhenHidden: true }));
  }

  /** A panel of before the window was loaded again; its page knows what it showed. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    this.#adopt(panel);
    return Promise.resolve();
  }

  showStatus(text: string, isBusy: boolean): void {
    this.#status = [text, isBusy];
    for (const host of this.#hosts) host.showStatus(text, isBusy);
  }

  #adopt(panel: vscode.WebviewPanel): void {
    const host = this.#host((message) => void panel.webview.postMessage(message));
    panel.onDidDispose(() => {
      this.#hosts.delete(host);
      host.dispose();
    });
    this.#fill(panel.webview, host, "editor");
  }

  #host(post: (message: ToPanel) => void): PanelHost {
    const state = this.#context.workspaceState;
    const host = new PanelHost(
      this.#link,
      {
        pathOf: (uri) => paths()(uri),
        isUnsaved,
        open: (uri, range, beside) =>
          openPlace(uri, range, beside ? { viewColumn: vscode.ViewColumn.Beside } : { viewColumn: vscode.ViewColumn.Active }),
        copy: async (text) => vscode.env.clipboard.writeText(text),
        remedy,
        recall: (key) => state.get(`panel.${key}`),
        remember: (key, value) => void state.update(`panel.${key}`, value),
      },
      post,
    );
    this.#hosts.add(host);
    host.showStatus(...this.#status);
    return host;
  }

  #fill(webview: vscode.Webview, host: PanelHost, place: Place): void {
    const files = vscode.Uri.joinPath(this.#context.extensionUri, "dist", "webview");
    webview.options = { enableScripts: true, localResourceRoots: [files] };
    webview.onDidReceiveMessage((message: unknown) =>
      host.receive(message).catch((problem: unknown) => {
        void vscode.window.showErrorMessage(`Lurcher: ${problem instanceof Error ? problem.message : String(problem)}`);
      }),
    );
    const source = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(files, name)).toString();
    webview.html = page({ script: source("panel.js"), style: source("style.css"), origin: webview.cspSource, place });
  }
}
