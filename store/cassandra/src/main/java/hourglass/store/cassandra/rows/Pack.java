package hourglass.store.cassandra.rows;

import hourglass.bucketing.TimeUuid;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Columns of one row as one stored value: a single column, or a page of many. See
 * docs/pack-format.md.
 *
 * @param first the smallest name
 * @param digest of head and body, so that the same columns are stored once
 * @param head the length of a single payload; or the ranges of names and the header of a page
 * @param body a single payload, or the rest of a page; null if it was not read
 */
record Pack(TimeUuid first, long digest, ByteBuffer head, @Nullable ByteBuffer body) {

  /** A page's head is longer. */
  static final int COLUMN_HEAD_BYTES = Integer.BYTES;

  boolean isColumn() {
    return head.remaining() == COLUMN_HEAD_BYTES;
  }

  int length() {
    return head.getInt(head.position());
  }
}
