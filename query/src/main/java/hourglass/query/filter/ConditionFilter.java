package hourglass.query.filter;

import hourglass.bytes.ByteSearch;
import hourglass.query.filter.Condition.Compound.Operator;
import hourglass.query.where.json.FieldTree;
import hourglass.store.FieldFilter;
import hourglass.store.FieldValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A {@link Condition} for engines that keep the values of a field together. Immutable. */
public final class ConditionFilter implements FieldFilter {
  private final Condition condition;
  private final FieldTree fields;
  private final @Nullable String type;
  private final List<List<ByteSearch>> texts;
  private final List<List<FieldValue>> required;
  private final Map<Integer, Double> least = new HashMap<>();
  private final Map<Integer, Double> greatest = new HashMap<>();
  private final Map<Integer, String> only = new HashMap<>();

  /**
   * Creates a filter for events of a type, or of any type if it is null, that contain these texts.
   */
  public ConditionFilter(
      Condition condition, FieldTree fields, @Nullable String type, List<ByteSearch> texts) {
    this.condition = condition;
    this.fields = fields;
    this.type = type;
    this.texts = texts.stream().map(List::of).toList();
    required = RequiredValues.of(condition, fields);
    addBounds(condition);
  }

  private void addBounds(Condition part) {
    if (part instanceof Condition.Compound all && all.operator() == Operator.AND) {
      all.of().forEach(this::addBounds);
    } else if (part instanceof Condition.OfField of) {
      if (of.test() instanceof ValueTest.NumberTest number) {
        addBounds(of.field(), number.comparison(), number.constant());
      }
      of.test().required("").map(FieldValue::text).ifPresent(text -> only.put(of.field(), text));
    }
  }

  private void addBounds(int field, Comparison comparison, TermValue constant) {
    if (!constant.isNumber() || comparison == Comparison.UNEQUAL) {
      return;
    }
    double value = constant.value().doubleValue();
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
    return (condition.outcomes(new EventParts(type, fields, bytes, places)) & Outcomes.TRUE) != 0;
  }

  @Override
  public boolean surelyMatches(byte[] bytes, int[] places) {
    return texts.isEmpty()
        && condition.outcomes(new EventParts(type, fields, bytes, places)) == Outcomes.TRUE;
  }

  @Override
  public List<List<ByteSearch>> texts() {
    return texts;
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

  @Override
  public @Nullable String only(int field) {
    return only.get(field);
  }
}
