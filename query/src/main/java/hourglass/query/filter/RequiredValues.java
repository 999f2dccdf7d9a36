package hourglass.query.filter;

import hourglass.query.where.json.FieldTree;
import hourglass.store.FieldValue;
import java.util.List;
import java.util.stream.Stream;

/**
 * Derives from a condition the values that an event needs for it to be true, as {@link
 * hourglass.store.FieldFilter#required} states them.
 *
 * <pre>
 * data.a == 1 &amp;&amp; data.b in ["x", "y"]     [a: 1], [b: "x", b: "y"]
 * data.a.b == 1                            [b: 1, a.b: 1], as the key may be either
 * data.a == 1 || data.b > 5                nothing: any a and b may match
 * {app="x"}                                [app: x, labels.app: x, ...], if no number has this text
 * false                                    []: no value satisfies an empty list
 * </pre>
 */
final class RequiredValues {
  /** The most values in a list of alternatives. A longer list excludes few pages. */
  private static final int ALTERNATIVES_MAX = 64;

  private static final List<List<FieldValue>> IMPOSSIBLE = List.of(List.of());

  private RequiredValues() {}

  static List<List<FieldValue>> of(Condition condition, FieldTree fields) {
    if (condition instanceof Condition.Compound compound) {
      List<List<List<FieldValue>>> each =
          compound.of().stream().map(part -> of(part, fields)).toList();
      return switch (compound.operator()) {
        case AND -> each.stream().flatMap(List::stream).toList();
        case OR -> each.stream().reduce(RequiredValues::ofEither).orElse(IMPOSSIBLE);
        case NOT, CHOICE -> List.of();
      };
    }
    if (condition instanceof Condition.Known known) {
      return (known.outcomes() & Outcomes.TRUE) == 0 ? IMPOSSIBLE : List.of();
    }
    if (condition instanceof Condition.OfField of) {
      return ofKeys(fields.keys(of.field()), of.test());
    }
    if (condition instanceof Condition.OfLabel label) {
      List<String> keys =
          label.fields().all().mapToObj(fields::keys).flatMap(List::stream).distinct().toList();
      return ofEither(ofKeys(keys, label.test()), of(label.otherwise(), fields));
    }
    return List.of();
  }

  private static List<List<FieldValue>> ofKeys(List<String> keys, ValueTest test) {
    List<FieldValue> oneOf = keys.stream().flatMap(key -> test.required(key).stream()).toList();
    return oneOf.isEmpty()
            || !keys.stream().allMatch(key -> !key.isEmpty() && TextTest.isPlain(key))
        ? List.of()
        : List.of(oneOf);
  }

  private static List<List<FieldValue>> ofEither(
      List<List<FieldValue>> a, List<List<FieldValue>> b) {
    if (a.isEmpty() || b.isEmpty()) {
      return List.of();
    }
    List<FieldValue> both =
        Stream.concat(shortest(a).stream(), shortest(b).stream()).distinct().toList();
    return both.size() > ALTERNATIVES_MAX ? List.of() : List.of(both);
  }

  private static List<FieldValue> shortest(List<List<FieldValue>> lists) {
    List<FieldValue> shortest = lists.get(0);
    for (List<FieldValue> each : lists) {
      shortest = each.size() < shortest.size() ? each : shortest;
    }
    return shortest;
  }
}
