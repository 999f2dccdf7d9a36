package hourglass.query.where;

import hourglass.bucketing.Ticks;
import hourglass.query.where.json.FieldTree;
import java.time.Instant;
import java.util.List;

/**
 * A fast test of an event's bytes that finds the possible outcomes of a part of an expression; the
 * CEL library decides uncertain cases. Immutable.
 */
interface QuickTest {
  /** The possible {@link Outcomes}; at least one. */
  int outcomes(EventParts event);

  default boolean readsPayload() {
    return false;
  }

  record Known(int outcomes) implements QuickTest {
    static final QuickTest NOTHING = new Known(Outcomes.ANY);

    @Override
    public int outcomes(EventParts event) {
      return outcomes;
    }
  }

  sealed interface Compound extends QuickTest {
    List<QuickTest> of();

    @Override
    default boolean readsPayload() {
      return of().stream().anyMatch(QuickTest::readsPayload);
    }
  }

  /** An odd payload may have any outcome. */
  sealed interface OfPayload extends QuickTest {
    /** The outcomes for a payload that is not odd; {@code spans} as in {@link FieldTree#find}. */
    int outcomes(byte[] bytes, int[] spans);

    @Override
    default int outcomes(EventParts event) {
      int[] spans = event.spans();
      return spans == null ? Outcomes.ANY : outcomes(event.bytes(), spans);
    }

    @Override
    default boolean readsPayload() {
      return true;
    }

    static boolean isThere(int field, int[] spans) {
      return spans[2 * field + 1] != 0;
    }
  }

  static QuickTest and(QuickTest a, QuickTest b) {
    return a.readsPayload() && !b.readsPayload() ? new And(b, a) : new And(a, b);
  }

  static QuickTest or(QuickTest a, QuickTest b) {
    return a.readsPayload() && !b.readsPayload() ? new Or(b, a) : new Or(a, b);
  }

  record And(QuickTest a, QuickTest b) implements Compound {
    @Override
    public List<QuickTest> of() {
      return List.of(a, b);
    }

    @Override
    public int outcomes(EventParts event) {
      int first = a.outcomes(event);
      return first == Outcomes.FALSE ? first : Outcomes.and(first, b.outcomes(event));
    }
  }

  record Or(QuickTest a, QuickTest b) implements Compound {
    @Override
    public List<QuickTest> of() {
      return List.of(a, b);
    }

    @Override
    public int outcomes(EventParts event) {
      int first = a.outcomes(event);
      return first == Outcomes.TRUE ? first : Outcomes.or(first, b.outcomes(event));
    }
  }

  record Not(QuickTest a) implements Compound {
    @Override
    public List<QuickTest> of() {
      return List.of(a);
    }

    @Override
    public int outcomes(EventParts event) {
      return Outcomes.not(a.outcomes(event));
    }
  }

  record Choice(QuickTest a, QuickTest b, QuickTest c) implements Compound {
    @Override
    public List<QuickTest> of() {
      return List.of(a, b, c);
    }

    @Override
    public int outcomes(EventParts event) {
      return Outcomes.choice(a.outcomes(event), b.outcomes(event), c.outcomes(event));
    }
  }

  record OfText(boolean ofType, TextTest test) implements QuickTest {
    @Override
    public int outcomes(EventParts event) {
      return event.isWhole() ? test.outcomes(ofType ? event.type() : event.id()) : Outcomes.ANY;
    }
  }

  record OfTime(Comparison comparison, Instant constant) implements QuickTest {
    @Override
    public int outcomes(EventParts event) {
      return event.isWhole()
          ? comparison.outcomes(Ticks.toInstant(event.ticks()).compareTo(constant))
          : Outcomes.ANY;
    }
  }

  /** An absent field is an error. */
  record OfField(int field, ValueTest test) implements OfPayload {
    @Override
    public int outcomes(byte[] bytes, int[] spans) {
      return OfPayload.isThere(field, spans)
          ? test.outcomes(bytes, spans[2 * field], spans[2 * field + 1])
          : Outcomes.ERROR;
    }
  }

  record OfTerms(Comparison comparison, Term a, Term b) implements OfPayload {
    @Override
    public int outcomes(byte[] bytes, int[] spans) {
      return a.of(bytes, spans).outcomes(comparison, b.of(bytes, spans));
    }
  }

  /**
   * {@code has(object.field)}: an error if the object is absent, and uncertain if it is no object.
   */
  record Has(int object, int field) implements OfPayload {
    @Override
    public int outcomes(byte[] bytes, int[] spans) {
      if (!OfPayload.isThere(object, spans)) {
        return Outcomes.ERROR;
      }
      return bytes[spans[2 * object]] == '{'
          ? Outcomes.of(OfPayload.isThere(field, spans))
          : Outcomes.ANY;
    }
  }

  /** An expression that is an error if one of its fields is absent, and uncertain otherwise. */
  record Needing(List<Integer> fields) implements OfPayload {
    @Override
    public int outcomes(byte[] bytes, int[] spans) {
      for (int field : fields) {
        if (!OfPayload.isThere(field, spans)) {
          return Outcomes.ERROR;
        }
      }
      return Outcomes.ANY;
    }
  }
}
