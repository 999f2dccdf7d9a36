package hourglass.query.encode;

import hourglass.query.AnswerFacts;
import hourglass.store.Columns;

/** Writes the events of one answer as bytes. Used by one thread at a time. */
public interface EventEncoder {

  default byte[] begin() {
    return new byte[0];
  }

  /** Returns an upper bound on the bytes that {@link #write} needs. */
  int bytesMax(RowText row, Columns columns, int i);

  /**
   * Writes column {@code i}, and returns the position after the last byte written.
   *
   * @param out has room for {@link #bytesMax} bytes at {@code at}
   */
  int write(RowText row, Columns columns, int i, byte[] out, int at);

  default byte[] end(AnswerFacts facts) {
    return new byte[0];
  }
}
