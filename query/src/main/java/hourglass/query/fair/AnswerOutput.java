package hourglass.query.fair;

import hourglass.query.Chunk;

/** Receives the bytes of one answer. Used by the thread of the query. */
public interface AnswerOutput {
  /**
   * Returns a chunk with room for this many bytes, which the caller appends to it at once. Waits
   * while the client does not read.
   *
   * @throws java.util.concurrent.CancellationException if the answer has ended
   */
  Chunk room(int bytes);

  /** Appends bytes as {@link #room} does. */
  default void append(byte[] bytes) {
    if (bytes.length > 0) {
      room(bytes.length).append(bytes);
    }
  }
}
