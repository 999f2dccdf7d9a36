package hourglass.query.filter;

import hourglass.bucketing.Ticks;
import hourglass.bytes.Spans;
import hourglass.query.line.LabelFields;
import hourglass.query.line.LevelFields;
import hourglass.query.line.LineFields;
import hourglass.query.where.json.FieldTree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A predicate over an event. Its value is true, false or an error. On the spans of fields alone,
 * several of these may be possible. Immutable.
 */
public interface Condition {
  /** Returns the possible {@link Outcomes}: one if the value is known, several if it is not. */
  int outcomes(EventParts event);

  default boolean readsPayload() {
    return false;
  }

  default boolean readsType() {
    return false;
  }

  /** Returns the part that a store can evaluate, which never excludes an event that matches. */
  default Condition inStore() {
    return this;
  }

  /** Returns whether other conditions should be tried first. */
  default boolean isCostly() {
    return readsPayload();
  }

  record Known(int outcomes) implements Condition {
    public static final Condition UNKNOWN = new Known(Outcomes.ANY);
    public static final Condition TRUE = new Known(Outcomes.TRUE);
    public static final Condition FALSE = new Known(Outcomes.FALSE);
    public static final Condition EITHER = new Known(Outcomes.EITHER);

    @Override
    public int outcomes(EventParts event) {
      return outcomes;
    }
  }

  static Condition and(Condition a, Condition b) {
    if (a.equals(Known.TRUE) || b.equals(Known.TRUE)) {
      return a.equals(Known.TRUE) ? b : a;
    }
    return costlyLast(Compound.Operator.AND, a, b);
  }

  static Condition or(Condition a, Condition b) {
    return costlyLast(Compound.Operator.OR, a, b);
  }

  private static Condition costlyLast(Compound.Operator operator, Condition a, Condition b) {
    boolean isFlipped = a.isCostly() && !b.isCostly();
    return Compound.of(operator, isFlipped ? List.of(b, a) : List.of(a, b));
  }

  /** Returns the condition that all of these hold. They are tested in this order. */
  static Condition all(List<Condition> conditions) {
    return conditions.isEmpty() ? Known.TRUE : Compound.of(Compound.Operator.AND, conditions);
  }

  /** Returns the condition that one of these holds. They are tested in this order. */
  static Condition any(List<Condition> conditions) {
    return conditions.isEmpty() ? Known.FALSE : Compound.of(Compound.Operator.OR, conditions);
  }

  /**
   * A combination of conditions: any number for AND and OR, one for NOT, and three for CHOICE. The
   * parts of AND and OR do not have the same operator, so that many conditions need little stack.
   */
  record Compound(Operator operator, List<Condition> of) implements Condition {
    public enum Operator {
      AND,
      OR,
      NOT,
      CHOICE
    }

    private static Condition of(Operator operator, List<Condition> conditions) {
      List<Condition> parts = new ArrayList<>();
      for (Condition condition : conditions) {
        if (condition instanceof Compound inner && inner.operator == operator) {
          parts.addAll(inner.of);
        } else {
          parts.add(condition);
        }
      }
      return parts.size() == 1 ? parts.get(0) : new Compound(operator, List.copyOf(parts));
    }

    @Override
    public int outcomes(EventParts event) {
      return switch (operator) {
        case AND -> ofAll(event);
        case OR -> ofAny(event);
        case NOT -> Outcomes.not(of.get(0).outcomes(event));
        case CHOICE -> ofChoice(event);
      };
    }

    private int ofAll(EventParts event) {
      int all = Outcomes.TRUE;
      for (int i = 0; i < of.size() && all != Outcomes.FALSE; i++) {
        all = Outcomes.and(all, of.get(i).outcomes(event));
      }
      return all;
    }

    private int ofAny(EventParts event) {
      int any = Outcomes.FALSE;
      for (int i = 0; i < of.size() && any != Outcomes.TRUE; i++) {
        any = Outcomes.or(any, of.get(i).outcomes(event));
      }
      return any;
    }

    private int ofChoice(EventParts event) {
      int first = of.get(0).outcomes(event);
      return Outcomes.choice(
          first,
          (first & Outcomes.TRUE) != 0 ? of.get(1).outcomes(event) : 0,
          (first & Outcomes.FALSE) != 0 ? of.get(2).outcomes(event) : 0);
    }

    @Override
    public boolean readsPayload() {
      return of.stream().anyMatch(Condition::readsPayload);
    }

    @Override
    public boolean readsType() {
      return of.stream().anyMatch(Condition::readsType);
    }

    @Override
    public Condition inStore() {
      return new Compound(operator, of.stream().map(Condition::inStore).toList());
    }

    @Override
    public boolean isCostly() {
      return of.stream().anyMatch(Condition::isCostly);
    }
  }

