package hourglass.query.where;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The language, as this program bounds it. The library's classes are loaded with this one, when the
 * first expression comes. Thread-safe.
 */
final class Cel {
  /** Longer ones were made by programs, and parsing takes its time. */
  static final int CODE_POINTS_MAX = 4_096;

  /** Parsing and checking recurse; so much fits into any thread's stack many times over. */
  private static final int DEPTH_MAX = 32;

  /** Of the tree, macros expanded: each node may look at a payload once an event. */
  private static final int NODES_MAX = 500;

  /** Steps of all comprehensions over one event together; beyond them it is no match. */
  private static final int ITERATIONS_MAX = 10_000;

  /** Instructions of a regular expression, which each character may pass through. */
  private static final int REGEX_MAX = 500;

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
          .comprehensionMaxIterations(ITERATIONS_MAX)
          .maxRegexProgramSize(REGEX_MAX)
          .build();

  private static final CelCompiler COMPILER =
      CelCompilerFactory.standardCelCompilerBuilder()
          .setOptions(OPTIONS)
          .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
          .addVar(EventVariables.DATA, SimpleType.DYN)
          .addVar(EventVariables.TYPE, SimpleType.STRING)
          .addVar(EventVariables.TIME, SimpleType.TIMESTAMP)
          .addVar(EventVariables.ID, SimpleType.STRING)
          .setResultType(SimpleType.BOOL)
          .build();

  private static final CelRuntime RUNTIME =
      CelRuntimeFactory.plannerRuntimeBuilder().setOptions(OPTIONS).build();

  private Cel() {}

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

  private static WhereException told(CelIssue issue) {
    CelSourceLocation at = issue.getSourceLocation();
    String line = at.getLine() > 1 ? "line " + at.getLine() + ", " : "";
    int column = Math.max(1, at.getColumn() + 1);
    return new WhereException(line + "column " + column + ": " + told(issue.getMessage()));
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
