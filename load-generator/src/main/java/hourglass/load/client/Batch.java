package hourglass.load.client;

import io.vertx.core.buffer.Buffer;

/**
 * The events of one request. Its buffers are never changed.
 *
 * @param index counted from 0 in the source
 * @param firstEvent the number of events of the source before it
 * @param events at least 1
 * @param contentType the type of the lines
 * @param lines one event a line, each with its line break
 * @param body {@code lines} itself, or its gzip form
 */
public record Batch(
    int index, long firstEvent, int events, String contentType, Buffer lines, Buffer body) {
  private static final String NDJSON = "application/x-ndjson";
  private static final String TEXT = "text/plain";

  /** Creates a batch whose lines are JSON texts. */
  public static Batch plain(int index, long firstEvent, int events, Buffer lines) {
    return new Batch(index, firstEvent, events, NDJSON, lines, lines);
  }

  /** Creates a batch of lines that are not JSON. */
  public static Batch text(int index, long firstEvent, int events, Buffer lines) {
    return new Batch(index, firstEvent, events, TEXT, lines, lines);
  }

  public Batch withBody(Buffer encoded) {
    return new Batch(index, firstEvent, events, contentType, lines, encoded);
  }

  @SuppressWarnings("ReferenceEquality") // compares identity on purpose
  boolean isEncoded() {
    return body != lines;
  }

  public long heldBytes() {
    return isEncoded() ? (long) lines.length() + body.length() : lines.length();
  }
}
