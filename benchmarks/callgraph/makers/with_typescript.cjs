// Calls of a TypeScript or JavaScript package as its compiler sees them: node with_typescript.cjs COMPILER FOLDER
//
// A script of its own, for the compiler's environment. Prints JSON lines: the files, their definitions, their calls.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const ts = require(path.resolve(process.argv[2]));
const root = fs.realpathSync(process.argv[3]);

const SOURCE = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const DECLARED = /\.d\.[cm]?ts$/;
const K = ts.SyntaxKind;

function files(folder) {
  const found = [];
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const whole = path.join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== "node_modules") found.push(...files(whole));
    else if (entry.isFile() && SOURCE.test(entry.name) && !DECLARED.test(entry.name)) found.push(whole);
  }
  return found.sort();
}

const options = {
  allowJs: true,
  checkJs: true,
  noEmit: true,
  strict: true,
  esModuleInterop: true,
  allowImportingTsExtensions: true,
  experimentalDecorators: true,
  jsx: ts.JsxEmit.Preserve,
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: [],
};

// The language service is what editors ask; its program is the compiler's own.
const names = files(root);
const service = ts.createLanguageService({
  getScriptFileNames: () => names,
  getScriptVersion: () => "0",
  getScriptSnapshot: (name) => (ts.sys.fileExists(name) ? ts.ScriptSnapshot.fromString(ts.sys.readFile(name)) : undefined),
  getCurrentDirectory: () => root,
  getCompilationSettings: () => options,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
  readDirectory: ts.sys.readDirectory,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
});
const program = service.getProgram();
const checker = program.getTypeChecker();

function print(record) {
  process.stdout.write(JSON.stringify(record) + "\n");
}

function fileOf(node) {
  return path.relative(root, node.getSourceFile().fileName).split(path.sep).join("/");
}

function isInside(node) {
  const file = fileOf(node);
  return !file.startsWith("..") && !path.isAbsolute(file) && !file.startsWith("node_modules/");
}

function lineOf(node) {
  return node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1;
}

function isFunction(node) {
  return node !== undefined && (ts.isFunctionExpression(node) || ts.isArrowFunction(node) || ts.isClassExpression(node));
}

function bare(node) {
  let inner = node;
  while (inner && (ts.isParenthesizedExpression(inner) || ts.isAsExpression(inner) || ts.isSatisfiesExpression(inner)))
    inner = inner.expression;
  return inner;
}

// The node that bears the name of a definition, if the node is one; a function that is assigned has its target's name.
function nameOf(node) {
  if (ts.isConstructorDeclaration(node)) return node.getChildren().find((child) => child.kind === K.ConstructorKeyword);
  if (
    ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node) ||
    ts.isMethodDeclaration(node) || ts.isMethodSignature(node) || ts.isGetAccessor(node) || ts.isSetAccessor(node)
  )
    return node.name;
  if ((ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node) || ts.isPropertyAssignment(node)) &&
      isFunction(bare(node.initializer)))
    return ts.isIdentifier(node.name) || ts.isPrivateIdentifier(node.name) ? node.name : undefined;
  // What a module makes once and calls often: `const isString = typeOfTest("string")`.
  if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer && !isRequire(node.initializer) &&
      ts.isVariableStatement(node.parent.parent) && ts.isSourceFile(node.parent.parent.parent))
    return node.name;
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === K.EqualsToken && isFunction(bare(node.right))) {
    // `module.exports = function f() {}` has the function's own name, or none.
    if (ts.isPropertyAccessExpression(node.left)) return node.left.name.text === "exports" ? undefined : node.left.name;
    if (ts.isIdentifier(node.left)) return node.left;
  }
  // `x.f = function f() {}` is found as the assignment, which lies around it.
  if ((ts.isFunctionExpression(node) || ts.isClassExpression(node)) && node.name && !bearsName(node.parent)) return node.name;
  return undefined;
}

function isRequire(node) {
  let inner = node;
  while (ts.isPropertyAccessExpression(inner) || ts.isCallExpression(inner)) {
    if (ts.isCallExpression(inner) && ts.isIdentifier(inner.expression) && inner.expression.text === "require") return true;
    inner = inner.expression;
  }
  return false;
}

function bearsName(node) {
  return node !== undefined && nameOf(node) !== undefined;
}

function textOf(name) {
  return ts.isStringLiteralLike(name) ? name.text : name.getText();
}

function spotOf(definition) {
  const name = nameOf(definition);
  return [fileOf(definition), lineOf(name), textOf(name)];
}

function outerOf(node) {
  let outer = node.parent;
  while (outer !== undefined && !(nameOf(outer) !== undefined)) outer = outer.parent;
  return outer;
}

function outerSpot(node) {
  const outer = outerOf(node);
  return outer === undefined ? [fileOf(node), 0, ""] : spotOf(outer);
}

function qualified(definition) {
  const outer = outerOf(definition);
  const name = textOf(nameOf(definition));
  return outer === undefined ? name : `${qualified(outer)}.${name}`;
}

function symbolOf(definition) {
  return definition.symbol ?? checker.getSymbolAtLocation(nameOf(definition));
}

