package hourglass.query.where;

import hourglass.query.where.json.FieldTree;
import hourglass.store.FieldValue;
import java.util.List;
import java.util.stream.Stream;

/**
 * Derives from a test which values an event must have for it to be true, as {@link
 * hourglass.store.FieldFilter#required}.
 *
 * <pre>
 * data.a == 1 &amp;&amp; data.b in ["x", "y"]     [a: 1], [b: "x", b: "y"]
 * data.a == 1 || data.b > 5                nothing: any a and b may match
 * false                                    []: no value satisfies an empty list
 * </pre>
 */
final class RequiredValues {
  /** A longer list excludes few pages. */
  private static final int ALTERNATIVES_MAX = 64;

  private static final List<List<FieldValue>> IMPOSSIBLE = List.of(List.of());

  private RequiredValues() {}

  static List<List<FieldValue>> of(QuickTest test, FieldTree fields) {
    if (test instanceof QuickTest.And and) {
      return Stream.concat(of(and.a(), fields).stream(), of(and.b(), fields).stream()).toList();
    }
    if (test instanceof QuickTest.Or or) {
      return ofEither(of(or.a(), fields), of(or.b(), fields));
    }
    if (test instanceof QuickTest.Known known) {
      return (known.outcomes() & Outcomes.TRUE) == 0 ? IMPOSSIBLE : List.of();
    }
    return test instanceof QuickTest.OfField of ? ofField(of, fields) : List.of();
  }

  private static List<List<FieldValue>> ofField(QuickTest.OfField of, FieldTree fields) {
    String key = fields.name(of.field());
    return key.isEmpty() || !TextTest.isPlain(key)
        ? List.of()
        : of.test().required(key).map(List::of).stream().toList();
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
