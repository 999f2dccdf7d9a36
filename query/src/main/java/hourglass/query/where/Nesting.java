package hourglass.query.where;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelComprehension;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Limits the nesting of lists and maps that an expression creates, since a comparison visits every
 * leaf without counting it. A loop must not create maps, whose text needs most memory.
 */
final class Nesting {
  private static final int DEPTH_MAX = 2;

  /** The functions that may return an argument or a part of it. */
  private static final Set<String> PASSING = Set.of("_+_", "_?_:_", "_[_]", "dyn");

  private final CelAbstractSyntaxTree checked;

  private Nesting(CelAbstractSyntaxTree checked) {
    this.checked = checked;
  }

  static void check(CelAbstractSyntaxTree checked) {
    new Nesting(checked).depth(checked.getExpr(), Map.of());
  }

  /**
   * Returns how deep the lists and maps of a part are nested. Only those that the expression
   * creates count.
   */
  private int depth(CelExpr e, Map<String, Integer> variables) {
    return switch (e.exprKind().getKind()) {
      case IDENT -> variables.getOrDefault(e.ident().name(), 0);
      case SELECT -> depth(e.select().operand(), variables);
      case LIST -> made(e, e.list().elements().stream(), variables);
      case MAP -> {
        if (!variables.isEmpty()) {
          throw new WhereException(Cel.position(checked, e) + "makes a map in each step of a loop");
        }
        yield made(
            e,
            e.map().entries().stream().flatMap(entry -> Stream.of(entry.key(), entry.value())),
            variables);
      }
      case CALL -> {
        int deepest = deepest(Expressions.operands(e.call()).stream(), variables);
        yield PASSING.contains(e.call().function()) ? deepest : 0;
      }
      case COMPREHENSION -> depth(e.comprehension(), variables);
      default -> 0;
    };
  }

  private int deepest(Stream<CelExpr> of, Map<String, Integer> variables) {
    return of.mapToInt(e -> depth(e, variables)).max().orElse(0);
  }

  private int made(CelExpr e, Stream<CelExpr> of, Map<String, Integer> variables) {
    int depth = 1 + deepest(of, variables);
    if (depth > DEPTH_MAX) {
      throw new WhereException(
          Cel.position(checked, e)
              + "makes lists or maps that stand "
              + depth
              + " deep in one another, want at most "
              + DEPTH_MAX);
    }
    return depth;
  }

  private int depth(CelComprehension loop, Map<String, Integer> variables) {
    int element = Math.max(0, depth(loop.iterRange(), variables) - 1);
    Map<String, Integer> inside = new HashMap<>(variables);
    inside.put(loop.iterVar(), element);
    inside.put(loop.iterVar2(), element);
    inside.put(loop.accuVar(), depth(loop.accuInit(), variables));
    depth(loop.loopCondition(), inside);
    inside.put(loop.accuVar(), depth(loop.loopStep(), inside));
    return depth(loop.result(), inside);
  }
}