// The declaration that stands for all of a symbol's: the one with a body, else the first.
function canonical(definition) {
  if (ts.isConstructorDeclaration(definition)) {
    const holder = ts.isClassExpression(definition.parent) && !definition.parent.name ? outerOf(definition) : definition.parent;
    if (holder !== undefined && nameOf(holder) !== undefined) return holder;
    const around = outerOf(definition);
    return around ?? definition;
  }
  const declarations = (symbolOf(definition)?.declarations ?? []).filter((each) => nameOf(each) && isInside(each));
  const kind = declarations.filter((each) => each.body || each.initializer || ts.isClassDeclaration(each));
  return kind.at(-1) ?? declarations[0] ?? definition;
}

function called(node) {
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) return node.expression;
  if (ts.isTaggedTemplateExpression(node)) return node.tag;
  return undefined;
}

function calledName(expression) {
  const inner = ts.isNonNullExpression(bare(expression)) ? bare(expression).expression : bare(expression);
  if (ts.isIdentifier(inner)) return inner;
  if (ts.isPropertyAccessExpression(inner)) return inner.name;
  return inner.kind === K.SuperKeyword ? inner : undefined;
}

function symbolAt(name) {
  let symbol = checker.getSymbolAtLocation(name);
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  return symbol;
}

// Inside with its definitions, outside, or unknown: the checker has no symbol, or the name holds some value.
function resolved(node, name) {
  const symbol = symbolAt(name);
  const signature = checker.getResolvedSignature(node);
  const declarations = (symbol?.declarations ?? []).flatMap((each) => meant(each));
  // `super(…)` and the results of `require` have no name of their own; the signature says which function it is.
  if (signature?.declaration && (name.kind === K.SuperKeyword || !declarations.some((each) => nameOf(each))))
    declarations.push(signature.declaration);
  const callees = [];
  let isOutside = false;
  for (const each of declarations) {
    if (!isInside(each)) {
      isOutside = true;
      continue;
    }
    // A class or function without a name of its own may be the value of something that has one.
    const definition = nameOf(each) !== undefined ? each : isFunction(each) ? outerHolder(each) : undefined;
    if (definition !== undefined && !ts.isInterfaceDeclaration(definition)) callees.push(spotOf(canonical(definition)));
  }
  if (callees.length) return ["inside", callees];
  if (isOutside || (symbol && isImportedFromOutside(name))) return ["outside", []];
  // A plain name that is a parameter or a local variable means no definition, whatever it holds.
  const isLocal = ts.isIdentifier(name) && !ts.isPropertyAccessExpression(name.parent) && declarations.length > 0;
  return [isLocal || begins(name) ? "outside" : "unknown", []];
}

// What a property of an object stands for, if it is only another name: `{ f }` and `{ f: g }`.
function meant(declaration, depth = 0) {
  let symbol;
  if (ts.isShorthandPropertyAssignment(declaration)) symbol = checker.getShorthandAssignmentValueSymbol(declaration);
  else if (ts.isPropertyAssignment(declaration) && ts.isIdentifier(declaration.initializer))
    symbol = checker.getSymbolAtLocation(declaration.initializer);
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  if (!symbol?.declarations || depth > 8) return [declaration];
  return symbol.declarations.flatMap((each) => meant(each, depth + 1));
}

function outerHolder(node) {
  let holder = node.parent;
  while (holder && (ts.isParenthesizedExpression(holder) || ts.isAsExpression(holder))) holder = holder.parent;
  return holder && nameOf(holder) !== undefined ? holder : undefined;
}

function isImportedFromOutside(name) {
  const symbol = checker.getSymbolAtLocation(name);
  return (symbol?.declarations ?? []).some((each) => {
    let node = each;
    while (node && !ts.isImportDeclaration(node) && !ts.isVariableStatement(node)) node = node.parent;
    if (!node) return false;
    if (ts.isImportDeclaration(node)) return !/^[.#]/.test(node.moduleSpecifier.text);
    const required = /\brequire\s*\(\s*['"]([^'"]+)['"]\s*\)/.exec(each.getText());
    return required !== null && !/^[.#]/.test(required[1]);
  });
}

// Whether a chain such as `fs.promises.open` begins with something that was imported from another package.
function begins(name) {
  let node = name.parent && ts.isPropertyAccessExpression(name.parent) ? name.parent.expression : name;
  while (ts.isPropertyAccessExpression(node) || ts.isNonNullExpression(node)) node = node.expression;
  return ts.isIdentifier(node) && isImportedFromOutside(node);
}

function visit(node) {
  if (nameOf(node) !== undefined) {
    const same = spotOf(canonical(node));
    print({ type: "definition", spot: spotOf(node), qualified: qualified(node), outer: outerSpot(node), same });
  }
  const expression = called(node);
  const name = expression && calledName(expression);
  if (name !== undefined) {
    const [status, callees] = resolved(node, name);
    const unique = [...new Map(callees.map((each) => [each.join(":"), each])).values()];
    print({
      type: "call", file: fileOf(node), line: lineOf(name), name: textOf(name),
      caller: outerSpot(node), status, callees: unique,
    });
  }
  ts.forEachChild(node, visit);
}

for (const file of program.getSourceFiles().filter((each) => names.includes(each.fileName))) {
  print({ type: "file", file: fileOf(file) });
  visit(file);
}
