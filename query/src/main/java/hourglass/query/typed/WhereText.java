package hourglass.query.typed;

import hourglass.query.typed.Node.Several;
import hourglass.query.typed.Node.Test;
import hourglass.query.typed.Node.Value;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes a part of a typed filter as an expression of {@code where} that is never an error, so that
 * a negation finds exactly the other events. A negation is moved inwards, to the tests, since an
 * event without the field passes a negated test.
 */
final class WhereText {
  private final Slips slips;

  WhereText(Slips slips) {
    this.slips = slips;
  }

  /** Returns an expression whose parts {@code &&} may join. */
  String of(Node node) {
    return of(node, false);
  }

  private String of(Node node, boolean not) {
    if (node instanceof Node.Not inner) {
      return of(inner.item(), !not);
    }
    if (node instanceof Node.Anything) {
      return String.valueOf(!not);
    }
    if (node instanceof Node.Words words) {
      return (not ? "!" : "") + "data.hasWords(" + Literals.text(words.text()) + ")";
    }
    if (node instanceof Several several) {
      List<String> parts = several.items().stream().map(item -> of(item, not)).toList();
      return several.all() != not ? String.join(" && ", parts) : any(parts);
    }
    return of((Test) node, not);
  }

  private static String any(List<String> parts) {
    if (parts.size() == 1) {
      return parts.get(0);
    }
    List<String> each =
        parts.stream()
            .map(part -> part.contains(" && ") && !isBracketed(part) ? "(" + part + ")" : part)
            .toList();
    return "(" + String.join(" || ", each) + ")";
  }

  /** Whether the first parenthesis closes at the end. Parentheses in quotes do not count. */
  private static boolean isBracketed(String part) {
    int open = 0;
    char quote = 0;
    for (int i = 0; i < part.length(); i++) {
      char c = part.charAt(i);
      if (quote != 0) {
        i += c == '\\' ? 1 : 0;
        quote = c == quote ? 0 : quote;
      } else if (c == '"' || c == '`') {
        quote = c;
      } else if (c == '(') {
        open++;
      } else if (c == ')' && --open == 0 && i < part.length() - 1) {
        return false;
      } else if (open == 0 && i == 0) {
        return false;
      }
    }
    return true;
  }

  private String of(Test test, boolean not) {
    FieldName field = FieldName.of(test.field());
    if (test.operator() == Operator.EXISTS) {
      return not ? none(field) : field.exists();
    }
    if (field.name().equals(FieldName.TIME)) {
      return ofTime(test, not);
    }
    List<String> parts = field.isOutside() ? outside(test, field, not) : parts(test, field, not);
    return not ? any(with(field.missing(), all(parts))) : any(parts);
  }

  private static String none(FieldName field) {
    List<String> missing = field.missing();
    return missing.isEmpty() ? "false" : any(missing);
  }

  private static List<String> with(List<String> before, String last) {
    return Stream.concat(before.stream(), Stream.of(last)).toList();
  }

  private static String all(List<String> parts) {
    return String.join(" && ", parts);
  }

  /** Returns conditions, all of which hold for a negation, and otherwise any of them. */
  private List<String> parts(Test test, FieldName field, boolean not) {
    String place = field.reference();
    return switch (test.operator()) {
      case IS -> is(test.values(), place, not);
      case EXACTLY -> List.of(equal(test.values(), place, not));
      case MATCHES -> List.of(ofTexts(place, "matches", test.values().get(0).text(), not));
      case RANGE -> List.of(range(test, place, not));
      default -> List.of(ordered(test, test.operator(), test.values().get(0), place, not));
    };
  }

  /** Returns conditions on values that every event has. */
  private List<String> outside(Test test, FieldName field, boolean not) {
    String place = field.reference();
    List<String> parts = new ArrayList<>();
    List<Value> whole = test.values().stream().filter(value -> !value.isPattern()).toList();
    switch (test.operator()) {
      case IS, EXACTLY -> {
        if (!whole.isEmpty()) {
          boolean isId = field.name().equals(FieldName.ID);
          parts.add(
              equal(
                  whole.stream().map(value -> isId ? ofId(value) : quoted(value)).toList(),
                  place,
                  not));
        }
        test.values().stream()
            .filter(Value::isPattern)
            .forEach(value -> parts.add((not ? "!" : "") + like(place, value.text())));
      }
      case MATCHES ->
          parts.add(
              (not ? "!" : "")
                  + place
                  + ".matches("
                  + Literals.text(test.values().get(0).text())
                  + ")");
      default ->
          throw slips.between(
              test.at(), test.field() + " is compared with : alone, as in " + test.field() + ":x");
    }
    return parts;
  }

  private static Value quoted(Value value) {
    return new Value(value.text(), true, value.at());
  }

  /** Returns an id in the spelling of answers. */
  private static Value ofId(Value value) {
    return new Value(value.text().toLowerCase(Locale.ROOT), true, value.at());
  }

  private static List<String> is(List<Value> values, String place, boolean not) {
    List<Value> whole = values.stream().filter(value -> !value.isPattern()).toList();
    List<String> parts = new ArrayList<>();
    if (!whole.isEmpty()) {
      parts.add(equal(whole, place, not));
    }
    for (Value value : values) {
      int star = value.text().indexOf('*');
      boolean begins = value.isPattern() && value.text().replace("*", "").length() == star;
      if (value.isPattern()) {
        parts.add(pattern(place, value.text(), not));
      }
      if (begins ? star > 0 : !value.isPattern() && !value.text().isEmpty()) {
        String words = begins ? Value.plain(value.text().substring(0, star + 1)) : value.asWords();
        parts.add((not ? "!" : "") + place + ".hasWords(" + Literals.text(words) + ")");
      }
    }
    return parts;
  }

