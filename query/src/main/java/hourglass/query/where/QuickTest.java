package hourglass.query.where;

import hourglass.bucketing.Ticks;
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
  boolean readsPayload();

  /** The same whatever the event is. */
  record Known(int outcomes) implements QuickTest {
    static final QuickTest NOTHING = new Known(Outcomes.ANY);

    @Override
    public boolean readsPayload() {
      return false;
    }

    @Override
    public int outcomes(EventParts event) {
      return outcomes;
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
  record And(QuickTest a, QuickTest b) implements QuickTest {
    @Override
    public boolean readsPayload() {
      return a.readsPayload() || b.readsPayload();
    }

    @Override
    public int outcomes(EventParts event) {
      int first = a.outcomes(event);
      return first == Outcomes.FALSE ? first : Outcomes.and(first, b.outcomes(event));
    }
  }

  /** {@code a || b}. */
  record Or(QuickTest a, QuickTest b) implements QuickTest {
    @Override
    public boolean readsPayload() {
      return a.readsPayload() || b.readsPayload();
    }

    @Override
    public int outcomes(EventParts event) {
      int first = a.outcomes(event);
      return first == Outcomes.TRUE ? first : Outcomes.or(first, b.outcomes(event));
    }
  }

  /** {@code !a}. */
  record Not(QuickTest a) implements QuickTest {
    @Override
    public boolean readsPayload() {
      return a.readsPayload();
    }

    @Override
    public int outcomes(EventParts event) {
      return Outcomes.not(a.outcomes(event));
    }
  }

  /** {@code a ? b : c}. */
  record Choice(QuickTest a, QuickTest b, QuickTest c) implements QuickTest {
    @Override
    public boolean readsPayload() {
      return a.readsPayload() || b.readsPayload() || c.readsPayload();
    }

    @Override
    public int outcomes(EventParts event) {
      return Outcomes.choice(a.outcomes(event), b.outcomes(event), c.outcomes(event));
    }
  }

  /** A test of the event's type or id. */
  record OfText(boolean ofType, TextTest test) implements QuickTest {
    @Override
    public boolean readsPayload() {
      return false;
    }

    @Override
    public int outcomes(EventParts event) {
      return test.outcomes(ofType ? event.type() : event.id());
    }
  }

  /** The event's time beside a constant. */
  record OfTime(Comparison comparison, Instant constant) implements QuickTest {
    @Override
    public boolean readsPayload() {
      return false;
    }

    @Override
    public int outcomes(EventParts event) {
      return comparison.outcomes(Ticks.toInstant(event.ticks()).compareTo(constant));
    }
  }

  /** A test of one field's value; an error where the field is not there. */
  record OfField(int field, ValueTest test) implements QuickTest {
    @Override
    public boolean readsPayload() {
      return true;
    }

    @Override
    public int outcomes(EventParts event) {
      int[] spans = event.spans();
      if (spans == null) {
        return Outcomes.ANY;
      }
      int to = spans[2 * field + 1];
      return to == 0 ? Outcomes.ERROR : test.outcomes(event.bytes(), spans[2 * field], to);
    }
  }

  /** {@code has(object.field)}; where the object is none, or not there, it has no answer. */
  record Has(int object, int field) implements QuickTest {
    @Override
    public boolean readsPayload() {
      return true;
    }

    @Override
    public int outcomes(EventParts event) {
      int[] spans = event.spans();
      if (spans == null) {
        return Outcomes.ANY;
      }
      if (spans[2 * object + 1] == 0) {
        return Outcomes.ERROR;
      }
      return event.bytes()[spans[2 * object]] == '{'
          ? Outcomes.of(spans[2 * field + 1] != 0)
          : Outcomes.ANY;
    }
  }

  /** Something that is an error where one of its fields is not there; no more is known of it. */
  record Needing(List<Integer> fields) implements QuickTest {
    @Override
    public boolean readsPayload() {
      return true;
    }

    @Override
    public int outcomes(EventParts event) {
      int[] spans = event.spans();
      if (spans != null) {
        for (int field : fields) {
          if (spans[2 * field + 1] == 0) {
            return Outcomes.ERROR;
          }
        }
      }
      return Outcomes.ANY;
    }
  }
}
