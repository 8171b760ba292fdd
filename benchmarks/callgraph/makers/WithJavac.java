import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParameterizedTypeTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.type.TypeKind;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Calls of a Java package as its compiler sees them: java WithJavac.java FOLDER > truth.jsonl
 *
 * <p>A program of its own, for the JDK. Libraries that are not there leave calls unknown, nothing more. Overloads of one
 * class are one definition, the first of them, and a constructor is its class.
 */
final class WithJavac extends TreePathScanner<Void, Void> {
  private final Path root;
  private final Trees trees;
  private final PrintStream out;
  private final Map<CompilationUnitTree, String> texts = new HashMap<>();

  private WithJavac(Path root, Trees trees, PrintStream out) {
    this.root = root;
    this.trees = trees;
    this.out = out;
  }

  public static void main(String[] arguments) throws IOException {
    Path root = Path.of(arguments[0]).toRealPath();
    List<Path> files;
    try (var found = Files.walk(root)) {
      files = found.filter(path -> path.toString().endsWith(".java")).sorted().toList();
    }
    var compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
    var options = List.of("-proc:none", "-implicit:none", "-nowarn", "-XDshould-stop.ifError=FLOW", "-encoding", "UTF-8");
    var units = manager.getJavaFileObjectsFromPaths(files);
    var task = (JavacTask) compiler.getTask(null, manager, problem -> { }, options, null, units);
    var out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    var parsed = new ArrayList<CompilationUnitTree>();
    task.parse().forEach(parsed::add);
    task.analyze();
    var maker = new WithJavac(root, Trees.instance(task), out);
    for (CompilationUnitTree unit : parsed) {
      out.printf("{\"type\": \"file\", \"file\": %s}%n", quoted(maker.file(unit)));
      maker.scan(unit, null);
    }
    out.flush();
  }

  @Override
  public Void visitClass(ClassTree tree, Void none) {
    if (!tree.getSimpleName().isEmpty()) {
      String spot = spot(getCurrentPath());
      define(spot, spot);
    }
    return super.visitClass(tree, none);
  }

  @Override
  public Void visitMethod(MethodTree tree, Void none) {
    // What the compiler adds (a constructor without text) has no place in the file.
    if (nameAt(getCurrentPath()) >= 0) {
      define(spot(getCurrentPath()), canonical(getCurrentPath()));
    }
    return super.visitMethod(tree, none);
  }

  @Override
  public Void visitMethodInvocation(MethodInvocationTree tree, Void none) {
    call(tree.getMethodSelect());
    return super.visitMethodInvocation(tree, none);
  }

  @Override
  public Void visitNewClass(NewClassTree tree, Void none) {
    ExpressionTree named = tree.getIdentifier();
    if (named instanceof ParameterizedTypeTree generic && generic.getType() instanceof ExpressionTree plain) {
      named = plain;
    }
    call(named);
    return super.visitNewClass(tree, none);
  }

  @Override
  public Void visitMemberReference(MemberReferenceTree tree, Void none) {
    // Not a call, but it may become one.
    print(tree, tree.getName().toString(), "unknown", "");
    return super.visitMemberReference(tree, none);
  }

  private void define(String spot, String same) {
    TreePath outer = outer(getCurrentPath().getParentPath());
    out.printf(
        "{\"type\": \"definition\", \"spot\": %s, \"qualified\": %s, \"outer\": %s, \"same\": %s}%n",
        spot, quoted(qualified(getCurrentPath())), outerSpot(outer), same);
  }

  private void call(ExpressionTree named) {
    String name;
    if (named instanceof MemberSelectTree select) {
      name = select.getIdentifier().toString();
    } else if (named instanceof IdentifierTree plain) {
      name = plain.getName().toString();
    } else {
      return;
    }
    Element element = trees.getElement(new TreePath(getCurrentPath(), named));
    if (element == null || element.asType().getKind() == TypeKind.ERROR) {
      print(named, name, "unknown", "");
      return;
    }
    if (element.getKind() == ElementKind.CONSTRUCTOR) {
      element = element.getEnclosingElement();
    }
    TreePath declared = trees.getPath(element);
    if (declared == null || nameAt(declared) < 0) {
      // The methods that every enum and record has belong to the language.
      print(named, name, "outside", "");
    } else {
      print(named, name, "inside", canonical(declared));
    }
  }

