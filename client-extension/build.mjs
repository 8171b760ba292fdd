// Bundles the extension and its webview into dist/, or, with --tests, the unit tests into out/test/.
import { readdir } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";

const shared = { bundle: true, sourcemap: false, logLevel: "warning", legalComments: "none" };

if (process.argv.includes("--tests")) {
  const names = await readdir("test", { recursive: true });
  const entryPoints = names.filter((name) => name.endsWith(".test.ts")).map((name) => path.join("test", name));
  const tests = { outdir: "out/test", entryNames: "[name]", platform: "node", target: "node20", format: "cjs", packages: "external" };
  await build({ ...shared, ...tests, entryPoints });
} else {
  const minify = !process.argv.includes("--readable");
  await build({
    ...shared,
    minify,
    entryPoints: ["src/extension.ts"],
    outfile: "dist/extension.js",
    platform: "node",
    target: "node20",
    format: "cjs",
    external: ["vscode"],
  });
  await build({
    ...shared,
    minify,
    entryPoints: { panel: "src/webview/main.ts", style: "src/webview/style.css" },
    outdir: "dist/webview",
    platform: "browser",
    target: "chrome120",
    format: "iife",
  });
}
