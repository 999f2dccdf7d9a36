package hourglass.query.where;

import com.google.re2j.Pattern;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelSelect;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import hourglass.query.where.json.FieldTree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Derives a {@link QuickTest} from a checked expression, and the fields that it needs:
 *
 * <pre>
 * data.status >= 500 &amp;&amp; type != "x"     sure, unless the status is spelled like 5e2
 * size(data.a) > 5 || data.ok          sure where ok is true, and where both are missing
 * </pre>
 */
final class QuickTests {
  private final Constants constants;
  private final FieldTree fields = new FieldTree();
  private final Terms terms = new Terms(fields);

  QuickTests(Constants constants) {
    this.constants = constants;
  }

  FieldTree fields() {
    return fields;
  }

  QuickTest of(CelExpr e) {
    return switch (e.exprKind().getKind()) {
      case CONSTANT -> new QuickTest.Known(known(e.constant()));
      case CALL -> ofCall(e);
      case SELECT -> e.select().testOnly() ? has(e.select()) : field(e, ValueTest.IS_TRUE);
      case IDENT -> field(e, ValueTest.IS_TRUE);
      default -> needing(e);
    };
  }

  private static int known(CelConstant constant) {
    return constant.getKind() == CelConstant.Kind.BOOLEAN_VALUE
        ? Outcomes.of(constant.booleanValue())
        : Outcomes.ERROR;
  }

  private QuickTest ofCall(CelExpr e) {
    List<CelExpr> of = Expressions.operands(e.call());
    return switch (e.call().function()) {
      case "_&&_" -> QuickTest.and(of(of.get(0)), of(of.get(1)));
      case "_||_" -> QuickTest.or(of(of.get(0)), of(of.get(1)));
      case "!_" -> new QuickTest.Not(of(of.get(0)));
      case "_?_:_" -> new QuickTest.Choice(of(of.get(0)), of(of.get(1)), of(of.get(2)));
      case "_[_]" -> field(e, ValueTest.IS_TRUE);
      case "@in" -> orElseNeeding(in(of.get(0), of.get(1)), e);
      case "startsWith", "endsWith", "contains", "matches" ->
          orElseNeeding(part(e.call().function(), of.get(0), of.get(1)), e);
      default -> {
        Comparison comparison = Comparison.of(e.call().function());
        yield orElseNeeding(
            comparison == null ? null : comparison(comparison, of.get(0), of.get(1)), e);
      }
    };
  }

  private QuickTest has(CelSelect select) {
    Optional<List<String>> object = Expressions.path(select.operand());
    if (object.isEmpty()) {
      return needing(select.operand());
    }
    return new QuickTest.Has(
        fields.add(object.get()), fields.add(Expressions.and(object.get(), select.field())));
  }

  private QuickTest field(CelExpr e, ValueTest test) {
    return orElseNeeding(ofPath(e, test), e);
  }

  private @Nullable QuickTest ofPath(CelExpr e, @Nullable ValueTest test) {
    Optional<List<String>> path = Expressions.path(e);
    return path.isEmpty() || test == null
        ? null
        : new QuickTest.OfField(fields.add(path.get()), test);
  }

  private @Nullable QuickTest comparison(Comparison comparison, CelExpr a, CelExpr b) {
    QuickTest withConstant =
        Expressions.is(a, Kind.CONSTANT) || constants.of(a) != null
            ? withConstant(comparison.flipped(), b, a)
            : withConstant(comparison, a, b);
    return withConstant != null ? withConstant : ofTerms(comparison, a, b);
  }

  private @Nullable QuickTest ofTerms(Comparison comparison, CelExpr a, CelExpr b) {
    Term left = terms.of(a);
    Term right = terms.of(b);
    return left == null || right == null ? null : new QuickTest.OfTerms(comparison, left, right);
  }

  private @Nullable QuickTest withConstant(Comparison comparison, CelExpr value, CelExpr with) {
    if (Expressions.isNamed(value, EventVariables.TIME)) {
      return constants.of(with) instanceof Instant instant
          ? new QuickTest.OfTime(comparison, instant)
          : null;
    }
    return ofValue(value, Expressions.constant(with).map(c -> against(comparison, c)).orElse(null));
  }

