package hourglass.ingest.decode;

import org.jspecify.annotations.Nullable;

/** Steps through the items of an input in the order sent. Not thread-safe. */
public abstract class ItemCursor {
  protected final byte[] b;
  protected final int length;
  protected int at;
  private final FieldMapping mapping;
  private int index = -1;

  public static ItemCursor of(Body body, BodyFormat format, FieldMapping mapping) {
    return format.isLines()
        ? new LineItems(body, format, mapping)
        : new JsonItems(body, format, mapping);
  }

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

  /** A byte order mark is not JSON, but some senders write it. */
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
    // Most inputs have items of one format.
  }

  /** The reason why the current item cannot be read at all, or null. */
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
   * Moves behind an item that was scanned up to a position.
   *
   * @return false if unexpected bytes follow; the scanner has the details
   */
  abstract boolean pass(JsonScanner json, int end);

  /** Moves behind an item that is not JSON. */
  abstract void passBroken(JsonScanner json);

  /** The reason why no item of the input may be stored, as far as it was read; or null. */
  @Nullable String brokenBody() {
    return null;
  }

  /** Like {@link #brokenBody}, for the input to its end. */
  @Nullable String brokenBodyAhead(JsonScanner json) {
    return null;
  }

  /** The end of an item after {@link #passBroken}. */
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

  /** The scanner's problem, for the sender. */
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