  private void print(Tree at, String name, String status, String callee) {
    CompilationUnitTree unit = getCurrentPath().getCompilationUnit();
    long end = trees.getSourcePositions().getEndPosition(unit, at);
    if (end < 0) {
      return; // The compiler wrote it itself: `super()`, the constants of an enum.
    }
    long line = unit.getLineMap().getLineNumber(end - 1);
    String caller = outerSpot(outer(getCurrentPath().getParentPath()));
    out.printf(
        "{\"type\": \"call\", \"file\": %s, \"line\": %d, \"name\": %s, \"caller\": %s, \"status\": \"%s\", \"callees\": [%s]}%n",
        quoted(file(unit)), line, quoted(name), caller, status, callee);
  }

  /** The first method of that name in its class; for a constructor, the class. */
  private String canonical(TreePath path) {
    if (path.getLeaf() instanceof MethodTree method && path.getParentPath().getLeaf() instanceof ClassTree type) {
      if (method.getName().contentEquals("<init>")) {
        return type.getSimpleName().isEmpty() ? spot(path) : spot(path.getParentPath());
      }
      for (Tree member : type.getMembers()) {
        if (member instanceof MethodTree other && other.getName().contentEquals(method.getName())) {
          return spot(new TreePath(path.getParentPath(), other));
        }
      }
    }
    return spot(path);
  }

  private TreePath outer(TreePath path) {
    for (TreePath around = path; around != null; around = around.getParentPath()) {
      Tree leaf = around.getLeaf();
      boolean isNamed = leaf instanceof ClassTree type && !type.getSimpleName().isEmpty() || leaf instanceof MethodTree;
      if (isNamed && nameAt(around) >= 0) {
        return around;
      }
    }
    return null;
  }

  private String outerSpot(TreePath outer) {
    return outer == null ? "[%s, 0, \"\"]".formatted(quoted(file(getCurrentPath().getCompilationUnit()))) : spot(outer);
  }

  private String spot(TreePath path) {
    CompilationUnitTree unit = path.getCompilationUnit();
    long line = unit.getLineMap().getLineNumber(Math.max(0, nameAt(path)));
    return "[%s, %d, %s]".formatted(quoted(file(unit)), line, quoted(name(path)));
  }

  private String qualified(TreePath path) {
    TreePath outer = outer(path.getParentPath());
    return outer == null ? name(path) : qualified(outer) + "." + name(path);
  }

  private static String name(TreePath path) {
    if (path.getLeaf() instanceof MethodTree method) {
      boolean isConstructor = method.getName().contentEquals("<init>");
      return isConstructor ? name(path.getParentPath()) : method.getName().toString();
    }
    return ((ClassTree) path.getLeaf()).getSimpleName().toString();
  }

  /** Where the name of a definition stands: behind its modifiers and its type. -1 if it has no text. */
  private long nameAt(TreePath path) {
    CompilationUnitTree unit = path.getCompilationUnit();
    var positions = trees.getSourcePositions();
    Tree leaf = path.getLeaf();
    long from = positions.getStartPosition(unit, leaf);
    Tree modifiers = leaf instanceof MethodTree method ? method.getModifiers() : ((ClassTree) leaf).getModifiers();
    from = Math.max(from, positions.getEndPosition(unit, modifiers));
    if (leaf instanceof MethodTree method && method.getReturnType() != null) {
      from = Math.max(from, positions.getEndPosition(unit, method.getReturnType()));
    }
    if (from < 0 || name(path).isEmpty()) {
      return -1;
    }
    String call = leaf instanceof MethodTree && !name(path).isEmpty() ? "\\s*[({]" : "";
    Matcher matcher = Pattern.compile("\\b" + Pattern.quote(name(path)) + "\\b" + call).matcher(text(unit));
    return matcher.find((int) from) && matcher.start() < positions.getEndPosition(unit, leaf) ? matcher.start() : -1;
  }

  private String text(CompilationUnitTree unit) {
    return texts.computeIfAbsent(unit, each -> {
      try {
        return each.getSourceFile().getCharContent(true).toString();
      } catch (IOException error) {
        throw new java.io.UncheckedIOException(error);
      }
    });
  }

  private String file(CompilationUnitTree unit) {
    return root.relativize(Path.of(unit.getSourceFile().toUri())).toString().replace('\\', '/');
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
