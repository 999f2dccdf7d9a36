package hourglass.query.where;

import com.google.re2j.Pattern;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import hourglass.query.filter.Effort;
import hourglass.query.filter.Regexes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The constant times, durations and regular expressions of an expression, parsed once. An invalid
 * one is refused, since it would be an error for every event. Immutable.
 */
final class Constants {
  private final CelAbstractSyntaxTree checked;
  private final Map<Long, Object> values = new HashMap<>();
  private final Map<String, Pattern> patterns = new HashMap<>();
  private final Regexes.Allowance regexes = new Regexes.Allowance();

  /** Throws {@link WhereException} with the position of an invalid constant. */
  Constants(CelAbstractSyntaxTree checked) {
    this.checked = checked;
    Expressions.all(checked.getExpr())
        .filter(e -> Expressions.is(e, CelExpr.ExprKind.Kind.CALL))
        .forEach(this::read);
  }

  @Nullable Object of(CelExpr e) {
    return values.get(e.id());
  }

  Map<String, Pattern> patterns() {
    return Map.copyOf(patterns);
  }

  private void read(CelExpr e) {
    Effort.current().look();
    List<CelExpr> operands = Expressions.operands(e.call());
    if (operands.isEmpty()) {
      return;
    }
    CelExpr last = operands.get(operands.size() - 1);
    Optional<String> text = Expressions.text(last);
    if (text.isPresent()) {
      switch (e.call().function()) {
        case "timestamp" ->
            keep(
                e,
                Functions.timestamp(text.get()),
                last,
                "time, want one such as \"2026-11-20T08:30:00Z\"");
        case "duration" ->
            keep(
                e,
                Functions.duration(text.get()),
                last,
                "duration, want one such as \"90s\" or \"1h30m\"");
        case "matches" -> pattern(last, text.get());
        default -> {}
      }
    }
  }

  private void keep(CelExpr call, Object value, CelExpr text, String what) {
    if (value == Special.ERROR) {
      throw refused(text, "is no " + what);
    }
    values.put(call.id(), value);
  }

  private void pattern(CelExpr e, String text) {
    try {
      Pattern pattern = regexes.constant(text);
      values.put(e.id(), pattern);
      patterns.put(text, pattern);
    } catch (Regexes.RefusedRegexException refused) {
      throw refused(e, String.valueOf(refused.getMessage()));
    }
  }

  private WhereException refused(CelExpr text, String why) {
    return new WhereException(
        Cel.position(checked, text) + "\"" + text.constant().stringValue() + "\" " + why);
  }
}
