package hourglass.query.count;

import hourglass.query.fair.AnswerBytes;
import hourglass.query.values.ValueTally;
import hourglass.query.where.json.ScalarText;

/** Collects the scalars of a field, each in canonical spelling. */
public final class ValueBatch implements ValueSink {
  /** The most bytes of a value that is counted. Longer values are prose, not categories. */
  public static final int VALUE_BYTES_MAX = 4_096;

  /** The most bytes that a batch of one group gathers. */
  static final int BYTES_MAX = 16 * VALUE_BYTES_MAX;

  private final ValueTally tally;
  private final TextGatherer texts;
  private long absent;
  private long nested;
  private long tooLong;

  /** The account is kept equal to the size of the tally. */
  ValueBatch(ValueTally tally, AnswerBytes.Account account, int bytesMax) {
    this.tally = tally;
    texts = new TextGatherer(tally, account, bytesMax);
  }

  @Override
  public void take(byte[] bytes, int from, int to, int events) {
    if (!ScalarText.begins(bytes[from])) {
      nested += events;
    } else if (to - from > VALUE_BYTES_MAX) {
      tooLong += events;
    } else if (ScalarText.isSpelled(bytes, from, to)) {
      texts.add(bytes, from, to - from, events);
    } else {
      byte[] spelled = ScalarText.of(bytes, from, to); // hardly longer than the original
      texts.add(spelled, 0, spelled.length, events);
    }
  }

  @Override
  public void takeAbsent(long events) {
    absent += events;
  }

  @Override
  public void flush() {
    texts.flush();
    tally.addOthers(absent, nested, tooLong);
    absent = 0;
    nested = 0;
    tooLong = 0;
  }
}
