// The place behind the quick pick, and the way back from it.
import * as vscode from "vscode";
import type { Range } from "../protocol";
import { openPlace } from "./opening";

export class Preview {
  readonly #before = vscode.window.activeTextEditor;
  readonly #selection = this.#before?.selection;
  readonly #column = this.#before?.viewColumn;
  readonly #open = new Set(tabs().map(({ uri }) => uri));
  readonly #shown = new Set<string>();
  #showing: Promise<void> = Promise.resolve();
  #isOver = false;

  /** Show a place without taking the focus. A file that cannot be shown has no preview; choosing it tells why. */
  show(uri: string, range: Range): void {
    if (this.#isOver) return;
    this.#shown.add(vscode.Uri.parse(uri).toString());
    this.#showing = this.#showing
      .then(() => (this.#isOver ? undefined : openPlace(uri, range, { preview: true, preserveFocus: true })))
      .catch(() => undefined);
  }

  /** A place was chosen: what comes behind it stays. */
  end(): void {
    this.#isOver = true;
  }

  /** Everything as it was: the place of before, and no tab that only the preview opened. */
  async undo(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#showing;
    if (this.#shown.size === 0) return;
    if (this.#before && this.#selection) {
      const column = this.#column === undefined ? {} : { viewColumn: this.#column };
      await vscode.window.showTextDocument(this.#before.document, { selection: this.#selection, ...column });
    }
    const left = tabs().filter(({ uri, tab }) => tab.isPreview && this.#shown.has(uri) && !this.#open.has(uri));
    await vscode.window.tabGroups.close(left.map(({ tab }) => tab));
  }
}

function tabs(): { readonly uri: string; readonly tab: vscode.Tab }[] {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .flatMap((tab) => (tab.input instanceof vscode.TabInputText ? [{ uri: tab.input.uri.toString(), tab }] : []));
}
