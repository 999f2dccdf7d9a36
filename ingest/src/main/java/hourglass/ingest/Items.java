package hourglass.ingest;

import hourglass.bucketing.Identity;
import org.jspecify.annotations.Nullable;

/** The items of one run, each to become one event, and what completes them. Not thread-safe. */
abstract class Items {
  private final byte[] bytes;
  private final int length;
  private final FieldMapping mapping;
  private final BodyCursor cursor;

  Items(Body body, FieldMapping mapping, BodyCursor cursor) {
    this.bytes = body.bytes();
    this.length = body.length();
    this.mapping = mapping;
    this.cursor = cursor;
  }

  final byte[] bytes() {
    return bytes;
  }

  final int length() {
    return length;
  }

  final FieldMapping mapping() {
    return mapping;
  }

  final BodyCursor cursor() {
    return cursor;
  }

  /** Sets a decoder to all of the items; {@link #prepare} then to each. */
  abstract void begin(EventDecoder decoder);

  /** Sets a decoder to the item at the cursor. */
  abstract void prepare(EventDecoder decoder);

  /** Why the item at the cursor cannot be read at all, or null. */
  abstract @Nullable String unreadable();

  /**
   * The lower half of the name of the event at the cursor, which does not name itself.
   *
   * @param end of its bytes
   */
  abstract long lsb(Identity identity, int end);

  /** How many refused items are told one by one; the rest are only counted. */
  abstract int toldMax(IngestOptions options);
}
