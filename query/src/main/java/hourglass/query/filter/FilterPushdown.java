package hourglass.query.filter;

import hourglass.bytes.ByteSearch;
import hourglass.bytes.Spans;
import hourglass.query.filter.Condition.Compound.Operator;
import hourglass.query.where.json.FieldTree;
import hourglass.store.FieldFilter;
import hourglass.store.FieldValue;
import hourglass.store.SoughtWord;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The part of a {@link Condition} that is pushed down to the columns of an engine that keeps the
 * values of a field together. Immutable.
 */
public final class FilterPushdown implements FieldFilter {
  private final Condition condition;
  private final FieldsTest sure;
  private final FieldTree fields;
  private final @Nullable String type;
  private final List<List<ByteSearch>> texts;
  private final List<List<SoughtWord>> words;

  /** The texts and words that the condition needs. */
  private final RequiredTexts implied;

  private final List<List<FieldValue>> required;
  private final Map<Integer, Double> least = new HashMap<>();
  private final Map<Integer, Double> greatest = new HashMap<>();
  private final Map<Integer, String> only = new HashMap<>();

  /** The fields next to which the bounds do not hold. */
  private final Set<Integer> unbounding = new HashSet<>();

  /** A test of the places of fields, as {@link FieldFilter#find} returns them. */
  public interface FieldsTest {
    boolean holds(byte[] bytes, Spans places);
  }

  /**
   * Creates a filter.
   *
   * @param sure holds as well if an event matches for certain
   * @param type the type of all events; null if it is not known
   * @param texts the texts that events need besides, as {@link FieldFilter#texts} states them
   * @param words the words that events need besides, as {@link FieldFilter#words} states them
   */
  public FilterPushdown(
      Condition condition,
      FieldsTest sure,
      FieldTree fields,
      @Nullable String type,
      List<List<ByteSearch>> texts,
      List<List<SoughtWord>> words) {
    this.condition = condition;
    this.sure = sure;
    this.fields = fields;
    this.type = type;
    this.texts = Stream.concat(texts.stream(), searches(condition)).toList();
    this.words = words;
    required = RequiredValues.of(condition, fields);
    implied = RequiredTexts.of(condition);
    addBounds(condition);
  }

  /**
   * Returns the texts of searches in whole payloads that the condition needs. The fields tell
   * nothing about them, so the store looks for the texts.
   */
  private static Stream<List<ByteSearch>> searches(Condition part) {
    if (part instanceof Condition.Compound all && all.operator() == Operator.AND) {
      return all.of().stream().flatMap(FilterPushdown::searches);
    }
    return part instanceof Condition.OfWords
        ? RequiredTexts.of(part).texts().stream()
        : Stream.of();
  }

  private void addBounds(Condition part) {
    if (part instanceof Condition.Compound all && all.operator() == Operator.AND) {
      all.of().forEach(this::addBounds);
    } else if (part instanceof Condition.OfField of) {
      addBound(of.field(), of.test().bound());
      of.test().required("").map(FieldValue::text).ifPresent(text -> only.put(of.field(), text));
    } else if (part instanceof Condition.OfLabel label
        && label.otherwise() instanceof Condition.OfMember member
        && member.test().bound() != null) {
      addBound(member.field(), member.test().bound());
      label.fields().all().forEach(unbounding::add);
      unbounding.addAll(List.of(member.line().labels(), member.line().facility()));
    }
  }

  private void addBound(int field, ValueTest.@Nullable Bound bound) {
    if (bound == null || bound.comparison() == Comparison.UNEQUAL) {
      return;
    }
    // A number of the payload may be rounded before it is compared.
    if (bound.comparison() != Comparison.LESS && bound.comparison() != Comparison.AT_MOST) {
      least.merge(field, Math.nextDown(bound.value()), Math::max);
    }
    if (bound.comparison() != Comparison.GREATER && bound.comparison() != Comparison.AT_LEAST) {
      greatest.merge(field, Math.nextUp(bound.value()), Math::min);
    }
  }

  @Override
  public @Nullable Spans find(byte[] payload, int from, int to) {
    return fields.find(payload, from, to);
  }

  @Override
  public boolean mayMatch(byte[] bytes, Spans places) {
    return (outcomes(bytes, places) & Outcomes.TRUE) != 0;
  }

  @Override
  public boolean surelyMatches(byte[] bytes, Spans places) {
    return texts.isEmpty()
        && words.isEmpty()
        && sure.holds(bytes, places)
        && outcomes(bytes, places) == Outcomes.TRUE;
  }

  private int outcomes(byte[] bytes, Spans places) {
    return condition.outcomes(new EventParts(type, fields, bytes, places));
  }

  @Override
  public boolean isBounded(Spans places) {
    return unbounding.stream().allMatch(field -> !places.has(field));
  }

  @Override
  public List<List<ByteSearch>> texts() {
    return texts;
  }

  @Override
  public List<List<ByteSearch>> impliedTexts() {
    return implied.texts();
  }

  @Override
  public List<List<SoughtWord>> words() {
    return Stream.concat(words.stream(), implied.words().stream()).toList();
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
