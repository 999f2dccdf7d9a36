package hourglass.query.where;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.CelSelect;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.ast.CelReference;
import dev.cel.common.types.CelType;
import dev.cel.common.types.TypeType;
import hourglass.query.filter.Effort;
import hourglass.query.where.json.FieldTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/**
 * Derives expressions on values from the parts of a checked expression of CEL. Used for one
 * expression.
 */
final class ExpressionCompiler {
  private final CelAbstractSyntaxTree checked;
  private final Constants constants;
  private final FieldTree fields = new FieldTree();
  private int variables;

  ExpressionCompiler(CelAbstractSyntaxTree checked, Constants constants) {
    this.checked = checked;
    this.constants = constants;
  }

  /** Compiles a part outside of loops. */
  Expression of(CelExpr e) {
    return of(e, Map.of());
  }

  /** Returns the shape of the values that the compiled expressions read. */
  EventValues.Shape shape() {
    return new EventValues.Shape(fields, variables);
  }

  /**
   * Compiles a part; {@code scope} contains the numbers of the variables of the loops around it.
   */
  private Expression of(CelExpr e, Map<String, Integer> scope) {
    Optional<Path> path = path(e, scope);
    if (path.isPresent()) {
      return field(path.get());
    }
    return switch (e.exprKind().getKind()) {
      case CONSTANT -> fixed(value(e.constant()));
      case IDENT -> name(e, scope);
      case SELECT -> e.select().testOnly() ? has(e.select(), scope) : select(e, scope);
      case CALL -> call(e, scope);
      case LIST -> list(all(e.list().elements(), scope));
      case MAP -> map(e, scope);
      case COMPREHENSION -> loop(e.comprehension(), scope);
      default -> throw unsupported(e);
    };
  }

  private WhereException unsupported(CelExpr e) {
    return new WhereException(Cel.position(checked, e) + "no value of a where expression");
  }

  private List<Expression> all(List<CelExpr> parts, Map<String, Integer> scope) {
    return parts.stream().map(part -> of(part, scope)).toList();
  }

  private static Expression fixed(Object value) {
    return event -> value;
  }

  private static Object value(CelConstant constant) {
    return switch (constant.getKind()) {
      case NULL_VALUE -> Special.NULL;
      case BOOLEAN_VALUE -> constant.booleanValue();
      case INT64_VALUE -> constant.int64Value();
      case UINT64_VALUE -> constant.uint64Value();
      case DOUBLE_VALUE -> constant.doubleValue();
      case STRING_VALUE -> constant.stringValue();
      case BYTES_VALUE -> constant.bytesValue();
      default -> Special.ERROR;
    };
  }

  private static Optional<Path> path(CelExpr e, Map<String, Integer> scope) {
    return scope.containsKey(EventValues.DATA) ? Optional.empty() : Path.of(e);
  }

  private Expression field(Path path) {
    int number = path.in(fields);
    return event -> event.field(number, path);
  }

  private Expression name(CelExpr e, Map<String, Integer> scope) {
    Integer variable = scope.get(e.ident().name());
    if (variable != null) {
      int number = variable;
      return event -> event.variable(number);
    }
    CelReference reference = checked.getReferenceMap().get(e.id());
    String name = reference == null ? e.ident().name() : reference.name();
    return switch (name) {
      case EventValues.DATA -> field(Path.PAYLOAD);
      case EventValues.TYPE -> EventValues::type;
      case EventValues.TIME -> EventValues::time;
      case EventValues.ID -> EventValues::id;
      case EventValues.LEVEL -> EventValues::level;
      default -> type(e);
    };
  }

  private Expression type(CelExpr e) {
    CelType type = checked.getType(e.id()).orElse(null);
    if (type instanceof TypeType named) {
      return fixed(new TypeName(named.type().name()));
    }
    throw unsupported(e);
  }

  private Expression select(CelExpr e, Map<String, Integer> scope) {
    if (checked.getReferenceMap().containsKey(e.id())) {
      return type(e); // a name with dots, such as google.protobuf.Timestamp
    }
    Expression object = of(e.select().operand(), scope);
    String name = e.select().field();
    return event -> Functions.member(object.of(event), name);
  }

  /**
   * Compiles {@code has(object.field)}. A field may exist without its object, under a key with
   * dots.
   */
  private Expression has(CelSelect select, Map<String, Integer> scope) {
    Expression object = of(select.operand(), scope);
    String name = select.field();
    Expression ofObject =
        event ->
            object.of(event) instanceof Map<?, ?> map
                ? (Object) map.containsKey(name)
                : Special.ERROR;
    Optional<Path> path =
        path(select.operand(), scope).map(outer -> outer.select(name)).filter(Path::isField);
    if (path.isEmpty()) {
      return ofObject;
    }
    Expression field = field(path.get());
    return event -> field.of(event) == Special.ERROR ? ofObject.of(event) : true;
  }

  private Expression call(CelExpr e, Map<String, Integer> scope) {
    CelCall call = e.call();
    Object constant = constants.of(e);
    if (constant != null) {
      return fixed(constant);
    }
    List<CelExpr> operands = Expressions.operands(call);
    if (isAppended(call, operands)) {
      return appended(
          all(operands, scope).get(0), of(operands.get(1).list().elements().get(0), scope));
    }
    List<Expression> of = all(operands, scope);
    return switch (call.function()) {
      case "_&&_" -> and(of.get(0), of.get(1));
      case "_||_" -> or(of.get(0), of.get(1));
      case "_?_:_" -> choice(of.get(0), of.get(1), of.get(2));
      case "@not_strictly_false", "__not_strictly_false__" -> notStrictlyFalse(of.get(0));
      default -> strict(e, call.function(), of);
    };
  }

