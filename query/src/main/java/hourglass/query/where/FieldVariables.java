package hourglass.query.where;

import com.google.common.collect.ImmutableList;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.CelMap;
import dev.cel.common.ast.CelExpr.CelSelect;
import dev.cel.common.ast.CelReference;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Makes each field with dots in its name one variable, so that {@link EventVariables} finds it.
 *
 * <pre>
 * data.a.b == 1              the variable data.a.b
 * has(data.a.b)              has.a.b || has(x.b), where x is data.a
 * data["a"].b, item.a.b      selects of members, as before
 * </pre>
 */
final class FieldVariables {
  private final Map<Long, CelReference> references;
  private final Map<Long, CelType> types;

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
        yield CelExpr.ofCall(
            e.id(), call.target().map(this::of), call.function(), all(call.args()));
      }
      case LIST -> CelExpr.ofList(e.id(), all(e.list().elements()), e.list().optionalIndices());
      case MAP ->
          CelExpr.ofMap(
              e.id(),
              e.map().entries().stream().map(this::entry).collect(ImmutableList.toImmutableList()));
      case COMPREHENSION -> loop(e, e.comprehension());
      default -> e;
    };
  }

  private ImmutableList<CelExpr> all(List<CelExpr> of) {
    return of.stream().map(this::of).collect(ImmutableList.toImmutableList());
  }

  private CelMap.Entry entry(CelMap.Entry entry) {
    return CelExpr.ofMapEntry(
        entry.id(), of(entry.key()), of(entry.value()), entry.optionalEntry());
  }

  private CelExpr select(CelExpr e, CelSelect select) {
    String name =
        Path.of(select.operand())
            .map(object -> object.select(select.field()))
            .filter(Path::isField)
            .map(Path::field)
            .orElse("");
    boolean hasDot = name.indexOf('.') >= 0;
    if (hasDot && !select.testOnly()) {
      return variable(e.id(), EventVariables.FIELD + name, SimpleType.DYN);
    }
    CelExpr plain =
        CelExpr.ofSelect(e.id(), of(select.operand()), select.field(), select.testOnly());
    if (!hasDot) {
      return plain;
    }
    CelExpr has = variable(-e.id(), EventVariables.HAS + name, SimpleType.BOOL);
    return CelExpr.ofCall(e.id(), Optional.empty(), "_||_", ImmutableList.of(has, plain));
  }

  private CelExpr variable(long id, String name, CelType type) {
    references.put(id, CelReference.newBuilder().setName(name).build());
    types.put(id, type);
    return CelExpr.ofIdent(id, name);
  }

  /** In a loop over elements named {@code data}, that is no payload. */
  private CelExpr loop(CelExpr e, CelComprehension loop) {
    boolean isHidden =
        Stream.of(loop.iterVar(), loop.iterVar2()).anyMatch(EventVariables.DATA::equals);
    return CelExpr.ofComprehension(
        e.id(),
        loop.iterVar(),
        loop.iterVar2(),
        of(loop.iterRange()),
        loop.accuVar(),
        of(loop.accuInit()),
        isHidden ? loop.loopCondition() : of(loop.loopCondition()),
        isHidden ? loop.loopStep() : of(loop.loopStep()),
        of(loop.result()));
  }
}
