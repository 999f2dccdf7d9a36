package hourglass.query.where;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelSource;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The language, as this program bounds it. The library's classes are loaded with this one, by
 * {@link WarmUp} or when the first expression comes. Thread-safe.
 */
final class Cel {
  /** Longer ones were made by programs, and parsing takes its time. */
  static final int CODE_POINTS_MAX = 4_096;

  /** Parsing and checking recurse; so much fits into any thread's stack many times over. */
  private static final int DEPTH_MAX = 32;

  /** Of the tree, macros expanded: each node may look at a payload once an event. */
  private static final int NODES_MAX = 500;

  /** Steps of all comprehensions over one event together; some milliseconds. */
  static final int ITERATIONS_MAX = 10_000;

  /** What {@link Evaluation} puts around an expression. */
  private static final int OURS_DEPTH = 8;

  private static final int OURS_NODES = 32;
  private static final int OURS_CODE_POINTS = 100;
  private static final int OURS_ITERATIONS = 2;

  /** One error is told, so one is looked for. */
  private static final int ERRORS_MAX = 1;

  private static final Pattern UNDECLARED =
      Pattern.compile("undeclared reference to '([^']*)' \\(in container ''\\)");

  private static final CelOptions OPTIONS =
      CelOptions.current()
          .enableHeterogeneousNumericComparisons(true)
          .maxExpressionCodePointSize(CODE_POINTS_MAX)
          .maxParseRecursionDepth(DEPTH_MAX)
          .maxParseExpressionNodeCount(NODES_MAX)
          .maxParseErrorRecoveryLimit(ERRORS_MAX)
          .comprehensionMaxIterations(ITERATIONS_MAX + OURS_ITERATIONS)
          .build();

  private static final CelCompiler COMPILER = compiler(OPTIONS);

  private static final CelRuntime RUNTIME =
      CelRuntimeFactory.plannerRuntimeBuilder()
          .setOptions(OPTIONS)
          .setStandardFunctions(Functions.KEPT)
          .addFunctionBindings(Functions.ours(OPTIONS))
          .build();

  private Cel() {}

  private static CelCompiler compiler(CelOptions options) {
    return CelCompilerFactory.standardCelCompilerBuilder()
        .setOptions(options)
        .setStandardEnvironmentEnabled(false)
        .setStandardDeclarations(Declarations.KEPT)
        .addFunctionDeclarations(Declarations.INDEX)
        .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
        .addVar(EventVariables.DATA, SimpleType.DYN)
        .addVar(EventVariables.TYPE, SimpleType.STRING)
        .addVar(EventVariables.TIME, SimpleType.TIMESTAMP)
        .addVar(EventVariables.ID, SimpleType.STRING)
        .setResultType(SimpleType.BOOL)
        .build();
  }

  /** For what we put around expressions; made when one wants it. */
  private static final class Ours {
    static final CelCompiler COMPILER =
        compiler(
            OPTIONS.toBuilder()
                .maxExpressionCodePointSize(CODE_POINTS_MAX + OURS_CODE_POINTS)
                .maxParseRecursionDepth(DEPTH_MAX + OURS_DEPTH)
                .maxParseExpressionNodeCount(NODES_MAX + OURS_NODES)
                .build());
  }

  /**
   * Parses and checks an expression.
   *
   * @throws WhereException with the first error and its position
   */
  static CelAbstractSyntaxTree check(String expression) {
    int codePoints = expression.codePointCount(0, expression.length());
    if (codePoints > CODE_POINTS_MAX) {
      throw new WhereException(codePoints + " characters, want at most " + CODE_POINTS_MAX);
    }
    CelValidationResult result = COMPILER.compile(expression);
    if (!result.hasError()) {
      try {
        return result.getAst();
      } catch (CelValidationException e) {
        throw new AssertionError("an expression without errors is none", e);
      }
    }
    throw result.getErrors().stream()
        .findFirst()
        .map(Cel::told)
        .orElseGet(() -> new WhereException("column 1: not an expression of CEL"));
  }

  /** Parses and checks an expression that was found right, with what we put around it. */
  static CelAbstractSyntaxTree checkOurs(String expression) {
    try {
      return Ours.COMPILER.compile(expression).getAst();
    } catch (CelValidationException e) {
      throw new WhereException("column 1: " + e.getMessage());
    }
  }

  private static WhereException told(CelIssue issue) {
    return new WhereException(position(issue.getSourceLocation()) + told(issue.getMessage()));
  }

  /** Where a part of an expression stands, for the beginning of a message. */
  static String position(CelAbstractSyntaxTree checked, CelExpr part) {
    CelSource source = checked.getSource();
    Integer offset = source.getPositionsMap().get(part.id());
    return position(
        Optional.ofNullable(offset)
            .flatMap(source::getOffsetLocation)
            .orElse(CelSourceLocation.of(1, 0)));
  }

  private static String position(CelSourceLocation at) {
    String line = at.getLine() > 1 ? "line " + at.getLine() + ", " : "";
    return line + "column " + Math.max(1, at.getColumn() + 1) + ": ";
  }

  private static String told(String message) {
    Matcher undeclared = UNDECLARED.matcher(message);
    return undeclared.matches()
        ? "there is no " + undeclared.group(1) + "; want data, type, time, id or a function of CEL"
        : message.replace("%%", "%");
  }

  /** Makes a checked expression ready to run. */
  static CelRuntime.Program program(CelAbstractSyntaxTree checked) {
    try {
      return RUNTIME.createProgram(checked);
    } catch (CelEvaluationException e) {
      throw new WhereException("column 1: " + e.getMessage());
    }
  }
}
