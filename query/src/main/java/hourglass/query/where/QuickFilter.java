package hourglass.query.where;

import hourglass.query.where.json.FieldTree;
import hourglass.store.FieldFilter;
import hourglass.store.FieldValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A {@link QuickTest} for engines that keep the values of a field together. Immutable. */
final class QuickFilter implements FieldFilter {
  private final QuickTest test;
  private final FieldTree fields;
  private final List<List<FieldValue>> required;
  private final Map<Integer, Double> least = new HashMap<>();
  private final Map<Integer, Double> greatest = new HashMap<>();

  QuickFilter(QuickTest test, FieldTree fields) {
    this.test = test;
    this.fields = fields;
    required = RequiredValues.of(test, fields);
    addBounds(test);
  }

  private void addBounds(QuickTest part) {
    if (part instanceof QuickTest.And and) {
      addBounds(and.a());
      addBounds(and.b());
    } else if (part instanceof QuickTest.OfField of && of.test() instanceof NumberTest number) {
      addBounds(of.field(), number.comparison(), number.constant());
    }
  }

  private void addBounds(int field, Comparison comparison, QuickNumber constant) {
    double value =
        switch (constant.kind()) {
          case INT -> constant.whole();
          case DOUBLE -> constant.fraction();
          default -> Double.NaN;
        };
    if (Double.isNaN(value) || comparison == Comparison.UNEQUAL) {
      return;
    }
    // A number of the payload may be rounded before it is compared.
    if (comparison != Comparison.LESS && comparison != Comparison.AT_MOST) {
      least.merge(field, Math.nextDown(value), Math::max);
    }
    if (comparison != Comparison.GREATER && comparison != Comparison.AT_LEAST) {
      greatest.merge(field, Math.nextUp(value), Math::min);
    }
  }

  @Override
  public int @Nullable [] find(byte[] payload, int from, int to) {
    return fields.find(payload, from, to);
  }

  @Override
  public boolean mayMatch(byte[] bytes, int[] places) {
    return (test.outcomes(new EventParts(fields, bytes, places)) & Outcomes.TRUE) != 0;
  }

  @Override
  public boolean surelyMatches(byte[] bytes, int[] places) {
    return test.outcomes(new EventParts(fields, bytes, places)) == Outcomes.TRUE;
  }

  @Override
  public List<List<FieldValue>> required() {
    return required;
  }

  @Override
  public double least(int field) {
    return least.getOrDefault(field, Double.NEGATIVE_INFINITY);
  }

  @Override
  public double greatest(int field) {
    return greatest.getOrDefault(field, Double.POSITIVE_INFINITY);
  }
}
