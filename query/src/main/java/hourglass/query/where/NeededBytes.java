package hourglass.query.where;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Derives from a checked expression the bytes that a payload must contain for it to be true. This
 * holds for payloads without a backslash, where a name is spelled {@code "name"} and a string as it
 * is.
 *
 * <pre>
 * data.path == "/a" &amp;&amp; data.ms > 5       needs "path" and "/a" and "ms", with their quotes
 * data.path.startsWith("/a") || type == "b"    may be true without any
 * </pre>
 *
 * <p>Numbers have many spellings, so only their names are needed. Unsupported expressions need
 * nothing. A test must never stop an event that matches.
 */
final class NeededBytes {
  private NeededBytes() {}

  static ByteTest of(CelExpr expression) {
    return whenTrue(expression);
  }

  private static ByteTest whenTrue(CelExpr e) {
    return switch (e.exprKind().getKind()) {
      case CALL -> whenTrue(e.call(), e);
      case SELECT ->
          e.select().testOnly()
              ? ByteTest.all(evaluated(e.select().operand()), member(e))
              : ByteTest.all(evaluated(e), isPayload(e) ? value("true") : ByteTest.ALWAYS);
      case COMPREHENSION -> evaluated(e.comprehension().iterRange());
      default -> ByteTest.ALWAYS;
    };
  }

  private static ByteTest whenTrue(CelCall call, CelExpr e) {
    List<CelExpr> args = call.args();
    return switch (call.function()) {
      case "_&&_" -> ByteTest.all(whenTrue(args.get(0)), whenTrue(args.get(1)));
      case "_||_" -> ByteTest.any(List.of(whenTrue(args.get(0)), whenTrue(args.get(1))));
      case "!_" -> whenFalse(args.get(0));
      case "_?_:_" ->
          ByteTest.all(
              evaluated(args.get(0)),
              ByteTest.any(List.of(whenTrue(args.get(1)), whenTrue(args.get(2)))));
      case "_==_" -> ByteTest.all(evaluated(e), equal(args.get(0), args.get(1)));
      case "@in" -> ByteTest.all(evaluated(e), in(args.get(0), args.get(1)));
      case "startsWith", "endsWith", "contains" -> ByteTest.all(evaluated(e), part(call));
      default -> evaluated(e);
    };
  }

  private static ByteTest whenFalse(CelExpr e) {
    return switch (e.exprKind().getKind()) {
      case CALL -> whenFalse(e.call(), e);
      case SELECT -> e.select().testOnly() ? ByteTest.ALWAYS : evaluated(e);
      default -> ByteTest.ALWAYS;
    };
  }

  private static ByteTest whenFalse(CelCall call, CelExpr e) {
    List<CelExpr> args = call.args();
    return switch (call.function()) {
      case "_&&_" -> ByteTest.any(List.of(whenFalse(args.get(0)), whenFalse(args.get(1))));
      case "_||_" -> ByteTest.all(whenFalse(args.get(0)), whenFalse(args.get(1)));
      case "!_" -> whenTrue(args.get(0));
      default -> evaluated(e);
    };
  }

  /** The bytes needed for a value rather than an error. */
  private static ByteTest evaluated(CelExpr e) {
    return switch (e.exprKind().getKind()) {
      case SELECT ->
          e.select().testOnly()
              ? ByteTest.ALWAYS
              : ByteTest.all(evaluated(e.select().operand()), member(e));
      case CALL -> evaluated(e.call(), e);
      default -> ByteTest.ALWAYS;
    };
  }

  private static ByteTest evaluated(CelCall call, CelExpr e) {
    if (!Expressions.isStrict(call)) {
      return ByteTest.ALWAYS;
    }
    return ByteTest.all(
        Stream.concat(
                Expressions.operands(call).stream().map(NeededBytes::evaluated),
                Stream.of(member(e)))
            .toArray(ByteTest[]::new));
  }

  private static ByteTest member(CelExpr e) {
    if (e.exprKind().getKind() == CelExpr.ExprKind.Kind.SELECT) {
      return isPayload(e.select().operand()) ? name(e.select().field()) : ByteTest.ALWAYS;
    }
    return isPayload(e)
        ? Expressions.text(e.call().args().get(1)).map(NeededBytes::name).orElse(ByteTest.ALWAYS)
        : ByteTest.ALWAYS;
  }

  private static boolean isPayload(CelExpr e) {
    return switch (e.exprKind().getKind()) {
      case IDENT -> e.ident().name().equals(EventVariables.DATA);
      case SELECT -> !e.select().testOnly() && isPayload(e.select().operand());
      case CALL -> e.call().function().equals("_[_]") && isPayload(e.call().args().get(0));
      default -> false;
    };
  }

  private static ByteTest equal(CelExpr a, CelExpr b) {
    if (isPayload(a)) {
      return literal(b);
    }
    return isPayload(b) ? literal(a) : ByteTest.ALWAYS;
  }

  private static ByteTest in(CelExpr wanted, CelExpr within) {
    if (isPayload(within)) {
      return literal(wanted);
    }
    boolean listed = within.exprKind().getKind() == CelExpr.ExprKind.Kind.LIST;
    return listed && isPayload(wanted)
        ? ByteTest.any(within.list().elements().stream().map(NeededBytes::literal).toList())
        : ByteTest.ALWAYS;
  }

  private static ByteTest part(CelCall call) {
    if (call.target().isEmpty() || !isPayload(call.target().get())) {
      return ByteTest.ALWAYS;
    }
    Optional<String> part = Expressions.text(call.args().get(0));
    return part.map(text -> value(quoted(call.function(), text))).orElse(ByteTest.ALWAYS);
  }

  private static String quoted(String function, String text) {
    return switch (function) {
      case "startsWith" -> '"' + text;
      case "endsWith" -> text + '"';
      default -> text;
    };
  }

  /** The bytes of a constant, if its spelling is unique. */
  private static ByteTest literal(CelExpr e) {
    if (e.exprKind().getKind() != CelExpr.ExprKind.Kind.CONSTANT) {
      return ByteTest.ALWAYS;
    }
    CelConstant constant = e.constant();
    return switch (constant.getKind()) {
      case STRING_VALUE -> value('"' + constant.stringValue() + '"');
      case BOOLEAN_VALUE -> value(String.valueOf(constant.booleanValue()));
      case NULL_VALUE -> value("null");
      default -> ByteTest.ALWAYS;
    };
  }

  private static ByteTest name(String name) {
    return test('"' + name + '"', ByteTest.Text.NAME);
  }

  private static ByteTest value(String text) {
    return test(text, ByteTest.Text.VALUE);
  }

  private static ByteTest test(String text, int rank) {
    return TextTest.isPlain(text) && !text.isEmpty()
        ? new ByteTest.Text(text, new TextSearch(text), rank)
        : ByteTest.ALWAYS;
  }
}
