package hourglass.query.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;

/**
 * The body of an answer, written part by part as there is room for it, so that the whole of it is
 * never in memory. A part is small: some KB, but for a single event. Used by one thread at a time.
 */
interface AnswerParts {

  /** Whether a part is left. */
  boolean hasNext();

  /**
   * Writes the next part.
   *
   * @param out the same one each time
   */
  void writeNext(ByteArrayOutputStream out) throws IOException;

  /** A body that is in memory already. */
  static AnswerParts of(byte[] body) {
    return new AnswerParts() {
      private boolean written;

      @Override
      public boolean hasNext() {
        return !written;
      }

      @Override
      public void writeNext(ByteArrayOutputStream out) {
        written = true;
        out.writeBytes(body);
      }
    };
  }
}
