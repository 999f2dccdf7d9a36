package hourglass.ingest.decode;

import org.jspecify.annotations.Nullable;

/** Steps through the items of an input in the order sent. Not thread-safe. */
public abstract class ItemCursor {
  protected final byte[] b;
  protected final int length;
  protected int at;
  private final FieldMapping mapping;
  private int index = -1;

  /** The items of a request's body. */
  public static ItemCursor of(Body body, BodyFormat format, FieldMapping mapping) {
    return format.isLines()
        ? new LineItems(body, format, mapping)
        : new JsonItems(body, format, mapping);
  }

  /** The records of a topic, an item each. */
  public static ItemCursor of(RecordBatch records) {
    return new RecordItems(records);
  }

  protected ItemCursor(Body body, FieldMapping mapping) {
    this.b = body.bytes();
    this.length = body.length();
    this.mapping = mapping;
    this.at = afterMark(0, length);
  }

  /** A cursor at the place of another. */
  protected ItemCursor(ItemCursor other) {
    b = other.b;
    length = other.length;
    at = other.at;
    mapping = other.mapping;
    index = other.index;
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

  final byte[] bytes() {
    return b;
  }

  /** The bytes of all items together. */
  public final int length() {
    return length;
  }

  final FieldMapping mapping() {
    return mapping;
  }

  /** Prepares a decoder for all items; {@link #prepare} then for each. */
  abstract void begin(EventDecoder decoder);

  /** Prepares a decoder for the current item. */
  void prepare(EventDecoder decoder) {
    // Most inputs have items of one kind.
  }

  /** Why the current item cannot be read at all, or null. */
  @Nullable String unreadable() {
    return null;
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

  /** The current item's number, from 0; -1 before the first. */
  public final int index() {
    return index;
  }

  /**
   * Passes over an item that was read up to a position.
   *
   * @return false if something follows that does not belong there; the scanner says why
   */
  abstract boolean pass(JsonScanner json, int end);

  /** Passes over an item that is not JSON. */
  abstract void passBroken(JsonScanner json);

  /** Why no item of the input may be stored, as far as it was read; or null. */
  @Nullable String brokenBody() {
    return null;
  }

  /** As {@link #brokenBody}, reading ahead to the end of the input. */
  @Nullable String brokenBodyAhead(JsonScanner json) {
    return null;
  }

  /** The end of an item that was passed over as broken. */
  int brokenEnd() {
    return end();
  }

  /** The latest position at which the current item may end. */
  protected int end() {
    return length;
  }

  /** Whether the current item must have ended at a position. */
  protected boolean isAtEnd(int position) {
    return position >= end();
  }

  /** The scanner's complaint, as a sender reads it. */
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
