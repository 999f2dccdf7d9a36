package hourglass.query.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;

/**
 * The body of an answer, written part by part, so that memory never holds all of it. A part has a
 * few KB, or one event if that is larger. Used by one thread at a time.
 */
interface AnswerParts {

  boolean hasNext();

  /**
   * Writes the next part.
   *
   * @param out the same stream in each call
   */
  void writeNext(ByteArrayOutputStream out) throws IOException;

  /** A body that is already in memory. */
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