  private static String equal(List<Value> values, String place, boolean not) {
    List<String> literals = values.stream().flatMap(value -> Literals.of(value).stream()).toList();
    if (literals.size() == 1) {
      return place + (not ? " != " : " == ") + literals.get(0);
    }
    String in = place + " in [" + String.join(", ", literals) + "]";
    return not ? "!(" + in + ")" : in;
  }

  /**
   * Returns a condition for a pattern. Numbers are compared by their digits, so {@code status:5*}
   * finds 500, too.
   */
  private static String pattern(String place, String pattern, boolean not) {
    boolean isDigits = pattern.matches("\\d+\\*");
    if (!isDigits) {
      return not
          ? "(type(" + place + ") != string || !" + like(place, pattern) + ")"
          : like(place, pattern);
    }
    String like = like("string(" + place + ")", pattern);
    return not
        ? "(type(%1$s) != int && type(%1$s) != double && type(%1$s) != string || !%2$s)"
            .formatted(place, like)
        : like;
  }

  /** Returns a condition in which {@code *} stands for any text. */
  private static String like(String place, String pattern) {
    String[] parts = pattern.split("\\*", -1);
    Arrays.setAll(parts, i -> Node.Value.plain(parts[i]));
    String last = parts[parts.length - 1];
    if (parts.length == 2 && last.isEmpty()) {
      return call(place, "startsWith", parts[0]);
    }
    if (parts.length == 2 && parts[0].isEmpty()) {
      return call(place, "endsWith", last);
    }
    if (parts.length == 3 && parts[0].isEmpty() && last.isEmpty()) {
      return call(place, "contains", parts[1]);
    }
    String regex =
        Stream.of(parts).map(WhereText::escaped).collect(Collectors.joining(".*", "(?s)^", "$"));
    return call(place, "matches", regex);
  }

  private static String call(String place, String function, String text) {
    return place + "." + function + "(" + Literals.text(text) + ")";
  }

  private static String escaped(String text) {
    return text.replaceAll("[\\\\^$.|?*+()\\[\\]{}]", "\\\\$0");
  }

  private static String ofTexts(String place, String function, String text, boolean not) {
    String call = call(place, function, text);
    return not ? "(type(" + place + ") != string || !" + call + ")" : call;
  }

  private String range(Test test, String place, boolean not) {
    Value least = test.values().get(0);
    Value most = test.values().get(1);
    List<String> parts = new ArrayList<>();
    if (!least.text().isEmpty()) {
      parts.add(ordered(test, Operator.AT_LEAST, least, place, not));
    }
    if (!most.text().isEmpty()) {
      parts.add(ordered(test, Operator.AT_MOST, most, place, not));
    }
    return not ? any(parts) : all(parts);
  }

  private String ordered(Test test, Operator operator, Value value, String place, boolean not) {
    String literal = Literals.ordered(value);
    if (literal == null) {
      throw slips.unordered(test, operator, value);
    }
    if (!not) {
      return place + " " + operator.sign() + " " + literal;
    }
    String other =
        literal.startsWith("\"")
            ? "type(" + place + ") != string"
            : "type(%1$s) != int && type(%1$s) != double".formatted(place);
    return "(" + other + " || " + place + " " + operator.opposite().sign() + " " + literal + ")";
  }

  /** Returns a condition on the time. A date stands for the whole day. */
  private String ofTime(Test test, boolean not) {
    if (test.operator() == Operator.MATCHES
        || test.operator() != Operator.RANGE && test.values().size() > 1) {
      throw slips.between(test.at(), "a time is compared as in time:>=2026-11-20T08:30Z");
    }
    List<String> parts = new ArrayList<>();
    if (test.operator() == Operator.RANGE) {
      addTime(parts, test, Operator.AT_LEAST, test.values().get(0));
      addTime(parts, test, Operator.AT_MOST, test.values().get(1));
    } else if (test.operator().isOrder()) {
      addTime(parts, test, test.operator(), test.values().get(0));
    } else {
      addTime(parts, test, Operator.AT_LEAST, test.values().get(0));
      addTime(parts, test, Operator.AT_MOST, test.values().get(0));
    }
    return not ? "!(" + all(parts) + ")" : all(parts);
  }

  private void addTime(List<String> parts, Test test, Operator operator, Value value) {
    if (value.text().isEmpty()) {
      return;
    }
    boolean isDay = value.text().matches("\\d{4}-\\d\\d-\\d\\dZ?");
    boolean isAfter = operator == Operator.OVER || operator == Operator.AT_MOST;
    String sign = !isDay || !isAfter ? operator.sign() : operator == Operator.OVER ? ">=" : "<";
    String time = isDay ? day(test, value, isAfter ? 1 : 0) : time(test, value);
    parts.add("time " + sign + " timestamp(\"" + time + "\")");
  }

  private String day(Test test, Value value, int more) {
    if (!value.text().endsWith("Z")) {
      throw slips.withoutZone(test, value);
    }
    try {
      LocalDate day = LocalDate.parse(value.text().substring(0, value.text().length() - 1));
      return day.plusDays(more).atStartOfDay(ZoneOffset.UTC).toInstant().toString();
    } catch (DateTimeParseException e) {
      throw slips.noTime(test, value);
    }
  }

  private String time(Test test, Value value) {
    String text = value.text().replaceFirst("^(.{10}T\\d\\d:\\d\\d)(?=$|Z|[+-])", "$1:00");
    if (text.matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?")) {
      throw slips.withoutZone(test, value);
    }
    try {
      OffsetDateTime.parse(text);
      return text;
    } catch (DateTimeParseException e) {
      throw slips.noTime(test, value);
    }
  }
}
