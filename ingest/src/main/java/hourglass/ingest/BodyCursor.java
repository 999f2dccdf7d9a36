package hourglass.ingest;

import org.jspecify.annotations.Nullable;

/** Steps through the items of a body in the order sent. Not thread-safe. */
abstract class BodyCursor {
  protected final byte[] b;
  protected final int length;
  protected int at;
  private int index = -1;

  /** The cursor for a body. */
  static BodyCursor of(Body body, BodyFormat format) {
    return format.isLines() ? new NdjsonBody(body) : new JsonBody(body);
  }

  protected BodyCursor(Body body) {
    b = body.bytes();
    length = body.length();
    at = afterMark(0, length);
  }

  /** A byte order mark is no part of JSON, but some senders put it first. */
  protected final int afterMark(int from, int to) {
    boolean mark =
        to - from >= 3
            && b[from] == (byte) 0xef
            && b[from + 1] == (byte) 0xbb
            && b[from + 2] == (byte) 0xbf;
    return mark ? from + 3 : from;
  }

  /** A cursor at the place of another. */
  protected BodyCursor(BodyCursor other) {
    b = other.b;
    length = other.length;
    at = other.at;
    index = other.index;
  }

  /** Moves to the next item; false if there is none. */
  final boolean next(JsonScanner json) {
    boolean found = seek(json);
    index += found ? 1 : 0;
    return found;
  }

  /** Sets {@link #at} to the next item's first byte. */
  protected abstract boolean seek(JsonScanner json);

  /** The position of the item's first byte. */
  final int at() {
    return at;
  }

  /** The item's number, from 0. */
  final int index() {
    return index;
  }

  /**
   * Passes over an item that was read up to a position; false if something stands there that does
   * not belong, which the scanner then tells.
   */
  abstract boolean pass(JsonScanner json, int end);

  /** Passes over an item that is not JSON. */
  abstract void passBroken(JsonScanner json);

  /** Why no item of the body may be stored, or null. */
  abstract @Nullable String broken();

  /** As {@link #broken}, looking ahead to the end of the body. */
  abstract @Nullable String brokenAhead(JsonScanner json);

  /** Where an item ends that was passed over as broken. */
  int brokenEnd() {
    return end();
  }

  /** Where the item at hand must end at the latest, once it is passed. */
  protected int end() {
    return length;
  }

  /** Whether the item at hand must have ended at a position. */
  protected boolean isAtEnd(int position) {
    return position >= end();
  }

  /** What the scanner found wrong, as a sender wants to read it. */
  final String notJson(JsonScanner json, int origin, String of) {
    int failed = json.failedAt();
    return "not JSON at byte "
        + (failed - origin)
        + of
        + (isAtEnd(failed) ? ": ends too early, " : ": ")
        + "want "
        + json.expected();
  }
}
