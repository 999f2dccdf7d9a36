package hourglass.query.where;

import com.google.common.collect.ImmutableList;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.CelMap;
import dev.cel.common.ast.CelExpr.CelSelect;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.ast.CelReference;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Makes each field with dots in its name one variable, so that {@link OracleVariables} finds it.
 *
 * <pre>
 * data.a.b == 1              the variable data.a.b
 * has(data.a.b)              has.a.b || has(x.b), where x is data.a
 * data.hasWords("a")         words.a
 * data["a"].b, item.a.b      selects of members, as before
 * </pre>
 */
final class FieldVariables {
  private final Map<Long, CelReference> references;
  private final Map<Long, CelType> types;

  /** How many loops around this part have elements named {@code data}. */
  private int hidden;

  private FieldVariables(CelAbstractSyntaxTree checked) {
    references = new HashMap<>(checked.getReferenceMap());
    types = new HashMap<>(checked.getTypeMap());
  }

  static CelAbstractSyntaxTree in(CelAbstractSyntaxTree checked) {
    FieldVariables variables = new FieldVariables(checked);
    CelExpr expression = variables.of(checked.getExpr());
    return CelAbstractSyntaxTree.newCheckedAst(
        expression, checked.getSource(), variables.references, variables.types);
  }

  private CelExpr of(CelExpr e) {
    return switch (e.exprKind().getKind()) {
      case SELECT -> select(e, e.select());
      case CALL -> {
        CelCall call = e.call();
        if (isOfPayload(call)) {
          String text = call.args().get(0).constant().stringValue();
          yield variable(e.id(), OracleVariables.WORDS + text, SimpleType.BOOL);
        }
        yield CelExpr.ofCall(
            e.id(),
            call.target().map(this::strictly),
            call.function(),
            Expressions.isStrict(call) || call.function().equals("_?_:_")
                ? strictly(call.args())
                : all(call.args()));
      }
      case LIST ->
          CelExpr.ofList(e.id(), strictly(e.list().elements()), e.list().optionalIndices());
      case MAP ->
          CelExpr.ofMap(
              e.id(),
              e.map().entries().stream().map(this::entry).collect(ImmutableList.toImmutableList()));
      case COMPREHENSION -> loop(e, e.comprehension());
      default -> e;
    };
  }

  /** {@code data.hasWords("text")}: the library has no bytes of the payload. */
  private boolean isOfPayload(CelCall call) {
    return hidden == 0
        && call.function().equals(WordsFunction.NAME)
        && call.target().filter(of -> Expressions.isNamed(of, EventValues.DATA)).isPresent()
        && Expressions.text(call.args().get(0)).filter(text -> !text.isEmpty()).isPresent();
  }

  /**
   * The library takes an error of {@code &&}, {@code ||} or a loop for a value, as in {@code ==}.
   */
  private CelExpr strictly(CelExpr e) {
    CelExpr part = of(e);
    boolean isLogical =
        Expressions.is(part, Kind.CALL)
            && (part.call().function().equals("_&&_") || part.call().function().equals("_||_"));
    boolean mayBeError = isLogical || Expressions.is(part, Kind.COMPREHENSION);
    return mayBeError
        ? CelExpr.ofCall(0, Optional.empty(), OracleFunctions.STRICT, ImmutableList.of(part))
        : part;
  }

  private ImmutableList<CelExpr> strictly(List<CelExpr> of) {
    return of.stream().map(this::strictly).collect(ImmutableList.toImmutableList());
  }

  private ImmutableList<CelExpr> all(List<CelExpr> of) {
    return of.stream().map(this::of).collect(ImmutableList.toImmutableList());
  }

  private CelMap.Entry entry(CelMap.Entry entry) {
    return CelExpr.ofMapEntry(
        entry.id(), strictly(entry.key()), strictly(entry.value()), entry.optionalEntry());
  }

  private CelExpr select(CelExpr e, CelSelect select) {
    String name =
        Path.of(select.operand())
            .map(object -> object.select(select.field()))
            .filter(Path::isField)
            .map(Path::field)
            .orElse("");
    boolean hasDot = hidden == 0 && name.indexOf('.') >= 0;
    if (hasDot && !select.testOnly()) {
      return variable(e.id(), OracleVariables.FIELD + name, SimpleType.DYN);
    }
    CelExpr plain =
        CelExpr.ofSelect(e.id(), of(select.operand()), select.field(), select.testOnly());
    if (!hasDot) {
      return plain;
    }
    CelExpr has = variable(-e.id(), OracleVariables.HAS + name, SimpleType.BOOL);
    return CelExpr.ofCall(e.id(), Optional.empty(), "_||_", ImmutableList.of(has, plain));
  }

  private CelExpr variable(long id, String name, CelType type) {
    references.put(id, CelReference.newBuilder().setName(name).build());
    types.put(id, type);
    return CelExpr.ofIdent(id, name);
  }

  /** Rewrites a loop over elements named {@code data}, which are not the payload. */
  private CelExpr loop(CelExpr e, CelComprehension loop) {
    boolean isHidden =
        Stream.of(loop.iterVar(), loop.iterVar2()).anyMatch(EventValues.DATA::equals);
    hidden += isHidden ? 1 : 0;
    CelExpr condition = of(loop.loopCondition());
    CelExpr step = of(loop.loopStep());
    hidden -= isHidden ? 1 : 0;
    return CelExpr.ofComprehension(
        e.id(),
        loop.iterVar(),
        loop.iterVar2(),
        of(loop.iterRange()),
        loop.accuVar(),
        of(loop.accuInit()),
        condition,
        step,
        of(loop.result()));
  }
}
