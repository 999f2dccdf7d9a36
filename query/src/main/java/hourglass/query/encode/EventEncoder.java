package hourglass.query.encode;

import hourglass.query.AnswerFacts;
import hourglass.store.Columns;

/** Writes the events of one answer as bytes. Used by one thread at a time. */
public interface EventEncoder {

  /** What comes before the first event. */
  default byte[] begin() {
    return new byte[0];
  }

  /** At least the bytes that {@link #write} takes for an event. */
  int bytesMax(RowText row, Columns columns, int i);

  /**
   * Writes column {@code i} of a pack.
   *
   * @param out has room for {@link #bytesMax} bytes from {@code at} on
   * @return the position after the last byte written
   */
  int write(RowText row, Columns columns, int i, byte[] out, int at);

  /** What comes after the last event. */
  default byte[] end(AnswerFacts facts) {
    return new byte[0];
  }
}
