// Calls of a Go package as the standard type checker sees them: with_types FOLDER > truth.jsonl
//
// The folder is laid out as import paths are. Libraries that are not there leave calls unknown, nothing more; files that
// are built for another system are not looked at.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

type spot [3]any

type maker struct {
	root     string
	files    *token.FileSet
	standard types.Importer
	checked  map[string]*types.Package
	info     *types.Info
	out      *json.Encoder
}

func main() {
	root, err := filepath.EvalSymlinks(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	files := token.NewFileSet()
	m := &maker{
		root:     root,
		files:    files,
		standard: importer.ForCompiler(files, "source", nil),
		checked:  map[string]*types.Package{},
		info: &types.Info{
			Uses:       map[*ast.Ident]types.Object{},
			Defs:       map[*ast.Ident]types.Object{},
			Selections: map[*ast.SelectorExpr]*types.Selection{},
		},
		out: json.NewEncoder(out),
	}
	folders := map[string]bool{}
	filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") {
			folders[filepath.Dir(path)] = true
		}
		return nil
	})
	names := make([]string, 0, len(folders))
	for folder := range folders {
		names = append(names, folder)
	}
	sort.Strings(names)
	for _, folder := range names {
		relative, _ := filepath.Rel(root, folder)
		m.Import(filepath.ToSlash(relative))
	}
}

// Import checks a package of the folder the first time it is asked for; others are the standard library's, or missing.
func (m *maker) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if found, ok := m.checked[path]; ok {
		return found, nil
	}
	folder := filepath.Join(m.root, filepath.FromSlash(path))
	if entries, err := os.ReadDir(folder); err == nil {
		return m.check(path, folder, entries), nil
	}
	if strings.Contains(strings.SplitN(path, "/", 2)[0], ".") {
		return nil, fmt.Errorf("%s is not here", path)
	}
	return m.standard.Import(path)
}

func (m *maker) check(path, folder string, entries []fs.DirEntry) *types.Package {
	var files []*ast.File
	for _, entry := range entries {
		isGo := strings.HasSuffix(entry.Name(), ".go")
		if matches, err := build.Default.MatchFile(folder, entry.Name()); !isGo || err != nil || !matches {
			continue
		}
		if file, _ := parser.ParseFile(m.files, filepath.Join(folder, entry.Name()), nil, 0); file != nil {
			files = append(files, file)
		}
	}
	config := types.Config{Importer: m, Error: func(error) {}, FakeImportC: true}
	checked, _ := config.Check(path, m.files, files, m.info)
	m.checked[path] = checked
	for _, file := range files {
		m.file(file)
	}
	return checked
}

func (m *maker) file(file *ast.File) {
	name := m.place(file.Pos())
	m.print(map[string]any{"type": "file", "file": name[0]})
	outside := spot{name[0], 0, ""}
	for _, declaration := range file.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok {
			ast.Inspect(declaration, func(node ast.Node) bool {
				if list, ok := node.(*ast.InterfaceType); ok {
					m.methods(list, outside)
				}
				return m.call(node, outside)
			})
			continue
		}
		caller := m.named(function.Name)
		m.define(caller, receiver(function)+function.Name.Name, outside)
		ast.Inspect(function, func(node ast.Node) bool { return m.call(node, caller) })
	}
}

func (m *maker) methods(list *ast.InterfaceType, outer spot) {
	for _, method := range list.Methods.List {
		if _, ok := method.Type.(*ast.FuncType); ok && len(method.Names) == 1 {
			m.define(m.named(method.Names[0]), method.Names[0].Name, outer)
		}
	}
}

func (m *maker) define(at spot, qualified string, outer spot) {
	m.print(map[string]any{"type": "definition", "spot": at, "qualified": qualified, "outer": outer, "same": at})
}

func receiver(function *ast.FuncDecl) string {
	if function.Recv == nil || len(function.Recv.List) == 0 {
		return ""
	}
	of := function.Recv.List[0].Type
	for {
		switch inner := of.(type) {
		case *ast.StarExpr:
			of = inner.X
		case *ast.IndexExpr:
			of = inner.X
		case *ast.IndexListExpr:
			of = inner.X
		case *ast.Ident:
			return inner.Name + "."
		default:
			return ""
		}
	}
}

func (m *maker) call(node ast.Node, caller spot) bool {
	call, ok := node.(*ast.CallExpr)
	if !ok {
		return true
	}
	name := calledName(call.Fun)
	if name == nil {
		return true
	}
	status, callees := m.resolved(call.Fun, name)
	m.print(map[string]any{
		"type": "call", "file": m.place(name.Pos())[0], "line": m.place(name.Pos())[1], "name": name.Name,
		"caller": caller, "status": status, "callees": callees,
	})
	return true
}

func calledName(called ast.Expr) *ast.Ident {
	switch inner := called.(type) {
	case *ast.ParenExpr:
		return calledName(inner.X)
	case *ast.IndexExpr:
		return calledName(inner.X)
	case *ast.IndexListExpr:
		return calledName(inner.X)
	case *ast.SelectorExpr:
		return inner.Sel
	case *ast.Ident:
		return inner
	}
	return nil
}

func (m *maker) resolved(called ast.Expr, name *ast.Ident) (string, []spot) {
	switch object := m.info.Uses[name].(type) {
	case *types.Func:
		at := object.Origin().Pos()
		if !at.IsValid() || !m.isInside(at) {
			return "outside", []spot{}
		}
		line := m.place(at)
		return "inside", []spot{{line[0], line[1], object.Name()}}
	case *types.TypeName:
		// A conversion is written like a call; to take it for one is neither right nor wrong.
		return "unknown", []spot{}
	case *types.Builtin:
		return "outside", []spot{}
	case *types.Var:
		// A parameter or local variable means no definition, whatever it holds; a field may hold a function of this package.
		if !object.IsField() && object.Parent() != object.Pkg().Scope() {
			return "outside", []spot{}
		}
		return "unknown", []spot{}
	}
	for {
		selector, ok := called.(*ast.SelectorExpr)
		if !ok {
			break
		}
		called = selector.X
	}
	if first, ok := called.(*ast.Ident); ok {
		if imported, ok := m.info.Uses[first].(*types.PkgName); ok && m.checked[imported.Imported().Path()] == nil {
			return "outside", []spot{}
		}
	}
	return "unknown", []spot{}
}

func (m *maker) isInside(at token.Pos) bool {
	return strings.HasPrefix(m.files.Position(at).Filename, m.root+string(filepath.Separator))
}

func (m *maker) named(name *ast.Ident) spot {
	at := m.place(name.Pos())
	return spot{at[0], at[1], name.Name}
}

func (m *maker) place(at token.Pos) [2]any {
	position := m.files.PositionFor(at, false)
	relative, err := filepath.Rel(m.root, position.Filename)
	if err != nil {
		relative = position.Filename
	}
	return [2]any{filepath.ToSlash(relative), position.Line}
}

func (m *maker) print(record map[string]any) {
	if err := m.out.Encode(record); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
