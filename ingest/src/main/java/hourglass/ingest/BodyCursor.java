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
    // A byte order mark is no part of JSON, but some senders put it first.
    boolean mark = length >= 3 && b[0] == (byte) 0xef && b[1] == (byte) 0xbb && b[2] == (byte) 0xbf;
    at = mark ? 3 : 0;
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

  /** Whether a byte ends an item before the body ends. */
  protected boolean isEnd(byte c) {
    return false;
  }

  /** What the scanner found wrong, as a sender wants to read it. */
  final String notJson(JsonScanner json, int origin, String of) {
    int failed = json.failedAt();
    boolean ended = failed >= length || isEnd(b[failed]);
    return "not JSON at byte "
        + (failed - origin)
        + of
        + (ended ? ": ends too early, " : ": ")
        + "want "
        + json.expected();
  }
}
