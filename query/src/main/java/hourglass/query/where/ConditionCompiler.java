package hourglass.query.where;

import com.google.re2j.Pattern;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelSelect;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import hourglass.query.filter.Arithmetic;
import hourglass.query.filter.Comparison;
import hourglass.query.filter.Condition;
import hourglass.query.filter.Condition.Compound.Operator;
import hourglass.query.filter.Effort;
import hourglass.query.filter.KindTest;
import hourglass.query.filter.Outcomes;
import hourglass.query.filter.Term;
import hourglass.query.filter.TermValue;
import hourglass.query.filter.TextTest;
import hourglass.query.filter.ValueTest;
import hourglass.query.filter.ViewCondition;
import hourglass.query.filter.Words;
import hourglass.query.line.LevelFields;
import hourglass.query.line.StreamLabels;
import hourglass.query.where.json.FieldTree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Derives a {@link Condition} from a checked expression, and the fields that it needs. The leaves
 * below {@code &&}, {@code ||}, {@code !} and {@code ?:} are decided by bytes of the payload where
 * that is possible, and otherwise by values:
 *
 * <pre>
 * data.status >= 500 &amp;&amp; type != "x"     by bytes, unless the payload is odd
 * size(data.a) > 5 || data.ok          by bytes where ok is true, and where both are missing
 * </pre>
 */
final class ConditionCompiler {
  private final Constants constants;
  private final ExpressionCompiler expressions;
  private final FieldTree fields = new FieldTree();

  ConditionCompiler(Constants constants, ExpressionCompiler expressions) {
    this.constants = constants;
    this.expressions = expressions;
  }

  FieldTree fields() {
    return fields;
  }

  Condition of(CelExpr e) {
    Effort.current().look();
    if (Expressions.is(e, Kind.CONSTANT)) {
      return new Condition.Known(known(e.constant()));
    }
    if (Expressions.is(e, Kind.CALL)) {
      List<CelExpr> of = Expressions.operands(e.call());
      switch (e.call().function()) {
        case "_&&_" -> {
          return Condition.and(of(of.get(0)), of(of.get(1)));
        }
        case "_||_" -> {
          return Condition.or(of(of.get(0)), of(of.get(1)));
        }
        case "!_" -> {
          return new Condition.Compound(Operator.NOT, of.stream().map(this::of).toList());
        }
        case "_?_:_" -> {
          return new Condition.Compound(Operator.CHOICE, of.stream().map(this::of).toList());
        }
        default -> {} // a leaf
      }
    }
    return leaf(e);
  }

  private Condition leaf(CelExpr e) {
    Condition bytes =
        switch (e.exprKind().getKind()) {
          case CALL -> ofCall(e);
          case SELECT -> e.select().testOnly() ? has(e.select()) : field(e, ValueTest.IS_TRUE);
          case IDENT -> field(e, ValueTest.IS_TRUE);
          default -> needing(e);
        };
    boolean isOpen = bytes.readsPayload() || bytes.equals(Condition.Known.UNKNOWN);
    if (!isOpen) {
      return bytes;
    }
    Expression values = expressions.of(e);
    return new ViewCondition<>(
        bytes,
        EventValues.class,
        of -> values.of(of) instanceof Boolean known ? Outcomes.of(known) : Outcomes.ERROR);
  }

  private static int known(CelConstant constant) {
    return constant.getKind() == CelConstant.Kind.BOOLEAN_VALUE
        ? Outcomes.of(constant.booleanValue())
        : Outcomes.ERROR;
  }

  private Condition ofCall(CelExpr e) {
    List<CelExpr> of = Expressions.operands(e.call());
    return switch (e.call().function()) {
      case "_[_]" -> field(e, ValueTest.IS_TRUE);
      case "@in" -> orElseNeeding(in(of.get(0), of.get(1)), e);
      case "startsWith", "endsWith", "contains", "matches", WordsFunction.NAME ->
          orElseNeeding(part(e.call().function(), of.get(0), of.get(1)), e);
      default -> {
        Comparison comparison = Expressions.COMPARISONS.get(e.call().function());
        yield orElseNeeding(
            comparison == null ? null : comparison(comparison, of.get(0), of.get(1)), e);
      }
    };
  }

  private Condition has(CelSelect select) {
    Optional<Path> object = Path.of(select.operand());
    return object.isEmpty()
        ? needing(select.operand())
        : new Condition.Has(
            object.get().in(fields), object.get().select(select.field()).in(fields));
  }

  private Condition field(CelExpr e, ValueTest test) {
    return orElseNeeding(ofPath(e, test), e);
  }

  private @Nullable Condition ofPath(CelExpr e, @Nullable ValueTest test) {
    Optional<Path> path = Path.of(e);
    return path.isEmpty() || test == null
        ? null
        : new Condition.OfField(path.get().in(fields), test);
  }

  private @Nullable Condition comparison(Comparison comparison, CelExpr a, CelExpr b) {
    if (isKind(a, b)) {
      return ofValue(a.call().args().get(0), new KindTest(comparison, b.ident().name()));
    }
    Condition withConstant =
        Expressions.is(a, Kind.CONSTANT) || constants.of(a) != null
            ? withConstant(comparison.flipped(), b, a)
            : withConstant(comparison, a, b);
    return withConstant != null ? withConstant : ofTerms(comparison, a, b);
  }

  private @Nullable Condition ofTerms(Comparison comparison, CelExpr a, CelExpr b) {
    Term left = term(a);
    Term right = term(b);
    return left == null || right == null ? null : new Condition.OfTerms(comparison, left, right);
  }

