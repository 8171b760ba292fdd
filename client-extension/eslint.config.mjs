import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist/", "out/", "node_modules/", "nvim/"] },
  js.configs.recommended,
  {
    files: ["src/**/*.ts", "test/**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // `return this.tell(…)` is how a switch ends here.
      "@typescript-eslint/no-confusing-void-expression": "off",
      // An empty text is as good as none.
      "@typescript-eslint/prefer-nullish-coalescing": ["error", { ignorePrimitives: { string: true } }],
      // node's test runner returns promises that nobody has to wait for.
      "@typescript-eslint/no-floating-promises": [
        "error",
        { allowForKnownSafeCalls: [{ from: "package", name: ["test", "describe", "it", "suite"], package: "node:test" }] },
      ],
    },
  },
  {
    // Only what touches the editor may know it: everything else is tested without one.
    files: ["src/**/*.ts"],
    ignores: ["src/extension.ts", "src/editor/**"],
    rules: {
      "no-restricted-imports": [
        "error",
        { paths: ["vscode", "vscode-languageclient", "vscode-languageclient/node"] },
      ],
    },
  },
  {
    files: ["**/*.mjs", "workbench/**/*.js"],
    languageOptions: { globals: named("process console setTimeout fetch require exports") },
  },
  {
    // Functions in there are sent into the browser.
    files: ["workbench/**/*.mjs"],
    languageOptions: { globals: named("document window getComputedStyle PerformanceObserver") },
  },
);

function named(names) {
  return Object.fromEntries(names.split(" ").map((name) => [name, "readonly"]));
}
