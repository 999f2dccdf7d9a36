package hourglass.query.where;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names and comparisons of an expression, whether or not its names are known. Immutable.
 *
 * @param hasOperator whether it is an operation or a call, rather than a name or a constant
 * @param hasCall whether it calls a function by its name, or contains {@code in}
 * @param isLoose whether it binds less than {@code &&}
 * @param names the names that stand for something outside of the expression
 * @param compared values that events may have for which the expression is true
 */
public record Outline(
    boolean hasOperator, boolean hasCall, boolean isLoose, List<Name> names, List<Value> compared) {

  /**
   * A name in an expression at {@code [from, to)}, in units of UTF-16.
   *
   * @param path the name followed by the names of fields, as in {@code data.a.b}
   */
  public record Name(String root, String path, int from, int to) {}

  /**
   * A value that an expression looks for.
   *
   * @param path such as {@code data.level}
   */
  public record Value(String path, String text, Extent extent) {}

  /** Which part of a field's value is looked for. */
  public enum Extent {
    /** The whole value. */
    WHOLE,
    /** Any part of it. */
    PART,
    /** Words in it, the last of which may end with {@code *} for the rest of a word. */
    WORDS
  }

  /** The names of types, which CEL itself defines. */
  private static final Set<String> KINDS =
      Set.of("bool", "bytes", "double", "dyn", "int", "list", "map", "null_type", "string", "uint");

  private static final Set<String> PARTS = Set.of("startsWith", "endsWith", "contains");

  /** The rest of a path after its first name. A name before {@code (} would be a call. */
  private static final Pattern MEMBERS =
      Pattern.compile(
          "(?:\\s*\\.\\s*(?:[A-Za-z_]\\w*|`[^`]*`)(?![\\w]*\\s*\\()|\\[\\s*\"[^\"\\\\]*\"\\s*])*+");

  private static final Pattern MEMBER =
      Pattern.compile("\\.\\s*([A-Za-z_]\\w*)|`([^`]*)`|\\[\\s*\"([^\"\\\\]*)\"\\s*]");

  /** Returns the outline of an expression; null if the text is not an expression of CEL. */
  public static @Nullable Outline of(String expression) {
    CelAbstractSyntaxTree parsed = Cel.parse(expression);
    if (parsed == null) {
      return null;
    }
    Walk walk = new Walk(expression, parsed);
    CelExpr root = parsed.getExpr();
    walk.look(root, Set.of(), false);
    boolean isOperation =
        Expressions.is(root, Kind.CALL) && !isSigned(root.call())
            || Expressions.is(root, Kind.COMPREHENSION)
            || Expressions.is(root, Kind.SELECT) && root.select().testOnly();
    boolean isLoose =
        Expressions.is(root, Kind.CALL) && Set.of("_||_", "_?_:_").contains(root.call().function());
    return new Outline(
        isOperation, walk.hasCall, isLoose, List.copyOf(walk.names), List.copyOf(walk.compared));
  }

  /** Whether a call is a name with a sign, which may be a negated word. */
  private static boolean isSigned(CelCall call) {
    return call.function().equals("-_")
        || call.function().equals("!_") && Expressions.is(call.args().get(0), Kind.IDENT);
  }

  private static final class Walk {
    private final String expression;
    private final CelAbstractSyntaxTree parsed;
    private final List<Name> names = new ArrayList<>();
    private final List<Value> compared = new ArrayList<>();
    private boolean hasCall;

    Walk(String expression, CelAbstractSyntaxTree parsed) {
      this.expression = expression;
      this.parsed = parsed;
    }

    /** Visits a part, within which the {@code bound} names stand for elements of lists. */
    void look(CelExpr e, Set<String> bound, boolean not) {
      switch (e.exprKind().getKind()) {
        case IDENT -> name(e, bound);
        case SELECT -> {
          hasCall |= e.select().testOnly();
          look(e.select().operand(), bound, not);
        }
        case CALL -> call(e.call(), bound, not);
        case LIST -> e.list().elements().forEach(element -> look(element, bound, not));
        case MAP ->
            e.map()
                .entries()
                .forEach(
                    entry -> {
                      look(entry.key(), bound, not);
                      look(entry.value(), bound, not);
                    });
        case COMPREHENSION -> loop(e.comprehension(), bound, not);
        default -> {}
      }
    }

    private void loop(CelComprehension loop, Set<String> bound, boolean not) {
      hasCall = true;
      look(loop.iterRange(), bound, not);
      Set<String> inside = new HashSet<>(bound);
      inside.addAll(List.of(loop.iterVar(), loop.iterVar2(), loop.accuVar()));
      look(loop.loopCondition(), inside, true);
      look(loop.loopStep(), inside, true);
      look(loop.result(), inside, true);
    }

    private void call(CelCall call, Set<String> bound, boolean not) {
      String function = call.function();
      hasCall |= Character.isLetter(function.charAt(0)) || isInList(call);
      boolean isNot = not || function.equals("!_") || function.equals("_!=_");
      List<CelExpr> operands = Expressions.operands(call);
      if (!isNot) {
        compare(function, operands);
      }
      operands.forEach(operand -> look(operand, bound, isNot));
    }

    /**
     * Whether a call is a test such as {@code status in [500, 503]} or {@code "a" in tags}, unlike
     * {@code error in payment}.
     */
    private static boolean isInList(CelCall call) {
      return call.function().equals("@in")
          && (Expressions.is(call.args().get(0), Kind.CONSTANT)
              || Expressions.is(call.args().get(1), Kind.LIST));
    }

    private void compare(String function, List<CelExpr> of) {
      if (function.equals("_==_")) {
        add(of.get(0), of.get(1), Extent.WHOLE);
        add(of.get(1), of.get(0), Extent.WHOLE);
      } else if (function.equals("@in") && Expressions.is(of.get(1), Kind.LIST)) {
        of.get(1).list().elements().forEach(element -> add(of.get(0), element, Extent.WHOLE));
      } else if (PARTS.contains(function) && of.size() == 2) {
        add(of.get(0), of.get(1), Extent.PART);
      } else if (function.equals(WordsFunction.NAME) && of.size() == 2) {
        add(of.get(0), of.get(1), Extent.WORDS);
      }
    }

    private void add(CelExpr place, CelExpr constant, Extent extent) {
      String path = path(place);
      String text = Expressions.constant(constant).map(Walk::text).orElse("");
      if (path != null && !text.isEmpty()) {
        compared.add(new Value(path, text, extent));
      }
    }

    private static String text(CelConstant constant) {
      return switch (constant.getKind()) {
        case STRING_VALUE -> constant.stringValue();
        case INT64_VALUE -> Long.toString(constant.int64Value());
        case DOUBLE_VALUE -> Double.toString(constant.doubleValue());
        default -> "";
      };
    }

    private static @Nullable String path(CelExpr e) {
      Optional<Path> path = Path.of(e);
      if (path.isPresent()) {
        List<String> parts = new ArrayList<>(List.of(EventValues.DATA));
        if (!path.get().field().isEmpty()) {
          parts.add(path.get().field());
        }
        parts.addAll(path.get().members());
        return String.join(".", parts);
      }
      return Expressions.is(e, Kind.IDENT) ? e.ident().name() : null;
    }

    private void name(CelExpr e, Set<String> bound) {
      String name = e.ident().name();
      Integer at = parsed.getSource().getPositionsMap().get(e.id());
      if (bound.contains(name) || KINDS.contains(name) || at == null) {
        return;
      }
      int from = expression.offsetByCodePoints(0, at);
      int end = Math.min(expression.length(), from + name.length());
      Matcher members = MEMBERS.matcher(expression).region(end, expression.length());
      int to = members.lookingAt() ? members.end() : end;
      StringBuilder path = new StringBuilder(name);
      Matcher member = MEMBER.matcher(expression).region(end, to);
      while (member.find()) {
        String plain = member.group(1) != null ? member.group(1) : member.group(2);
        path.append('.').append(plain != null ? plain : member.group(3));
      }
      names.add(new Name(name, path.toString(), from, to));
    }
  }
}