  private @Nullable QuickTest ofValue(CelExpr value, @Nullable ValueTest test) {
    boolean isType = Expressions.isNamed(value, EventVariables.TYPE);
    if (isType || Expressions.isNamed(value, EventVariables.ID)) {
      return test instanceof TextTest text ? new QuickTest.OfText(isType, text) : null;
    }
    return ofPath(value, test);
  }

  private static @Nullable ValueTest against(Comparison comparison, CelConstant constant) {
    return switch (constant.getKind()) {
      case INT64_VALUE -> new NumberTest(comparison, QuickNumber.of(constant.int64Value()));
      case UINT64_VALUE ->
          constant.uint64Value().longValue() < 0
              ? null
              : new NumberTest(comparison, QuickNumber.of(constant.uint64Value().longValue()));
      case DOUBLE_VALUE -> new NumberTest(comparison, QuickNumber.of(constant.doubleValue()));
      case STRING_VALUE -> text(comparison, constant.stringValue());
      case BOOLEAN_VALUE -> word(comparison, constant.booleanValue() ? 't' : 'f');
      case NULL_VALUE -> word(comparison, 'n');
      default -> null;
    };
  }

  private static @Nullable ValueTest text(Comparison comparison, String constant) {
    if (!TextTest.isPlain(constant)) {
      return null;
    }
    return comparison.isOrder()
        ? TextTest.order(comparison, constant)
        : TextTest.equality(comparison, constant);
  }

  private static @Nullable ValueTest word(Comparison comparison, char first) {
    return comparison.isOrder() ? null : new ValueTest.WordTest(comparison, first);
  }

  private @Nullable QuickTest in(CelExpr value, CelExpr within) {
    if (!Expressions.is(within, Kind.LIST) || within.list().elements().isEmpty()) {
      return null;
    }
    QuickTest any = new QuickTest.Known(Outcomes.FALSE);
    for (CelExpr element : within.list().elements()) {
      QuickTest one = withConstant(Comparison.EQUAL, value, element);
      if (one == null) {
        return null;
      }
      any = QuickTest.or(any, one);
    }
    return any;
  }

  private @Nullable QuickTest part(String function, CelExpr value, CelExpr constant) {
    Optional<String> part = Expressions.text(constant);
    if (part.isEmpty() || !TextTest.isPlain(part.get())) {
      return null;
    }
    return ofValue(
        value,
        switch (function) {
          case "startsWith" -> TextTest.startsWith(part.get());
          case "endsWith" -> TextTest.endsWith(part.get());
          case "contains" ->
              part.get().isEmpty() ? TextTest.startsWith("") : TextTest.contains(part.get());
          default ->
              constants.of(constant) instanceof Pattern pattern ? TextTest.matches(pattern) : null;
        });
  }

  private QuickTest orElseNeeding(@Nullable QuickTest test, CelExpr e) {
    return test != null ? test : needing(e);
  }

  private QuickTest needing(CelExpr e) {
    List<Integer> needed = new ArrayList<>();
    addNeeded(e, needed);
    return needed.isEmpty() ? QuickTest.Known.NOTHING : new QuickTest.Needing(List.copyOf(needed));
  }

  private void addNeeded(CelExpr e, List<Integer> needed) {
    Optional<List<String>> path = Expressions.path(e);
    if (path.isPresent()) {
      needed.add(fields.add(path.get()));
      return;
    }
    switch (e.exprKind().getKind()) {
      case SELECT -> addNeeded(e.select().operand(), needed);
      case COMPREHENSION -> addNeeded(e.comprehension().iterRange(), needed);
      case CALL -> addNeeded(e.call(), needed);
      default -> {}
    }
  }

  private void addNeeded(CelCall call, List<Integer> needed) {
    if (Expressions.isStrict(call)) {
      Expressions.operands(call).forEach(operand -> addNeeded(operand, needed));
    }
  }
}