  /** Returns a numeric term, and adds its fields; null if the expression is not supported. */
  private @Nullable Term term(CelExpr e) {
    Optional<Path> path = Path.of(e);
    if (path.isPresent()) {
      return new Term.Field(path.get().in(fields));
    }
    return switch (e.exprKind().getKind()) {
      case CONSTANT -> term(e.constant());
      case CALL -> term(e.call().function(), Expressions.operands(e.call()));
      default -> null;
    };
  }

  private static @Nullable Term term(CelConstant constant) {
    return switch (constant.getKind()) {
      case INT64_VALUE -> new Term.Constant(TermValue.of(constant.int64Value()));
      case DOUBLE_VALUE -> new Term.Constant(TermValue.of(constant.doubleValue()));
      default -> null;
    };
  }

  private @Nullable Term term(String function, List<CelExpr> of) {
    if (function.equals("double")) {
      Term a = term(of.get(0));
      return a == null ? null : new Term.AsDouble(a);
    }
    Arithmetic operation = Expressions.ARITHMETIC.get(function);
    if (operation == null) {
      return null;
    }
    Term a = term(of.get(0));
    Term b = term(of.get(1));
    return a == null || b == null ? null : new Term.Computed(operation, a, b);
  }

  /** Whether {@code a} is the type of a value, and {@code b} a kind. */
  private static boolean isKind(CelExpr a, CelExpr b) {
    return Expressions.is(a, Kind.CALL)
        && a.call().function().equals("type")
        && Expressions.is(b, Kind.IDENT)
        && KindTest.isKind(b.ident().name());
  }

  private @Nullable Condition withConstant(Comparison comparison, CelExpr value, CelExpr with) {
    if (Expressions.isNamed(value, EventValues.TIME)) {
      return constants.of(with) instanceof Instant instant
          ? new Condition.OfTime(comparison, instant)
          : null;
    }
    return ofValue(value, Expressions.constant(with).map(c -> against(comparison, c)).orElse(null));
  }

  private @Nullable Condition ofValue(CelExpr value, @Nullable ValueTest test) {
    boolean isType = Expressions.isNamed(value, EventValues.TYPE);
    if (isType || Expressions.isNamed(value, EventValues.ID)) {
      return test instanceof TextTest text ? new Condition.OfText(isType, text) : null;
    }
    if (Expressions.isNamed(value, EventValues.LEVEL)) {
      return test instanceof TextTest text
          ? new Condition.OfLevel(LevelFields.of(StreamLabels.STANDARD, fields), text)
          : null;
    }
    return ofPath(value, test);
  }

  private static @Nullable ValueTest against(Comparison comparison, CelConstant constant) {
    return switch (constant.getKind()) {
      case INT64_VALUE -> number(comparison, TermValue.of(constant.int64Value()));
      case UINT64_VALUE ->
          constant.uint64Value().longValue() < 0
              ? null
              : number(comparison, TermValue.of(constant.uint64Value().longValue()));
      case DOUBLE_VALUE -> number(comparison, TermValue.of(constant.doubleValue()));
      case STRING_VALUE ->
          TextTest.isPlain(constant.stringValue())
              ? TextTest.of(comparison, constant.stringValue())
              : null;
      case BOOLEAN_VALUE -> word(comparison, constant.booleanValue() ? 't' : 'f');
      case NULL_VALUE -> word(comparison, 'n');
      default -> null;
    };
  }

  private static ValueTest number(Comparison comparison, TermValue constant) {
    return new ValueTest.NumberTest(comparison, constant);
  }

  /**
   * Returns a test for {@code true}, {@code false} or {@code null}, identified by the first letter.
   */
  private static @Nullable ValueTest word(Comparison comparison, char first) {
    return comparison.isOrder()
        ? null
        : (bytes, from, to) -> comparison.outcomes(bytes[from] - first);
  }

  private @Nullable Condition in(CelExpr value, CelExpr within) {
    if (!Expressions.is(within, Kind.LIST) || within.list().elements().isEmpty()) {
      return null;
    }
    Condition any = new Condition.Known(Outcomes.FALSE);
    for (CelExpr element : within.list().elements()) {
      Condition one = withConstant(Comparison.EQUAL, value, element);
      if (one == null) {
        return null;
      }
      any = Condition.or(any, one);
    }
    return any;
  }

  private @Nullable Condition part(String function, CelExpr value, CelExpr constant) {
    Optional<String> part = Expressions.text(constant);
    if (part.isEmpty() || !TextTest.isPlain(part.get())) {
      return null;
    }
    if (function.equals(WordsFunction.NAME)) {
      return words(value, part.get());
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

  private @Nullable Condition words(CelExpr value, String text) {
    if (text.isEmpty()) {
      return null;
    }
    Words words = new Words(text);
    return Expressions.isNamed(value, EventValues.DATA)
        ? new Condition.OfWords(words.inPayload())
        : ofValue(value, words);
  }

  private Condition orElseNeeding(@Nullable Condition condition, CelExpr e) {
    return condition != null ? condition : needing(e);
  }

  private Condition needing(CelExpr e) {
    List<Integer> needed = new ArrayList<>();
    addNeeded(e, needed);
    return needed.isEmpty() ? Condition.Known.UNKNOWN : new Condition.Needing(List.copyOf(needed));
  }

  private void addNeeded(CelExpr e, List<Integer> needed) {
    Optional<Path> path = Path.of(e);
    if (path.isPresent()) {
      needed.add(path.get().in(fields));
      return;
    }
    switch (e.exprKind().getKind()) {
      case SELECT -> {
        // has() is also true for a literal key with dots, without the objects on the way.
        if (!e.select().testOnly()) {
          addNeeded(e.select().operand(), needed);
        }
      }
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