  record OfText(boolean ofType, TextTest test) implements Condition {
    @Override
    public int outcomes(EventParts event) {
      String text = ofType ? event.type() : event.id();
      return text == null ? Outcomes.ANY : test.outcomes(text);
    }

    @Override
    public boolean readsType() {
      return ofType;
    }
  }

  record OfLevel(LevelFields fields, TextTest test) implements Condition {
    @Override
    public int outcomes(EventParts event) {
      String level = event.level(fields);
      return level == null ? Outcomes.EITHER : test.outcomes(level);
    }

    @Override
    public boolean readsPayload() {
      return true;
    }
  }

  /** A test of a label in the first field that contains it; if none does, another condition. */
  record OfLabel(LabelFields fields, ValueTest test, Condition otherwise) implements Condition {
    @Override
    public int outcomes(EventParts event) {
      Spans spans = event.spans();
      if (spans == null) {
        return Outcomes.EITHER;
      }
      int index = fields.find(event.bytes(), spans);
      if (index == LabelFields.NONE) {
        return otherwise.outcomes(event);
      }
      int field = fields.field(index);
      return test.outcomes(event.bytes(), spans.start(field), spans.end(field));
    }

    @Override
    public boolean readsPayload() {
      return true;
    }
  }

  /** A condition that the whole payload contains words. */
  record OfWords(PayloadSearch words) implements Condition {
    @Override
    public int outcomes(EventParts event) {
      return event.isObject() ? Outcomes.of(event.has(words)) : Outcomes.EITHER;
    }

    @Override
    public boolean readsPayload() {
      return true;
    }
  }

  record OfTime(Comparison comparison, Instant constant) implements Condition {
    @Override
    public int outcomes(EventParts event) {
      return event.isWhole()
          ? comparison.outcomes(Ticks.toInstant(event.ticks()).compareTo(constant))
          : Outcomes.ANY;
    }
  }

  /** A condition on fields of the payload. For an odd payload, any outcome is possible. */
  sealed interface OfPayload extends Condition {
    /**
     * Returns the outcomes for a payload that is not odd; {@code spans} are those of {@link
     * FieldTree#find}.
     */
    int outcomes(byte[] bytes, Spans spans);

    @Override
    default int outcomes(EventParts event) {
      Spans spans = event.spans();
      return spans == null ? Outcomes.ANY : outcomes(event.bytes(), spans);
    }

    @Override
    default boolean readsPayload() {
      return true;
    }

    static boolean isThere(int field, Spans spans) {
      return spans.has(field);
    }
  }

  /** A test of a field's value; an error if the field is absent. */
  record OfField(int field, ValueTest test) implements OfPayload {
    @Override
    public int outcomes(byte[] bytes, Spans spans) {
      return OfPayload.isThere(field, spans)
          ? test.outcomes(bytes, spans.start(field), spans.end(field))
          : Outcomes.ERROR;
    }
  }

  record OfTerms(Comparison comparison, Term a, Term b) implements OfPayload {
    @Override
    public int outcomes(byte[] bytes, Spans spans) {
      return a.of(bytes, spans).outcomes(comparison, b.of(bytes, spans));
    }
  }

  /**
   * A test of a member of the line that became a label. It is uncertain unless the line is JSON.
   *
   * @param without the outcomes if the line has no such label
   */
  record OfMember(LineFields line, int field, ValueTest test, int without) implements OfPayload {
    @Override
    public int outcomes(byte[] bytes, Spans spans) {
      if (!line.areOfJson(bytes, spans)) {
        return Outcomes.EITHER;
      }
      return LabelFields.isLabel(field, bytes, spans)
          ? test.outcomes(bytes, spans.start(field), spans.end(field))
          : without;
    }
  }

  /**
   * The condition {@code has(object.field)}. It is an error if both are absent, and uncertain if
   * {@code object} is not an object. A field may exist without its object, under a key with dots.
   */
  record Has(int object, int field) implements OfPayload {
    @Override
    public int outcomes(byte[] bytes, Spans spans) {
      if (OfPayload.isThere(field, spans)) {
        return Outcomes.TRUE;
      }
      if (!OfPayload.isThere(object, spans)) {
        return Outcomes.ERROR;
      }
      return bytes[spans.start(object)] == '{' ? Outcomes.FALSE : Outcomes.ANY;
    }
  }

  /** An expression that is an error if one of its fields is absent, and is uncertain otherwise. */
  record Needing(List<Integer> fields) implements OfPayload {
    @Override
    public int outcomes(byte[] bytes, Spans spans) {
      for (int field : fields) {
        if (!OfPayload.isThere(field, spans)) {
          return Outcomes.ERROR;
        }
      }
      return Outcomes.ANY;
    }
  }
}
