package hourglass.query.where;

import hourglass.bucketing.Ticks;
import hourglass.query.where.json.FieldTree;
import java.time.Instant;
import java.util.List;

/**
 * What may come of a part of an expression, told from a glance at the event's bytes; what is not
 * sure is left to the language's library, which alone defines what an expression means. Immutable.
 */
interface QuickTest {
  /** The {@link Outcomes} that are possible; never none. */
  int outcomes(EventParts event);

  /** Whether it looks at the payload, which costs more than all else. */
  default boolean readsPayload() {
    return false;
  }

  /** The same whatever the event is. */
  record Known(int outcomes) implements QuickTest {
    static final QuickTest NOTHING = new Known(Outcomes.ANY);

    @Override
    public int outcomes(EventParts event) {
      return outcomes;
    }
  }

  /** One that is made of others. */
  sealed interface Compound extends QuickTest {
    /** The others. */
    List<QuickTest> of();

    @Override
    default boolean readsPayload() {
      return of().stream().anyMatch(QuickTest::readsPayload);
    }
  }

  /** One that looks at fields of the payload; what is too odd for a glance may be anything. */
  sealed interface OfPayload extends QuickTest {
    /**
     * The outcomes for a payload that was glanced at.
     *
     * @param spans of its fields, as {@link FieldTree#find} tells them
     */
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

    /** Whether a field is there. */
    static boolean isThere(int field, int[] spans) {
      return spans[2 * field + 1] != 0;
    }
  }

  /** {@code a && b}; what is cheap is asked first, since their order makes no difference. */
  static QuickTest and(QuickTest a, QuickTest b) {
    return a.readsPayload() && !b.readsPayload() ? new And(b, a) : new And(a, b);
  }

  /** {@code a || b}, likewise. */
  static QuickTest or(QuickTest a, QuickTest b) {
    return a.readsPayload() && !b.readsPayload() ? new Or(b, a) : new Or(a, b);
  }

  /** {@code a && b}. */
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

  /** {@code a || b}. */
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

  /** {@code !a}. */
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

  /** {@code a ? b : c}. */
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

  /** A test of the event's type or id. */
  record OfText(boolean ofType, TextTest test) implements QuickTest {
    @Override
    public int outcomes(EventParts event) {
      return test.outcomes(ofType ? event.type() : event.id());
    }
  }

  /** The event's time beside a constant. */
  record OfTime(Comparison comparison, Instant constant) implements QuickTest {
    @Override
    public int outcomes(EventParts event) {
      return comparison.outcomes(Ticks.toInstant(event.ticks()).compareTo(constant));
    }
  }

  /** A test of one field's value; an error where the field is not there. */
  record OfField(int field, ValueTest test) implements OfPayload {
    @Override
    public int outcomes(byte[] bytes, int[] spans) {
      return OfPayload.isThere(field, spans)
          ? test.outcomes(bytes, spans[2 * field], spans[2 * field + 1])
          : Outcomes.ERROR;
    }
  }

  /** Two numbers, computed from fields, beside one another. */
  record OfTerms(Comparison comparison, Term a, Term b) implements OfPayload {
    @Override
    public int outcomes(byte[] bytes, int[] spans) {
      return a.of(bytes, spans).outcomes(comparison, b.of(bytes, spans));
    }
  }

  /** {@code has(object.field)}; where the object is none, or not there, it has no answer. */
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

  /** Something that is an error where one of its fields is not there; no more is known of it. */
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