  private static Expression and(Expression a, Expression b) {
    return event -> {
      Object first = a.of(event);
      if (Boolean.FALSE.equals(first)) {
        return false;
      }
      Object second = b.of(event);
      if (Boolean.FALSE.equals(second)) {
        return false;
      }
      boolean isTrue = Boolean.TRUE.equals(first) && Boolean.TRUE.equals(second);
      return isTrue ? (Object) true : Special.ERROR;
    };
  }

  private static Expression or(Expression a, Expression b) {
    return event -> {
      Object first = a.of(event);
      if (Boolean.TRUE.equals(first)) {
        return true;
      }
      Object second = b.of(event);
      if (Boolean.TRUE.equals(second)) {
        return true;
      }
      boolean isFalse = Boolean.FALSE.equals(first) && Boolean.FALSE.equals(second);
      return isFalse ? (Object) false : Special.ERROR;
    };
  }

  private static Expression choice(Expression condition, Expression a, Expression b) {
    return event -> {
      Object chosen = condition.of(event);
      return chosen instanceof Boolean isFirst
          ? (isFirst ? a.of(event) : b.of(event))
          : Special.ERROR;
    };
  }

  private static Expression notStrictlyFalse(Expression of) {
    return event -> !Boolean.FALSE.equals(of.of(event));
  }

  private Expression strict(CelExpr e, String function, List<Expression> of) {
    if (of.size() == 1) {
      UnaryOperator<Object> unary = Functions.UNARY.get(function);
      if (unary != null) {
        return strict(unary, of.get(0));
      }
    }
    BinaryOperator<Object> binary = of.size() == 2 ? Functions.BINARY.get(function) : null;
    if (binary == null) {
      throw unsupported(e);
    }
    return strict(binary, of.get(0), of.get(1));
  }

  private static Expression strict(UnaryOperator<Object> function, Expression of) {
    return event -> {
      Object value = of.of(event);
      return value == Special.ERROR ? value : function.apply(value);
    };
  }

  private static Expression strict(BinaryOperator<Object> function, Expression a, Expression b) {
    return event -> {
      Object first = a.of(event);
      if (first == Special.ERROR) {
        return first;
      }
      Object second = b.of(event);
      return second == Special.ERROR ? second : function.apply(first, second);
    };
  }

  private static Expression list(List<Expression> elements) {
    return event -> {
      List<Object> values = new ArrayList<>(elements.size());
      for (Expression element : elements) {
        Object value = element.of(event);
        if (value == Special.ERROR) {
          return value;
        }
        values.add(value);
      }
      return values;
    };
  }

  private Expression map(CelExpr e, Map<String, Integer> scope) {
    List<Expression> keys = e.map().entries().stream().map(one -> of(one.key(), scope)).toList();
    List<Expression> values =
        e.map().entries().stream().map(one -> of(one.value(), scope)).toList();
    return event -> {
      Map<Object, Object> map = new LinkedHashMap<>();
      for (int i = 0; i < keys.size(); i++) {
        Object key = keys.get(i).of(event);
        Object value = values.get(i).of(event);
        boolean isNew = isKey(key) && Equality.find(map, key) == null;
        if (!isNew || value == Special.ERROR) {
          return Special.ERROR;
        }
        map.put(key, value);
      }
      return map;
    };
  }

  private static boolean isKey(Object value) {
    return value instanceof String
        || value instanceof Long
        || value instanceof UnsignedLong
        || value instanceof Boolean;
  }

  private Expression loop(CelComprehension loop, Map<String, Integer> scope) {
    int item = variables++;
    int resultSoFar = variables++;
    Map<String, Integer> ofResult = new HashMap<>(scope);
    ofResult.put(loop.accuVar(), resultSoFar);
    Map<String, Integer> inside = new HashMap<>(ofResult);
    inside.put(loop.iterVar(), item);
    CelExpr step = loop.loopStep();
    boolean isLogical =
        Expressions.is(step, Kind.CALL)
            && (step.call().function().equals("_&&_") || step.call().function().equals("_||_"));
    return new Loop(
        of(loop.iterRange(), scope),
        of(loop.accuInit(), scope),
        of(loop.loopCondition(), inside),
        of(step, inside),
        of(loop.result(), ofResult),
        item,
        resultSoFar,
        isLogical);
  }

  /** Whether a call is a step of {@code map} or {@code filter}: {@code @result + [element]}. */
  private static boolean isAppended(CelCall call, List<CelExpr> operands) {
    return call.function().equals("_+_")
        && Expressions.is(operands.get(0), Kind.IDENT)
        && operands.get(0).ident().name().startsWith("@")
        && Expressions.is(operands.get(1), Kind.LIST)
        && operands.get(1).list().elements().size() == 1;
  }

  /**
   * Compiles the step of a loop that appends an element. The list belongs to this loop alone, so it
   * grows in place.
   */
  @SuppressWarnings("unchecked")
  private static Expression appended(Expression list, Expression element) {
    return event -> {
      Object value = element.of(event);
      if (value == Special.ERROR) {
        return value;
      }
      Effort effort = Effort.current();
      effort.spend(Functions.CALL_STEPS);
      effort.make(1);
      List<Object> grown = (List<Object>) list.of(event);
      grown.add(value);
      return grown;
    };
  }
}
