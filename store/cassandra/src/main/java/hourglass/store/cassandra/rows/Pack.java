package hourglass.store.cassandra.rows;

import hourglass.bucketing.TimeUuid;
import hourglass.store.CorruptException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Columns of one row as one stored value: a single column, or a page of many. See
 * docs/pack-format.md.
 *
 * @param first the smallest name
 * @param digest of head, body and the period of the write, so that the same columns are stored once
 *     in a period
 * @param head the length of a single payload; or the ranges of names, the header of a page, and its
 *     filter of values or the index of several pages
 * @param body a single payload, or the rest of a page; null if it was not read
 */
record Pack(TimeUuid first, long digest, ByteBuffer head, @Nullable ByteBuffer body) {

  /** The length of a column's head; a page's head is longer. */
  static final int COLUMN_HEAD_BYTES = Integer.BYTES;

  /** An odd number, so that no two periods change a digest in the same way. */
  private static final long PERIOD_FACTOR = 0x9E37_79B9_7F4A_7C15L;

  /** The digest of a page of a seal, whose key contains none. */
  static final long SEALED = 0;

  boolean isColumn() {
    return head.remaining() == COLUMN_HEAD_BYTES;
  }

  /** Returns the same columns under the key of a period. Those of two periods always differ. */
  Pack in(long period) {
    return new Pack(first, digest + period * PERIOD_FACTOR, head, body);
  }

  /** Returns the same columns with an index after their head. */
  Pack with(byte[] index) {
    ByteBuffer longer = ByteBuffer.allocate(head.remaining() + index.length);
    return new Pack(first, digest, longer.put(head.duplicate()).put(index).flip(), body);
  }

  /** The length of the body, which must have been read. */
  int bodyLength() {
    return Objects.requireNonNull(body).remaining();
  }

  int length() {
    return head.getInt(head.position());
  }

  CorruptException damaged(CorruptException fault) {
    return damaged(first, digest, fault);
  }

  static CorruptException damaged(TimeUuid first, long digest, CorruptException fault) {
    String key = digest == SEALED ? "sealed page " + first : "pack " + first + ", digest " + digest;
    return new CorruptException(key + ": " + fault.getMessage(), fault);
  }
}
