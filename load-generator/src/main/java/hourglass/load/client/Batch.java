package hourglass.load.client;

import io.vertx.core.buffer.Buffer;

/**
 * One request, built before it is sent. Its buffers are never changed.
 *
 * @param index number of the batch in its source, from 0
 * @param firstEvent number of events of the source before it
 * @param events how many lines it holds, at least 1
 * @param lines the events, one JSON text a line, each line with its line break
 * @param body the request's body: {@code lines} itself, or its gzip form
 */
public record Batch(int index, long firstEvent, int events, Buffer lines, Buffer body) {
  public static Batch plain(int index, long firstEvent, int events, Buffer lines) {
    return new Batch(index, firstEvent, events, lines, lines);
  }

  public Batch withBody(Buffer encoded) {
    return new Batch(index, firstEvent, events, lines, encoded);
  }

  @SuppressWarnings("ReferenceEquality") // the same one, not an equal one
  boolean isEncoded() {
    return body != lines;
  }

  /** Memory it holds. */
  public long heldBytes() {
    return isEncoded() ? (long) lines.length() + body.length() : lines.length();
  }
}
